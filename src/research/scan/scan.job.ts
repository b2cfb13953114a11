import type { Deps } from '../../deps/deps.ts'
import { defineJob, LOST_WORKER_MESSAGE } from '../../jobs/define.ts'
import { storeWithoutErased } from '../../people/redact/found.ts'
import { findAccount, markScanned } from '../../resources/accounts/store.ts'
import { endRun, endTasks, findRun, listTasks, touchRun } from '../../resources/runs/store.ts'
import { daysBefore } from '../../shared/days.ts'
import { readContext } from '../context.ts'
import { judgedOf, signalFinder } from '../find-signals.ts'
import { lookAtBoards } from '../hiring/look.ts'
import { ingest } from '../ingest.ts'
import { primeMonitor } from '../monitor/watch.ts'
import { noteMovesLater } from '../moves/note.job.ts'
import { researchCompany, visibleSignals, whyBlind, whyNothing, withUnread } from '../research.ts'
import { toldOfCompany } from '../streams/of-account.ts'

type Payload = { workspace_id: string; run_id: string; account_id: string }

const RETRIES = 3

/** Reads what the sources say about an account, once for all signals, and looks through it. */
export const scanAccount = defineJob<Payload>({
  name: 'scan-account',
  retries: RETRIES,
  timeout: 600,
  onLost: ({ db }, { workspace_id, run_id }) => endRun(db, workspace_id, run_id, { failure: LOST_WORKER_MESSAGE }),
  async run(deps, payload, { signal, attempt }) {
    try {
      await scanOnce(deps, payload, signal)
    } catch (error) {
      if (attempt >= RETRIES && !signal.aborted) {
        await endRun(deps.db, payload.workspace_id, payload.run_id, {
          failure: 'Something went wrong on our side, several times. The log says what.',
        })
      }
      throw error
    }
  },
})

async function scanOnce(deps: Deps, { workspace_id, run_id, account_id }: Payload, signal: AbortSignal): Promise<void> {
  const { db, config } = deps
  deps.parserPool.warmUp()
  const run = await findRun(db, workspace_id, run_id)
  if (run?.status !== 'running') return
  const account = await findAccount(db, workspace_id, account_id)
  if (!account) return endRun(db, workspace_id, run_id, { failure: 'The account was deleted.' })
  await touchRun(db, workspace_id, run_id)
  const context = await readContext(deps, workspace_id)
  const signalIds = new Set((await listTasks(db, workspace_id, run_id)).map(({ signal_id }) => signal_id))
  // A signal that was switched on or off meanwhile belongs to the next scan.
  const lookFor = context.signals.filter(({ id }) => signalIds.has(id))
  const isAsked = (signalId: string) => lookFor.some(({ id }) => id === signalId)
  const windowDays = config.SCAN_WINDOW_DAYS
  const options = { today: context.today, windowDays, signal, model: { account_id } }
  const finder = signalFinder(deps, workspace_id, account, lookFor, options)
  const scope = { since: daysBefore(context.today, windowDays), onDocument: finder.begin }
  const [research, told] = await Promise.all([
    researchCompany(deps, account, scope, signal),
    toldOfCompany(deps, account, scope.since, signal),
  ])
  const { boards, listings, firmographics, pages, technologies } = research
  const documents = [...research.documents, ...told.documents]
  const asked = [...research.sources, ...told.sources]
  const known = { ...run.stats, accounts: 1, documents: documents.length, sources: asked }
  // Streams are read for everybody: that they tell nothing of this company does not make up for sources that failed.
  const failure = told.documents.length > 0 ? null : whyNothing(research.sources)
  if (failure) return endRun(db, workspace_id, run_id, { stats: { ...known, accounts: 0 }, failure })
  await touchRun(db, workspace_id, run_id, known)
  const { findings: read, unread, foreign } = await finder.conclude(documents, boards)
  const curve = await lookAtBoards(db, workspace_id, account, listings, context.today)
  // Changes before the lists they are counted on: of two that are as sure, the first opens the event.
  const findings = [...(curve?.findings ?? []).filter(({ signal_id }) => isAsked(signal_id)), ...read]
  const asking = lookFor.map(({ id }) => id)
  const hiring = curve && { hiring: curve.look }
  const discovered = { firmographics, documents: judgedOf(documents, unread), findings, technologies, ...hiring }
  await storeWithoutErased(deps, workspace_id, account_id, discovered, async (db, { found: kept, state, failed }) => {
    const sources = withUnread(asked, documents, [...unread, ...failed], foreign)
    const stats = { ...known, sources }
    // Nothing found where the site could not be read is no finding; what other sources know of the company is kept.
    const blind = kept.findings.length === 0 ? whyBlind(sources) : null
    const visible = blind ? [] : visibleSignals({ sources }, asking)
    if (!blind) {
      // The account before its monitor, in the order of whoever deactivates it: otherwise the two could deadlock.
      await markScanned(db, workspace_id, account_id)
      await primeMonitor(db, workspace_id, account_id, pages)
    }
    const target = { workspace_id, account_id, run_id }
    const ingested = await ingest(
      { ...deps, db },
      context,
      target,
      { found: { ...kept, visible }, state },
      'detections',
    )
    if (!ingested) return endRun(db, workspace_id, run_id, { stats, failure: 'The account was deleted.' })
    if (blind) return endRun(db, workspace_id, run_id, { stats: { ...stats, accounts: 0 }, failure: blind })
    const { added, found } = ingested
    await noteMovesLater({ ...deps, db }, workspace_id, account_id, ingested.documents)
    await endTasks(db, workspace_id, run_id, found, visible)
    await endRun(db, workspace_id, run_id, {
      stats: { ...stats, matched: found.length > 0 ? 1 : 0, detections: added.length },
    })
  })
}
