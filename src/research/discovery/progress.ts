import type { Db } from '../../db/connect.ts'
import { sendSuggestions } from '../../delivery/alert.ts'
import type { Deps } from '../../deps/deps.ts'
import { endRun, findRun, type RunStats, touchRun } from '../../resources/runs/store.ts'
import { describeFailures } from '../source-reports.ts'
import { readDiscoveryProgress } from './candidate-store.ts'

const SHOW_MS = 1_000
/** Counting may take up to this share of the time. */
const SHARE = 1 / 20

/** Writes the progress of a run periodically, less often when counting is expensive. */
export class ProgressWriter implements AsyncDisposable {
  /** Whether the run is still running at the last check: it may have been ended or deleted. */
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
      .catch((err) => this.#deps.log.warn({ err }, 'failed to write the progress of a run'))
      .finally(() => {
        this.#writing = null
        this.#nextAt = performance.now() + (performance.now() - began) / SHARE
      })
  }

  async #write(): Promise<void> {
    const { db } = this.#deps
    const run = await findRun(db, this.#workspaceId, this.#runId)
    const stats = run && (await readRunStats(db, this.#workspaceId, this.#runId, run.stats))
    this.isRunning = stats !== null && (await touchRun(db, this.#workspaceId, this.#runId, stats))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
  }
}

/** Ends a run and sends the alerts about its suggested accounts. */
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

/** Ends a run that has no candidate left. It has failed when no candidate could be researched. */
export async function finishDiscovery(
  deps: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  runId: string,
): Promise<void> {
  const { db } = deps
  const run = await findRun(db, workspaceId, runId)
  if (!run) return
  const stats = await readRunStats(db, workspaceId, runId, run.stats)
  const { candidates, failed = 0 } = stats
  const failure =
    candidates > 0 && failed === candidates
      ? `None of the ${candidates} companies could be researched. ${describeFailures(stats.sources ?? [])}`.trim()
      : undefined
  await endDiscovery(deps, workspaceId, runId, { stats, ...(failure ? { failure } : {}) })
}

/** Calculates the statistics of a run from its candidates, so that they are correct after a run was resumed. */
export async function readRunStats(db: Db, workspaceId: string, runId: string, before: RunStats): Promise<RunStats> {
  const { states, accounts, monitored, sources } = await readDiscoveryProgress(db, workspaceId, runId)
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
