import { departmentOf } from './departments.ts'
import { JOB_LEVELS, levelOf } from './levels.ts'
import { dropSuperior, titleWords } from './words.ts'

/**
 * Whether two titles can be one person's job, told by two pages: one says more than the other, or both are of about
 * the same rank in the same field. Founders and officers are called by several titles, so their field decides nothing.
 */
export function titlesAgree(one: string, other: string): boolean {
  if (one === other) return true
  const [first, second] = [read(one), read(other)]
  if (holds(first.words, second.words) || holds(second.words, first.words)) return true
  if (Math.abs(first.level - second.level) > 1) return false
  return (
    first.department === second.department ||
    isUnspecific(first.department) ||
    isUnspecific(second.department) ||
    isTop(first, second)
  )
}

/**
 * Whether one title after the other tells of another role: of another rank, or of another field. Another wording of the same job,
 * or a longer one, tells of none.
 */
export function isDifferentRole(before: string, after: string): boolean {
  const [first, second] = [read(before), read(after)]
  if (first.level !== second.level) return true
  if (holds(first.words, second.words) || holds(second.words, first.words)) return false
  const { department } = first
  return department !== second.department && !isUnspecific(department) && !isUnspecific(second.department)
}

function holds(words: readonly string[], some: readonly string[]): boolean {
  return some.every((word) => word === ',' || words.includes(word))
}

type Reading = { words: string[]; level: number; department: string }

/** A page may set one name beside thousands of titles: each is compared with many, and read once. */
const known = new Map<string, Reading>()
const MOST_KNOWN = 2_000

function read(title: string): Reading {
  const reading = known.get(title)
  if (reading) return reading
  const words = titleWords(title)
  const own = dropSuperior(words)
  const read = { words, level: JOB_LEVELS.indexOf(levelOf(own)), department: departmentOf(own, words) }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(title, read)
  return read
}

const isUnspecific = (department: string) => department === 'Other' || department === 'Executive'
const isTop = (one: { level: number }, other: { level: number }) => one.level === 0 && other.level === 0
