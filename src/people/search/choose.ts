import { type Cascade, isPreferred } from '../../engine/cascade/index.ts'
import { type Department, JOB_LEVELS, readTitle } from '../../engine/titles/index.ts'
import { countryCode } from '../../providers/countries.ts'
import { isCompanyHead, tierFor } from './request.ts'

/** A tier is not gone down to when those above have brought so many at an account. */
export const ENOUGH_HITS = 3
/** Of a tier that fits half a company, so many are taken at an account. */
const MAX_HITS = 10

type Candidate = {
  full_name: string
  title: string | null
  headline: string | null
  location: string | null
  country_code: string | null
  account_location: string | null
  account_country: string | null
  job_level: (typeof JOB_LEVELS)[number] | null
  ranking: number | null
}

/**
 * Those of an account's people whom a cascade finds: tier by tier until enough are found, and a fallback only where
 * there is nobody else; in a tier those first whom the request describes, then those closest to the personas, then the
 * most senior.
 */
export function choosePeople<P extends Candidate>(
  cascade: Cascade,
  people: readonly P[],
): { person: P; tier: number }[] {
  const matched = people.flatMap((person) => {
    const tier = tierFor(cascade, placed(person))
    return tier ? [{ person, tier: tier.tier, order: isPreferred(cascade, person) ? 0 : 1 }] : []
  })
  const hits: typeof matched = []
  for (const { tier, label } of cascade.tiers) {
    const isFallback = label === 'fallback' && cascade.tiers.length > 1
    if (hits.length >= ENOUGH_HITS || (isFallback && hits.length > 0)) break
    const members = matched
      .filter((hit) => hit.tier === tier)
      .sort((a, b) => a.order - b.order || byCloseness(a.person, b.person))
    hits.push(...(isFallback ? ofTheFunction(cascade, members) : members))
  }
  return hits.slice(0, MAX_HITS)
}

/** Whoever is not said to be elsewhere is taken to be where the company is: a search for a place is to leave out others. */
function placed(person: Candidate) {
  if (person.location !== null || person.country_code !== null) return person
  const { account_location: location, account_country: country } = person
  return { ...person, location, country_code: country && countryCode(country) }
}

/** Of a fallback, those of the function that was asked for; where it has nobody all, whoever runs the company last. */
function ofTheFunction<T extends { person: Candidate }>(cascade: Cascade, members: readonly T[]): T[] {
  const asked = new Set<Department | null>(cascade.tiers[0]?.rules.map(({ department }) => department))
  const title = ({ person }: T) => person.title ?? ''
  const own = members.filter((member) => asked.has(readTitle(title(member)).department))
  if (own.length > 0) return own
  return members.toSorted((a, b) => Number(isCompanyHead(title(a))) - Number(isCompanyHead(title(b))))
}

function byCloseness(a: Candidate, b: Candidate): number {
  const level = ({ job_level }: Candidate) => (job_level ? JOB_LEVELS.indexOf(job_level) : JOB_LEVELS.length)
  return (a.ranking ?? 9) - (b.ranking ?? 9) || level(a) - level(b) || (a.full_name < b.full_name ? -1 : 1)
}
