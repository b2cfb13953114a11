import type { Deps } from '../../deps/deps.ts'
import { defineJob, LOST_WORKER_MESSAGE } from '../../jobs/define.ts'
import { createLease, deadlineAfter, processLeasedRows } from '../../jobs/leased-work.ts'
import { hasCompanies } from '../../resources/companies/store.ts'
import { findIdleDiscoveries, findRun, lockRun, touchRun } from '../../resources/runs/store.ts'
import { listSignalsToDetect } from '../../resources/signals/store.ts'
import { readContext } from '../context.ts'
import { loadOwnCompany } from '../resolve-leads.ts'
import { describeFailures } from '../source-reports.ts'
import { leadSources } from '../sources.ts'
import {
  ACTIVE_ACCOUNTS,
  endCandidate,
  insertCandidates,
  pendingCandidates,
  secondsUntilClaimable,
} from './candidate-store.ts'
import { checkActiveAccount } from './check-active-account.ts'
import { type GatheredCandidates, gatherCandidates } from './gather.ts'
import { endDiscovery, finishDiscovery, ProgressWriter, readRunStats } from './progress.ts'
import { CandidateAlreadyEnded, type DiscoveryWork, researchCandidate } from './research-candidate.ts'
import type { DiscoverySpec } from './rule.ts'
import { insertUnresolved } from './unresolved-store.ts'

type Payload = { workspace_id: string; run_id: string }

const RETRIES = 5
/** After this a job ends and enqueues its successor, so that concurrent runs share the workers. */
const DEADLINE_MS = 2 * 60_000
/** The lease of a killed worker's candidates expires after this. */
const LEASE_SECONDS = 30
const TOUCH_MS = 60_000
/** A run without activity for this long is resumed: before it would fail as abandoned. */
const IDLE_SECONDS = 600

/** Researches the candidates of a discovery run until the deadline, and ends the run when none is left. */
export const discoverAccounts = defineJob<Payload>({
  name: 'discover-accounts',
  retries: RETRIES,
  concurrency: 2,
  onLost: (deps, { workspace_id, run_id }) =>
    endDiscovery(deps, workspace_id, run_id, { failure: LOST_WORKER_MESSAGE }),
  async run(deps, payload, { signal, attempt }) {
    const { workspace_id, run_id } = payload
    const heartbeat = setInterval(() => {
      touchRun(deps.db, workspace_id, run_id).catch((err) =>
        deps.log.warn({ err }, 'failed to record the activity of a run'),
      )
    }, TOUCH_MS)
    try {
      const wait = await runUntilDeadline(deps, payload, signal, attempt)
      if (wait === null) return
      await touchRun(deps.db, workspace_id, run_id)
      await deps.jobs.enqueue(deps.db, discoverAccounts, payload, { startAfter: Math.ceil(wait) })
    } catch (error) {
      if (attempt >= RETRIES && !signal.aborted) {
        await endDiscovery(deps, workspace_id, run_id, {
          failure: 'The run failed repeatedly with an internal error. See the log of the service.',
        })
      }
      throw error
    } finally {
      clearInterval(heartbeat)
    }
  },
})

/** Returns the number of seconds until there is more work, or null when the run has ended. */
async function runUntilDeadline(
  deps: Deps,
  { workspace_id, run_id }: Payload,
  signal: AbortSignal,
  attempt: number,
): Promise<number | null> {
  const { db } = deps
  const run = await findRun(db, workspace_id, run_id)
  if (run?.status !== 'running') return null
  await touchRun(db, workspace_id, run_id)
  const spec = run.spec as DiscoverySpec
  const signals = await listSignalsToDetect(db, workspace_id)
  const asked = [...spec.signals.any_of, ...spec.signals.must_have, ...spec.signals.exclude]
  const gone = asked.find((id) => !signals.some((one) => one.id === id))
  if (gone) return fail(`The signal ${gone} of the run was deleted.`)
  if (run.stats.unresolved === undefined) {
    const gathered = await gatherCandidates(deps, workspace_id, run.mode, spec, signal)
    await storeCandidates(deps, workspace_id, run_id, gathered)
    const nothing = run.mode === 'monitor' ? null : await noCandidatesReason(deps, workspace_id, gathered)
    if (nothing) return fail(nothing)
  }
  const wanted = signals.filter(({ id, enabled }) => enabled || asked.includes(id))
  const context = await readContext(deps, workspace_id)
  const own = await loadOwnCompany(deps, workspace_id)
  await researchCandidates(deps, { workspace_id, run_id, spec, context, signals: wanted, own }, signal, attempt)
  const left = await secondsUntilClaimable(db, workspace_id, run_id)
  if (left === null) await finishDiscovery(deps, workspace_id, run_id)
  return left

  async function fail(failure: string): Promise<null> {
    await endDiscovery(deps, workspace_id, run_id, { failure })
    return null
  }
}

/** Stores the candidates with the run's first statistics. If two workers gathered candidates, the first one counts. */
async function storeCandidates(
  { db }: Deps,
  workspaceId: string,
  runId: string,
  gathered: GatheredCandidates,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const run = await lockRun(db, workspaceId, runId)
    if (run?.status !== 'running' || run.stats.unresolved !== undefined) return
    await insertCandidates(db, workspaceId, runId, gathered.candidates)
    await insertUnresolved(db, workspaceId, runId, gathered.unresolved)
    const stats = { ...run.stats, unresolved: gathered.unresolved.length, lead_sources: gathered.sources }
    await touchRun(db, workspaceId, runId, await readRunStats(db, workspaceId, runId, stats))
  })
}

/** The reason for a run without candidates, where that is an error; otherwise null. */
async function noCandidatesReason(
  { db, config }: Deps,
  workspaceId: string,
  { candidates, sources }: GatheredCandidates,
) {
  if (candidates.length > 0 || (await hasCompanies(db, workspaceId))) return null
  const failed = sources.filter(({ outcome }) => outcome === 'failed')
  if (leadSources(config).length > 0 && failed.length < sources.length) return null
  const why = describeFailures(failed)
  return `There are no companies to research. Import companies for discovery, or enable news sources. ${why}`.trim()
}

/** Researches candidates until none can be claimed or the deadline passes; candidates in progress are finished. */
async function researchCandidates(
  deps: Deps,
  discovery: DiscoveryWork,
  signal: AbortSignal,
  attempt: number,
): Promise<void> {
  const { db, config, log } = deps
  const { workspace_id, run_id } = discovery
  await using progress = new ProgressWriter(deps, workspace_id, run_id)
  await processLeasedRows({
    queue: pendingCandidates(db, workspace_id, run_id),
    lease: createLease(LEASE_SECONDS),
    lanes: config.DISCOVERY_CONCURRENCY,
    deadline: deadlineAfter(DEADLINE_MS, signal),
    isOver: () => !progress.isRunning,
    log,
    async work(candidates) {
      for (const candidate of candidates) {
        const research = candidate.source === ACTIVE_ACCOUNTS ? checkActiveAccount : researchCandidate
        await research(deps, discovery, candidate, signal).catch(async (error) => {
          if (error instanceof CandidateAlreadyEnded) return
          // Before the last attempt the error may be transient, such as a restart of the database.
          if (attempt < RETRIES || signal.aborted) throw error
          log.warn({ err: error, domain: candidate.domain }, 'a candidate failed')
          const reason = 'An internal error occurred. See the log of the service.'
          const { account_id } = candidate
          const outcome = { state: 'failed', reason, account_id, sources: [] } as const
          await endCandidate(db, workspace_id, run_id, candidate.domain, outcome)
        })
      }
    },
  })
  signal.throwIfAborted()
}

/** Resumes runs whose workers were killed: at the start of a worker, and every few minutes. */
export const resumeDiscoveries = defineJob<{ idle?: number }>({
  name: 'resume-discoveries',
  schedule: '*/5 * * * *',
  atStart: true,
  async run({ db, jobs }, { idle = IDLE_SECONDS }) {
    for (const { workspace_id, id } of await findIdleDiscoveries(db, idle)) {
      await touchRun(db, workspace_id, id)
      await jobs.enqueue(db, discoverAccounts, { workspace_id, run_id: id })
    }
  },
})
