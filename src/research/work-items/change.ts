import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import type { WorkItemOutcome } from '../../db/work-item-tables.ts'
import { queueAlert } from '../../delivery/alert.ts'
import type { Deps } from '../../deps/deps.ts'
import { daysBetween } from '../../engine/dates/calendar.ts'
import { cutText } from '../../engine/text/storable.ts'
import { defineJob } from '../../jobs/define.ts'
import { lockOwnAccount, requireOwn } from '../../resources/accounts/own.ts'
import { MAX_REASON_CHARS } from '../../resources/detections/schema.ts'
import { getMemberTimeZone } from '../../resources/members/store.ts'
import { getPerson } from '../../resources/people/store.ts'
import { recordActivity } from '../../resources/work-items/activity-store.ts'
import { rankAgain } from '../../resources/work-items/rank.ts'
import { listItemEvents } from '../../resources/work-items/rank-store.ts'
import type { CloseWorkItem, LogActivity, SnoozeWorkItem, WorkItem } from '../../resources/work-items/schema.ts'
import {
  getWorkItem,
  type LockedWorkItem,
  listItemDetections,
  lockCurrentItem,
  lockWorkItem,
  wakeItems,
  writeState,
} from '../../resources/work-items/store.ts'
import { dayIn } from '../../shared/days.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import { type Member, viewerOf } from '../../shared/member.ts'
import { applyVerdict } from '../feedback/feedback.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'config' | 'now'>

/** A snooze is a reminder, not a way to delete. */
const MAX_SNOOZE_DAYS = 366

/**
 * Closes a work item. `wrong` also marks its most important finding as wrong; when other findings remain, the item stays
 * open with them. Closing it again with the same outcome changes nothing. Throws not_found, forbidden, invalid_transition.
 */
export function closeWorkItem(
  parts: Parts,
  member: Member,
  id: string,
  { outcome, note }: Static<typeof CloseWorkItem>,
): Promise<WorkItem> {
  return changeItem(parts, member, id, async (db, item) => {
    if (item.state === 'done') {
      if (item.outcome === outcome) return
      throw invalid(DONE)
    }
    const said = note?.trim() || null
    if (outcome === 'wrong' && item.lead_id !== null) {
      const shown = (await listItemDetections(db, member.workspace_id, id)).filter(({ is_shown }) => is_shown)
      if (shown.some((detection) => detection.id === item.lead_id)) {
        const verdict = { verdict: 'wrong' as const, reason: said && cutText(said, MAX_REASON_CHARS) }
        await applyVerdict({ ...parts, db }, member, item.account_id, item.lead_id, verdict)
        // Closed with its last finding, or ranked again by the others.
        return
      }
    }
    await close({ ...parts, db }, member, item, outcome, said)
  })
}

/**
 * Marks one finding of an account's work item as wrong; with its last finding the item is closed. Throws not_found,
 * forbidden.
 */
export function markWrong(parts: Parts, member: Member, id: string, detectionId: string): Promise<WorkItem> {
  return changeItem(parts, member, id, async (db, item) => {
    const verdict = { verdict: 'wrong' as const, reason: null }
    await applyVerdict({ ...parts, db }, member, item.account_id, detectionId, verdict)
  })
}

/** Snoozes an item until a day in the member's time zone. Throws not_found, forbidden, invalid_request, invalid_transition. */
export async function snoozeWorkItem(
  parts: Parts,
  member: Member,
  id: string,
  { until, note }: Static<typeof SnoozeWorkItem>,
): Promise<WorkItem> {
  const today = dayIn(await getMemberTimeZone(parts.db, member.workspace_id, member.id), parts.now())
  const days = daysBetween(today, until)
  if (days === null || days < 1 || days > MAX_SNOOZE_DAYS) {
    const message = 'must be a day from tomorrow up to a year from now'
    throw new AppError('invalid_request', `until ${message}.`, { details: [{ path: 'until', message }] })
  }
  return changeItem(parts, member, id, async (db, item) => {
    if (item.state === 'done') throw invalid(DONE)
    const said = note?.trim() || null
    if (item.snoozed_until === until && item.note === said) return
    await writeState(db, member.workspace_id, id, member.id, { state: 'snoozed', until, note: said })
    await recordActivity(db, member.workspace_id, {
      ...{ account_id: item.account_id, kind: 'snoozed', member_id: member.id, work_item_id: id, note: said },
      data: { until },
    })
  })
}

/**
 * Opens a snoozed or done item again, for undo. Findings that were marked wrong with it are shown again. Throws not_found,
 * forbidden, invalid_transition when a later event has opened another item of the account, or its findings are gone.
 */
export function reopenWorkItem(parts: Parts, member: Member, id: string): Promise<WorkItem> {
  return changeItem(parts, member, id, async (db, item) => {
    const { workspace_id } = member
    if (item.state === 'open') return
    if (item.state === 'done' && (await lockCurrentItem(db, workspace_id, item.account_id))) {
      throw invalid('A later event has opened another work item of this account.')
    }
    const detections = item.outcome === 'wrong' ? await listItemDetections(db, workspace_id, id) : []
    const wrong = detections.filter(({ verdict }) => verdict === 'wrong')
    const events = await listItemEvents(db, workspace_id, item.account_id, id)
    if (wrong.length + events.length === 0) throw invalid('Its findings were deleted or marked as wrong since.')
    await writeState(db, workspace_id, id, member.id, { state: 'open', note: null })
    await recordActivity(db, workspace_id, {
      ...{ account_id: item.account_id, kind: 'reopened', member_id: member.id, work_item_id: id },
    })
    for (const { id: detectionId } of wrong)
      await applyVerdict({ ...parts, db }, member, item.account_id, detectionId, { verdict: null, reason: null })
    await rankAgain(db, workspace_id, item.account_id, parts.now())
  })
}

/** Closes an item that was pushed to the CRMs, unless it was closed meanwhile. Throws not_found, forbidden. */
export function finishHandOver(parts: Parts, member: Member, id: string): Promise<WorkItem> {
  return changeItem(parts, member, id, async (db, item) => {
    if (item.state !== 'done') await close({ ...parts, db }, member, item, 'pushed', null)
  })
}

/** The kinds of activities that hand a draft over: the account was contacted. */
const CONTACT: ReadonlySet<string> = new Set(['copied', 'emailed', 'called'])

/**
 * Adds a line to the timeline of an account. A copied or mailed draft and a call close its open work item as contacted.
 * Throws not_found, forbidden.
 */
export function logAccountActivity(
  parts: Parts,
  member: Member,
  accountId: string,
  { kind, person_id = null, note }: LogActivity,
): Promise<{ work_item_id: string | null }> {
  const { workspace_id } = member
  return parts.db.transaction().execute(async (db) => {
    await lockOwnAccount(db, member, accountId)
    if (person_id && (await getPerson(db, viewerOf(member), person_id)).account_id !== accountId)
      throw notFound('person')
    const item = CONTACT.has(kind) ? await lockCurrentItem(db, workspace_id, accountId) : null
    const said = note?.trim() || null
    await recordActivity(db, workspace_id, {
      ...{ account_id: accountId, kind, member_id: member.id, person_id, work_item_id: item?.id ?? null, note: said },
    })
    if (item) await close({ ...parts, db }, member, item, 'contacted', null)
    return { work_item_id: item?.id ?? null }
  })
}

/** Closes a locked item and adds the line. */
async function close(
  { db, jobs, config }: Parts,
  { workspace_id, id: memberId }: Member,
  { id, account_id }: Pick<LockedWorkItem, 'id' | 'account_id'>,
  outcome: WorkItemOutcome,
  note: string | null,
): Promise<void> {
  await writeState(db, workspace_id, id, memberId, { state: 'done', outcome, note })
  await recordActivity(db, workspace_id, {
    ...{ account_id, kind: 'done', member_id: memberId, work_item_id: id, note },
    data: { outcome },
  })
  const work_item_ids = [id]
  await queueAlert({ db, jobs, config }, workspace_id, {
    type: 'work_item.done',
    account_id,
    run_id: null,
    work_item_ids,
  })
}

/** Locks the account and the item, changes the item, and returns it. Throws not_found, forbidden. */
function changeItem(
  parts: Parts,
  member: Member,
  id: string,
  change: (db: Db, item: LockedWorkItem) => Promise<void>,
): Promise<WorkItem> {
  return parts.db.transaction().execute(async (db) => {
    const { account_id } = await getItemAccount(db, member, id)
    // Locked before the item, as by research that adds events to it.
    await lockOwnAccount(db, member, account_id)
    await change(db, await lockWorkItem(db, member.workspace_id, id))
    return getWorkItem(db, viewerOf(member), id)
  })
}

/** Throws not_found for an item the member may not see. */
async function getItemAccount(db: Db, member: Member, id: string): Promise<{ account_id: string }> {
  const { account } = await getWorkItem(db, viewerOf(member), id)
  requireOwn(member, account.owner_id)
  return { account_id: account.id }
}

const DONE = 'It is done already. Reopen it first.'
const invalid = (message: string) => new AppError('invalid_transition', message)

/** Opens snoozed items when their day begins. */
export const wakeWorkItems = defineJob<object>({
  name: 'wake-work-items',
  schedule: '*/5 * * * *',
  concurrency: 1,
  async run({ db, log }) {
    const woken = await wakeItems(db)
    if (woken > 0) log.info({ woken }, 'snoozed work items are open again')
  },
})
