import { sql } from 'kysely'
import type { AlertChannel, AlertType } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Viewer } from '../../shared/member.ts'

const SHOWN = 5

type State = 'pending' | 'sent' | 'failed' | 'dropped'
type Named = { id: string; name: string }
type Row = {
  id: string
  type: AlertType
  channel: AlertChannel
  state: State
  attempts: number
  account: Named | null
  accounts: Named[]
  headlines: string[]
  total: number
  target: string | null
  status: number | null
  error: string | null
  created_at: string
  sent_at: string | null
}
type Which = {
  state?: State | undefined
  channel?: AlertChannel | undefined
  type?: AlertType | undefined
  page: number
  per_page: number
}

/** Lists alerts, newest first, with one row for each channel. A scoped viewer sees only the moves of visible people. */
export async function listAlerts(db: Db, viewer: Viewer, { state, channel, type, page, per_page }: Which) {
  const from = sql`
    from alerts join alert_deliveries as sent on sent.workspace_id = alerts.workspace_id and sent.alert_id = alerts.id
    where alerts.workspace_id = ${viewer.workspace_id}
      ${state ? sql`and sent.state = ${state}` : sql``}
      ${channel ? sql`and sent.channel = ${channel}` : sql``}
      ${type ? sql`and alerts.type = ${type}` : sql``}`
  // Selects the page first, so that the content is read only for the alerts on it.
  const listed = sql<Row>`
    with listed as (
      select alerts.workspace_id, alerts.id, alerts.type, alerts.account_id, alerts.created_at, sent.channel, sent.state,
        sent.attempts, sent.target, sent.status, sent.message, sent.finished_at
      ${from}
      order by alerts.created_at desc, alerts.id desc, sent.channel
      limit ${per_page} offset ${(page - 1) * per_page}
    )
    select listed.id, type, channel, state, attempts, target, listed.status, message as error, listed.created_at,
      case when state = 'sent' then finished_at end as sent_at,
      (select json_build_object('id', accounts.id, 'name', accounts.name) from accounts
        where accounts.workspace_id = listed.workspace_id and accounts.id = listed.account_id) as account,
      coalesce(suggested.named, '[]') as accounts, coalesce(found.headlines, moved.headlines, '[]') as headlines,
      coalesce(suggested.total, found.total, moved.total, 0) as total
    from listed
      left join lateral (
        select json_agg(json_build_object('id', id, 'name', name) order by at) filter (where at <= ${sql.lit(SHOWN)}) as named,
          count(*) as total
        from (select accounts.id, accounts.name, row_number() over (order by score desc, name, accounts.id) as at
          from alert_items as item join accounts
            on accounts.workspace_id = item.workspace_id and accounts.id = item.record_id
          where item.workspace_id = listed.workspace_id and item.alert_id = listed.id) as every) as suggested
        on type = 'account.suggested'
      left join lateral (
        select json_agg(headline order by at) filter (where at <= ${sql.lit(SHOWN)}) as headlines, count(*) as total
        from (select coalesce(d.headline, signals.name) as headline,
            row_number() over (order by d.alpha desc, d.detected_at desc, d.id) as at
          from alert_items as item
            join signal_detections as d on d.workspace_id = item.workspace_id and d.id = item.record_id and d.is_shown
            join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
          where item.workspace_id = listed.workspace_id and item.alert_id = listed.id) as every) as found
        on type = 'signal.detected'
      left join lateral (
        select json_agg(headline order by at) filter (where at <= ${sql.lit(SHOWN)}) as headlines, count(*) as total
        from (select move_sentence(people.full_name, move) as headline,
            row_number() over (order by move.created_at desc, move.id) as at
          from alert_items as item
            join person_moves as move on move.workspace_id = item.workspace_id and move.id = item.record_id
            join people on people.workspace_id = move.workspace_id and people.id = move.person_id
          where item.workspace_id = listed.workspace_id and item.alert_id = listed.id
            and ${visibleTo(viewer)}) as every) as moved
        on type = 'people.job_changed'
    order by listed.created_at desc, listed.id desc, channel`
  const counted = sql<{ total: number }>`select count(*) as total ${from}`
  const [{ rows }, { rows: counts }] = await Promise.all([listed.execute(db), counted.execute(db)])
  return { rows, total: counts[0]?.total ?? 0 }
}
