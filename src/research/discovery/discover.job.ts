import type { Deps } from '../../deps/deps.ts'
import { defineJob, LOST_WORKER_MESSAGE } from '../../jobs/define.ts'
import { createLease, deadlineAfter, processLeasedRows } from '../../jobs/leased-work.ts'
import { hasCompanies } from '../../resources/companies/store.ts'
import { findIdleDiscoveries, findRun, lockRun, touchRun } from '../../resources/runs/store.ts'
import { listSignalsToFind } from '../../resources/signals/store.ts'
import { readContext } from '../context.ts'
import { readOwnCompany } from '../own-company.ts'
import { describeFailures } from '../research.ts'
import { leadSources } from '../sources.ts'
import { endCandidate, insertCandidates, MONITORED, openCandidates, secondsUntilFree } from './candidate-store.ts'
import { checkAccount } from './check-account.ts'
import { type Gathered, gather } from './gather.ts'
import { endDiscovery, finishRun, ProgressWriter, statsOf } from './progress.ts'
import { AlreadyDone, type Discovery, researchCandidate } from './research-candidate.ts'
import type { DiscoverySpec } from './rule.ts'

type Payload = { workspace_id: string; run_id: string }

const RETRIES = 5
/** A job works for so long and hands on to a new one, so that several runs take turns. */
const DEADLINE_MS = 2 * 60_000
/** Candidates of a killed worker are free again after this. */
const LEASE_SECONDS = 30
const TOUCH_MS = 60_000
/** A run nobody has touched for so long is taken up again: sooner than it would be ended as forgotten. */
const IDLE_SECONDS = 600

/** Researches the candidates of a discovery run for a while, and ends the run when none is left. */
export const discoverAccounts = defineJob<Payload>({
  name: 'discover-accounts',
  retries: RETRIES,
  concurrency: 2,
  onLost: (deps, { workspace_id, run_id }) =>
    endDiscovery(deps, workspace_id, run_id, { failure: LOST_WORKER_MESSAGE }),
  async run(deps, payload, { signal, attempt }) {
    const { workspace_id, run_id } = payload
    const heartbeat = setInterval(() => {
      touchRun(deps.db, workspace_id, run_id).catch((err) => deps.log.warn({ err }, 'a run was not touched'))
    }, TOUCH_MS)
    try {
      const wait = await runUntilDeadline(deps, payload, signal, attempt)
      if (wait === null) return
      await touchRun(deps.db, workspace_id, run_id)
      await deps.jobs.enqueue(deps.db, discoverAccounts, payload, { startAfter: Math.ceil(wait) })
    } catch (error) {
      if (attempt >= RETRIES && !signal.aborted) {
        await endDiscovery(deps, workspace_id, run_id, {
          failure: 'Something went wrong on our side, several times. The log says what.',
        })
      }
      throw error
    } finally {
      clearInterval(heartbeat)
    }
  },
})

/** Answers in how many seconds there is more to do, or null when the run is over. */
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
  const signals = await listSignalsToFind(db, workspace_id)
  const asked = [...spec.signals.any_of, ...spec.signals.must_have, ...spec.signals.exclude]
  const gone = asked.find((id) => !signals.some((one) => one.id === id))
  if (gone) return fail(`The signal ${gone}, which the run asks for, was deleted.`)
  if (run.stats.unresolved === undefined) {
    const gathered = await gather(deps, workspace_id, run.mode, spec, signal)
    await storeCandidates(deps, workspace_id, run_id, gathered)
    const nothing = run.mode === 'monitor' ? null : await whyNobody(deps, workspace_id, gathered)
    if (nothing) return fail(nothing)
  }
  const wanted = signals.filter(({ id, enabled }) => enabled || asked.includes(id))
  const context = await readContext(deps, workspace_id)
  const isOwn = await readOwnCompany(deps, workspace_id)
  await researchCandidates(deps, { workspace_id, run_id, spec, context, signals: wanted, isOwn }, signal, attempt)
  const left = await secondsUntilFree(db, workspace_id, run_id)
  if (left === null) await finishRun(deps, workspace_id, run_id)
  return left

  async function fail(failure: string): Promise<null> {
    await endDiscovery(deps, workspace_id, run_id, { failure })
    return null
  }
}

/** Keeps the candidates with the run's first figures. Of two workers that have gathered, the first counts. */
async function storeCandidates({ db }: Deps, workspaceId: string, runId: string, gathered: Gathered): Promise<void> {
  await db.transaction().execute(async (db) => {
    const run = await lockRun(db, workspaceId, runId)
    if (run?.status !== 'running' || run.stats.unresolved !== undefined) return
    await insertCandidates(db, workspaceId, runId, gathered.candidates)
    const stats = { ...run.stats, unresolved: gathered.unresolved, lead_sources: gathered.sources }
    await touchRun(db, workspaceId, runId, await statsOf(db, workspaceId, runId, stats))
  })
}

/** Why there is nobody to research although there should be; null when that is simply so. */
async function whyNobody({ db, config }: Deps, workspaceId: string, { candidates, sources }: Gathered) {
  if (candidates.length > 0 || (await hasCompanies(db, workspaceId))) return null
  const failed = sources.filter(({ outcome }) => outcome === 'failed')
  if (leadSources(config).length > 0 && failed.length < sources.length) return null
  const why = describeFailures(failed)
  return `There is nobody to look into. Import companies for discovery, or let news sources be read. ${why}`.trim()
}

/** Researches candidates until none is free or the deadline passes. What is still in hand then is finished. */
async function researchCandidates(
  deps: Deps,
  discovery: Discovery,
  signal: AbortSignal,
  attempt: number,
): Promise<void> {
  const { db, config, log } = deps
  const { workspace_id, run_id } = discovery
  await using progress = new ProgressWriter(deps, workspace_id, run_id)
  await processLeasedRows({
    queue: openCandidates(db, workspace_id, run_id),
    lease: createLease(LEASE_SECONDS),
    lanes: config.DISCOVERY_CONCURRENCY,
    deadline: deadlineAfter(DEADLINE_MS, signal),
    isOver: () => !progress.isRunning,
    log,
    async work(candidates) {
      for (const candidate of candidates) {
        const look = candidate.source === MONITORED ? checkAccount : researchCandidate
        await look(deps, discovery, candidate, signal).catch(async (error) => {
          if (error instanceof AlreadyDone) return
          // Before the last attempt the failure may be a passing one, such as a database that starts again.
          if (attempt < RETRIES || signal.aborted) throw error
          log.warn({ err: error, domain: candidate.domain }, 'a candidate was passed over')
          const reason = 'Something went wrong on our side. The log says what.'
          const { account_id } = candidate
          const outcome = { state: 'failed', reason, account_id, sources: [] } as const
          await endCandidate(db, workspace_id, run_id, candidate.domain, outcome)
        })
      }
    },
  })
  signal.throwIfAborted()
}

/** Takes up runs whose workers were killed: at the start of a worker, and every few minutes. */
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
