import type { WorkforceBasis } from '../db/account-tables.ts'
import type { Db } from '../db/connect.ts'
import { findCountryCode } from '../engine/countries.ts'
import {
  classifyOpening,
  countOpenings,
  findHiringChanges,
  type HiringSnapshot,
  type ObservedOpening,
} from '../engine/hiring/history.ts'
import { toStorable } from '../engine/text/storable.ts'
import { JOB_BOARDS } from '../providers/job-boards/index.ts'
import {
  type BoardSnapshot,
  findFirstSeen,
  type ListedOpening,
  listAccountBoards,
  listBoardSnapshots,
} from '../resources/accounts/hiring-store.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import type { Finding } from './detector.ts'
import type { BoardListing } from './research.ts'

type Account = {
  id: string
  name: string
  country: string | null
  workforce_by_country: Readonly<Record<string, number>> | null
  workforce_basis: Pick<WorkforceBasis, 'countries_of'> | null
}
type Opening = ListedOpening & Omit<ObservedOpening, 'first_seen'>

/** More than nearly every company has on all its boards; a truncated list could not be compared over time. */
const MAX_OPENINGS = 5_000

/**
 * A snapshot of the open positions on all job boards of an account, with the findings from comparing it with earlier
 * snapshots. Null where there is no board, or a board was not read completely: then closed positions cannot be
 * distinguished from missing ones.
 */
export async function snapshotJobBoards(
  db: Db,
  workspaceId: string,
  account: Account,
  listings: readonly BoardListing[],
  today: string,
): Promise<{ snapshot: BoardSnapshot; findings: Finding[] } | null> {
  const openings = await openingsIn(listings)
  if (!openings) return null
  const boards = listings.map(({ board }) => board).sort()
  const counts = countOpenings(today, openings)
  const before = await listBoardSnapshots(db, workspaceId, account.id, boards)
  const firstSeen = await findFirstSeen(db, workspaceId, account.id)
  const seen = openings.map((one) => ({ ...one, first_seen: firstSeen.get(one.url) ?? today }))
  return { snapshot: { ...counts, boards, openings }, findings: findingsOf(account, before, counts, seen) }
}

/** The job boards that the account's pages linked before, of vendors that are read. */
export async function listKnownBoards(db: Db, workspaceId: string, accountId: string) {
  const known = await listAccountBoards(db, workspaceId, accountId)
  return known.flatMap(({ vendor, token }) => (isBoardVendor(vendor) ? [{ vendor, token }] : []))
}

const isBoardVendor = (name: string): name is keyof typeof JOB_BOARDS => Object.hasOwn(JOB_BOARDS, name)

/** The countries of the company, by its profile and its people: open positions show where it wants to be. */
function homeOf({ country, workforce_by_country, workforce_basis }: Account): string[] {
  const known = workforce_basis?.countries_of === 'people' ? workforce_by_country : null
  return [country ?? '', ...Object.keys(known ?? {})].flatMap((name) => findCountryCode(name) ?? [])
}

/** Null where a board was not read completely, or there are too many postings. */
async function openingsIn(listings: readonly BoardListing[]): Promise<Opening[] | null> {
  const found = new Map<string, Opening>()
  const turn = yieldToEventLoop()
  for (const { board, postings } of listings) {
    if (!postings) return null
    for (const { url, title, department, location, country_code, published_date } of postings) {
      await turn()
      const place = { location, country_code, published_date }
      found.set(url, { board, url, title, ...classifyOpening(title, department), ...place })
    }
  }
  return listings.length > 0 && found.size <= MAX_OPENINGS ? [...found.values()] : null
}

function findingsOf(
  account: Account,
  before: readonly HiringSnapshot[],
  snapshot: HiringSnapshot,
  openings: readonly ObservedOpening[],
): Finding[] {
  const company = { name: account.name, home: homeOf(account) }
  return findHiringChanges(company, before, snapshot, openings).flatMap(({ signal_id, claim, confidence, postings }) =>
    postings.map(({ url, title, published_date }) => ({
      signal_id,
      confidence,
      claim: toStorable(claim),
      quote: title,
      details: null,
      judged_by: null,
      source_url: url,
      published_date: published_date !== null && published_date <= snapshot.day ? published_date : null,
      // The change is observed today, whenever its postings were published.
      date: snapshot.day,
    })),
  )
}
