import { nameKey } from '../people/person-name.ts'
import { isDifferentRole } from '../titles/index.ts'
import type { KnownPerson, RosterEntry } from './types.ts'

/** A person of the account who left the company, and the page that shows it. */
export type DepartedPerson = { id: string; identity: string; title: string | null; url: string }
export type RoleChange = { id: string; before: string; after: string; url: string }

export type RosterChanges = {
  /** No longer shown on the company's pages. */
  gone: DepartedPerson[]
  /** Shown as former. */
  former: DepartedPerson[]
  /** Shown with a title of another role. */
  roles: RoleChange[]
  /** Entries that are new on a page that was read before. */
  newcomers: Set<RosterEntry>
}

type Loaded = {
  entries: readonly RosterEntry[]
  known: readonly KnownPerson[]
  shown: ReadonlyMap<string, RosterEntry>
  /** The company's pages, if all of them were read. */
  pages: ReadonlySet<string>
}

/** With more changes at once the page itself has changed, for example to list fewer people, so they are ignored. */
const MAX_CHANGES = 500
const most = (formerly: number) => Math.min(Math.floor(formerly / 2), MAX_CHANGES)
const few = <T>(changes: T[]) => (changes.length <= MAX_CHANGES ? changes : [])

export function findRosterChanges(loaded: Loaded): RosterChanges {
  return {
    gone: few(goneFrom(loaded)),
    former: few(formerOnes(loaded)),
    roles: few(otherRoles(loaded)),
    newcomers: newcomersOf(loaded),
  }
}

/**
 * People who are no longer on the company's page that showed them, nor on any other page. A page that is missing, could not
 * be read or shows no people at all is no evidence of a departure.
 */
function goneFrom({ entries, known, shown, pages }: Loaded): DepartedPerson[] {
  const names = new Set(entries.map(({ name }) => name))
  const showing = new Set(entries.map(({ person }) => person.shown_url))
  const present = known.filter(({ left_on, shown_url }) => left_on === null && shown_url !== null)
  return [...Map.groupBy(present, ({ shown_url }) => shown_url as string)].flatMap(([url, people]) => {
    if (!pages.has(url) || !showing.has(url)) return []
    // The same name with another title or profile may be the same person.
    const gone = people.filter(({ id, full_name }) => !shown.has(id) && !names.has(nameKey(full_name)))
    if (gone.length > most(people.length)) return []
    return gone.map(({ id, identity, title }) => ({ id, identity, title, url }))
  })
}

/** People who are new on a page that showed others before. */
function newcomersOf({ entries, known, shown, pages }: Loaded): Set<RosterEntry> {
  const recognised = new Set(shown.values())
  const names = new Set(known.map(({ full_name }) => nameKey(full_name)))
  const formerly = Map.groupBy(known, ({ shown_url }) => shown_url)
  const fresh = entries.filter(
    (entry) => entry.person.shown_url !== null && !recognised.has(entry) && !names.has(entry.name),
  )
  return new Set(
    [...Map.groupBy(fresh, ({ person }) => person.shown_url as string)].flatMap(([page, people]) => {
      const before = formerly.get(page)?.length ?? 0
      return pages.has(page) && before > 0 && people.length <= most(before) ? people : []
    }),
  )
}

/** People shown as former on the company's pages, without a date. */
function formerOnes({ known, shown }: Loaded): DepartedPerson[] {
  return known.flatMap(({ id, identity, title, left_on }): DepartedPerson[] => {
    const now = shown.get(id)?.person
    return left_on || !now?.left_on || !now.shown_url ? [] : [{ id, identity, title, url: now.shown_url }]
  })
}

/** People whose title on the company's pages changed to that of another role. */
function otherRoles({ known, shown }: Loaded): RoleChange[] {
  return known.flatMap(({ id, shown_title: before }): RoleChange[] => {
    const now = shown.get(id)?.person
    const after = now?.shown_title
    if (!now?.shown_url || now.left_on || !before || !after || !isDifferentRole(before, after)) return []
    return [{ id, before, after, url: now.shown_url }]
  })
}
