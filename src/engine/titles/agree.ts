import { departmentOf } from './departments.ts'
import { JOB_LEVELS, levelOf } from './levels.ts'
import { titleWords, withoutSuperior } from './words.ts'

/**
 * Whether two titles can be one person's job, told by two pages: one says more than the other, or both are of about
 * the same rank in the same field. Founders and officers are called by several titles, so their field decides nothing.
 */
export function titlesAgree(one: string, other: string): boolean {
  const [a, b] = [titleWords(one), titleWords(other)]
  if (holds(a, b) || holds(b, a)) return true
  const [first, second] = [read(a), read(b)]
  if (Math.abs(first.level - second.level) > 1) return false
  return (
    first.department === second.department ||
    isUnspecific(first.department) ||
    isUnspecific(second.department) ||
    isTop(first, second)
  )
}

function holds(words: readonly string[], some: readonly string[]): boolean {
  return some.every((word) => word === ',' || words.includes(word))
}

function read(words: string[]) {
  const own = withoutSuperior(words)
  return { level: JOB_LEVELS.indexOf(levelOf(own)), department: departmentOf(own, words) }
}

const isUnspecific = (department: string) => department === 'Other' || department === 'Executive'
const isTop = (one: { level: number }, other: { level: number }) => one.level === 0 && other.level === 0
