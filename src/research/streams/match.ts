import type { Deps } from '../../deps/deps.ts'
import { canNameCompany, coreWords } from '../../engine/companies/company-names.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { defineJob } from '../../jobs/define.ts'
import { deadlineAfter } from '../../jobs/leased-work.ts'
import type { ProviderParts } from '../../providers/types.ts'
import { findAccount } from '../../resources/accounts/store.ts'
import { insertEndedRun } from '../../resources/runs/store.ts'
import { newId } from '../../shared/ids.ts'
import { readContext } from '../context.ts'
import { detectAndRecord } from '../detect-and-record.ts'
import { type CompanyDocument, detectMoves } from '../moves/detect-moves.ts'
import { hasPeople } from '../moves/known-people-store.ts'
import { isAboutAccount, openItem } from './items.ts'
import { findMatchingAccounts, type MatchingAccount } from './match-store.ts'
import { readStreams } from './read.ts'
import { countOpenFailure, listItems, listUnmatched, markMatched, type StoredItem } from './store.ts'

const BATCH = 200

/**
 * Matches new items of streams with the active accounts of all workspaces, and enqueues detection for each match. A
 * name match alone proves nothing.
 */
export async function matchStreamItems(deps: Deps, signal: AbortSignal): Promise<{ items: number; matches: number }> {
  const { db, jobs } = deps
  let [items, matches, after] = [0, 0, 0]
  const arePeopleKnown = await hasPeople(db)
  for (;;) {
    signal.throwIfAborted()
    const batch = await listUnmatched(db, after, BATCH)
    const last = batch.at(-1)
    if (!last) return { items, matches }
    after = last.id
    const { proven, done, opened } = await proveMatches(deps, batch, signal, arePeopleKnown)
    await detectMoves(deps, opened.filter(isLeadershipChange).map(toCompanyDocument), signal)
    await db.transaction().execute(async (db) => {
      // If two processes match the same items, only one enqueues the jobs.
      const own = new Set(await markMatched(db, done))
      const matches = proven.filter(({ item_id }) => own.has(item_id))
      await jobs.enqueueAll(db, detectInStreamItems, payloadsOf(matches))
    })
    items += done.length
    matches += proven.length
  }
}

/** One job per account, with all its items. */
function payloadsOf(matches: readonly MatchingAccount[]) {
  const byAccount = Map.groupBy(matches, ({ workspace_id, account_id }) => `${workspace_id} ${account_id}`)
  return [...byAccount.values()].map((items) => {
    const [{ workspace_id, account_id }] = items as [MatchingAccount]
    return { workspace_id, account_id, item_ids: [...new Set(items.map(({ item_id }) => item_id))] }
  })
}

/** The proven matches. Items that could not be opened stay unmatched, and the next pass retries them. */
async function proveMatches(
  parts: Pick<Deps, 'db'> & ProviderParts,
  batch: readonly StoredItem[],
  signal: AbortSignal,
  arePeopleKnown: boolean,
) {
  const asked = batch.map(({ id, company, document, hints }) => ({
    id,
    keys: namesIn(document.title ?? ''),
    domains: [...new Set([company.domain, ...(hints?.named ?? [])])].filter((domain) => domain !== null),
  }))
  const byItem = Map.groupBy(await findMatchingAccounts(parts.db, asked), ({ item_id }) => item_id)
  const proven: MatchingAccount[] = []
  const done: number[] = []
  const opened: StoredItem[] = []
  const waiting = batch.values()
  const lane = async () => {
    for (const given of waiting) {
      const matches = byItem.get(given.id) ?? []
      const isOfInterest = matches.length > 0 || (arePeopleKnown && isLeadershipChange(given))
      const item = isOfInterest ? await openItem(parts, given, signal) : given
      if (item === 'later') {
        await countOpenFailure(parts.db, given.id)
        continue
      }
      done.push(given.id)
      if (item === 'dropped') continue
      if (isOfInterest) opened.push(item)
      proven.push(...matches.filter((account) => isAboutAccount(item, account)))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return { proven, done, opened }
}

/** Items opened at the same time: articles are on many sites, of which a slow one must not delay the others. */
const LANES = 8

/** Leadership changes are matched with the people of all workspaces, whatever company they are about. */
const isLeadershipChange = ({ about }: StoredItem) => about.includes('leadership_change')

function toCompanyDocument({ stream, company, document, hints }: StoredItem): CompanyDocument {
  return { company, document, source: stream, ...(hints && { hints }) }
}

const MOST_WORDS = 4
const MOST_NAMES = 40
/** Words that precede the name of another company in a headline. */
const BEFORE_NAMES = new Set(
  (
    'with by from to of for and at into between via joins join joining acquires acquire acquired acquiring buys buy selects ' +
    'select chooses choose taps picks partners names sells supplies customer client partner subsidiary'
  ).split(' '),
)

/**
 * Possible company names in a headline, as keys: up to four words, at the beginning or after a word that precedes a
 * name.
 */
function namesIn(title: string): string[] {
  const words = title.split(/[^\p{L}\p{N}&’'.-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const keys = new Set<string>()
  words.forEach((word, from) => {
    const before = words[from - 1]?.toLowerCase()
    if (!/^[\p{Lu}\p{N}]/u.test(word) || (before !== undefined && !BEFORE_NAMES.has(before))) return
    for (let to = from + 1; to <= Math.min(from + MOST_WORDS, words.length) && keys.size < MOST_NAMES; to++) {
      const core = coreWords(
        searchFold(
          words
            .slice(from, to)
            .join(' ')
            .replace(/[’']s$/, ''),
        ),
      )
      if (canNameCompany(core)) keys.add(core.join(' '))
    }
  })
  return [...keys]
}

type Payload = { workspace_id: string; account_id: string; item_ids: number[] }

/** Detects signals in items of streams about one account, as a run. Idempotent. */
export const detectInStreamItems = defineJob<Payload>({
  name: 'look-at-stream-items',
  timeout: 300,
  async run(deps, { workspace_id, account_id, item_ids }, { signal }) {
    const { db, now, config } = deps
    const [account, items] = await Promise.all([findAccount(db, workspace_id, account_id), listItems(db, item_ids)])
    const [first] = items
    if (account?.status !== 'active' || !first) return
    const run_id = newId()
    const started_at = now()
    const context = await readContext(deps, workspace_id)
    const documents = items.map(({ stream, document }) => ({ ...document, source: stream }))
    // Without the title of the document, because it may name people, and erasure does not search names of runs.
    const named = `Reported by ${first.stream} on ${first.document.published_date}`
    const target = { workspace_id, account_id, run_id }
    await detectAndRecord(deps, context, target, account, documents, {
      signal,
      along: (db: Deps['db'], { found, added }, unread) =>
        insertEndedRun(db, workspace_id, {
          id: run_id,
          mode: 'monitor',
          name: named,
          account_id,
          started_at,
          timeframe_days: config.SCAN_WINDOW_DAYS,
          stats: {
            ...{ candidates: 1, accounts: 1, matched: found.length > 0 ? 1 : 0 },
            ...{ documents: documents.length, detections: added.length },
          },
          failure: unread.length < documents.length ? null : (unread[0]?.reason ?? null),
        }),
    })
  },
})

/** Some registers take a minute per page. Matching has the rest of the job's time. */
const READ_MS = 10 * 60_000

/** Reads newswires, filings, awards and notices once for all accounts, and matches them with the accounts. */
export const readAllStreams = defineJob({
  name: 'read-streams',
  schedule: '*/10 * * * *',
  concurrency: 1,
  retries: 0,
  timeout: 1_800,
  async run(deps, _payload, { signal }) {
    const { found } = await readStreams(deps, signal, { deadline: deadlineAfter(READ_MS, signal) })
    const { items, matches } = await matchStreamItems(deps, signal)
    if (found + items > 0) deps.log.info({ found, items, matches }, 'streams were read')
  },
})
