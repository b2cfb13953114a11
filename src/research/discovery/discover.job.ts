import type { Deps } from '../../deps.ts'
import { newId } from '../../ids.ts'
import { defineJob } from '../../jobs/define.ts'
import { endRun, findIdleDiscoveries, findRun, lockRun, type RunStats, touchRun } from '../../resources/runs/store.ts'
import { listSignals } from '../../resources/signals/store.ts'
import { readContext } from '../context.ts'
import { leadSources } from '../sources.ts'
import {
  claimCandidates,
  endCandidate,
  insertCandidates,
  readProgress,
  releaseCandidates,
  renewLease,
  secondsUntilFree,
} from './candidate-store.ts'
import { type Gathered, gather } from './gather.ts'
import { AlreadyDone, type Discovery, lookInto } from './research-candidate.ts'
import type { DiscoverySpec } from './rule.ts'
import { hasCompanies } from './universe-store.ts'

type Payload = { workspace_id: string; run_id: string }
type Run = NonNullable<Awaited<ReturnType<typeof findRun>>>

const RETRIES = 5
/** A job works for so long and hands on to a new one, so that several runs take turns. */
const STINT_MS = 2 * 60_000
/** Candidates of a killed worker are free again after this. */
const LEASE_SECONDS = 30
const RENEW_MS = 10_000
const SHOW_MS = 1_000
const TOUCH_MS = 60_000
/** A run nobody has touched for so long is taken up again: sooner than it would be ended as forgotten. */
const IDLE_SECONDS = 600

/** Looks into the candidates of a discovery run, a stint at a time, and ends the run when none is left. */
export const discoverAccounts = defineJob<Payload>({
  name: 'discover-accounts',
  retries: RETRIES,
  concurrency: 2,
  async run(deps, payload, { signal, attempt }) {
    const { workspace_id, run_id } = payload
    const heartbeat = setInterval(() => {
      touchRun(deps.db, workspace_id, run_id).catch((err) => deps.log.warn({ err }, 'a run was not touched'))
    }, TOUCH_MS)
    try {
      const wait = await takePart(deps, payload, signal, attempt)
      if (wait === null) return
      await touchRun(deps.db, workspace_id, run_id)
      await deps.jobs.enqueue(deps.db, discoverAccounts, payload, { startAfter: Math.ceil(wait) })
    } catch (error) {
      if (attempt >= RETRIES && !signal.aborted) {
        await endRun(deps.db, workspace_id, run_id, {
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
async function takePart(
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
  const signals = await listSignals(db, workspace_id)
  const asked = [...spec.signals.any_of, ...spec.signals.must_have, ...spec.signals.exclude]
  const gone = asked.find((id) => !signals.some((one) => one.id === id))
  if (gone) return fail(deps, run, `The signal ${gone}, which the run asks for, was deleted.`)
  if (run.stats.unresolved === undefined) {
    const gathered = await gather(deps, workspace_id, spec, signal)
    await store(deps, workspace_id, run_id, gathered)
    const nothing = await whyNobody(deps, workspace_id, gathered)
    if (nothing) return fail(deps, run, nothing)
  }
  const wanted = signals.filter(({ id, enabled }) => enabled || asked.includes(id))
  const context = await readContext(deps, workspace_id)
  await work(deps, { workspace_id, run_id, spec, context, signals: wanted }, signal, attempt)
  const left = await secondsUntilFree(db, workspace_id, run_id)
  if (left === null) await finish(deps, workspace_id, run_id)
  return left

  async function fail({ db }: Deps, { id }: Run, failure: string): Promise<null> {
    await endRun(db, workspace_id, id, { failure })
    return null
  }
}

/** Keeps the candidates with the run's first figures. Of two workers that have gathered, the first counts. */
async function store({ db }: Deps, workspaceId: string, runId: string, gathered: Gathered): Promise<void> {
  await db.transaction().execute(async (db) => {
    const run = await lockRun(db, workspaceId, runId)
    if (run?.status !== 'running' || run.stats.unresolved !== undefined) return
    await insertCandidates(db, workspaceId, runId, gathered.candidates)
    const stats = { ...run.stats, unresolved: gathered.unresolved, lead_sources: gathered.sources }
    await touchRun(db, workspaceId, runId, await statsOf(db, workspaceId, runId, stats))
  })
}

/** Why there is nobody to look into although there should be; null when that is simply so. */
async function whyNobody({ db, config }: Deps, workspaceId: string, { candidates, sources }: Gathered) {
  if (candidates.length > 0 || (await hasCompanies(db, workspaceId))) return null
  const failed = sources.filter(({ outcome }) => outcome === 'failed')
  if (leadSources(config).length > 0 && failed.length < sources.length) return null
  const why = failed.map(({ name, reason }) => ` ${name}: ${reason}`).join('')
  return `There is nobody to look into. Import companies with "bellwether import companies", or let news sources be read.${why}`
}

/** Works until no candidate is free or the stint ends. What is still in hand then is finished. */
async function work(deps: Deps, discovery: Discovery, signal: AbortSignal, attempt: number): Promise<void> {
  const { db, config, log } = deps
  const { workspace_id, run_id } = discovery
  const lease = { id: newId(), seconds: LEASE_SECONDS }
  const until = Date.now() + STINT_MS
  const renewal = setInterval(() => {
    renewLease(db, workspace_id, run_id, lease).catch((err) => log.warn({ err }, 'a lease was not renewed'))
  }, RENEW_MS)
  let shown = 0
  let running = true

  /** Writes how far the run has come, as often as that costs little beside the work. */
  async function show(): Promise<void> {
    if (Date.now() < shown) return
    const began = Date.now()
    shown = Number.POSITIVE_INFINITY
    try {
      const run = await findRun(db, workspace_id, run_id)
      running =
        run !== null && (await touchRun(db, workspace_id, run_id, await statsOf(db, workspace_id, run_id, run.stats)))
    } finally {
      shown = Date.now() + 20 * (Date.now() - began)
    }
  }

  async function workOne(): Promise<void> {
    while (running && Date.now() < until && !signal.aborted) {
      const [candidate] = await claimCandidates(db, workspace_id, run_id, lease, 1)
      if (!candidate) return
      await lookInto(deps, discovery, candidate, signal).catch(async (error) => {
        if (error instanceof AlreadyDone) return
        // Before the last attempt the failure may be a passing one, such as a database that starts again.
        if (attempt < RETRIES || signal.aborted) throw error
        log.warn({ err: error, domain: candidate.domain }, 'a candidate was passed over')
        const reason = 'Something went wrong on our side. The log says what.'
        const outcome = { state: 'failed', reason, account_id: null, sources: [] } as const
        await endCandidate(db, workspace_id, run_id, candidate.domain, outcome)
      })
    }
  }

  const showing = setInterval(() => {
    show().catch((err) => log.warn({ err }, 'how far a run has come was not written'))
  }, SHOW_MS)

  try {
    const ended = await Promise.allSettled(Array.from({ length: config.DISCOVERY_CONCURRENCY }, workOne))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  } finally {
    clearInterval(renewal)
    clearInterval(showing)
    await releaseCandidates(db, workspace_id, run_id, lease.id)
  }
  signal.throwIfAborted()
}

async function finish({ db }: Deps, workspaceId: string, runId: string): Promise<void> {
  const run = await findRun(db, workspaceId, runId)
  if (!run) return
  const stats = await statsOf(db, workspaceId, runId, run.stats)
  const { candidates, failed = 0 } = stats
  const broken = (stats.sources ?? []).filter(({ outcome }) => outcome === 'failed')
  const failure =
    candidates > 0 && failed === candidates
      ? `None of the ${candidates} companies could be looked into.${broken.map(({ name, reason }) => ` ${name}: ${reason}`).join('')}`
      : undefined
  await endRun(db, workspaceId, runId, { stats, ...(failure ? { failure } : {}) })
}

/** The run's figures from its candidates: they are right however often it was taken up again. */
async function statsOf(db: Deps['db'], workspaceId: string, runId: string, before: RunStats): Promise<RunStats> {
  const { states, accounts, sources } = await readProgress(db, workspaceId, runId)
  return {
    ...before,
    candidates: states.pending + states.matched + states.unmatched + states.failed,
    matched: states.matched,
    accounts,
    existing: states.existing,
    failed: states.failed,
    sources,
  }
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
