import type { CrmProvider, PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../ids.ts'
import { CRM_VENDORS } from '../../providers/crm/registry.ts'
import { CrmError } from '../../providers/crm/types.ts'
import type { OpenCrm } from '../connections/session.ts'
import { listConnections } from '../connections/store.ts'
import {
  type ClaimedRow,
  claimRows,
  type RowResult,
  recordResults,
  releaseRows,
  renewLease,
} from '../push-runs/store.ts'
import { BATCH, deliver } from './deliver.ts'
import { readRecords } from './records.ts'
import type { Outcome } from './sync.ts'

/** Rows of a killed worker are free again after this. */
const LEASE_SECONDS = 15
const RENEW_MS = 5_000
/** Batches on the way at once: while one waits for an answer, the others use what the vendor's limit allows. */
const LANES = 6

type Work = {
  workspaceId: string
  runId: string
  recordType: PushRecordType
  /** The CRMs the run is for. */
  providers: CrmProvider[]
  /** Those of them that are connected. */
  targets: OpenCrm[]
}

/**
 * Pushes rows of a run until none is due or the stint ends. Rows are claimed under a lease, so that several workers share a
 * run. Answers why the run cannot go on, or null. Throws CrmError quota.
 */
export async function workOn(deps: Deps, work: Work, stint: AbortSignal): Promise<string | null> {
  const { db, log } = deps
  const { workspaceId, runId, recordType } = work
  const leaseId = newId()
  const renewal = setInterval(() => {
    renewLease(db, workspaceId, runId, leaseId, LEASE_SECONDS).catch((err) =>
      log.warn({ err }, 'a lease was not renewed'),
    )
  }, RENEW_MS)
  /** Why a CRM of the run takes nothing more. */
  const closed = new Map<CrmProvider, string>()
  let quota: CrmError | null = null
  const isOver = () => quota !== null || closed.size === work.providers.length || stint.aborted

  /** Whoever disconnects a CRM wants nothing more to go there. */
  async function closeDisconnected(): Promise<void> {
    const connected = await listConnections(db, workspaceId)
    for (const provider of work.providers) {
      if (!connected.some((connection) => connection.provider === provider))
        closed.set(provider, 'It was disconnected.')
    }
  }

  async function lane(): Promise<void> {
    while (!isOver()) {
      await closeDisconnected()
      if (isOver()) return
      const rows = await claimRows(db, workspaceId, runId, leaseId, BATCH, LEASE_SECONDS)
      if (rows.length === 0) return
      const outcomes = new Map<CrmProvider, Map<string, Outcome>>()
      const viewer = { workspace_id: workspaceId, scoped_to: null }
      const records = await readRecords(
        db,
        viewer,
        recordType,
        rows.map(({ record_id }) => record_id),
      )
      await Promise.all(
        work.targets.map(async (target) => {
          const { provider } = target
          const left = rows.filter(({ providers_done }) => !providers_done.includes(provider))
          const batch = left.flatMap(({ record_id }) => records.get(record_id) ?? [])
          if (batch.length === 0 || closed.has(provider)) return
          try {
            outcomes.set(provider, await deliver(deps, workspaceId, target, recordType, batch))
          } catch (error) {
            if (!(error instanceof CrmError)) throw error
            if (error.kind === 'quota') quota = error
            else closed.set(provider, error.message)
          }
        }),
      )
      const results = rows.flatMap(
        (row) =>
          verdict(
            row,
            records.has(row.record_id),
            work.providers,
            outcomes,
            closed,
            quota !== null,
            deps.config.PUSH_RETRY_SECONDS,
          ) ?? [],
      )
      if (results.length > 0) await recordResults(db, workspaceId, runId, leaseId, results)
    }
  }

  try {
    await Promise.all(Array.from({ length: LANES }, lane))
  } finally {
    clearInterval(renewal)
    await releaseRows(db, workspaceId, runId, leaseId)
  }
  if (quota) throw quota
  if (closed.size < work.providers.length) return null
  const [[provider, why] = ['crm_one', '']] = closed as Map<CrmProvider, string>
  return `${CRM_VENDORS[provider as CrmProvider].label}: ${why}`
}

/** A row waits so long for a quota to be renewed. */
const QUOTA_SECONDS = 300

/** What a row becomes; null leaves it as it is. */
function verdict(
  { record_id, attempts, providers_done }: ClaimedRow,
  isThere: boolean,
  providers: CrmProvider[],
  outcomes: Map<CrmProvider, Map<string, Outcome>>,
  closed: Map<CrmProvider, string>,
  waits: boolean,
  pauses: readonly number[],
): RowResult | null {
  const row = { record_id, retry_in: 0, status: null, message: null }
  if (!isThere) return { ...row, state: 'skipped', message: 'It is no longer there.' }
  const done = [...providers_done]
  const failures: { status: number | null; message: string; retry: boolean }[] = []
  let skipped: string | null = null
  let delayed = false
  for (const provider of providers.filter((provider) => !providers_done.includes(provider))) {
    const { label } = CRM_VENDORS[provider]
    const outcome = outcomes.get(provider)?.get(record_id)
    const why = closed.get(provider)
    if (outcome?.state === 'pushed') done.push(provider)
    else if (outcome?.state === 'skipped') skipped = outcome.message
    else if (outcome?.state === 'failed') failures.push({ ...outcome, message: `${label}: ${outcome.message}` })
    else if (why !== undefined) failures.push({ status: null, message: `${label}: ${why}`, retry: false })
    else if (waits) delayed = true
    else failures.push({ status: null, message: `${label}: It was not reached.`, retry: true })
  }
  if (delayed) {
    if (done.length === providers_done.length) return null
    // What another CRM has taken is kept.
    return { ...row, state: 'pending', retry_in: QUOTA_SECONDS, done }
  }
  const [first] = failures
  if (!first)
    return { ...row, state: done.length > 0 ? 'sent' : 'skipped', message: done.length > 0 ? null : skipped, done }
  const pause = pauses[attempts]
  const again = failures.some(({ retry }) => retry) && pause !== undefined
  // A little earlier or later, so that rows which failed together do not come back together.
  const retry_in = again ? (pause as number) * (0.8 + Math.random() * 0.4) : 0
  return { ...row, state: again ? 'pending' : 'failed', retry_in, status: first.status, message: first.message, done }
}
