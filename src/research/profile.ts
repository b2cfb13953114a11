import { cutText, toStorable } from '../engine/text/storable.ts'
import { readWebLink } from '../engine/text/web-address.ts'
import type { FoundFirmographics } from '../providers/types.ts'
import { ACCOUNT_MAX_LENGTHS } from '../shared/max-lengths.ts'

const LINKS = new Set(['network_url', 'logo_url'])
const FIRST_YEAR = 1200
const MOST_EMPLOYEES = 10_000_000

/** Of each field what the first source says that says anything sensible. The name stays the one the team knows it by. */
export function profileFrom(sources: readonly FoundFirmographics[], now: Date): Omit<FoundFirmographics, 'name'> {
  const all: FoundFirmographics = {}
  for (const source of sources.toReversed()) Object.assign(all, withoutNonsense(clean(source), now.getUTCFullYear()))
  return all
}

/** Texts that an account takes: no longer than a person may set them, so that what is read can be written back; links of the web only. */
function clean(source: FoundFirmographics): FoundFirmographics {
  const limits: Record<string, number> = ACCOUNT_MAX_LENGTHS
  const texts = Object.entries(source).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [[name, value]]
    const text = LINKS.has(name)
      ? readWebLink(toStorable(value))
      : cutText(toStorable(value), limits[name] ?? value.length)
    return text === null ? [] : [[name, text]]
  })
  return Object.fromEntries(texts) as FoundFirmographics
}

function withoutNonsense(
  { name: _, employees, founded_year, ...rest }: FoundFirmographics,
  thisYear: number,
): FoundFirmographics {
  return {
    ...rest,
    ...(employees !== undefined && employees > 0 && employees < MOST_EMPLOYEES ? { employees } : {}),
    ...(founded_year !== undefined && founded_year >= FIRST_YEAR && founded_year <= thisYear ? { founded_year } : {}),
  }
}
