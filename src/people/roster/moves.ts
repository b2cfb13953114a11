import type { Deps } from '../../deps/deps.ts'
import type { DepartedPerson } from '../../engine/roster/changes.ts'
import type { Roster, RosterRow } from '../../engine/roster/index.ts'
import { isBoardSeat } from '../../engine/titles/board-seats.ts'
import { deleteDepartures, findPeopleByProfilePage, savePersonJobs } from '../moves/move-store.ts'
import { jobsOfMoves, type NewMove, type ReportedJob, recordMoves } from '../moves/record.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config' | 'secrets' | 'parserPool'>
type Account = { id: string; name: string; domain: string | null }

const SOURCE = 'company pages'

/**
 * Records which stored people of an account left its pages, changed role there, or are shown again. Call it in the
 * transaction that stores the roster, before its people are written.
 */
export async function recordRosterChanges(
  parts: Parts,
  workspaceId: string,
  account: Account,
  { gone, former, roles, returned }: Roster,
  today: string,
): Promise<void> {
  if (returned.length > 0) await deleteDepartures(parts.db, workspaceId, returned, account.name)
  const elsewhere = await samePages(
    parts,
    workspaceId,
    account,
    gone.map(({ identity }) => identity),
  )
  const evidenceOf = (url: string) => [{ url, source: SOURCE, seen_on: today }]
  const leave = ({ id, title, url }: DepartedPerson, to: ReportedJob | null): NewMove => ({
    ...moveOf(id, account),
    kind: to ? 'joined' : 'left',
    from: jobAt(account, title),
    to,
    is_gone: true,
    evidence: evidenceOf(url),
  })
  const left = gone.map((person) => {
    // A person stored at the other account first did not move there from here. Ids sort by creation time.
    const now = elsewhere
      .get(person.identity)
      ?.find(({ id, left_on, title }) => left_on === null && id > person.id && !isSeat(title))
    return leave(person, now ? jobOf(now) : null)
  })
  const changed = roles.map(({ id, before, after, url }): NewMove => {
    const [from, to] = [jobAt(account, before), jobAt(account, after)]
    return { ...moveOf(id, account), kind: 'changed_role', from, to, is_gone: false, evidence: evidenceOf(url) }
  })
  const moves = [...left, ...former.map((person) => leave(person, null)), ...changed]
  await recordMoves(parts, workspaceId, moves, today)
}

/**
 * Records which people of one batch joined an account: people who are new on a page that was read before, and people whose
 * profile page is stored at another account.
 */
export async function recordArrivals(
  parts: Parts,
  workspaceId: string,
  account: Account,
  batch: readonly RosterRow[],
  saved: readonly { id: string; identity: string; created: boolean }[],
  today: string,
): Promise<void> {
  const shown = new Map(batch.map((row) => [row.identity, row]))
  const created = saved.flatMap(({ id, identity, created }) => {
    const row = shown.get(identity)
    return created && row && !row.person.left_on ? [{ ...row, id }] : []
  })
  const elsewhere = await samePages(
    parts,
    workspaceId,
    account,
    created.map(({ identity }) => identity),
  )
  const moves: NewMove[] = []
  const histories: Parameters<typeof jobsOfMoves>[0][number][] = []
  for (const { id, person: seen, identity, is_newcomer } of created) {
    const evidence = [
      { url: seen.shown_url ?? seen.network_url ?? '', source: seen.shown_url ? SOURCE : 'roster', seen_on: today },
    ]
    const to = jobAt(account, seen.title)
    // A person whom two companies show today works at both, and a board seat can be held in addition to a job.
    const before = (elsewhere.get(identity) ?? []).filter(
      ({ left_on, shown_url, title }) => (left_on || !shown_url) && !isSeat(title) && !isSeat(seen.title),
    )
    const move = { kind: 'joined' as const, to, is_gone: false, happened_on: null, evidence }
    for (const one of before) {
      moves.push({ ...move, person_id: one.id, account_id: one.account_id, from: jobOf(one) })
      histories.push({ ...move, person_id: id, from: jobOf(one) })
    }
    if (before.length === 0 && is_newcomer) moves.push({ ...move, person_id: id, account_id: account.id, from: null })
  }
  await recordMoves(parts, workspaceId, moves, today)
  if (histories.length > 0) await savePersonJobs(parts.db, workspaceId, jobsOfMoves(histories))
}

const isSeat = (title: string | null) => title !== null && isBoardSeat(title)

const moveOf = (person_id: string, { id }: Account) => ({ person_id, account_id: id, happened_on: null })

const jobAt = ({ id, name, domain }: Account, title: string | null): ReportedJob => ({
  employer: name,
  domain,
  account_id: id,
  title,
})

const jobOf = ({ employer, domain, account_id, title }: ReportedJob): ReportedJob => ({
  employer,
  domain,
  account_id,
  title,
})

/** Returns people of other accounts with the same profile page, which proves the same person; latest first. */
async function samePages({ db }: Parts, workspaceId: string, account: Account, identities: readonly string[]) {
  const pages = identities.filter((identity) => identity.startsWith('page:'))
  const found = pages.length > 0 ? await findPeopleByProfilePage(db, workspaceId, account.id, pages) : []
  return Map.groupBy(found.toReversed(), ({ identity }) => identity)
}
