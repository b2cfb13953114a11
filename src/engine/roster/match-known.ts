import { nameKey, personIdentity } from '../people/person-name.ts'
import type { KnownPerson, RosterEntry } from './types.ts'

export type MatchedPeople = {
  /** Known people whose identity changes, because they now have a profile page or another title. */
  adopted: { id: string; identity: string }[]
  /** People who had left and are on the company's pages again. */
  returned: string[]
  /** People whose email is no longer on the company's pages. */
  withdrawn: string[]
  /** The entries of known people, by id. */
  shown: Map<string, RosterEntry>
}

/**
 * Finds the known people among the entries, also when they now have a profile page or another title, provided that the name
 * is unique.
 */
export function matchKnownPeople(entries: readonly RosterEntry[], known: readonly KnownPerson[]): MatchedPeople {
  const byIdentity = new Map(known.map((person) => [person.identity, person]))
  const identities = new Map(entries.map((entry) => [personIdentity(entry.person), entry]))
  const shownByName = Map.groupBy(entries, ({ name }) => name)
  const knownByName = Map.groupBy(known, (person) => nameKey(person.full_name))
  // Identities stored by an older version, which compared profile URLs more strictly.
  const byPresentIdentity = new Map(known.map((person) => [personIdentity(person), person]))
  const result: MatchedPeople = { adopted: [], returned: [], withdrawn: [], shown: new Map() }
  for (const entry of entries) {
    const { person, name, isGeneric, isOwn } = entry
    const identity = personIdentity(person)
    let match = byIdentity.get(identity)
    const renamed = match ? undefined : byPresentIdentity.get(identity)
    if (renamed) {
      match = renamed
      result.adopted.push({ id: renamed.id, identity })
    }
    if (!match) {
      const namesakes = knownByName.get(name) ?? []
      const [only] = namesakes.length === 1 && shownByName.get(name)?.length === 1 ? namesakes : []
      const isFree = only && !identities.has(only.identity) && !(only.network_url && person.network_url)
      if (only && isFree) {
        match = only
        if (isGeneric && only.title) person.title = null
        // The known person keeps their row, with the profile page or the new title as identity.
        if (only.network_url) person.network_url = only.network_url
        const becomes = personIdentity({ ...person, title: person.title ?? only.title })
        if (becomes === only.identity) person.title ??= only.title
        else result.adopted.push({ id: only.id, identity: becomes })
      }
    }
    if (match) result.shown.set(match.id, entry)
    // Other sources may be older than the departure; the company's own pages are current.
    if (match?.left_on && !person.left_on && isOwn) result.returned.push(match.id)
    if (match?.published_email && isOwn && !person.published_email) result.withdrawn.push(match.id)
  }
  return result
}
