import { sql } from 'kysely'
import type { AlertChannel, AlertType } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import { FINDING_HEADLINE } from '../../db/finding-headline.ts'
import { MOVE_SENTENCE } from '../../db/move-sentence.ts'
import { visibleTo } from '../../db/visibility.ts'
import { notFound } from '../../shared/errors.ts'
import { type Member, viewerOf } from '../../shared/member.ts'

const SHOWN = 5

type State = 'pending' | 'sent' | 'failed' | 'dropped'
type Named = { id: string; name: string }
type Row = {
  id: string
  type: AlertType
  channel: AlertChannel
  state: State
  attempts: number
  rule: Named | null
  member: Named | null
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
  id?: string
  state?: State | undefined
  channel?: AlertChannel | undefined
  type?: AlertType | undefined
  page: number
  per_page: number
}

/**
 * Alerts that a member sees: those of the notification settings, of their own rules, and those sent to them; an admin sees
 * all. Listed once for each channel.
 */
function seenAlerts({ workspace_id, id, role }: Member, which: Partial<Which>) {
  return sql`
    from alerts join alert_deliveries as sent on sent.workspace_id = alerts.workspace_id and sent.alert_id = alerts.id
      left join alert_rules as rule on rule.workspace_id = alerts.workspace_id and rule.id = alerts.rule_id
    where alerts.workspace_id = ${workspace_id}
      ${role === 'admin' ? sql`` : sql`and (alerts.rule_id is null or ${id} in (alerts.member_id, rule.member_id))`}
      ${which.id ? sql`and alerts.id = ${which.id}` : sql``}
      ${which.state ? sql`and sent.state = ${which.state}` : sql``}
      ${which.channel ? sql`and sent.channel = ${which.channel}` : sql``}
      ${which.type ? sql`and alerts.type = ${which.type}` : sql``}`
}

/** Throws not_found for an alert that the member does not see. */
export async function requireSeenAlert(db: Db, member: Member, id: string): Promise<void> {
  const { rows } = await sql`select ${seenAlerts(member, { id })} limit 1`.execute(db)
  if (rows.length === 0) throw notFound('alert')
}

/** Lists alerts, newest first, with one row for each channel. A scoped member sees only the moves of visible people. */
export async function listAlerts(db: Db, member: Member, which: Which) {
  const { workspace_id } = member
  const { page, per_page } = which
  const from = seenAlerts(member, which)
  // Selects the page first, so that the content is read only for the alerts on it.
  const listed = sql<Row>`
    with listed as (
      select alerts.id, alerts.type, alerts.account_id, alerts.member_id, alerts.created_at,
        case when rule.id is not null then json_build_object('id', rule.id, 'name', rule.name) end as rule,
        sent.channel, sent.state, sent.attempts, sent.target, sent.status, sent.message, sent.finished_at
      ${from}
      order by alerts.created_at desc, alerts.id desc, sent.channel
      limit ${per_page} offset ${(page - 1) * per_page}
    )
    select listed.id, type, channel, state, attempts, rule, target, listed.status, message as error, listed.created_at,
      case when state = 'sent' then finished_at end as sent_at,
      (select json_build_object('id', accounts.id, 'name', accounts.name) from accounts
        where accounts.workspace_id = ${workspace_id} and accounts.id = listed.account_id) as account,
      (select json_build_object('id', members.id, 'name', members.name) from members
        where members.workspace_id = ${workspace_id} and members.id = listed.member_id) as member,
      coalesce(suggested.named, '[]') as accounts,
      coalesce(found.headlines, '[]') || coalesce(moved.headlines, '[]') || coalesce(closed.headlines, '[]') as headlines,
      coalesce(suggested.total, 0) + coalesce(found.total, 0) + coalesce(moved.total, 0) + coalesce(closed.total, 0)
        as total
    from listed
      left join lateral (
        select json_agg(json_build_object('id', id, 'name', name) order by at) filter (where at <= ${sql.lit(SHOWN)}) as named,
          count(*) as total
        from (select accounts.id, accounts.name, row_number() over (order by score desc, name, accounts.id) as at
          from alert_items as item join accounts
            on accounts.workspace_id = item.workspace_id and accounts.id = item.record_id
          where item.workspace_id = ${workspace_id} and item.alert_id = listed.id) as every) as suggested
        on type in ('account.suggested', 'digest')
      left join lateral (
        select jsonb_agg(headline order by at) filter (where at <= ${sql.lit(SHOWN)}) as headlines, count(*) as total
        from (select ${sql.raw(FINDING_HEADLINE)} as headline,
            row_number() over (order by d.alpha desc, d.detected_at desc, d.id) as at
          from alert_items as item
            join signal_detections as d on d.workspace_id = item.workspace_id and d.id = item.record_id and d.is_shown
            join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
          where item.workspace_id = ${workspace_id} and item.alert_id = listed.id) as every) as found
        on type in ('signal.detected', 'digest')
      left join lateral (
        select jsonb_agg(headline order by at) filter (where at <= ${sql.lit(SHOWN)}) as headlines, count(*) as total
        from (select ${MOVE_SENTENCE} as headline,
            row_number() over (order by move.created_at desc, move.id) as at
          from alert_items as item
            join person_moves as move on move.workspace_id = item.workspace_id and move.id = item.record_id
            join people on people.workspace_id = move.workspace_id and people.id = move.person_id
          where item.workspace_id = ${workspace_id} and item.alert_id = listed.id
            and ${visibleTo(viewerOf(member))}) as every) as moved
        on type in ('people.job_changed', 'digest')
      left join lateral (
        select jsonb_agg(initcap(replace(work.outcome, '_', ' ')) order by work.changed_at desc) as headlines,
          count(*) as total
        from alert_items as item join work_items as work
          on work.workspace_id = item.workspace_id and work.id = item.record_id and work.state = 'done'
        where item.workspace_id = ${workspace_id} and item.alert_id = listed.id) as closed
        on type = 'work_item.done'
    order by listed.created_at desc, listed.id desc, channel`
  const counted = sql<{ total: number }>`select count(*) as total ${from}`
  const [{ rows }, { rows: counts }] = await Promise.all([listed.execute(db), counted.execute(db)])
  const shown = rows.map((row) => ({ ...row, headlines: row.headlines.slice(0, SHOWN) }))
  return { rows: shown, total: counts[0]?.total ?? 0 }
}
