import type { Db } from '../../db/connect.ts'
import { sendSuggestions } from '../../delivery/alert.ts'
import type { Deps } from '../../deps/deps.ts'
import { endRun, findRun, type RunStats, touchRun } from '../../resources/runs/store.ts'
import { describeFailures } from '../research.ts'
import { readProgress } from './candidate-store.ts'

const SHOW_MS = 1_000
/** Counting may take this part of the time. */
const SHARE = 1 / 20

/** Writes how far a run has come while it is worked on, as often as that costs little beside the work. */
export class ProgressWriter implements AsyncDisposable {
  /** Whether the run still runs, as far as is known: somebody may have ended or deleted it. */
  isRunning = true
  readonly #deps: Pick<Deps, 'db' | 'log'>
  readonly #workspaceId: string
  readonly #runId: string
  readonly #timer: NodeJS.Timeout
  #writing: Promise<void> | null = null
  #nextAt = 0

  constructor(deps: Pick<Deps, 'db' | 'log'>, workspaceId: string, runId: string) {
    this.#deps = deps
    this.#workspaceId = workspaceId
    this.#runId = runId
    this.#timer = setInterval(() => this.#show(), SHOW_MS)
  }

  #show(): void {
    const began = performance.now()
    if (this.#writing || began < this.#nextAt) return
    this.#writing = this.#write()
      .catch((err) => this.#deps.log.warn({ err }, 'how far a run has come was not written'))
      .finally(() => {
        this.#writing = null
        this.#nextAt = performance.now() + (performance.now() - began) / SHARE
      })
  }

  async #write(): Promise<void> {
    const { db } = this.#deps
    const run = await findRun(db, this.#workspaceId, this.#runId)
    const stats = run && (await statsOf(db, this.#workspaceId, this.#runId, run.stats))
    this.isRunning = stats !== null && (await touchRun(db, this.#workspaceId, this.#runId, stats))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
  }
}

/** Ends a run, and has people told of what it suggested. */
export function endDiscovery(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  runId: string,
  end: { stats?: RunStats; failure?: string },
): Promise<void> {
  return db.transaction().execute(async (db) => {
    await endRun(db, workspaceId, runId, end)
    await sendSuggestions({ db, jobs }, workspaceId, runId)
  })
}

/** Ends a run that has no candidate left. It has failed when none of them could be researched. */
export async function finishRun(deps: Pick<Deps, 'db' | 'jobs'>, workspaceId: string, runId: string): Promise<void> {
  const { db } = deps
  const run = await findRun(db, workspaceId, runId)
  if (!run) return
  const stats = await statsOf(db, workspaceId, runId, run.stats)
  const { candidates, failed = 0 } = stats
  const failure =
    candidates > 0 && failed === candidates
      ? `None of the ${candidates} companies could be looked into. ${describeFailures(stats.sources ?? [])}`.trim()
      : undefined
  await endDiscovery(deps, workspaceId, runId, { stats, ...(failure ? { failure } : {}) })
}

/** The run's figures from its candidates: they are right however often it was taken up again. */
export async function statsOf(db: Db, workspaceId: string, runId: string, before: RunStats): Promise<RunStats> {
  const { states, accounts, monitored, sources } = await readProgress(db, workspaceId, runId)
  return {
    ...before,
    candidates: states.pending + states.matched + states.unmatched + states.failed,
    pending: states.pending,
    matched: states.matched,
    accounts,
    existing: states.existing,
    ...(monitored > 0 ? { monitored } : {}),
    failed: states.failed,
    sources,
  }
}
