import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { type RankedEvent, scoreActNow } from '../../engine/act-now/index.ts'
import { LOST_DEAL, type Relation } from '../../engine/act-now/relation.ts'
import { daysBetween } from '../../engine/dates/calendar.ts'
import { namedDepartment, readEventTarget } from '../../engine/draft/event.ts'
import { readOffering } from '../../engine/playbook/offering.ts'
import { sizeOf } from '../../engine/score/event-weight.ts'
import { cutText } from '../../engine/text/storable.ts'
import { isoDate, pastDay } from '../../shared/days.ts'
import { redraftAccounts } from '../drafts/redraft.ts'
import { listSections } from '../knowledge-base/store.ts'
import { listCandidates } from '../people/store.ts'
import {
  type CurrentItem,
  deleteWorkItem,
  findCurrentItem,
  findOpenDeal,
  listItemEvents,
  type StoredEvent,
  writeRank,
} from './rank-store.ts'

/** A job change is known for certain when it is stored. */
const MOVE_CONFIDENCE = 0.95

type Basis = { sections: { type: string; content_md: string }[]; today: string }

/**
 * Ranks the current work item of an account from its events, the fit and the people who are known; deletes it when its
 * events are gone. Events of signals that are switched off do not count. Call it while the account is locked or in the transaction that changed one of these.
 */
export async function rankWorkItem(db: Db, workspaceId: string, accountId: string, basis: Basis): Promise<void> {
  const item = await findCurrentItem(db, workspaceId, accountId)
  if (!item) return
  const hasDeals = item.relationship === 'open_deal' || item.relationship === 'customer'
  const [events, people, open_deal] = await Promise.all([
    listItemEvents(db, workspaceId, accountId, item.id),
    listCandidates(db, workspaceId, accountId),
    hasDeals ? findOpenDeal(db, workspaceId, accountId) : null,
  ])
  if (events.length === 0) return deleteWorkItem(db, workspaceId, item.id)
  const { score, factors, lead_id, person_id } = scoreActNow({
    events: events.filter(({ is_enabled }) => is_enabled).map((event) => toRankedEvent(event, basis.today)),
    fit: item.icp_fit,
    people,
    offering: readOffering(basis.sections),
    relation: relationOf(item, open_deal, basis.today),
  })
  await writeRank(db, workspaceId, item.id, { act_now: score, factors, lead_id, person_id })
}

function relationOf(item: CurrentItem, open_deal: Relation['open_deal'], today: string): Relation {
  const { relationship: kind, relationship_reason: reason } = item
  const on = pastDay(item.relationship_on, today)
  return {
    kind,
    on,
    reason: reason && oneLine(reason),
    age_days: on === null ? null : daysBetween(on, today),
    open_deal,
  }
}

const oneLine = (text: string) => cutText(text.trim().replace(/\s+/g, ' '), 80)

/** The same after people changed, when the knowledge base was not read yet. */
export async function rankAgain(db: Db, workspaceId: string, accountId: string, now: Date): Promise<void> {
  if (!(await findCurrentItem(db, workspaceId, accountId))) return
  const sections = await listSections(db, workspaceId)
  await rankWorkItem(db, workspaceId, accountId, { sections, today: isoDate(now) })
}

/** Ranks the work item of an account after its people changed, and has its drafts address the right person. */
export async function refreshWorkItem(
  { db, jobs, now }: Pick<Deps, 'db' | 'jobs' | 'now'>,
  workspaceId: string,
  accountId: string,
): Promise<void> {
  if (!(await findCurrentItem(db, workspaceId, accountId))) return
  await rankAgain(db, workspaceId, accountId, now())
  // As a job, because redrafting locks the account, which callers that have changed a person must not do.
  await jobs.enqueue(db, redraftAccounts, { workspace_id: workspaceId, account_ids: [accountId] })
}

function toRankedEvent(event: StoredEvent, today: string): RankedEvent {
  const { id, kind, signal_id, headline, happened_on, confidence, earlier, evidence } = event
  const { person_name, title, is_arrival, champion } = event
  const common = { id, headline, age_days: Math.max(0, daysBetween(happened_on, today) ?? 0), earlier }
  if (kind === 'deal')
    return { ...common, signal_id: LOST_DEAL, amount: null, count: null, confidence: 1, department: null, named: null }
  if (signal_id === null) {
    return {
      ...common,
      ...{ signal_id: 'job_change', amount: null, count: null, confidence: MOVE_CONFIDENCE },
      department: namedDepartment(title),
      // A person who left cannot be contacted here.
      named: person_name && is_arrival ? { full_name: person_name, title } : null,
      champion,
    }
  }
  return { ...common, ...readEventTarget(signal_id, evidence), ...sizeOf(signal_id, evidence), confidence }
}
