import type { Db } from '../../db/connect.ts'
import { type RankedEvent, scoreActNow } from '../../engine/act-now/index.ts'
import { readOffering } from '../../engine/act-now/offering.ts'
import { daysBetween } from '../../engine/dates/calendar.ts'
import { appointmentIn } from '../../engine/draft/event.ts'
import { parseOpeningsClaim } from '../../engine/hiring/open-positions.ts'
import { sizeOf } from '../../engine/score/event-weight.ts'
import { type Department, readTitle } from '../../engine/titles/index.ts'
import { isoDate } from '../../shared/days.ts'
import { listSections } from '../knowledge-base/store.ts'
import {
  deleteWorkItem,
  findCurrentItem,
  listContacts,
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
  const [events, people] = await Promise.all([
    listItemEvents(db, workspaceId, accountId, item.id),
    listContacts(db, workspaceId, accountId),
  ])
  if (events.length === 0) return deleteWorkItem(db, workspaceId, item.id)
  const { score, factors, lead_id, person_id } = scoreActNow({
    events: events.filter(({ is_enabled }) => is_enabled).map((event) => toRankedEvent(event, basis.today)),
    fit: item.icp_fit,
    people,
    offering: readOffering(basis.sections),
  })
  await writeRank(db, workspaceId, item.id, { act_now: score, factors, lead_id, person_id })
}

/** The same after people changed, when the knowledge base was not read yet. */
export async function rankAgain(db: Db, workspaceId: string, accountId: string, now: Date): Promise<void> {
  if (!(await findCurrentItem(db, workspaceId, accountId))) return
  const sections = await listSections(db, workspaceId)
  await rankWorkItem(db, workspaceId, accountId, { sections, today: isoDate(now) })
}

function toRankedEvent(event: StoredEvent, today: string): RankedEvent {
  const { id, signal_id, headline, happened_on, confidence, earlier, evidence, person_name, title } = event
  const common = { id, headline, age_days: Math.max(0, daysBetween(happened_on, today) ?? 0), earlier }
  if (signal_id === null) {
    const department = departmentOf(title)
    return {
      ...common,
      ...{ signal_id: 'job_change', amount: null, count: null, confidence: MOVE_CONFIDENCE, department },
      named: person_name,
    }
  }
  const proof = evidence.find(({ details }) => details?.position)
  const openings = evidence.map(({ claim }) => parseOpeningsClaim(claim)?.largest?.department).find(Boolean)
  return {
    ...common,
    signal_id,
    ...sizeOf(signal_id, evidence),
    confidence,
    department:
      signal_id === 'leadership_change' ? departmentOf(proof?.details?.position?.text) : departmentOf(openings),
    named: evidence.map((one) => appointmentIn(one)?.full_name).find(Boolean) ?? null,
  }
}

function departmentOf(title: string | null | undefined): Department | null {
  const department = title ? readTitle(title).department : 'Other'
  return department === 'Other' ? null : department
}
