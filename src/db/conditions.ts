import { likePattern } from '../engine/text/fold.ts'
import { UNPREPARED } from './client.ts'

/**
 * How a query is written when its best plan depends on a value: planned with the value for each request, or prepared for
 * values that match few rows (`rare`) or many (`common`).
 */
export type QueryShape = 'planned' | 'rare' | 'common'

type Matching = { write: (value: string) => string; at: number }

/** The WHERE conditions of a list as SQL, with their parameter values. */
export class Conditions {
  readonly values: unknown[] = []
  readonly #table: string
  readonly #parts: string[] = []
  #isSelective = false
  #matching: Matching | null = null

  constructor(table: string, workspaceId: string) {
    this.#table = table
    this.and(`${table}.workspace_id = ${this.value(workspaceId)}`)
  }

  value(value: unknown): string {
    return `$${this.values.push(value)}`
  }

  and(condition: string): void {
    this.#parts.push(condition)
  }

  /** A condition whose selectivity depends on its value: a rare value needs a different plan than a common one. */
  andSelective(condition: string): void {
    this.#isSelective = true
    this.and(condition)
  }

  /** The same for a condition with an index: it can be prepared in a shape while it is the only condition. */
  andMatching(value: string, write: (value: string) => string): void {
    const parameter = this.value(value)
    this.#matching = { write, at: this.#parts.length }
    this.andSelective(write(parameter))
  }

  /** The same for a substring match. Its trigram index cannot find texts of fewer than three characters. */
  andContaining(text: string, write: (pattern: string) => string): void {
    const pattern = likePattern(text)
    if (/[\p{L}\p{N}]{3}/u.test(pattern)) this.andMatching(pattern, write)
    else this.andSelective(write(this.value(pattern)))
  }

  /** The number of conditions, with that on the workspace. */
  get count(): number {
    return this.#parts.length
  }

  get sql(): string {
    return this.#parts.join(' and ')
  }

  /** Whether the list is unfiltered: the workspace is the only condition. */
  get isAll(): boolean {
    return this.count === 1
  }

  get hasShapes(): boolean {
    return this.#matching !== null && this.count === 2
  }

  /** Prefix of a query with these conditions, unless it is written in a shape. */
  get prefix(): string {
    return this.#isSelective ? UNPREPARED : ''
  }

  /**
   * The FROM clause in a prepared shape. Both shapes hide the value from the planner, which would otherwise keep using custom
   * plans. Rare: `offset 0` makes the planner find matching rows by their index before it sorts them. Common: the planner
   * assumes that a `case` matches half of the rows, so it scans the list in its order.
   */
  shaped(shape: 'rare' | 'common'): string {
    const { write, at } = this.#matching as Matching
    const condition =
      shape === 'rare' ? write('(select $2::text)') : `case when ${write('$2::text')} then true else false end`
    const conditions = this.#parts.toSpliced(at, 1, condition).join(' and ')
    return shape === 'rare'
      ? `(select * from ${this.#table} where ${conditions} offset 0) as ${this.#table}`
      : `${this.#table} where ${conditions}`
  }
}
