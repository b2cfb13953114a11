import type { Deps } from '../../deps.ts'
import { isBesideJob } from '../../engine/titles/beside-jobs.ts'
import { isAnotherRole } from '../../engine/titles/index.ts'
import type { SavedPerson } from '../../resources/people/store.ts'
import { identityOf, nameKey } from '../identity.ts'
import { findSamePages, saveJobs, takeBackDepartures } from '../moves/move-store.ts'
import { jobsOf, type NewMove, recordMoves, type ToldJob } from '../moves/record.ts'
import type { KnownPerson, Roster, RosterPerson } from './roster.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config' | 'secrets'>
type Account = { id: string; name: string; domain: string | null }

/** What a load of a roster showed, beside what was known before it. */
export type Loaded = {
  known: readonly KnownPerson[]
  roster: Roster
  /** The pages of the company that were read, where all were. */
  pages: ReadonlySet<string>
  today: string
}

const SOURCE = 'company pages'

/**
 * Keeps who of an account is gone from its pages, has another role there, or is back. Call it in the transaction that stores the
 * roster, before its people are written.
 */
export async function noteKnown(parts: Parts, workspaceId: string, account: Account, loaded: Loaded): Promise<void> {
  const { roster, today } = loaded
  if (roster.returned.length > 0) await takeBackDepartures(parts.db, workspaceId, roster.returned, account.name)
  const gone = goneFrom(loaded)
  const elsewhere = await samePages(
    parts,
    workspaceId,
    account,
    gone.map(({ identity }) => identity),
  )
  const moves = gone.map((person): NewMove => {
    const evidence = [{ url: person.shown_url as string, source: SOURCE, seen_on: today }]
    const from = jobAt(account, person.title)
    // Who was known elsewhere before has not come there from here. Ids sort by the time they were given.
    const now = elsewhere
      .get(person.identity)
      ?.find(({ id, left_on, title }) => left_on === null && id > person.id && !isSeat(title))
    const to = now ? jobOf(now) : null
    return { ...moveOf(person.id, account), kind: to ? 'joined' : 'left', from, to, is_gone: true, evidence }
  })
  const seen = [...formerOnes(account, loaded), ...otherRoles(account, loaded)]
  await recordMoves(parts, workspaceId, [...moves, ...seen], today)
}

/** Keeps who came to an account: whoever is new on a page that was read before, and whoever is known elsewhere by their page. */
export async function noteNew(
  parts: Parts,
  workspaceId: string,
  account: Account,
  loaded: Loaded,
  saved: readonly (SavedPerson & { created: boolean })[],
): Promise<void> {
  const { roster, today } = loaded
  const shown = new Map(roster.people.map((person) => [identityOf(person), person]))
  const created = saved.flatMap(({ id, created, ...person }) => {
    const seen = shown.get(identityOf(person))
    return created && seen && !seen.left_on ? [{ id, seen, identity: identityOf(person) }] : []
  })
  const elsewhere = await samePages(
    parts,
    workspaceId,
    account,
    created.map(({ identity }) => identity),
  )
  const moves: NewMove[] = []
  const histories: Parameters<typeof jobsOf>[0][number][] = []
  const came = newcomers(loaded)
  for (const { id, seen, identity } of created) {
    const evidence = [
      { url: seen.shown_url ?? seen.network_url ?? '', source: seen.shown_url ? SOURCE : 'roster', seen_on: today },
    ]
    const to = jobAt(account, seen.title)
    // Whom two companies show today is at both, and who has a seat beside a job may be as well.
    const before = (elsewhere.get(identity) ?? []).filter(
      ({ left_on, shown_url, title }) => (left_on || !shown_url) && !isSeat(title) && !isSeat(seen.title),
    )
    const told = { kind: 'joined' as const, to, is_gone: false, happened_on: null, evidence }
    for (const one of before) {
      moves.push({ ...told, person_id: one.id, account_id: one.account_id, from: jobOf(one) })
      histories.push({ ...told, person_id: id, from: jobOf(one) })
    }
    if (before.length === 0 && came.has(seen))
      moves.push({ ...told, person_id: id, account_id: account.id, from: null })
  }
  await recordMoves(parts, workspaceId, moves, today)
  if (histories.length > 0) await saveJobs(parts.db, workspaceId, jobsOf(histories))
}

const isSeat = (title: string | null) => title !== null && isBesideJob(title)

const moveOf = (person_id: string, { id }: Account) => ({ person_id, account_id: id, happened_on: null })

const jobAt = ({ id, name, domain }: Account, title: string | null): ToldJob => ({
  employer: name,
  domain,
  account_id: id,
  title,
})

const jobOf = ({ employer, domain, account_id, title }: ToldJob): ToldJob => ({ employer, domain, account_id, title })

/** A page that changes more of its people at once has changed itself: it lists fewer, or more, than before. */
const most = (formerly: number) => Math.floor(formerly / 2)

/**
 * People whom a page of the company showed, that was read again and shows others, and whom no page shows now. A page that is not
 * there or could not be read shows nobody gone.
 */
function goneFrom({ known, roster, pages }: Loaded): KnownPerson[] {
  const names = new Set(roster.people.map(({ full_name }) => nameKey(full_name)))
  const present = known.filter(({ left_on, shown_url }) => left_on === null && shown_url !== null)
  return [...Map.groupBy(present, ({ shown_url }) => shown_url as string)].flatMap(([page, people]) => {
    const isShowing = roster.people.some(({ shown_url }) => shown_url === page)
    if (!pages.has(page) || !isShowing) return []
    // Under another title or page it may be the same person.
    const gone = people.filter(({ id, full_name }) => !roster.recognised.has(id) && !names.has(nameKey(full_name)))
    return gone.length <= most(people.length) ? gone : []
  })
}

/** People whom a page shows that showed others before, and not them. */
function newcomers({ known, roster, pages }: Loaded): Set<RosterPerson> {
  const recognised = new Set(roster.recognised.values())
  const names = new Set(known.map(({ full_name }) => nameKey(full_name)))
  const fresh = roster.people.filter(
    (person) => person.shown_url !== null && !recognised.has(person) && !names.has(nameKey(person.full_name)),
  )
  return new Set(
    [...Map.groupBy(fresh, ({ shown_url }) => shown_url as string)].flatMap(([page, people]) => {
      const formerly = known.filter(({ shown_url }) => shown_url === page).length
      return pages.has(page) && formerly > 0 && people.length <= most(formerly) ? people : []
    }),
  )
}

/** People whom the company's pages call former: they do not say since when. */
function formerOnes(account: Account, { known, roster, today }: Loaded): NewMove[] {
  return known.flatMap((person): NewMove[] => {
    const now = roster.recognised.get(person.id)
    if (person.left_on || !now?.left_on || !now.shown_url) return []
    const evidence = [{ url: now.shown_url, source: SOURCE, seen_on: today }]
    const from = jobAt(account, person.title)
    return [{ ...moveOf(person.id, account), kind: 'left', from, to: null, is_gone: true, evidence }]
  })
}

/** People to whom the company's pages give the title of another role than they gave before. */
function otherRoles(account: Account, { known, roster, today }: Loaded): NewMove[] {
  return known.flatMap((person): NewMove[] => {
    const now = roster.recognised.get(person.id)
    const [before, after] = [person.shown_title, now?.shown_title]
    if (!now?.shown_url || now.left_on || !before || !after || !isAnotherRole(before, after)) return []
    const evidence = [{ url: now.shown_url, source: SOURCE, seen_on: today }]
    const [from, to] = [jobAt(account, before), jobAt(account, after)]
    return [{ ...moveOf(person.id, account), kind: 'changed_role', from, to, is_gone: false, evidence }]
  })
}

/** The same profile page at other accounts: who is one and the same, proven by it. The latest first. */
async function samePages({ db }: Parts, workspaceId: string, account: Account, identities: readonly string[]) {
  const pages = identities.filter((identity) => identity.startsWith('page:'))
  const found = pages.length > 0 ? await findSamePages(db, workspaceId, account.id, pages) : []
  return Map.groupBy(found.toReversed(), ({ identity }) => identity)
}
