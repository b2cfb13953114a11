import type { Ranking } from '../../engine/cascade/personas.ts'
import { cutText } from '../../engine/storable.ts'
import { readTitle, titlesAgree } from '../../engine/titles/index.ts'
import { toE164 } from '../../providers/phone/e164.ts'
import type { FoundPerson } from '../../providers/types.ts'
import type { PersonRow } from '../../resources/people/store.ts'
import { searchFold } from '../../search-text.ts'
import { carriesName, isWorkAddress } from '../email/work-email.ts'
import { identityOf, nameKey } from '../identity.ts'
import { profileKey } from '../pages.ts'

/** What one source brought. */
export type SourceRoster = {
  source: string
  /** The company itself speaks. */
  own: boolean
  /** A title of this source that says less than any other. */
  generic?: string
  people: readonly FoundPerson[]
}

export type KnownPerson = Pick<
  PersonRow,
  | 'id'
  | 'identity'
  | 'full_name'
  | 'title'
  | 'network_url'
  | 'left_on'
  | 'published_email'
  | 'shown_url'
  | 'shown_title'
>

export type Roster = {
  /** Everybody the sources show, once each. */
  people: RosterPerson[]
  /** People of the account who are to be found under another identity: they got a page, or another title. */
  adopted: { id: string; identity: string }[]
  /** People who had left and are shown at the company again. */
  returned: string[]
  /** People whom the company's pages show without the address they once gave. */
  withdrawn: string[]
  /** People of the account whom a source shows, by their ids. */
  recognised: Map<string, RosterPerson>
}

export type RosterPerson = Omit<
  PersonRow,
  'id' | 'account_id' | 'identity' | 'email' | 'phone' | 'icp_tier' | 'found_source' | 'found_url'
>

type Company = { domain: string | null; country_code: string | null }
type Entry = { person: RosterPerson; page: string | null; isGeneric: boolean; isOwn: boolean; sources: Set<string> }

/**
 * Makes one roster of what several sources brought, the best source first, and finds the people of the account in it.
 * Sources agree on somebody by their profile page, or by name where one of them has no page and nobody else there has
 * that name.
 */
export function makeRoster(
  brought: readonly SourceRoster[],
  company: Company,
  known: readonly KnownPerson[],
  rank: Ranking,
): Roster {
  const shared = sharedPhones(brought, company)
  const entries: Entry[] = []
  const byPage = new Map<string, Entry>()
  const byName = new Map<string, Entry[]>()
  for (const { source, own, generic, people } of brought) {
    const shown = people.map(
      (found): Entry => ({
        person: readPerson(found, own ? 'published' : source, company, shared),
        page: found.network_url ? profileKey(found.network_url) : null,
        isGeneric: generic !== undefined && found.title === generic,
        isOwn: own,
        sources: new Set([source]),
      }),
    )
    const peers = groupBy(shown, ({ person }) => nameKey(person.full_name))
    for (const [name, peersOfName] of peers) {
      const namesakes = byName.get(name) ?? []
      for (const fresh of peersOfName) {
        const same = (fresh.page && byPage.get(fresh.page)) || sameByName(fresh, namesakes, peersOfName, source)
        if (same) join(same, fresh, source)
        else {
          entries.push(fresh)
          namesakes.push(fresh)
        }
        const entry = same || fresh
        if (entry.page) byPage.set(entry.page, entry)
      }
      byName.set(name, namesakes)
    }
  }
  for (const { person } of entries) {
    person.job_level = person.title ? readTitle(person.title).job_level : null
    person.ranking = person.left_on ? null : rank(person)
  }
  return { people: entries.map(({ person }) => person), ...recognise(entries, known) }
}

/**
 * Whom a source means that gives no page to go by: the one person of that name it can be, provided that the source has
 * nobody else whom that person could be as well. A doubt leaves two people.
 */
function sameByName(fresh: Entry, namesakes: readonly Entry[], peers: readonly Entry[], source: string) {
  const rivals = peers.filter((peer) => peer !== fresh && !isRepeated(peer, fresh))
  for (const agree of [isRepeated, canBeOne]) {
    const possible = namesakes.filter((entry) => agree(entry, fresh))
    const [only] = possible
    if (!only) continue
    if (possible.length > 1) return undefined
    // One source that lists a name twice with two titles means two people.
    if (agree === canBeOne && only.sources.has(source)) return undefined
    return rivals.some((rival) => agree(only, rival)) ? undefined : only
  }
  return undefined
}

/** The same title, and not two pages. */
function isRepeated(one: Entry, other: Entry): boolean {
  if (one.page && other.page) return one.page === other.page
  return searchFold(one.person.title ?? '') === searchFold(other.person.title ?? '')
}

/** Titles of about one rank in one field, and not two pages. A title that says less than any other is an officer's. */
function canBeOne(one: Entry, other: Entry): boolean {
  if (one.page && other.page) return one.page === other.page
  const [title, another] = [one.person.title, other.person.title]
  if (!title || !another) return true
  if (one.isGeneric || other.isGeneric) return isLeading(one.isGeneric ? another : title)
  return titlesAgree(title, another)
}

const LEADING: readonly string[] = ['C-Team', 'VP', 'Director']
const isLeading = (title: string) => LEADING.includes(readTitle(title).job_level)

/** What the better source says stands; the other one fills the gaps. */
function join(entry: Entry, other: Entry, source: string): void {
  const { person } = entry
  if (entry.isGeneric && other.person.title) {
    person.title = other.person.title
    entry.isGeneric = other.isGeneric
  }
  // Who is shown at the company by the better source has not left, whatever another has heard; the company knows best.
  const { left_on, ...rest } = other.person
  if (other.isOwn && !entry.isOwn) person.left_on = left_on
  for (const [field, value] of Object.entries(rest) as [keyof typeof rest, never][]) person[field] ??= value
  entry.page ??= other.page
  entry.isOwn ||= other.isOwn
  entry.sources.add(source)
}

function readPerson(
  found: FoundPerson,
  phoneSource: string,
  { domain, country_code }: Company,
  shared: ReadonlySet<string>,
): RosterPerson {
  const isOwn = phoneSource === 'published'
  const email = found.email && domain && isWorkAddress(found.email, domain) ? found.email : null
  const published = isOwn && email && carriesName(email, found.full_name) ? email : null
  const phone = found.phone ? toE164(found.phone, found.country_code ?? country_code) : null
  const ownPhone = phone && !shared.has(phone) ? phone : null
  return {
    full_name: cutText(found.full_name.trim().replaceAll(/\s+/g, ' '), 300),
    title: cut(found.title, 300),
    headline: cut(found.headline, 1000),
    network_url: cut(found.network_url, 2048),
    given_email: isOwn ? null : email,
    published_email: published,
    published_url: published ? (found.url ?? null) : null,
    found_phone: ownPhone,
    found_phone_source: ownPhone ? phoneSource : null,
    location: cut(found.location, 300),
    country_code: found.country_code ?? null,
    connections_count: found.connections_count ?? null,
    profile_picture_url: cut(found.profile_picture_url, 2048),
    job_level: null,
    ranking: null,
    left_on: found.left_on ?? null,
    shown_url: isOwn ? cut(found.shown_url, 2048) : null,
    shown_title: isOwn ? cut(found.title, 300) : null,
  }
}

function cut(text: string | undefined, max: number): string | null {
  return text ? cutText(text, max) : null
}

/** A number that stands with two people is the switchboard's. */
function sharedPhones(brought: readonly SourceRoster[], { country_code }: Company): Set<string> {
  const owner = new Map<string, string>()
  const shared = new Set<string>()
  for (const { full_name, phone, country_code: country } of brought.flatMap(({ people }) => people)) {
    const number = phone ? toE164(phone, country ?? country_code) : null
    if (!number) continue
    const name = nameKey(full_name)
    if ((owner.get(number) ?? name) !== name) shared.add(number)
    owner.set(number, name)
  }
  return shared
}

/**
 * Finds the people of the account among those shown: whoever had no page and has one now, and whoever is shown under
 * another title. Only where the name leaves no doubt.
 */
function recognise(entries: readonly Entry[], known: readonly KnownPerson[]): Omit<Roster, 'people'> {
  const byIdentity = new Map(known.map((person) => [person.identity, person]))
  const identities = new Map(entries.map((entry) => [identityOf(entry.person), entry]))
  const shownByName = groupBy(entries, ({ person }) => nameKey(person.full_name))
  const knownByName = groupBy(known, (person) => nameKey(person.full_name))
  // Whoever was stored when addresses of pages compared more narrowly.
  const byPresentIdentity = new Map(known.map((person) => [identityOf(person), person]))
  const adopted: Roster['adopted'] = []
  const returned: string[] = []
  const withdrawn: string[] = []
  const recognised: Roster['recognised'] = new Map()
  for (const { person, isGeneric, isOwn } of entries) {
    const identity = identityOf(person)
    const name = nameKey(person.full_name)
    let match = byIdentity.get(identity)
    const renamed = match ? undefined : byPresentIdentity.get(identity)
    if (renamed) {
      match = renamed
      adopted.push({ id: renamed.id, identity })
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
        const becomes = identityOf({ ...person, title: person.title ?? only.title })
        if (becomes === only.identity) person.title ??= only.title
        else adopted.push({ id: only.id, identity: becomes })
      }
    }
    if (match) recognised.set(match.id, person)
    // What others show may be older than the departure; the company's own pages are of today.
    if (match?.left_on && !person.left_on && isOwn) returned.push(match.id)
    if (match?.published_email && isOwn && !person.published_email) withdrawn.push(match.id)
  }
  return { adopted, returned, withdrawn, recognised }
}

function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const name = key(value)
    const group = groups.get(name)
    if (group) group.push(value)
    else groups.set(name, [value])
  }
  return groups
}
