import type { PushRecordType, RowOutcomes } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { createLease, processLeasedRows } from '../../jobs/leased-work.ts'
import { withJitter } from '../../outbound/response-headers.ts'
import { type CrmProvider, crmVendor } from '../../providers/crm/registry.ts'
import { CrmError } from '../../providers/crm/vendor/types.ts'
import { listConnections, setProblem } from '../../resources/connections/store.ts'
import { type ClaimedRow, dueRows, type RowResult } from '../../resources/push-runs/work-store.ts'
import type { Viewer } from '../../shared/member.ts'
import { BATCH, pushBatch, QUOTA_PATIENCE_SECONDS } from './push-batch.ts'
import { readRecords } from './records.ts'
import { ANOTHER_ACCOUNT, type OpenCrm } from './session.ts'
import type { SyncOutcome } from './sync.ts'

/** Rows of a killed worker are free again after this. */
const LEASE_SECONDS = 15
/** Batches on the way at once: while one waits for an answer, the others use what the vendor's limit allows. */
const LANES = 6

type Work = {
  /** Whoever started the run: a row goes out while they still see its record. */
  viewer: Viewer
  runId: string
  recordType: PushRecordType
  /** It ends with the call: nothing waits for a quota. */
  isInline: boolean
  /** The CRMs the run is for. */
  providers: CrmProvider[]
  /** Those of them that are connected. */
  targets: OpenCrm[]
}

/**
 * Pushes rows of a run until none is due or the deadline passes. Answers why the run cannot go on (`ended`), or has to wait
 * for a quota (`waits`). What `shutdown` cuts off is no attempt.
 */
export async function pushDueRows(
  deps: Deps,
  work: Work,
  deadline: AbortSignal,
  shutdown: AbortSignal,
): Promise<{ ended: string | null; waits: string | null }> {
  const { db, log } = deps
  const { viewer, runId, recordType } = work
  const workspaceId = viewer.workspace_id
  const lease = createLease(LEASE_SECONDS)
  const due = dueRows(db, workspaceId, runId)
  /** Why a CRM of the run takes nothing more. */
  const closed = new Map<CrmProvider, string>()
  /** The CRMs whose quota is used up; the others go on. */
  const paused = new Map<CrmProvider, string>()
  const isOpen = (provider: CrmProvider) => !closed.has(provider) && !paused.has(provider)
  const isOver = () => !work.providers.some(isOpen)

  /** Whoever disconnects a CRM wants nothing more to go there. */
  async function closeDisconnected(): Promise<void> {
    const connected = await listConnections(db, workspaceId)
    for (const provider of work.providers) {
      const now = connected.find((connection) => connection.provider === provider)
      const before = work.targets.find((target) => target.provider === provider)
      if (!now) closed.set(provider, 'It was disconnected.')
      else if (before && now.account !== before.vendorAccount) closed.set(provider, ANOTHER_ACCOUNT)
    }
  }

  async function pushRows(rows: ClaimedRow[]): Promise<void> {
    const outcomes = new Map<CrmProvider, Map<string, SyncOutcome>>()
    const records = await readRecords(
      db,
      viewer,
      recordType,
      rows.map(({ record_id }) => record_id),
    )
    const pushes = await Promise.allSettled(
      work.targets.map(async (target) => {
        const { provider } = target
        const left = rows.filter(({ providers_done }) => !providers_done.includes(provider))
        const batch = left.flatMap(({ record_id }) => records.get(record_id) ?? [])
        if (batch.length === 0 || !isOpen(provider)) return
        try {
          outcomes.set(provider, await pushBatch(deps, workspaceId, target, recordType, batch))
        } catch (error) {
          if (!(error instanceof CrmError)) throw error
          if (error.kind !== 'quota') {
            closed.set(provider, error.message)
            return
          }
          paused.set(provider, error.message)
          if (work.isInline) return
          await setProblem(db, workspaceId, provider, `${error.message} The rest goes out when that is over.`, {
            vendorAccount: target.vendorAccount,
            seconds: QUOTA_PATIENCE_SECONDS,
          })
        }
      }),
    )
    rethrow(pushes)
    const results = rows.map((row) => {
      if (!records.has(row.record_id)) return { ...DELETED, row, state: 'skipped' as const }
      return resultOf(row, work.providers, outcomes, closed, paused, shutdown.aborted, deps.config.PUSH_RETRY_SECONDS)
    })
    await due.record(lease.id, results)
  }

  await processLeasedRows({
    queue: {
      ...due,
      async claim(lease, limit) {
        await closeDisconnected()
        return isOver() ? [] : due.claim(lease, limit)
      },
    },
    lease,
    lanes: LANES,
    batch: BATCH,
    deadline,
    isOver,
    log,
    work: pushRows,
  })
  const [why] = closed
  const ended = closed.size === work.providers.length && why ? named(why[0], why[1]) : null
  return { ended, waits: [...paused.values()][0] ?? null }
}

function rethrow(settled: PromiseSettledResult<void>[]): void {
  for (const one of settled) if (one.status === 'rejected') throw one.reason
}

/** Says which CRM a sentence is about, where it does not. */
function named(provider: CrmProvider, message: string): string {
  const { label } = crmVendor(provider)
  return message.includes(label) ? message : `${label}: ${message}`
}

const DELETED = { retry_in: 0, status: null, message: 'It is no longer there.' }

/** A used-up quota is looked at again so often. */
export const QUOTA_SECONDS = 300

/** What a row becomes after the CRMs it was pushed to have answered. */
function resultOf(
  claimed: ClaimedRow,
  providers: CrmProvider[],
  outcomes: Map<CrmProvider, Map<string, SyncOutcome>>,
  closed: Map<CrmProvider, string>,
  paused: Map<CrmProvider, string>,
  isCutOff: boolean,
  pauses: readonly number[],
): RowResult {
  const { record_id, attempts, providers_done } = claimed
  const done = [...providers_done]
  const said: RowOutcomes = {}
  const row = { row: claimed, retry_in: 0, status: null, message: null, done, outcomes: said }
  const failures: { status: number | null; message: string; retry: boolean }[] = []
  let skipped: string | null = null
  let waits: string | null = null
  let cutOff: string | null = null
  const fail = (provider: CrmProvider, failure: { status: number | null; message: string; retry: boolean }) => {
    failures.push({ ...failure, message: named(provider, failure.message) })
    said[provider] = { created: false, error: failure.message }
  }
  for (const provider of providers.filter((provider) => !providers_done.includes(provider))) {
    const outcome = outcomes.get(provider)?.get(record_id)
    const whyClosed = closed.get(provider)
    if (outcome?.state === 'pushed') {
      done.push(provider)
      said[provider] = { created: outcome.created, error: null }
    } else if (outcome?.state === 'skipped') skipped = outcome.message
    else if (outcome?.state === 'failed' && outcome.retry && isCutOff) cutOff = outcome.message
    else if (outcome?.state === 'failed') fail(provider, outcome)
    else if (whyClosed !== undefined) fail(provider, { status: null, message: whyClosed, retry: false })
    else waits = paused.get(provider) ?? 'It was not reached.'
  }
  if (cutOff !== null) return { ...row, state: 'pending', message: cutOff, waits: true }
  // What one CRM has taken is kept while another is waited for; waiting is no attempt.
  if (waits !== null) return { ...row, state: 'pending', retry_in: QUOTA_SECONDS, message: waits, waits: true }
  const [first] = failures
  if (!first && done.length > 0) return { ...row, state: 'sent' }
  if (!first) return { ...row, state: 'skipped', message: skipped }
  const { status, message } = first
  const pause = pauses[attempts]
  if (pause === undefined || !failures.some(({ retry }) => retry)) return { ...row, state: 'failed', status, message }
  return { ...row, state: 'pending', retry_in: withJitter(pause), status, message }
}
