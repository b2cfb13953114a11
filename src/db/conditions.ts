import { likePattern } from '../engine/text/fold.ts'
import { PLANNED_EACH_TIME } from './client.ts'

/**
 * How a condition is written whose best plan depends on its value: with the value, planned for each request; or prepared,
 * for a value of which it is known that few rows have it, or many.
 */
export type QueryShape = 'planned' | 'rare' | 'common'

type Matching = { write: (value: string) => string; at: number }

/** The conditions of a list, written as SQL with their values beside them. */
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

  /** A condition whose selectivity depends on its value: a rare one wants another plan than a common one. */
  andSelective(condition: string): void {
    this.#isSelective = true
    this.and(condition)
  }

  /** The same, for one that an index finds: it has shapes, as long as it is the only condition. */
  andMatching(value: string, write: (value: string) => string): void {
    const parameter = this.value(value)
    this.#matching = { write, at: this.#parts.length }
    this.andSelective(write(parameter))
  }

  /** The same for a text that a column contains. Its index is one of three letters: of fewer it knows nothing. */
  andContaining(text: string, write: (pattern: string) => string): void {
    const pattern = likePattern(text)
    if (/[\p{L}\p{N}]{3}/u.test(pattern)) this.andMatching(pattern, write)
    else this.andSelective(write(this.value(pattern)))
  }

  get sql(): string {
    return this.#parts.join(' and ')
  }

  /** Those of the whole list: its workspace and nothing else. */
  get isAll(): boolean {
    return this.#parts.length === 1
  }

  get hasShapes(): boolean {
    return this.#matching !== null && this.#parts.length === 2
  }

  /** What begins a query with these conditions, unless they have a shape. */
  get prefix(): string {
    return this.#isSelective ? PLANNED_EACH_TIME : ''
  }

  /**
   * The table and the conditions in a shape that is prepared. Neither shows the planner the value, or it would go on planning
   * each time. Rare: what matches is found, by its index, before it is ordered, which `offset 0` holds the planner to.
   * Common: of a `case` it expects half of the rows, so it walks the list in its order.
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
