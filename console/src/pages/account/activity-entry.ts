import {
  AlarmClock,
  Ban,
  CalendarCheck,
  Check,
  Copy,
  type LucideIcon,
  Mail,
  MessageSquareReply,
  Phone,
  Send,
  StickyNote,
  ThumbsDown,
  Undo2,
  UserSearch,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { formatDay } from '../../lib/work-actions.ts'

/** An entry of the timeline. */
export type Entry = { id: string; at: string; icon: LucideIcon; color: string; title: ReactNode; text?: ReactNode }

type Activity = Schemas['AccountActivity']

const CONTACT: ReadonlySet<string> = new Set(['copied', 'emailed', 'called'])

/** Without the lines that say a second time what was done: an email, a call or a push also closes the item. */
export function withoutRepeats(activities: readonly Activity[]): Activity[] {
  const contacted = new Set(
    activities
      .filter(({ kind }) => CONTACT.has(kind))
      .map(({ work_item_id, created_at }) => `${work_item_id} ${created_at}`),
  )
  return activities.filter(
    ({ kind, outcome, work_item_id, created_at }) =>
      kind !== 'done' || (outcome !== 'pushed' && !contacted.has(`${work_item_id} ${created_at}`)),
  )
}

type Line = { icon: LucideIcon; title: string }

/** A line of the timeline such as `Dana emailed Mara Lindqvist`. */
export function activityEntry(activity: Activity, nameOf: (id: string | null) => string | null): Entry {
  const { id, created_at, note } = activity
  const { icon, title } = lineOf(activity, nameOf(activity.member_id))
  return { id, at: created_at, icon, color: 'blue', title, ...(note && { text: note }) }
}

function lineOf({ kind, outcome, until, target, person, work_item_id }: Activity, who: string | null): Line {
  const by = who ?? 'A former member'
  const them = person?.full_name ?? 'someone'
  switch (kind) {
    case 'reopened':
      return { icon: Undo2, title: who ? `${who} moved it back to the queue` : 'Back in the queue after a new finding' }
    case 'snoozed':
      return { icon: AlarmClock, title: until ? `${by} snoozed it until ${formatDay(until)}` : `${by} snoozed it` }
    case 'done':
      return doneLine(outcome, by)
    case 'copied':
      return { icon: Copy, title: `${by} copied the draft${person ? ` to ${them}` : ''}` }
    case 'emailed':
      return { icon: Mail, title: `${by} emailed ${them}` }
    case 'called':
      return { icon: Phone, title: `${by} called ${them}` }
    case 'pushed':
      return {
        icon: Send,
        title: `${by} sent ${person && !work_item_id ? them : 'it'} to ${target ?? 'a destination'}`,
      }
    case 'revealed':
      return { icon: UserSearch, title: `${by} revealed the ${target ?? 'contact data'} of ${them}` }
    case 'replied':
      return { icon: MessageSquareReply, title: person ? `${them} replied` : 'They replied' }
    case 'meeting':
      return { icon: CalendarCheck, title: `${by} had a meeting${person ? ` with ${them}` : ''}` }
    case 'noted':
      return { icon: StickyNote, title: `Note by ${by === 'You' ? 'you' : by}` }
  }
}

function doneLine(outcome: Activity['outcome'], by: string): Line {
  switch (outcome) {
    case 'not_relevant':
      return { icon: Ban, title: `${by} marked it as not relevant` }
    case 'wrong':
      return { icon: ThumbsDown, title: `${by} marked the finding as wrong` }
    default:
      return { icon: Check, title: `${by} marked it as contacted` }
  }
}
