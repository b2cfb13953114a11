import { isWorkAddress, isWrittenFromName } from '../email-patterns/work-address.ts'
import { parseSerializedList } from '../json/parse-list.ts'
import { MAX_NAMESAKES, nameKey } from '../people/person-name.ts'
import { toE164 } from '../people/phone-number.ts'
import { profileUrlKey } from '../people/profile-url.ts'
import { searchFold } from '../text/fold.ts'
import { cutText } from '../text/storable.ts'
import { LEADING_LEVELS, readTitle, titlesAgree } from '../titles/index.ts'
import type { FoundPerson, RosterCompany, RosterEntry, RosterPerson, SourceRoster } from './types.ts'

/** More than nearly every company has; further people of a source are left out. */
export const MAX_ROSTER_PEOPLE = 10_000

/**
 * Merges the people of several sources, best source first. Two entries are the same person by profile page, or by name where
 * one of them has no page and the name is unique. Per name and source only the first MAX_NAMESAKES people are compared; of the
 * others only those with a profile page are kept, which identifies them.
 */
export function mergeSources(
  brought: readonly SourceRoster[],
  company: RosterCompany,
  isWanted: (name: string) => boolean,
): RosterEntry[] {
  const opened = brought.map(({ people, ...one }) => ({
    ...one,
    people: parseSerializedList(people).slice(0, MAX_ROSTER_PEOPLE),
  }))
  const shared = sharedPhones(
    opened.flatMap(({ people }) => people),
    company,
  )
  const entries: RosterEntry[] = []
  const byPage = new Map<string, RosterEntry>()
  const byName = new Map<string, RosterEntry[]>()
  for (const { source, own, generic, people } of opened) {
    const shown = people.flatMap((found): RosterEntry[] => {
      const name = nameKey(found.full_name)
      if (!isWanted(name)) return []
      const person = readPerson(found, own ? 'published' : source, company, shared)
      return [
        {
          person,
          name,
          page: found.network_url ? profileUrlKey(found.network_url) : null,
          folded: searchFold(person.title ?? ''),
          isGeneric: generic !== undefined && found.title === generic,
          isOwn: own,
          sources: new Set([source]),
          found: { source, url: found.url ?? null },
        },
      ]
    })
    for (const [name, all] of Map.groupBy(shown, (entry) => entry.name)) {
      const peers = all.slice(0, MAX_NAMESAKES)
      const namesakes = byName.get(name) ?? []
      for (const [at, fresh] of all.entries()) {
        const isCompared = at < MAX_NAMESAKES
        if (!isCompared && !fresh.page) continue
        const same =
          (fresh.page && byPage.get(fresh.page)) ||
          (isCompared ? sameByName(fresh, namesakes, peers, source) : undefined)
        if (same) join(same, fresh, source)
        else {
          entries.push(fresh)
          if (isCompared) namesakes.push(fresh)
        }
        const entry = same || fresh
        if (entry.page) byPage.set(entry.page, entry)
      }
      byName.set(name, namesakes)
    }
  }
  return entries.slice(0, MAX_ROSTER_PEOPLE)
}

/**
 * The known person that an entry without a matching page refers to: the only possible namesake, provided that no other entry
 * of the source could be that person too. In doubt they stay two people.
 */
function sameByName(
  fresh: RosterEntry,
  namesakes: readonly RosterEntry[],
  peers: readonly RosterEntry[],
  source: string,
) {
  for (const agree of [isRepeated, canBeOne]) {
    const possible = namesakes.filter((entry) => agree(entry, fresh))
    const [only] = possible
    if (!only) continue
    if (possible.length > 1) return undefined
    // A source that lists a name twice with different titles means two people.
    if (agree === canBeOne && only.sources.has(source)) return undefined
    const isRival = (peer: RosterEntry) => peer !== fresh && !isRepeated(peer, fresh) && agree(only, peer)
    return peers.some(isRival) ? undefined : only
  }
  return undefined
}

/** The same title, and no different profile pages. */
function isRepeated(one: RosterEntry, other: RosterEntry): boolean {
  if (one.page && other.page) return one.page === other.page
  return one.folded === other.folded
}

/** Titles that agree, and no different profile pages. A generic title can be any leading one. */
function canBeOne(one: RosterEntry, other: RosterEntry): boolean {
  if (one.page && other.page) return one.page === other.page
  const [title, another] = [one.person.title, other.person.title]
  if (!title || !another) return true
  if (one.isGeneric || other.isGeneric) return isLeading(one.isGeneric ? another : title)
  return titlesAgree(title, another)
}

const isLeading = (title: string) => LEADING_LEVELS.includes(readTitle(title).job_level)

/** Keeps the values of the better source and fills gaps from the other. */
function join(entry: RosterEntry, other: RosterEntry, source: string): void {
  const { person } = entry
  if (entry.isGeneric && other.person.title) {
    person.title = other.person.title
    entry.isGeneric = other.isGeneric
  }
  // The better source decides whether a person has left, and the company's own pages override all others.
  const { left_on, found_phone_url, ...rest } = other.person
  if (other.isOwn && !entry.isOwn) person.left_on = left_on
  // The URL proves only the number found there.
  if (person.found_phone === null) person.found_phone_url = found_phone_url
  for (const [field, value] of Object.entries(rest) as [keyof typeof rest, never][]) person[field] ??= value
  entry.folded = searchFold(person.title ?? '')
  entry.page ??= other.page
  entry.isOwn ||= other.isOwn
  entry.sources.add(source)
}

function readPerson(
  found: FoundPerson,
  phoneSource: string,
  { domain, country_code }: RosterCompany,
  shared: ReadonlySet<string>,
): RosterPerson {
  const isOwn = phoneSource === 'published'
  const email = found.email && domain && isWorkAddress(found.email, domain) ? found.email : null
  const published = isOwn && email && isWrittenFromName(email, found.full_name) ? email : null
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
    found_phone_url: ownPhone && isOwn ? cut(found.phone_url, 2048) : null,
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

/** Numbers that several people have are the switchboard's. */
function sharedPhones(people: readonly FoundPerson[], { country_code }: RosterCompany): Set<string> {
  const owner = new Map<string, string>()
  const shared = new Set<string>()
  for (const { full_name, phone, country_code: country } of people) {
    const number = phone ? toE164(phone, country ?? country_code) : null
    if (!number) continue
    const name = nameKey(full_name)
    if ((owner.get(number) ?? name) !== name) shared.add(number)
    owner.set(number, name)
  }
  return shared
}
