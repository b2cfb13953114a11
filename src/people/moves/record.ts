import type { MoveKind, MoveSource } from '../../db/schema.ts'
import { queueAlert } from '../../delivery/alert.ts'
import type { Deps } from '../../deps/deps.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { cutText, toStorable } from '../../engine/text/storable.ts'
import { redraftAccounts } from '../../resources/drafts/redraft.ts'
import { listSections } from '../../resources/knowledge-base/store.ts'
import { rankWorkItem } from '../../resources/work-items/rank.ts'
import { addEvents } from '../../resources/work-items/rank-store.ts'
import { newId } from '../../shared/ids.ts'
import { redactSources } from '../redact/redact-findings.ts'
import { insertMoves, markLeft, type PersonJobRow, type PersonMoveRow, savePersonJobs } from './move-store.ts'

/** A job as a source reports it; null means that the source does not state the value. */
export type ReportedJob = {
  employer: string
  domain: string | null
  /** The account of the employer, if there is one. */
  account_id: string | null
  title: string | null
}

/** A move of a known person, as a source reports it. */
export type NewMove = {
  person_id: string
  /** The account at which the person is stored. */
  account_id: string
  kind: MoveKind
  from: ReportedJob | null
  to: ReportedJob | null
  /** Whether the source reports that the person left the former employer. */
  is_gone: boolean
  happened_on: string | null
  evidence: MoveSource[]
}

type Parts = Pick<Deps, 'db' | 'jobs' | 'config' | 'secrets' | 'parserPool'>

const MAX_NAME_CHARS = 300
const MAX_QUOTE_CHARS = 600

/**
 * Stores moves of people with their job history, and queues alerts for new moves. Call it in a transaction that holds the
 * workspace lock, so that a concurrent erasure happens entirely before or after it. Idempotent. Returns all moves.
 */
export async function recordMoves(parts: Parts, workspaceId: string, reported: readonly NewMove[], today: string) {
  if (reported.length === 0) return []
  const moves = await redactEvidence(parts, workspaceId, reported.map(storableMove))
  const { db } = parts
  const byKey = new Map(moves.map((move) => [`${move.person_id} ${moveKey(move)}`, move]))
  // Sorted, so that two transactions that write the same moves cannot deadlock.
  const distinct = [...byKey.keys()].sort().map((key) => byKey.get(key) as NewMove)
  const rows = distinct.map(toMoveRow)
  const written = await insertMoves(db, workspaceId, rows)
  await savePersonJobs(db, workspaceId, jobsOfMoves(moves))
  const gone = distinct.filter(({ is_gone }) => is_gone)
  if (gone.length > 0)
    await markLeft(
      db,
      workspaceId,
      gone.map(({ person_id }) => person_id),
      today,
    )
  const announced = written.filter(({ sends_alert, is_new }) => sends_alert && is_new)
  const move_ids = announced.map(({ id }) => id)
  if (move_ids.length > 0) await queueAlert(parts, workspaceId, { type: 'people.job_changed', run_id: null, move_ids })
  const opened = Map.groupBy(announced, ({ person_id, key, account_id }) => {
    // A move is work at the company that the person joined, where it is an account, and otherwise at the former one.
    return byKey.get(`${person_id} ${key}`)?.to?.account_id ?? account_id
  })
  const left = gone.map(({ account_id }) => account_id)
  await updateWorkItems(parts, workspaceId, opened, left, today)
  return written.map((row) => ({ ...row, move: byKey.get(`${row.person_id} ${row.key}`) as NewMove }))
}

/** Opens the work items of moves, and ranks those of the accounts that lost a contact. */
async function updateWorkItems(
  { db, jobs }: Pick<Parts, 'db' | 'jobs'>,
  workspaceId: string,
  opened: ReadonlyMap<string, readonly { id: string }[]>,
  left: readonly string[],
  today: string,
): Promise<void> {
  const accountIds = new Set([...opened.keys(), ...left])
  if (accountIds.size === 0) return
  const sections = await listSections(db, workspaceId)
  // Sorted, so that two transactions lock the items of accounts in the same order.
  for (const accountId of [...accountIds].sort()) {
    const moves = opened.get(accountId) ?? []
    const events = moves.map(({ id }) => ({ id, kind: 'move' as const, same: [] }))
    await addEvents(db, workspaceId, accountId, events)
    await rankWorkItem(db, workspaceId, accountId, { sections, today })
  }
  await jobs.enqueue(db, redraftAccounts, { workspace_id: workspaceId, account_ids: [...accountIds] })
}

/** Returns the deduplication key of a move. A person joins a company once, whichever title a source states. */
export function moveKey({ kind, from, to }: Pick<NewMove, 'kind' | 'from' | 'to'>): string {
  if (kind === 'left') return `left:${companyKey(from?.employer ?? '')}`
  const company = companyKey(to?.employer ?? '')
  return kind === 'joined' ? `joined:${company}` : `role:${company}|${searchFold(to?.title ?? '')}`
}

function toMoveRow(move: NewMove): PersonMoveRow {
  const { person_id, kind, from, to, happened_on, evidence } = move
  return {
    id: newId(),
    person_id,
    key: moveKey(move),
    kind,
    from_employer: from?.employer ?? null,
    from_title: from?.title ?? null,
    to_employer: to?.employer ?? null,
    to_title: to?.title ?? null,
    to_domain: to?.domain ?? null,
    to_account_id: to?.account_id ?? null,
    happened_on,
    evidence,
  }
}

/** Returns the former and the new job of each move. */
export function jobsOfMoves(moves: readonly Omit<NewMove, 'account_id'>[]): PersonJobRow[] {
  const rows = new Map<string, PersonJobRow>()
  const add = (
    person_id: string,
    job: ReportedJob,
    rest: Pick<PersonJobRow, 'from_day' | 'until_day' | 'is_over' | 'sources'>,
  ) => {
    const { employer, domain: employer_domain, account_id, title } = job
    const key = `${companyKey(employer)}|${searchFold(title ?? '')}`
    const known = rows.get(`${person_id} ${key}`)
    // One upsert statement cannot write the same row twice.
    if (known) known.is_over ||= rest.is_over
    else
      rows.set(`${person_id} ${key}`, {
        id: newId(),
        person_id,
        key,
        employer,
        employer_domain,
        account_id,
        title,
        ...rest,
      })
  }
  for (const { person_id, kind, from, to, is_gone, happened_on, evidence: sources } of moves) {
    const is_over = is_gone || kind === 'changed_role'
    const until_day = kind === 'joined' ? null : happened_on
    if (from) add(person_id, from, { from_day: null, until_day, is_over, sources })
    if (to) add(person_id, to, { from_day: happened_on, until_day: null, is_over: false, sources })
  }
  return [...rows.keys()].sort().map((key) => rows.get(key) as PersonJobRow)
}

/** Cuts texts from sources to their maximum stored length. */
function storableMove(move: NewMove): NewMove {
  const text = (value: string) => cutText(toStorable(value), MAX_NAME_CHARS)
  const toStored = (job: ReportedJob | null) =>
    job && { ...job, employer: text(job.employer), title: job.title === null ? null : text(job.title) }
  const evidence = move.evidence.map(({ quote, ...rest }) => ({
    ...rest,
    url: cutText(toStorable(rest.url), 2048),
    ...(quote === undefined ? {} : { quote: cutText(toStorable(quote), MAX_QUOTE_CHARS) }),
  }))
  return { ...move, from: toStored(move.from), to: toStored(move.to), evidence }
}

/** Removes erased people from the evidence, because a quoted sentence may name other people. */
async function redactEvidence(parts: Parts, workspaceId: string, moves: NewMove[]): Promise<NewMove[]> {
  const redacted: NewMove[] = []
  for (const [accountId, of] of Map.groupBy(moves, ({ account_id }) => account_id)) {
    const sources = of.flatMap(({ evidence }) => evidence)
    const without = (await redactSources(parts, workspaceId, accountId, sources)).values()
    redacted.push(...of.map((move) => ({ ...move, evidence: [...without.take(move.evidence.length)] })))
  }
  return redacted
}
