import { sql } from 'kysely'
import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import type { PushRecordType } from '../../db/schema.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Member, Viewer } from '../../shared/member.ts'

const DAYS = 7
const MOST = 5

type FailedPush = {
  id: string
  record_type: PushRecordType
  total: number
  /** Records that no later push to the same receiver delivered. */
  missing: number
  failure: string | null
  message: string | null
  destination: string | null
  providers: string[]
  finished_at: string
}

/** Pushes of the last days with records that no push has delivered. A scoped viewer sees only their pushes of people. */
export async function findFailedPushes(db: Db, viewer: Viewer): Promise<FailedPush[]> {
  const { workspace_id, scoped_to } = viewer
  const own = scoped_to === null ? sql`true` : sql`(run.record_type <> 'people' or run.scoped_to = ${scoped_to})`
  const seen = sql`(run.record_type <> 'people' or exists (select from people
    where people.workspace_id = ${workspace_id} and people.id = lost.record_id and ${visibleTo(viewer)}))`
  const { rows } = await sql<FailedPush>`
    select run.id, run.record_type, run.total, left_over.missing, run.failure, left_over.message, destination.name as destination,
      run.providers, run.finished_at
    from push_runs as run
      left join webhook_destinations as destination
        on destination.workspace_id = run.workspace_id and destination.id = run.destination_id
      cross join lateral (
        select count(*) as missing, min(lost.message) as message from push_rows as lost
        where lost.workspace_id = ${workspace_id} and lost.run_id = run.id and lost.unsent = 'failed' and ${seen}
          and not exists (select from push_runs as later join push_rows as again
              on again.workspace_id = later.workspace_id and again.run_id = later.id
            where later.workspace_id = ${workspace_id} and later.created_at > run.created_at and later.channel = run.channel
              and later.destination_id is not distinct from run.destination_id and later.providers @> run.providers
              and again.record_id = lost.record_id and again.state in ('sent', 'pending'))
      ) as left_over
    where run.workspace_id = ${workspace_id} and run.failed > 0 and run.finished_at > now() - make_interval(days => ${sql.lit(DAYS)})
      and (run.channel = 'crm' or destination.id is not null) and left_over.missing > 0 and ${own}
    order by run.finished_at desc limit ${sql.lit(MOST)}`.execute(db)
  return rows
}

type FailedAlerts = {
  channel: AlertChannel
  /** Null for the notification settings. */
  rule: { id: string; name: string } | null
  count: number
  message: string | null
  since: string
}

/**
 * Channels of the notification settings, and rules that the member sees, whose alerts of the last days failed without a later
 * success.
 */
export async function findFailedAlerts(db: Db, { workspace_id, id, role }: Member): Promise<FailedAlerts[]> {
  const { rows } = await sql<FailedAlerts>`
    with delivered as (
      select delivery.channel, delivery.state, delivery.message, delivery.finished_at, alerts.rule_id
      from alert_deliveries as delivery
        join alerts on alerts.workspace_id = delivery.workspace_id and alerts.id = delivery.alert_id
      where delivery.workspace_id = ${workspace_id} and delivery.state in ('sent', 'failed')
        and delivery.finished_at > now() - make_interval(days => ${sql.lit(DAYS)})
    )
    select failed.channel, count(*) as count, min(finished_at) as since,
      (array_agg(message order by finished_at desc))[1] as message,
      case when rule.id is not null then json_build_object('id', rule.id, 'name', rule.name) end as rule
    from delivered as failed
      left join alert_rules as rule on rule.workspace_id = ${workspace_id} and rule.id = failed.rule_id
    where state = 'failed' and (rule.id is null or (rule.is_enabled and (${role === 'admin'} or rule.member_id = ${id})))
      and not exists (select from delivered as sent where sent.channel = failed.channel and sent.state = 'sent'
        and sent.rule_id is not distinct from failed.rule_id and sent.finished_at > failed.finished_at)
    group by failed.channel, rule.id, rule.name order by rule.id nulls first, failed.channel`.execute(db)
  return rows
}

type FailedImport = { id: string; kind: 'companies' | 'accounts'; failure: string | null; finished_at: string }

/** The last import of each kind, if it failed in the last days. */
export async function findFailedImports(db: Db, workspaceId: string): Promise<FailedImport[]> {
  const { rows } = await sql<FailedImport>`
    select last.id, last.kind, last.failure, last.finished_at
    from (values ('accounts'), ('companies')) as every (kind)
      cross join lateral (select id, kind, status, failure, finished_at from imports
        where imports.workspace_id = ${workspaceId} and imports.kind = every.kind
        order by created_at desc, id desc limit 1) as last
    where last.status = 'failed' and last.finished_at > now() - make_interval(days => ${sql.lit(DAYS)})`.execute(db)
  return rows
}

/** The schedule is checked every ten minutes, and a backup may take as long as the period. */
const OVERDUE_PERIODS = 2

/**
 * The failed or overdue backup of the installation, for the workspace it was set up with: others do not run the server. Null
 * while backups are not scheduled.
 */
export async function findOverdueBackup(
  db: Db,
  workspaceId: string,
  everyHours: number,
): Promise<{ error: string | null; since: string | null } | null> {
  if (everyHours === 0) return null
  const overdue = sql<boolean>`< now() - make_interval(hours => ${everyHours * OVERDUE_PERIODS})`
  const { rows } = await sql<{ error: string | null; since: string | null }>`
    select backup_error as error, coalesce(backup_failed_at, backed_up_at) as since from installation
    where workspace_id = ${workspaceId}
      and (backup_failed_at is not null or backed_up_at is null or backed_up_at ${overdue})`.execute(db)
  const [found] = rows
  if (!found || found.since !== null) return found ?? null
  // Without any backup, the time since the installation was set up counts.
  const { rows: old } = await sql`select from workspaces where id = ${workspaceId} and created_at ${overdue}`.execute(
    db,
  )
  return old.length > 0 ? found : null
}
