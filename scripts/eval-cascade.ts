/** Plain-English requests against what they should compile to: `node scripts/eval-cascade.ts [--errors]`. */
import { readFileSync } from 'node:fs'
import { compileCascade, matchCascade } from '../src/engine/cascade/index.ts'

/** `people`: the tier a title falls into, 0 for none. All other fields name what must be in the compiled request. */
type Request = {
  query: string
  people: Record<string, number>
  countries?: string[]
  excluded_countries?: string[]
  exclude_levels?: string[]
  employees_min?: number
  employees_max?: number
}

const requests = readFileSync(new URL('../test/fixtures/cascade.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Request)

type Check = { kind: string; passed: boolean; what: string }

function checksOf(request: Request): Check[] {
  const cascade = compileCascade(request.query)
  const checks: Check[] = []
  const add = (kind: string, passed: boolean, what: string) => checks.push({ kind, passed, what })
  for (const [title, tier] of Object.entries(request.people)) {
    const got = matchCascade(cascade, { title })?.tier ?? 0
    add(tier === 0 ? 'refused' : 'tier', got === tier, `${title}: tier ${got}, not ${tier}`)
  }
  for (const code of request.countries ?? [])
    add('geography', cascade.country_codes.includes(code), `${code} is not among ${cascade.country_codes.join(', ')}`)
  for (const code of request.excluded_countries ?? [])
    add('exclusion', cascade.exclude.country_codes.includes(code), `${code} is not excluded`)
  for (const level of request.exclude_levels ?? [])
    add(
      'exclusion',
      cascade.exclude.job_levels.some((found) => found === level),
      `${level} is not excluded`,
    )
  for (const field of ['employees_min', 'employees_max'] as const)
    if (request[field] !== undefined)
      add('company', cascade.company[field] === request[field], `${field} is ${cascade.company[field]}`)
  return checks
}

const results = requests.map((request) => ({ request, checks: checksOf(request) }))
const all = results.flatMap(({ checks }) => checks)
const count = (checks: Check[]) => `${checks.filter(({ passed }) => passed).length} of ${checks.length}`
const complete = results.filter(({ checks }) => checks.every(({ passed }) => passed)).length
console.log(`cascade: ${complete} of ${requests.length} requests compile as expected; checks passed ${count(all)}`)
for (const kind of new Set(all.map((check) => check.kind)))
  console.log(`  ${kind.padEnd(10)} ${count(all.filter((check) => check.kind === kind))}`)
if (process.argv.includes('--errors')) {
  for (const { request, checks } of results)
    for (const { passed, what } of checks) if (!passed) console.log(`  "${request.query}": ${what}`)
}
