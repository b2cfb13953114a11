import { type Cascade, isPreferredPerson } from '../../engine/cascade/index.ts'
import { type Department, JOB_LEVELS, readTitle } from '../../engine/titles/index.ts'
import { countryCode } from '../../providers/countries.ts'
import { isCompanyHead, tierFor } from './request.ts'

/** Lower tiers are skipped once the tiers above have this many hits at an account. */
export const ENOUGH_HITS = 3
/** Maximum number of hits per account, because a tier may match half of a company. */
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
 * Chooses the people of an account who match a cascade: tier by tier until enough are found, with the fallback only if
 * there are no other hits. Within a tier the order is: people the request describes, people closest to the personas, the
 * most senior.
 */
export function choosePeople<P extends Candidate>(
  cascade: Cascade,
  people: readonly P[],
): { person: P; tier: number }[] {
  const matched = people.flatMap((person) => {
    const tier = tierFor(cascade, placed(person))
    return tier ? [{ person, tier: tier.tier, order: isPreferredPerson(cascade, person) ? 0 : 1 }] : []
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

/** A person without a location gets the company's, so that a search by place excludes people at other places. */
function placed(person: Candidate) {
  if (person.location !== null || person.country_code !== null) return person
  const { account_location: location, account_country: country } = person
  return { ...person, location, country_code: country && countryCode(country) }
}

/** Restricts a fallback to the requested function; without such a person returns all, heads of the company last. */
function ofTheFunction<T extends { person: Candidate }>(cascade: Cascade, members: readonly T[]): T[] {
  const requested = new Set<Department | null>(cascade.tiers[0]?.rules.map(({ department }) => department))
  const title = ({ person }: T) => person.title ?? ''
  const own = members.filter((member) => requested.has(readTitle(title(member)).department))
  if (own.length > 0) return own
  return members.toSorted((a, b) => Number(isCompanyHead(title(a))) - Number(isCompanyHead(title(b))))
}

function byCloseness(a: Candidate, b: Candidate): number {
  const level = ({ job_level }: Candidate) => (job_level ? JOB_LEVELS.indexOf(job_level) : JOB_LEVELS.length)
  return (a.ranking ?? 9) - (b.ranking ?? 9) || level(a) - level(b) || (a.full_name < b.full_name ? -1 : 1)
}
