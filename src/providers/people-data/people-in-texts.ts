import type { NamedText } from '../../engine/named-people/index.ts'
import { nameKey } from '../../engine/people/person-name.ts'
import type { FoundPerson } from '../../engine/roster/types.ts'
import { registrableDomainOrHost } from '../../engine/text/web-address.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import type { CompanyRef, ProviderDeps, RoleQuery } from '../types.ts'

/** A person mentioned longer ago may have left. */
export const MAX_MENTION_AGE_DAYS = 730

export type DatedText = NamedText & { url: string; published_date: string | null }

/**
 * Finds people with a role at a company in texts of the last two years, each person once, as described by the newest
 * text; without people who are leaving according to the same or a newer text. `reasons` lists texts that could not be
 * parsed.
 */
export async function findPeopleInTexts(
  { parserPool, now, signal }: Pick<ProviderDeps, 'parserPool' | 'now' | 'signal'>,
  texts: readonly DatedText[],
  company: CompanyRef,
  { words, fits }: RoleQuery,
): Promise<{ people: FoundPerson[]; reasons: string[] }> {
  const since = daysBefore(isoDate(now()), MAX_MENTION_AGE_DAYS)
  const reasons: string[] = []
  const found = new Map<string, FoundPerson>()
  const gone = new Set<string>()
  const newestFirst = texts
    .filter(({ published_date }) => published_date === null || published_date >= since)
    .toSorted((a, b) => (b.published_date ?? '').localeCompare(a.published_date ?? ''))
  for (const { url, ...text } of newestFirst) {
    const task = { text, company, words: [...words] }
    // Limits are counted separately from the pages of the site, and blame is assigned per text, so that one text blocks
    // neither the pages nor other texts.
    const from = `people ${company.domain ?? company.name}`
    const read = await parserPool.run('people', task, {
      from,
      blame: `${from} ${registrableDomainOrHost(url)}`,
      signal,
    })
    if (read instanceof LimitExceeded) {
      reasons.push(`${url}: ${read.reason}`)
      continue
    }
    const { people, leaving } = read
    for (const name of leaving) gone.add(nameKey(name))
    for (const person of people) {
      const key = nameKey(person.full_name)
      if (!gone.has(key) && !found.has(key) && fits(person.title)) found.set(key, { ...person, url })
    }
  }
  return { people: [...found.values()], reasons }
}
