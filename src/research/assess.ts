import type { Db } from '../db/connect.ts'
import type { AccountStatus, StoredEvidence } from '../db/schema.ts'
import { draftWhyNow } from '../engine/draft/index.ts'
import { groupEventsAcrossSignals } from '../engine/events/across-signals.ts'
import { explainIcpFit, type IcpCompany, type IcpVerdict, scoreIcpFit } from '../engine/icp/index.ts'
import { eventWeight } from '../engine/score/event-weight.ts'
import { feedbackShift, shiftConfidence } from '../engine/score/feedback.ts'
import { scoreAccount, scoreAlpha } from '../engine/score/index.ts'
import { findBuiltinSignal } from '../engine/signals/index.ts'
import { defineJob } from '../jobs/define.ts'
import { lockForAssessment, writeAssessment, writeFirstAssessments } from '../resources/accounts/assessment-store.ts'
import { listStaleScores } from '../resources/accounts/due-store.ts'
import { listAccountEvents, writeScores } from '../resources/detections/store.ts'
import { queueRewriting, redraftAccount } from '../resources/drafts/redraft.ts'
import { rankWorkItem } from '../resources/work-items/rank.ts'
import { addEvents } from '../resources/work-items/rank-store.ts'
import { type ResearchContext, readContext, refreshContext } from './context.ts'

export type AssessedAccount = NonNullable<Awaited<ReturnType<typeof lockForAssessment>>>

/** How well the known facts of an account match the ICP in the knowledge base. */
export function scoreFit(context: Pick<ResearchContext, 'sections'>, account: IcpCompany) {
  const fit = scoreIcpFit(context.sections, account)
  return { icp_fit: fit.score, verdict: fit.verdict, why: explainIcpFit(fit) }
}

type Scorable = {
  signal_id: string
  confidence: number
  detected_at: string
  evidence: readonly StoredEvidence[]
  verdict?: 'right' | 'wrong' | null
}

/**
 * The strength of an event. Feedback on other detections of the signal shifts its confidence, unless a member called
 * this one right.
 */
export function scoreEvent(
  event: Scorable,
  domain: string | null,
  { today, signals }: Pick<ResearchContext, 'today' | 'signals'>,
): number {
  const verdicts = signals.find(({ id }) => id === event.signal_id)?.verdicts
  const shift = verdicts && event.verdict !== 'right' ? feedbackShift(verdicts) : 0
  return scoreAlpha({ ...event, confidence: shiftConfidence(event.confidence, shift), domain }, today).score
}

/**
 * Computes score, heat, fit and "why now" of a locked account from its events and stores them, and ranks its work item.
 * Events of the `added` detections open one, unless another detection reports the same event. Returns the new status.
 */
export async function assessAccount(
  db: Db,
  workspaceId: string,
  account: AssessedAccount,
  context: ResearchContext,
  added: readonly string[] = [],
): Promise<{ status: AccountStatus }> {
  const { today, signals } = context
  const { icp_fit, verdict, why } = scoreFit(context, account)
  const known = await listAccountEvents(db, workspaceId, account.id)
  const events = known
    .filter(({ is_shown }) => is_shown)
    .map((event) => ({ ...event, fresh: scoreEvent(event, account.domain, context) }))
  await writeScores(
    db,
    workspaceId,
    events.filter(({ alpha, fresh }) => alpha !== fresh).map(({ id, fresh }) => ({ id, alpha: fresh })),
    account.id,
    icp_fit,
  )
  // Events of a signal that is switched off do not count.
  const names = new Map(signals.map(({ id, name }) => [id, name]))
  const counted = events.filter(({ signal_id }) => names.has(signal_id))
  // The strongest event leads its group; on a tie, that of a built-in signal.
  const groups = groupEventsAcrossSignals(
    counted.toSorted((a, b) => b.fresh - a.fresh || rankOf(a) - rankOf(b)),
    account.name,
  )
  const { score, components, is_hot } = scoreAccount(
    groups.map(([{ signal_id, fresh, detected_at, evidence }, ...same]) => ({
      signal_id,
      alpha: fresh,
      weight: eventWeight(signal_id, evidence),
      detected_at,
      also: [...new Set(same.map((event) => names.get(event.signal_id) as string))],
    })),
    icp_fit,
    today,
    why,
  )
  const last = events.map(({ detected_at }) => detected_at).sort()
  const status = canBeAssessed(context, account) ? statusAfter(account, verdict) : account.status
  await writeAssessment(db, workspaceId, account.id, {
    status,
    score,
    score_components: components.map(({ name, points, why }) => ({ name, points, because: why })),
    is_hot,
    icp_fit,
    qualified: verdict === 'fits',
    why_now_md: draftWhyNow(
      account.name,
      groups.map(([event]) => ({
        signal_id: event.signal_id,
        name: names.get(event.signal_id) as string,
        evidence: latestProof(event),
      })),
    ),
    last_signal_at: last.at(-1) ?? null,
  })
  const isAdded = new Set(added)
  const fresh = groups.flatMap((group) =>
    group
      .filter(({ id }) => isAdded.has(id))
      .map(({ id }) => ({ id, kind: 'detection' as const, same: group.map((one) => one.id) })),
  )
  await addEvents(db, workspaceId, account.id, fresh)
  await rankWorkItem(db, workspaceId, account.id, context)
  return { status }
}

const rankOf = ({ signal_id }: { signal_id: string }) => (findBuiltinSignal(signal_id) ? 0 : 1)

/**
 * The evidence published last, dated with the day of the event so that all texts show the same date; only the month
 * where the source gives no day.
 */
function latestProof({
  evidence,
  detected_at,
}: {
  evidence: readonly StoredEvidence[]
  detected_at: string
}): StoredEvidence[] {
  const month = detected_at.slice(0, 7)
  const isMonth =
    detected_at === `${month}-01` &&
    evidence.some(({ details }) => {
      const text = details?.date?.text ?? ''
      return /^\p{L}{3,}\.? \d{4}$/u.test(text) && Date.parse(`1 ${text} UTC`) === Date.parse(detected_at)
    })
  return evidence
    .toSorted((a, b) => (b.published_date ?? '').localeCompare(a.published_date ?? ''))
    .slice(0, 1)
    .map((proof) => ({ ...proof, published_date: isMonth ? month : detected_at }))
}

/** Scores accounts that were just inserted and have no findings, by the facts that came with them. Their status stays. */
export async function assessNewAccounts(
  db: Db,
  workspaceId: string,
  accounts: readonly (IcpCompany & { id: string })[],
  context: ResearchContext,
): Promise<void> {
  if (accounts.length === 0) return
  const rows = accounts.map((account) => {
    const { icp_fit, verdict, why } = scoreFit(context, account)
    const { score, components } = scoreAccount([], icp_fit, context.today, why)
    const score_components = components.map(({ name, points, why }) => ({ name, points, because: why }))
    return { id: account.id, score, score_components, icp_fit, qualified: verdict === 'fits' }
  })
  await writeFirstAssessments(db, workspaceId, rows)
}

/** Whether any fact is known that the ICP can be matched with: otherwise the account stays new. */
function canBeAssessed({ sections }: ResearchContext, account: AssessedAccount): boolean {
  const { employees, industry, country, location, short_description } = account
  const isKnown = [employees, industry, country, location, short_description].some((field) => field !== null)
  return isKnown || account.status !== 'new' || sections.every(({ type }) => type !== 'icp')
}

/** Changes only accounts from discovery whose status no member has set. An unknown fit does not disqualify. */
function statusAfter({ status, source, overridden }: AssessedAccount, verdict: IcpVerdict): AccountStatus {
  const isOpen = status === 'new' || status === 'suggested' || status === 'unqualified'
  if (source !== 'discovery' || !isOpen || overridden.includes('status')) return status
  return verdict === 'does not fit' ? 'unqualified' : 'suggested'
}

const BATCH = 500
/** Slightly less than a day, so that every daily run includes each account. */
const STALE_HOURS = 20

/** Recalculates scores and drafts, because the weight of an event decreases with its age. */
export const rescoreAccounts = defineJob<{ hours?: number }>({
  name: 'rescore-accounts',
  schedule: '10 2 * * *',
  concurrency: 1,
  async run({ db, jobs, config, now }, { hours = STALE_HOURS }, { signal }) {
    const stale = await listStaleScores(db, hours, BATCH)
    const contexts = new Map<string, ResearchContext>()
    for (const { workspace_id, id } of stale) {
      signal.throwIfAborted()
      const context = contexts.get(workspace_id) ?? (await readContext({ db, now }, workspace_id))
      contexts.set(workspace_id, context)
      await db.transaction().execute(async (db) => {
        const account = await lockForAssessment(db, workspace_id, id)
        if (!account) return
        const current = await refreshContext({ db, now }, workspace_id, context)
        await assessAccount(db, workspace_id, account, current)
        // Also what an earlier version of the service drafted.
        await queueRewriting(
          { db, jobs, config },
          workspace_id,
          await redraftAccount(db, workspace_id, account, current),
        )
      })
    }
    if (stale.length === BATCH) await jobs.enqueue(db, rescoreAccounts, { hours })
  },
})
