import { type RawBuilder, sql } from 'kysely'
import type { AlertChannel, AlertEvent } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import { visibleToMember } from '../../db/visibility.ts'
import { dealsOf } from '../../resources/accounts/crm-store.ts'

type AlertToMerge = {
  type: AlertEvent
  run_id: string | null
  /** Ids of detections, suggested accounts, moves or work items. */
  record_ids: readonly string[]
  /** Seconds until the alerts of at-once rules are due. */
  delaySeconds: number
}

/** The records with the account of each, the signals that a rule may name, and the person of a move. */
const SUBJECTS: Record<AlertEvent, (workspaceId: string, ids: readonly string[]) => RawBuilder<unknown>> = {
  'signal.detected': (workspaceId, ids) => sql`
    select id as record_id, account_id, array[signal_id] as signals, null::uuid as person_id from signal_detections
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  'account.suggested': (workspaceId, ids) => sql`
    select id, id, array(select signal_id from signal_detections as found
        where found.workspace_id = ${workspaceId} and found.account_id = accounts.id and found.is_shown), null::uuid
    from accounts where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  'people.job_changed': (workspaceId, ids) => sql`
    select move.id, people.account_id, null::text[], people.id
    from person_moves as move join people on people.workspace_id = move.workspace_id and people.id = move.person_id
    where move.workspace_id = ${workspaceId} and move.id = any(${ids}::uuid[])`,
  'work_item.done': (workspaceId, ids) => sql`
    select id, account_id, null::text[], null::uuid from work_items
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
}

/** The switch of each event in the notification settings. */
const SWITCH: Record<AlertEvent, RawBuilder<unknown>> = {
  'signal.detected': sql`notify_realtime`,
  'account.suggested': sql`notify_suggested`,
  'people.job_changed': sql`notify_job_changes`,
  'work_item.done': sql`false`,
}

type Merged = {
  /** Whether a record was new to a receiver. */
  is_new: boolean
  /** Deliveries that need a job, and the seconds until they are due. */
  deliveries: { alert_id: string; channel: AlertChannel; wait: number }[]
}

/**
 * Adds records to the open alert of every receiver that a rule or the notification settings name and that has not got
 * them yet, or to a new alert. An at-once alert is about one account and run, a digest about all until its slot. Sending an
 * alert waits for this transaction. Alerts are locked in the order of their keys, to avoid deadlocks.
 */
export async function mergeAlert(db: Db, workspaceId: string, alert: AlertToMerge): Promise<Merged> {
  const { type, run_id, record_ids, delaySeconds } = alert
  const { rows } = await sql<Merged>`
    with subject (record_id, account_id, signals, person_id) as (${SUBJECTS[type](workspaceId, record_ids)}),
    matched as (
      select record_id, account_id, 'default' as receiver, null::uuid as rule_id, null::uuid as member_id,
        null::timestamptz as slot, channels
      from subject cross join (
        select array_remove(array[
          case when webhook_enabled and webhook_url_sealed is not null then 'webhook' end,
          case when chat_enabled and chat_channel <> '' then 'chat' end], null) as channels
        from notification_settings where workspace_id = ${workspaceId} and ${SWITCH[type]}) as settings
      where channels <> '{}'
      union all (${matchingRules(workspaceId, type)})
    ), fresh as (
      select matched.*, case when slot is null and ${type} <> 'account.suggested' then account_id end as about_id
      from matched
      where not exists (select from alert_items as known
          join alerts on alerts.workspace_id = known.workspace_id and alerts.id = known.alert_id
        where known.workspace_id = ${workspaceId} and known.receiver = matched.receiver
          and known.record_id = matched.record_id
          -- A work item can be done again after it was reopened.
          and (alerts.is_open or ${type} <> 'work_item.done'))
    ), alert as (
      insert into alerts (workspace_id, id, type, account_id, run_id, rule_id, member_id)
      select ${workspaceId}::uuid, gen_random_uuid(), case when slot is null then ${type} else 'digest' end, about_id,
        case when slot is null then ${run_id}::uuid end, rule_id, member_id
      from fresh group by slot, about_id, rule_id, member_id order by rule_id, member_id, about_id
      on conflict (workspace_id, type, account_id, run_id, rule_id, member_id) where is_open do update set is_open = true
      returning id, account_id, rule_id, member_id
    ), placed as (
      select alert.id as alert_id, fresh.* from fresh join alert on alert.rule_id is not distinct from fresh.rule_id
        and alert.member_id is not distinct from fresh.member_id and alert.account_id is not distinct from fresh.about_id
    ), items as (
      insert into alert_items (workspace_id, receiver, record_id, alert_id)
      select ${workspaceId}::uuid, receiver, record_id, alert_id from placed order by receiver, record_id
      on conflict (workspace_id, receiver, record_id) do update set alert_id = excluded.alert_id
        where ${type} = 'work_item.done'
    ), served as (
      insert into alert_deliveries (workspace_id, alert_id, channel, next_attempt_at)
      select distinct ${workspaceId}::uuid, alert_id, channel, coalesce(slot, now() + make_interval(secs => ${delaySeconds}))
      from placed cross join unnest(channels) as channel
      on conflict do nothing returning alert_id, channel, next_attempt_at
    )
    select exists (select 1 from alert) as is_new, coalesce((select json_agg(json_build_object('alert_id', alert_id,
      'channel', channel, 'wait', extract(epoch from next_attempt_at - now()))) from served), '[]') as deliveries`.execute(
    db,
  )
  return rows[0] as Merged
}

/**
 * The rules that match records in `subject`, each record once for each receiver: an at-once rule takes precedence over a
 * scheduled one. A member with scoped visibility, or the scoped owner of a rule for a shared place, is matched only for
 * accounts they own and for moves of people they see.
 */
function matchingRules(workspaceId: string, type: AlertEvent): RawBuilder<unknown> {
  return sql`
    select distinct on (way.receiver, record_id) record_id, account_id, way.receiver, rule.id, receiver.id,
      case when rule.schedule <> 'at_once' then next_alert_slot(now(), viewer.time_zone, rule.schedule, rule.hour) end,
      array[rule.channel]
    from subject
      join accounts on accounts.workspace_id = ${workspaceId} and accounts.id = subject.account_id
      join alert_rules as rule
        on rule.workspace_id = accounts.workspace_id and rule.is_enabled and ${type} = any (rule.events)
      left join members as receiver on receiver.workspace_id = rule.workspace_id
        and receiver.id = case rule.recipient when 'owner' then accounts.owner_id else rule.to_member_id end
      join members as viewer
        on viewer.workspace_id = rule.workspace_id and viewer.id = coalesce(receiver.id, rule.member_id)
      join members as author on author.workspace_id = rule.workspace_id and author.id = rule.member_id
        -- Only the rules of admins reach others.
        and (author.role = 'admin' or rule.to_member_id = author.id)
      cross join lateral (select case rule.channel
        when 'chat' then 'chat:' || lower(ltrim(rule.chat_channel, '#'))
        when 'teams' then 'teams:' || rule.id
        when 'webhook' then 'webhook:' || rule.destination_id
        else rule.channel || ':' || receiver.id end as receiver) as way
    where way.receiver is not null
      and (rule.signals = '{}' or subject.signals is null or rule.signals && subject.signals)
      and accounts.score >= rule.min_score
      and (not rule.only_mine or accounts.owner_id = receiver.id)
      and (rule.tags = '{}' or rule.tags && accounts.tags)
      and (rule.statuses = '{}' or accounts.status = any (rule.statuses))
      and (rule.icp_tiers = '{}' or case when accounts.icp_fit >= 80 then 'A' when accounts.icp_fit >= 50 then 'B'
        when accounts.icp_fit >= 0 then 'C' end = any (rule.icp_tiers))
      and (rule.relationships = '{}' or accounts.relationship = any (rule.relationships)
        -- Customers have open deals as well.
        or 'open_deal' = any (rule.relationships)
          and exists (select from ${dealsOf(workspaceId, sql.ref('accounts.id'))} and not deal.is_closed))
      and (viewer.role = 'admin' or viewer.visibility = 'all' or accounts.owner_id = viewer.id
        or exists (select from people where people.workspace_id = ${workspaceId} and people.id = subject.person_id
          and ${visibleToMember(workspaceId, sql.ref('viewer.id'))}))
      and not exists (select from alert_rule_opt_outs as opt_out where opt_out.workspace_id = ${workspaceId}
        and opt_out.rule_id = rule.id and opt_out.member_id = receiver.id)
    order by way.receiver, record_id, rule.schedule <> 'at_once', rule.created_at, rule.id`
}
