import { readFileSync } from 'node:fs'
import { compileCascade, matchCascade } from '../../src/engine/cascade/index.ts'
import type { TitledPerson } from '../../src/engine/cascade/person.ts'

/**
 * A request and the people of a company. `first`: found, and in the best tier of all found; `found`: in any tier;
 * `not`: in neither of the first two.
 */
export type CascadeRequest = {
  id: string
  query: string
  people: (TitledPerson & { full_name: string })[]
  first: number[]
  found: number[]
  not: number[]
}

export function readCascadeRequests(half: string): CascadeRequest[] {
  return readFileSync(new URL(`../fixtures/cascade-${half}.ndjson`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CascadeRequest)
}

export function scoreCascade(requests: readonly CascadeRequest[]) {
  let [passed, checks, complete] = [0, 0, 0]
  const errors: string[] = []
  for (const { id, query, people, first, found, not } of requests) {
    const cascade = compileCascade(query)
    const tiers = people.map((person) => matchCascade(cascade, person)?.tier ?? 0)
    const best = Math.min(...tiers.filter((tier) => tier > 0), Number.POSITIVE_INFINITY)
    const wrong: string[] = []
    const check = (isRight: boolean, i: number, wanted: string) => {
      checks++
      if (isRight) passed++
      else wrong.push(`${people[i]?.full_name} (${people[i]?.title}): tier ${tiers[i]}, ${wanted}`)
    }
    for (const i of first) check(tiers[i] === best, i, `not the best, ${best}`)
    for (const i of found) check((tiers[i] as number) > 0, i, 'not found')
    for (const i of not) check(tiers[i] !== 1 && tiers[i] !== 2, i, 'too high')
    if (wrong.length === 0) complete++
    for (const what of wrong) errors.push(`${id} "${query}": ${what}`)
  }
  return { passed, checks, complete, errors }
}
