import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { FINDING_HEADLINE } from '../../db/finding-headline.ts'
import { MOVE_SENTENCE } from '../../db/move-sentence.ts'
import { visibleTo } from '../../db/visibility.ts'
import { draftFields } from '../../resources/detections/store.ts'
import { movesWithinReach, type Reach, withinReach } from './content-store.ts'

const MAX_ENTRIES = 20
const MAX_EVENTS = 5

export type DigestRow = {
  id: string
  name: string
  domain: string | null
  score: number
  events: { headline: string; signal_name: string; date: string; source_url: string | null }[]
  person: { full_name: string; title: string | null; email: string | null } | null
  /** The draft and the headline of the event that matters most at the account; the headline only when it is not reported. */
  drafted_message_md: string | null
  about: string | null
  has_work_item: boolean
  total: number
}

/**
 * The accounts of an alert with their events, for its receiver: accounts with an open work item by its act-now score, others
 * by their score, the highest first. Accounts that are no longer active, suggestions already decided and what the receiver
 * may not see are left out.
 */
export async function readDigestRows(db: Db, reach: Reach, alertId: string): Promise<DigestRow[]> {
  const { workspace_id } = reach
  const { rows } = await sql<DigestRow>`
    with item as materialized (
      select record_id from alert_items where workspace_id = ${workspace_id} and alert_id = ${alertId}
    ), suggested as (
      select accounts.id from item join accounts on accounts.workspace_id = ${workspace_id} and accounts.id = record_id
      where accounts.status = 'suggested' and ${withinReach(reach)}
    ), found as (
      select d.id, d.account_id from item
        join signal_detections as d on d.workspace_id = ${workspace_id} and d.id = record_id and d.is_shown
        join accounts on accounts.workspace_id = d.workspace_id and accounts.id = d.account_id
      where accounts.status = 'active' and ${withinReach(reach)}
      union
      select d.id, d.account_id from suggested
        join signal_detections as d on d.workspace_id = ${workspace_id} and d.account_id = suggested.id and d.is_shown
    ), event as (
      select d.account_id, d.id, ${sql.raw(FINDING_HEADLINE)} as headline, signals.name as signal_name,
        d.detected_at as day, d.evidence -> 0 ->> 'source_url' as source_url, d.alpha as strength
      from found join signal_detections as d on d.workspace_id = ${workspace_id} and d.id = found.id
        join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
      union all
      select people.account_id, move.id, ${MOVE_SENTENCE}, 'Job change',
        coalesce(move.happened_on, move.created_at::date), move.evidence -> 0 ->> 'url', 0
      from item
        join person_moves as move on move.workspace_id = ${workspace_id} and move.id = record_id
        join people on people.workspace_id = move.workspace_id and people.id = move.person_id
        join accounts on accounts.workspace_id = people.workspace_id and accounts.id = people.account_id
      where ${movesWithinReach(reach)}
    )
    select accounts.id, accounts.name, accounts.domain, accounts.score, count(*) over () as total,
      coalesce((select json_agg(json_build_object('headline', headline, 'signal_name', signal_name, 'date', day,
          'source_url', source_url) order by strength desc, day desc, listed.id)
        from (select * from event where account_id = accounts.id
          order by strength desc, day desc, id limit ${sql.lit(MAX_EVENTS)}) as listed), '[]') as events,
      (select json_build_object('full_name', people.full_name, 'title', people.title, 'email', people.email) from people
        where people.workspace_id = ${workspace_id} and people.id = work.person_id and ${visibleTo(reach)}) as person,
      ${sql.raw(draftFields('lead', reach).drafted_message_md)} as drafted_message_md, work.id is not null as has_work_item,
      case when not exists (select from event where event.id = lead.id) then lead.headline end as about
    from (select account_id as id from event union select id from suggested) as about
      join accounts on accounts.workspace_id = ${workspace_id} and accounts.id = about.id
      left join work_items as work on work.workspace_id = accounts.workspace_id and work.account_id = accounts.id
        and work.state = 'open'
      left join signal_detections as lead on lead.workspace_id = work.workspace_id and lead.id = work.lead_id and lead.is_shown
    order by coalesce(work.act_now, accounts.score) desc, accounts.name, accounts.id
    limit ${sql.lit(MAX_ENTRIES)}`.execute(db)
  return rows
}
