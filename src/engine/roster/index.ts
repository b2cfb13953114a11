// Builds the roster of a company: merges the people that several sources show, and compares them with the known people.
import { createPersonaRanking } from '../cascade/personas.ts'
import { parseSerializedList } from '../json/parse-list.ts'
import { type SerializedList, serializeList } from '../json/serialized-list.ts'
import { nameKey, personIdentity } from '../people/person-name.ts'
import { readTitle } from '../titles/index.ts'
import { findRosterChanges, type RosterChanges } from './changes.ts'
import { type MatchedPeople, matchKnownPeople } from './match-known.ts'
import { mergeSources } from './merge.ts'
import type { KnownPerson, RosterCompany, RosterEntry, RosterPerson, SourceRoster } from './types.ts'

export type RosterRow = {
  person: RosterPerson
  identity: string
  found: RosterEntry['found']
  /** The person is new on a page that was read before. */
  is_newcomer: boolean
}

/** Bounded by MAX_ROSTER_PEOPLE people and MAX_CHANGES changes of each kind. */
export type Roster = Omit<MatchedPeople, 'shown'> &
  Omit<RosterChanges, 'newcomers'> & {
    /** All people that the sources show, once each. */
    people: SerializedList<RosterRow>
  }

export type RosterTask = {
  brought: SourceRoster[]
  company: RosterCompany
  known: SerializedList<KnownPerson>
  /** The personas by which people are ranked. */
  personas: string[]
  /** The company's pages, if all of them were read. */
  pages: string[]
  /** Only people whose name no known person with a title has. */
  only_unknown: boolean
}

export function buildRoster({ brought, company, known, personas, pages, only_unknown }: RosterTask): Roster {
  const people = parseSerializedList(known)
  const titled = only_unknown ? people.filter(({ title }) => title !== null) : []
  const names = new Set(titled.map(({ full_name }) => nameKey(full_name)))
  const entries = mergeSources(brought, company, (name) => !names.has(name))
  const rank = createPersonaRanking(personas)
  for (const { person } of entries) {
    person.job_level = person.title ? readTitle(person.title).job_level : null
    person.ranking = person.left_on ? null : rank(person)
  }
  const { shown, ...recognised } = matchKnownPeople(entries, people)
  const { newcomers, ...changes } = findRosterChanges({ entries, known: people, shown, pages: new Set(pages) })
  const rows = entries.map((entry) => ({
    person: entry.person,
    identity: personIdentity(entry.person),
    found: entry.found,
    is_newcomer: newcomers.has(entry),
  }))
  return { people: serializeList(rows), ...recognised, ...changes }
}
