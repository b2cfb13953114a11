import { readTitle } from '../titles/index.ts'
import { titleWords } from '../titles/words.ts'
import { singular } from './roles.ts'
import type { Cascade, Tier } from './types.ts'

export type TitledPerson = { title: string; country_code?: string | null }

/**
 * The first tier a person belongs to, or null. A person whose country is not known is not refused for it: the caller
 * sees the null in the record. Exclusions win over everything.
 */
export function matchCascade(cascade: Cascade, person: TitledPerson): Tier | null {
  const words = titleWords(person.title).map(singular)
  const text = ` ${words.join(' ')} `
  const reading = readTitle(person.title)
  const { exclude } = cascade
  if (exclude.keywords.some((keyword) => text.includes(` ${keyword} `))) return null
  if (exclude.job_levels.includes(reading.job_level)) return null
  const country = person.country_code?.toUpperCase()
  if (country && exclude.country_codes.includes(country)) return null
  if (country && cascade.country_codes.length > 0 && !cascade.country_codes.includes(country)) return null
  for (const tier of cascade.tiers) {
    if (tier.titles.some((title) => sameTitle(title, text, words.length))) return tier
    const fits = tier.rules.some(
      ({ job_levels, department, keywords }) =>
        job_levels.includes(reading.job_level) &&
        (department === null || department === reading.department) &&
        (keywords.length === 0 || keywords.some((keyword) => text.includes(` ${keyword} `))),
    )
    if (fits) return tier
  }
  return null
}

const LOOSE = new Set(['of', 'the', 'and', ',', 'senior', 'global', 'group'])
const SAME: Record<string, string> = { svp: 'vp', evp: 'vp' }

/** The same words whatever their order: "Vice President, Sales" is "VP of Sales". Further words make another job. */
function sameTitle(title: string, text: string, length: number): boolean {
  if (length > 12) return false
  const normal = (words: readonly string[]) =>
    words
      .join(' ')
      .replaceAll('vice president', 'vp')
      .split(' ')
      .map((word) => SAME[word] ?? word)
      .filter((word) => word !== '' && !LOOSE.has(word))
      .sort()
      .join(' ')
  return normal(titleWords(title).map(singular)) === normal(text.trim().split(' '))
}
