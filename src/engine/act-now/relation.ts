// What the deals of a CRM add to the urgency of an account, and the sentences that say so.

import { formatLongDate } from '../dates/calendar.ts'
import type { Offering } from '../playbook/offering.ts'
import type { EventTarget } from '../recipient/index.ts'

/** The signal of an event that is a lost deal which is due for another try. */
export const LOST_DEAL = 'lost_deal'

export type Relation = {
  kind: 'customer' | 'open_deal' | 'lost_deal' | 'former_customer' | 'none'
  /** The day of the deciding deal, and how many days ago it was. */
  on: string | null
  age_days: number | null
  /** Why the deal was lost. */
  reason: string | null
  /** The open deal that closes next. */
  open_deal: { stage: string | null; closes_on: string | null } | null
}

/** A contact of a won deal who has joined another company. */
export type Champion = {
  full_name: string
  /** The company of the won deal, and the day. */
  company: string
  won_on: string | null
  /** The new title. */
  title: string | null
  /** The new company; null when it is the account itself. */
  joined: string | null
  /** Whether the company no longer is a customer. */
  is_former: boolean
}

/** "Ada Pike, your contact at Northwind (customer, won March 2025), is now VP Sales here". */
export function describeChampion({ full_name, company, won_on, title, joined, is_former }: Champion): string {
  const won = [is_former ? null : 'customer', won_on && `won ${formatLongDate(won_on)?.replace(/^\d+ /, '')}`]
    .filter(Boolean)
    .join(', ')
  const job = title ? `is now ${title}` : 'works'
  return `${full_name}, your contact at ${company} (${won || 'former customer'}), ${job} ${joined ? `at ${joined}` : 'here'}${title ? '' : ' now'}`
}

/** "Open deal: Negotiation, closes 15 December 2026". The name is left out, because it may name a hidden contact. */
export function describeOpenDeal({ stage, closes_on }: NonNullable<Relation['open_deal']>): string {
  const details = [stage, closes_on && `closes ${formatLongDate(closes_on)}`].filter(Boolean).join(', ')
  return details ? `Open deal: ${details}` : 'Open deal'
}

/** "Lost on 2 June 2025 (price)". */
export function describeLostDeal({ on, reason }: Pick<Relation, 'on' | 'reason'>): string {
  return `Lost${on ? ` on ${formatLongDate(on)}` : ' earlier'}${reason ? ` (${reason})` : ''}`
}

/** What has changed since a deal was lost, in a few words; null for events that do not reopen a deal. */
export function describeChange(
  { signal_id, department, named }: EventTarget,
  { departments }: Offering,
): string | null {
  if (signal_id === 'funding') return 'now they have raised money'
  if (signal_id === 'expansion') return 'now they are expanding'
  const isBuyer = departments.size === 0 || (department !== null && departments.has(department))
  // Departures and changes in the board name no new executive.
  return signal_id === 'leadership_change' && isBuyer && named?.title ? `now they have a new ${named.title}` : null
}
