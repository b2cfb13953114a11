import { setImmediate as breathe } from 'node:timers/promises'
import { daysBefore } from '../../days.ts'
import { type NamedText, readNamedPeople } from '../../engine/named-people/index.ts'
import { foldText } from '../../engine/titles/words.ts'
import type { CompanyRef, FoundPerson, Role } from '../types.ts'

/** Whoever was named longer ago may long be gone. */
export const NAMED_DAYS = 730

export type DatedText = NamedText & { url: string; published_date: string | null }

/**
 * Those with a role whom texts of the last two years name at a company, each once, as the newest of them says; less those
 * whom the same or a newer text says are leaving. Other work gets its turn between texts.
 */
export async function peopleNamedIn(
  texts: readonly DatedText[],
  company: CompanyRef,
  { words, fits }: Role,
  today: string,
): Promise<FoundPerson[]> {
  const since = daysBefore(today, NAMED_DAYS)
  const found = new Map<string, FoundPerson>()
  const gone = new Set<string>()
  const newestFirst = texts
    .filter(({ published_date }) => published_date === null || published_date >= since)
    .toSorted((a, b) => (b.published_date ?? '').localeCompare(a.published_date ?? ''))
  for (const { url, ...text } of newestFirst) {
    await breathe()
    const { people, leaving } = readNamedPeople(text, company, words)
    for (const name of leaving) gone.add(foldText(name))
    for (const person of people) {
      const key = foldText(person.full_name)
      if (!gone.has(key) && !found.has(key) && fits(person.title)) found.set(key, { ...person, url })
    }
  }
  return [...found.values()]
}
