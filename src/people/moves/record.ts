import type { MoveKind, MoveSource } from '../../db/schema.ts'
import { queueAlert } from '../../delivery/alert.ts'
import type { Deps } from '../../deps/deps.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { cutText, toStorable } from '../../engine/text/storable.ts'
import { newId } from '../../shared/ids.ts'
import { sourcesWithoutErased } from '../redact/found.ts'
import { insertMoves, type JobRow, type MoveRow, markLeft, saveJobs } from './move-store.ts'

/** A job as a source tells it: what it does not say is null. */
export type ToldJob = {
  employer: string
  domain: string | null
  /** The account that is the employer, where one is. */
  account_id: string | null
  title: string | null
}

/** What a source tells of somebody known. */
export type NewMove = {
  person_id: string
  /** Of which account they are known. */
  account_id: string
  kind: MoveKind
  from: ToldJob | null
  to: ToldJob | null
  /** The source says that they are gone from where they were. */
  is_gone: boolean
  happened_on: string | null
  evidence: MoveSource[]
}

type Parts = Pick<Deps, 'db' | 'jobs' | 'config' | 'secrets' | 'parserPool'>

const MAX_NAME_CHARS = 300
const MAX_QUOTE_CHARS = 600

/**
 * Keeps moves of people with their history, and has the team told of those that are new. Call it in a transaction that holds the
 * workspace: whoever is erased meanwhile comes wholly before or after. The same again adds nothing. Answers them all.
 */
export async function recordMoves(parts: Parts, workspaceId: string, told: readonly NewMove[], today: string) {
  if (told.length === 0) return []
  const moves = await withoutErased(parts, workspaceId, told.map(storableMove))
  const { db } = parts
  const byKey = new Map(moves.map((move) => [`${move.person_id} ${moveKey(move)}`, move]))
  // In one order, so that two that write the same moves cannot deadlock.
  const distinct = [...byKey.keys()].sort().map((key) => byKey.get(key) as NewMove)
  const rows = distinct.map(rowOf)
  const written = await insertMoves(db, workspaceId, rows)
  await saveJobs(db, workspaceId, jobsOf(moves))
  const gone = distinct.filter(({ is_gone }) => is_gone).map(({ person_id }) => person_id)
  if (gone.length > 0) await markLeft(db, workspaceId, gone, today)
  for (const [account_id, told] of Map.groupBy(written, (move) => move.account_id)) {
    const move_ids = told.filter(({ is_told, is_new }) => is_told && is_new).map(({ id }) => id)
    if (move_ids.length === 0) continue
    await queueAlert(parts, workspaceId, { type: 'people.job_changed', account_id, run_id: null, move_ids })
  }
  return written.map((row) => ({ ...row, move: byKey.get(`${row.person_id} ${row.key}`) as NewMove }))
}

/** What makes a move the same one again: who comes to a company comes once, whichever title a source gives. */
export function moveKey({ kind, from, to }: Pick<NewMove, 'kind' | 'from' | 'to'>): string {
  if (kind === 'left') return `left:${companyKey(from?.employer ?? '')}`
  const company = companyKey(to?.employer ?? '')
  return kind === 'joined' ? `joined:${company}` : `role:${company}|${searchFold(to?.title ?? '')}`
}

function rowOf(move: NewMove): MoveRow {
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

/** Both ends of a move, as jobs of the person. */
export function jobsOf(moves: readonly Omit<NewMove, 'account_id'>[]): JobRow[] {
  const rows = new Map<string, JobRow>()
  const add = (
    person_id: string,
    job: ToldJob,
    rest: Pick<JobRow, 'from_day' | 'until_day' | 'is_over' | 'sources'>,
  ) => {
    const { employer, domain: employer_domain, account_id, title } = job
    const key = `${companyKey(employer)}|${searchFold(title ?? '')}`
    const known = rows.get(`${person_id} ${key}`)
    // A statement cannot write a row twice.
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
  return [...rows.keys()].sort().map((key) => rows.get(key) as JobRow)
}

/** Whatever others wrote, cut to what is kept of it. */
function storableMove(move: NewMove): NewMove {
  const text = (value: string) => cutText(toStorable(value), MAX_NAME_CHARS)
  const job = (told: ToldJob | null) =>
    told && { ...told, employer: text(told.employer), title: told.title === null ? null : text(told.title) }
  const evidence = move.evidence.map(({ quote, ...rest }) => ({
    ...rest,
    url: cutText(toStorable(rest.url), 2048),
    ...(quote === undefined ? {} : { quote: cutText(toStorable(quote), MAX_QUOTE_CHARS) }),
  }))
  return { ...move, from: job(move.from), to: job(move.to), evidence }
}

/** Without others who were erased: a sentence may name them. */
async function withoutErased(parts: Parts, workspaceId: string, moves: NewMove[]): Promise<NewMove[]> {
  const redacted: NewMove[] = []
  for (const [accountId, of] of Map.groupBy(moves, ({ account_id }) => account_id)) {
    const sources = of.flatMap(({ evidence }) => evidence)
    const without = (await sourcesWithoutErased(parts, workspaceId, accountId, sources)).values()
    redacted.push(...of.map((move) => ({ ...move, evidence: [...without.take(move.evidence.length)] })))
  }
  return redacted
}
