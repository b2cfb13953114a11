import {
  clearVerdict,
  closeItem,
  logActivity,
  type Outcome,
  pushItem,
  reopenItem,
  snoozeItem,
  type WorkItem,
  type WorkItemPerson,
} from '../api/work-items.ts'

/** A change of a work item: what is sent, how it is reported, and how it is undone. */
export type WorkAction = {
  item: WorkItem
  /** The changed item, or null if the response does not contain it. */
  send: () => Promise<WorkItem | null>
  /** Whether the item leaves the queue before the response; otherwise only if the response says so. */
  isOptimistic: boolean
  said: string
  failed: string
  undo: () => Promise<unknown>
}

const OUTCOMES: Record<Outcome, string> = {
  contacted: 'marked as contacted',
  not_relevant: 'marked as not relevant',
  wrong: 'marked as wrong',
}

const change = (item: WorkItem, action: Omit<WorkAction, 'item' | 'isOptimistic' | 'failed' | 'undo'>): WorkAction => ({
  ...{ item, isOptimistic: true, failed: `Could not update ${item.account.name}` },
  undo: () => reopenItem(item.id),
  ...action,
})

export function close(item: WorkItem, outcome: Outcome): WorkAction {
  const action = change(item, {
    send: () => closeItem(item.id, outcome),
    said: `${item.account.name} ${OUTCOMES[outcome]}`,
  })
  const [lead] = item.events
  // With other findings the item stays open, and reopening it would not bring the wrong one back.
  if (outcome !== 'wrong' || item.total_events < 2 || lead?.kind !== 'detection') return action
  return {
    ...action,
    isOptimistic: false,
    said: `Marked as wrong: ${lead.headline}`,
    undo: () => clearVerdict(item.account.id, lead.id),
  }
}

const longDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

/** `Thursday 19 November`, for a day in the browser's time zone. */
export const formatDay = (day: string): string => longDay.format(new Date(`${day}T00:00:00Z`))

export const snooze = (item: WorkItem, until: string): WorkAction =>
  change(item, {
    send: () => snoozeItem(item.id, until),
    said: `${item.account.name} snoozed until ${formatDay(until)}`,
  })

export const reopen = (item: WorkItem): WorkAction => ({
  ...change(item, { send: () => reopenItem(item.id), said: `${item.account.name} is back in the queue` }),
  undo: async () => {
    if (item.state === 'snoozed' && item.snoozed_until) return snoozeItem(item.id, item.snoozed_until)
    return closeItem(item.id, item.outcome === 'not_relevant' || item.outcome === 'wrong' ? item.outcome : 'contacted')
  },
})

/** Logs that the account was contacted, which closes its item. */
export const contact = (item: WorkItem, kind: 'copied' | 'emailed' | 'called'): WorkAction =>
  change(item, {
    send: async () => {
      await logActivity(item.account.id, { kind, ...(item.person && { person_id: item.person.id }) })
      return null
    },
    said: `${item.account.name} ${OUTCOMES.contacted}`,
  })

/** `target` names the connected CRMs. */
export const push = (item: WorkItem, target: string): WorkAction => ({
  ...change(item, {
    send: async () => {
      const { work_item, results } = await pushItem(item.id)
      const refused = results.find(({ ok }) => !ok)
      if (refused) throw new Error(refused.error ?? 'The CRM has refused the record.')
      return work_item
    },
    said: `Sent to ${target}: ${item.account.name}`,
  }),
  failed: `Could not send ${item.account.name} to ${target || 'the CRM'}`,
})

/** The person of an item as RevealButton needs it. */
export const toRevealable = (person: WorkItemPerson, checkedAt: string) => ({
  ...person,
  email_checked_at: person.email_note ? checkedAt : null,
  email_reason: person.email_note,
  phone_checked_at: null,
  phone_reason: null,
})
