import { Handshake } from 'lucide-react'
import type { WorkItem } from '../api/work-items.ts'
import classes from './CrmReasons.module.css'

const NAMES: ReadonlySet<string> = new Set(['champion', 'open_deal', 'lost_deal'])

/** The reasons to act now that come from the CRM: a contact who has moved, an open or a lost deal. */
export function CrmReasons({ item: { factors, events } }: { item: WorkItem }) {
  // A lost deal that is due is the headline itself.
  const reasons = factors.filter(({ name, why }) => NAMES.has(name) && why !== events[0]?.headline)
  return reasons.map(({ why }) => (
    <p key={why} className={classes.reason}>
      <Handshake size={14} aria-hidden />
      <span>{why}</span>
    </p>
  ))
}
