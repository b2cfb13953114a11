import { nameKey, personIdentity } from '../people/person-name.ts'
import type { KnownPerson, RosterEntry } from './types.ts'

export type MatchedPeople = {
  /** People of the account who are to be found under another identity: they got a page, or another title. */
  adopted: { id: string; identity: string }[]
  /** People who had left and are shown at the company again. */
  returned: string[]
  /** People whom the company's pages show without the address they once gave. */
  withdrawn: string[]
  /** People of the account whom a source shows, by their ids. */
  shown: Map<string, RosterEntry>
}

/**
 * Finds the people of the account among those shown: whoever had no page and has one now, and whoever is shown under
 * another title. Only where the name leaves no doubt.
 */
export function matchKnownPeople(entries: readonly RosterEntry[], known: readonly KnownPerson[]): MatchedPeople {
  const byIdentity = new Map(known.map((person) => [person.identity, person]))
  const identities = new Map(entries.map((entry) => [personIdentity(entry.person), entry]))
  const shownByName = Map.groupBy(entries, ({ name }) => name)
  const knownByName = Map.groupBy(known, (person) => nameKey(person.full_name))
  // Whoever was stored when addresses of pages compared more narrowly.
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
        // Under its page, or under the new title: in either case the row is theirs.
        if (only.network_url) person.network_url = only.network_url
        const becomes = personIdentity({ ...person, title: person.title ?? only.title })
        if (becomes === only.identity) person.title ??= only.title
        else result.adopted.push({ id: only.id, identity: becomes })
      }
    }
    if (match) result.shown.set(match.id, entry)
    // What others show may be older than the departure; the company's own pages are of today.
    if (match?.left_on && !person.left_on && isOwn) result.returned.push(match.id)
    if (match?.published_email && isOwn && !person.published_email) result.withdrawn.push(match.id)
  }
  return result
}
