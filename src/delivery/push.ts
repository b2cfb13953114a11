import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { withQueryTimeout } from '../db/client.ts'
import type { Db } from '../db/connect.ts'
import { onUniqueViolation } from '../db/errors.ts'
import type { PushChannel, PushRecordType } from '../db/schema.ts'
import type { Deps, EnqueueOptions } from '../deps/deps.ts'
import { type CrmProvider, crmVendor } from '../providers/crm/registry.ts'
import type { SkippedRecord } from '../resources/push-runs/schema.ts'
import {
  findStartedRun,
  insertPushRun,
  type NewPushRun,
  NOT_AN_ID,
  NOT_FOUND,
  type PushedRow,
  REPEATED,
  readPushedRows,
} from '../resources/push-runs/store.ts'
import { endInlinePush, type PushRunKey } from '../resources/push-runs/work-store.ts'
import { recordPushActivities } from '../resources/work-items/activity-store.ts'
import { AppError } from '../shared/errors.ts'
import { isId } from '../shared/ids.ts'
import type { Viewer } from '../shared/member.ts'
import { connectedCrms } from './crm/channel.ts'
import { WITHOUT_IDENTITY } from './crm/sync.ts'
import { PUSH_JOBS } from './job.ts'
import { getWebhookTarget } from './webhook/channel.ts'
import type { Pushed } from './webhook/push-schema.ts'

export type PushOptions = {
  inBackground: boolean
  memberId: string
  /** The id of the run, the same for a repeated request; null when a repeat cannot be recognized. */
  runId: string | null
}

/** Up to this many records are pushed while the caller waits; more are pushed in the background. */
const INLINE_LIMIT = 100
/** Time to record attempts that were cut off. The response is sent after it in any case. */
const GRACE_SECONDS = 1
/** The job of an inline run ends it when the process was killed: later than the process would have. */
const ENDED_BY_JOB_SECONDS = 3

const NOT_SENT = 'It was not sent: the time for this call was up. Push it again, or push in the background.'
const NO_REASON = 'It could not be delivered.'

/**
 * Pushes records to a destination: inline, or in the background when the caller requests it or names many. An id that is
 * repeated or names nothing the viewer sees is skipped. Throws unknown_destination.
 */
export async function pushToWebhook(
  deps: Deps,
  viewer: Viewer,
  recordType: PushRecordType,
  destinationId: string,
  given: string[],
  { inBackground, memberId, runId }: PushOptions,
): Promise<Pushed> {
  const target = await getWebhookTarget(deps, viewer.workspace_id, destinationId)
  const { id, started } = await findStartedRun(deps.db, viewer.workspace_id, runId)
  if (started) return started
  const run = { id, recordType, destinationId: target.id, ...readIds(given) }
  if (inBackground || given.length > INLINE_LIMIT) return startRun(deps, viewer, 'webhook', run)
  const { run_id: _, rows, ...counts } = await pushInline(deps, viewer, 'webhook', run)
  await recordPushes(deps.db, viewer.workspace_id, recordType, rows, { member_id: memberId, target: target.name })
  const errors = rows.filter(isFailed).map((row) => ({ id: row.id, status: row.status, message: failureReason(row) }))
  return { ...counts, errors }
}

/**
 * Pushes records to one CRM or to every connected one: inline, or in the background when the caller asks for it or names
 * many. An id that is repeated or names nothing the viewer sees is skipped. Throws crm_not_connected.
 */
export async function pushToCrm(
  deps: Deps,
  viewer: Viewer,
  recordType: PushRecordType,
  given: string[],
  wanted: CrmProvider | undefined,
  { inBackground, memberId, runId }: PushOptions,
) {
  const providers = await connectedCrms(deps, viewer.workspace_id, wanted)
  const { id, started } = await findStartedRun(deps.db, viewer.workspace_id, runId)
  if (started) return started
  const run = { id, recordType, destinationId: null, providers, ...readIds(given) }
  if (inBackground || given.length > INLINE_LIMIT) return startRun(deps, viewer, 'crm', run)
  const { run_id: _, rows, ...counts } = await pushInline(deps, viewer, 'crm', run)
  const target = providers.map((provider) => crmVendor(provider).label).join(', ')
  await recordPushes(deps.db, viewer.workspace_id, recordType, rows, { member_id: memberId, target })
  const results = rows.flatMap((row) => crmResults(row, providers))
  const withoutIdentity = counts.skipped_records.filter(({ message }) => message === WITHOUT_IDENTITY).length
  return { ...counts, withoutIdentity, providers, results }
}

/** Adds the records that arrived to the timelines of their accounts. Background runs are listed as runs only. */
async function recordPushes(
  db: Db,
  workspaceId: string,
  recordType: PushRecordType,
  rows: readonly PushedRow[],
  by: { member_id: string; target: string },
): Promise<void> {
  const sent = rows.filter(({ state }) => state === 'sent').map(({ id }) => id)
  if (sent.length > 0) await recordPushActivities(db, workspaceId, recordType, sent, by)
}

type CrmResult = { id: string; provider: CrmProvider; ok: boolean; created: boolean; error: string | null }

/** The result of each CRM for a record; none for a record that was skipped. */
function crmResults(row: PushedRow, providers: CrmProvider[]): CrmResult[] {
  const { id, providers_done, outcomes } = row
  return providers.flatMap((provider): CrmResult[] => {
    const outcome = outcomes?.[provider]
    if (providers_done.includes(provider))
      return [{ id, provider, ok: true, created: outcome?.created ?? false, error: null }]
    if (!isFailed(row)) return []
    return [{ id, provider, ok: false, created: false, error: outcome?.error ?? failureReason(row) }]
  })
}

/** A row is still pending only when another caller retried the run during the call. */
const isFailed = ({ state }: PushedRow): boolean => state === 'failed' || state === 'pending'

const failureReason = ({ message }: PushedRow): string => message ?? NO_REASON

/** Splits the given ids: `ids` are pushed once each, `surplus` are repeated or no ids and count as skipped. */
function readIds(given: readonly string[]): { ids: string[]; surplus: string[] } {
  const ids = new Set<string>()
  const surplus: string[] = []
  for (const sent of given) {
    const id = sent.toLowerCase()
    if (isId(id) && !ids.has(id)) ids.add(id)
    else surplus.push(sent)
  }
  return { ids: [...ids], surplus }
}

type NewRun = Omit<NewPushRun, 'channel'>

/** Stores a run with its rows and its jobs in one transaction. `later` gives it one job that starts later. */
function startRun(
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
  viewer: Viewer,
  channel: PushChannel,
  run: NewRun,
  later?: EnqueueOptions,
) {
  const store = () =>
    db.transaction().execute(async (db) => {
      const { run_id, total } = await insertPushRun(db, viewer, { ...run, channel })
      const key = { workspace_id: viewer.workspace_id, run_id }
      if (later) await jobs.enqueue(db, PUSH_JOBS[channel], key, later)
      else await enqueuePushRun({ db, jobs }, channel, key)
      return { run_id, total, status: 'running' as const }
    })
  // Inserting a million rows takes longer than the query limit of a request.
  return withQueryTimeout(config.DATABASE_JOB_TIMEOUT_SECONDS * 1000, store).catch(
    // The transaction of the earlier request was still open when findStartedRun looked.
    onUniqueViolation(
      'push_runs_pkey',
      () => new AppError('unavailable', 'This push was already started. Try again.', { retryAfter: 1 }),
    ),
  )
}

export async function enqueuePushRun({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, channel: PushChannel, key: PushRunKey) {
  const job = PUSH_JOBS[channel]
  for (let n = 0; n < job.jobsPerRun; n++) await jobs.enqueue(db, job, key)
}

type InlinePush = {
  run_id: string
  pushed: number
  failed: number
  skipped: number
  skipped_records: SkippedRecord[]
  rows: PushedRow[]
}

/**
 * Pushes a few records while the caller waits, for PUSH_INLINE_SECONDS at most. Attempts in progress are cut off then, and
 * rows that are not delivered have failed. The push is stored as a run, so that it is listed and can be retried; the job
 * of the run only ends it when this process is killed.
 */
export async function pushInline(deps: Deps, viewer: Viewer, channel: PushChannel, run: NewRun): Promise<InlinePush> {
  const { db, background, config, log } = deps
  const { workspace_id } = viewer
  const until = performance.now() + config.PUSH_INLINE_SECONDS * 1000
  const endsAfter = config.PUSH_INLINE_SECONDS + ENDED_BY_JOB_SECONDS
  const { run_id } = await startRun(deps, viewer, channel, { ...run, endsAfter }, { startAfter: endsAfter + 1 })
  const work = background
    .run((stopping) => deliverUntil(deps, channel, { workspace_id, run_id }, until, stopping))
    // Sent rows are recorded, and the others are reported as failed.
    .catch((err: unknown) => log.error({ err, run_id }, 'an inline push ended with an error'))
  await Promise.race([work, once(timeoutAt(until + GRACE_SECONDS * 1000), 'abort')])
  await endInlinePush(db, workspace_id, run_id, NOT_SENT)
  const rows = await readPushedRows(db, workspace_id, run_id)
  const inState = (state: PushedRow['state']) => rows.filter((row) => row.state === state)
  const skipped_records = [
    ...inState('skipped').map(({ id, message }) => ({ id, message: message ?? NOT_FOUND })),
    ...run.surplus.map((id) => ({ id, message: isId(id) ? REPEATED : NOT_AN_ID })),
  ]
  return {
    run_id,
    pushed: inState('sent').length,
    failed: rows.filter(isFailed).length,
    skipped: skipped_records.length,
    skipped_records,
    rows,
  }
}

/** Delivers rows until the run is over, the time is up, or the next attempt is due after that. */
async function deliverUntil(
  deps: Deps,
  channel: PushChannel,
  key: PushRunKey,
  until: number,
  stopping: AbortSignal,
): Promise<void> {
  const end = AbortSignal.any([timeoutAt(until), stopping])
  while (!end.aborted) {
    const wait = await PUSH_JOBS[channel].deliver(deps, key, end, end)
    if (wait === null || performance.now() + wait * 1000 >= until) return
    await sleep(wait * 1000)
  }
}

function timeoutAt(time: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.ceil(time - performance.now())))
}
