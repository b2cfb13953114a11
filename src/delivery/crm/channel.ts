import type { RowOutcomes } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { type CrmProvider, crmVendor, isCrmProvider } from '../../providers/crm/registry.ts'
import { CrmError } from '../../providers/crm/vendor/types.ts'
import { listConnections, setConnectionProblem } from '../../resources/connections/store.ts'
import { type ClaimedRow, pushRows } from '../../resources/push-runs/work-store.ts'
import { AppError } from '../../shared/errors.ts'
import type { Attempt, Channel } from '../channel/types.ts'
import { CRM_BATCH_SIZE, pushCrmBatch, QUOTA_MAX_WAIT_SECONDS } from './push-batch.ts'
import { readCrmRecords } from './records.ts'
import { ANOTHER_ACCOUNT, openCrm } from './session.ts'
import type { SyncOutcome } from './sync.ts'

/** Batches in progress at once: while one waits for a response, the others use the rate limit of the vendor. */
const CONCURRENCY = 6
/** A row that waits for a used-up quota is attempted again after this. */
const QUOTA_SECONDS = 300

type CrmAttempt = Attempt<ClaimedRow> & {
  /** The CRMs that have the record. */
  done?: string[]
  outcomes?: RowOutcomes
}

/** Writes each row to the CRMs of the run. */
export const crmChannel: Channel<ClaimedRow, CrmAttempt> = {
  name: 'crm',
  // The batches of a run are sent concurrently within one job.
  jobsPerRun: 1,
  async checkTarget(deps, workspaceId, target) {
    const providers = target.providers.filter(isCrmProvider)
    const connected = await connectedCrms(deps, workspaceId, undefined)
    if (!providers.some((provider) => connected.includes(provider))) throw notConnected(providers[0])
  },
  async open(deps, run, shutdown) {
    const { db } = deps
    const { workspace_id, run_id, record_type, opened_at, scoped_to, is_inline } = run
    const providers = run.providers.filter(isCrmProvider)
    const opened = await Promise.all(providers.map((provider) => openCrm(deps, workspace_id, provider, shutdown)))
    const targets = opened.filter((target) => target !== null)
    if (targets.length === 0) return { ended: 'The CRM was disconnected.' }
    const rows = pushRows(db, workspace_id, run_id)
    /** CRMs that take nothing more, with the reason. */
    const closed = new Map<CrmProvider, string>()
    /** CRMs whose quota is used up, with the message; the others continue. */
    const paused = new Map<CrmProvider, string>()
    const isOpen = (provider: CrmProvider) => !closed.has(provider) && !paused.has(provider)
    const isOver = () => !providers.some(isOpen)

    async function closeDisconnected(): Promise<void> {
      const connected = await listConnections(db, workspace_id)
      for (const provider of providers) {
        const now = connected.find((connection) => connection.provider === provider)
        const before = targets.find((target) => target.provider === provider)
        if (!now) closed.set(provider, 'It was disconnected.')
        else if (before && now.account !== before.vendorAccount) closed.set(provider, ANOTHER_ACCOUNT)
      }
    }

    return {
      queue: {
        ...rows,
        async claim(lease, limit) {
          await closeDisconnected()
          return isOver() ? [] : rows.claim(lease, limit)
        },
      },
      concurrency: CONCURRENCY,
      batch: CRM_BATCH_SIZE,
      async send(claimed) {
        const outcomes = new Map<CrmProvider, Map<string, SyncOutcome>>()
        const ids = claimed.map(({ record_id }) => record_id)
        const records = await readCrmRecords(db, { workspace_id, scoped_to }, record_type, ids)
        const pushes = await Promise.allSettled(
          targets.map(async (target) => {
            const { provider, vendorAccount } = target
            const missing = claimed.filter(({ providers_done }) => !providers_done.includes(provider))
            const batch = missing.flatMap(({ record_id }) => records.get(record_id) ?? [])
            if (batch.length === 0 || !isOpen(provider)) return
            try {
              outcomes.set(provider, await pushCrmBatch(deps, workspace_id, target, record_type, batch))
            } catch (error) {
              if (!(error instanceof CrmError)) throw error
              if (error.kind !== 'quota') {
                closed.set(provider, error.message)
                return
              }
              paused.set(provider, error.message)
              // An inline push ends with its call and does not wait for the quota.
              if (is_inline) return
              await setConnectionProblem(
                db,
                workspace_id,
                provider,
                `${error.message} The rest goes out when that is over.`,
                {
                  vendorAccount,
                  seconds: QUOTA_MAX_WAIT_SECONDS,
                },
              )
            }
          }),
        )
        for (const push of pushes) if (push.status === 'rejected') throw push.reason
        return claimed.map((row) =>
          records.has(row.record_id)
            ? attemptOf(row, providers, outcomes, closed, paused, shutdown.aborted)
            : { ...NO_FAILURE, row, result: 'skipped', message: 'It is no longer there.' },
        )
      },
      record: rows.record,
      isOver,
      progress() {
        const [why] = closed
        if (why && closed.size === providers.length) return { ended: withLabel(...why) }
        const [waits] = paused.values()
        if (!waits) return { ended: null }
        // A quota is renewed within a day; a run that has waited for longer waits for something else.
        const isPatient = Date.parse(opened_at) + QUOTA_MAX_WAIT_SECONDS * 1000 > deps.now().getTime()
        return isPatient ? { ended: null, waitSeconds: QUOTA_SECONDS } : { ended: waits }
      },
    }
  },
}

const NO_FAILURE = { status: null, message: null, retryAfter: null }

/** Combines the outcomes of all CRMs of a row into one attempt. */
function attemptOf(
  row: ClaimedRow,
  providers: CrmProvider[],
  outcomesByCrm: Map<CrmProvider, Map<string, SyncOutcome>>,
  closed: Map<CrmProvider, string>,
  paused: Map<CrmProvider, string>,
  isStopping: boolean,
): CrmAttempt {
  const { record_id, providers_done } = row
  const done = [...providers_done]
  const outcomes: RowOutcomes = {}
  const attempt = { ...NO_FAILURE, row, done, outcomes }
  const failures: { status: number | null; message: string; retry: boolean }[] = []
  let skipped: string | null = null
  let waits: string | null = null
  let cutOff: string | null = null
  const fail = (provider: CrmProvider, failure: { status: number | null; message: string; retry: boolean }) => {
    failures.push({ ...failure, message: withLabel(provider, failure.message) })
    outcomes[provider] = { created: false, error: failure.message }
  }
  for (const provider of providers.filter((provider) => !providers_done.includes(provider))) {
    const outcome = outcomesByCrm.get(provider)?.get(record_id)
    const whyClosed = closed.get(provider)
    if (outcome?.state === 'pushed') {
      done.push(provider)
      outcomes[provider] = { created: outcome.created, error: null }
    } else if (outcome?.state === 'skipped') skipped = outcome.message
    else if (outcome?.state === 'failed' && outcome.retry && isStopping) cutOff = outcome.message
    else if (outcome?.state === 'failed') fail(provider, outcome)
    else if (whyClosed !== undefined) fail(provider, { status: null, message: whyClosed, retry: false })
    else waits = paused.get(provider) ?? 'It was not reached.'
  }
  if (cutOff !== null) return { ...attempt, result: 'deferred', message: cutOff, retryAfter: 0 }
  // The CRMs that have the record are stored while it waits for another.
  if (waits !== null) return { ...attempt, result: 'deferred', message: waits, retryAfter: QUOTA_SECONDS }
  const [first] = failures
  if (!first && done.length > 0) return { ...attempt, result: 'sent' }
  if (!first) return { ...attempt, result: 'skipped', message: skipped }
  const result = failures.some(({ retry }) => retry) ? 'retry' : 'failed'
  return { ...attempt, result, status: first.status, message: first.message }
}

/** Prefixes a message with the name of the CRM unless it contains the name. */
function withLabel(provider: CrmProvider, message: string): string {
  const { label } = crmVendor(provider)
  return message.includes(label) ? message : `${label}: ${message}`
}

/** The connected CRMs, or only the wanted one. Throws crm_not_connected. */
export async function connectedCrms(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  wanted: CrmProvider | undefined,
): Promise<CrmProvider[]> {
  const connected = (await listConnections(db, workspaceId)).map(({ provider }) => provider).filter(isCrmProvider)
  const chosen = wanted ? connected.filter((provider) => provider === wanted) : connected
  if (chosen.length === 0) throw notConnected(wanted)
  return chosen
}

function notConnected(provider: CrmProvider | undefined): AppError {
  return new AppError(
    'crm_not_connected',
    `${provider ? `${crmVendor(provider).label} is not` : 'No CRM is'} connected. Connect it with POST /connections.`,
  )
}
