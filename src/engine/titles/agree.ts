import { departmentOf } from './departments.ts'
import { JOB_LEVELS, levelOf } from './levels.ts'
import { dropSuperior, titleWords } from './words.ts'

/**
 * Whether two titles can be the same person's job on two pages: one is more specific than the other, or both have about the
 * same level in the same department. Founders and officers have several titles, so their department does not count.
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
 * Whether a change of title is a change of role: another level or another department. Another wording of the same job, or a
 * longer title, is not.
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

/** Cache, because a page with one name next to thousands of titles compares each of them with many others. */
const known = new Map<string, Reading>()
const MAX_CACHED = 2_000

function read(title: string): Reading {
  const reading = known.get(title)
  if (reading) return reading
  const words = titleWords(title)
  const own = dropSuperior(words)
  const read = { words, level: JOB_LEVELS.indexOf(levelOf(own)), department: departmentOf(own, words) }
  if (known.size >= MAX_CACHED) known.clear()
  known.set(title, read)
  return read
}

const isUnspecific = (department: string) => department === 'Other' || department === 'Executive'
const isTop = (one: { level: number }, other: { level: number }) => one.level === 0 && other.level === 0
