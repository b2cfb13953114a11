import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { FINDING_HEADLINE } from '../../db/finding-headline.ts'
import type { SetupChoices, SetupStep } from '../../db/member-tables.ts'
import type { Member } from '../../shared/member.ts'
import type { Setup, UpdateSetup } from './schema.ts'

/** Counting more accounts would cost time on each visit of Today and tell nothing. */
const MAX_COUNTED = 1_000

type Counts = Record<SetupStep, number> & { accounts: number; signals_changed: boolean; choices: SetupChoices }

/** What is stored for each step, as far as it concerns the member. */
export async function countForSetup(db: Db, { workspace_id, id }: Member): Promise<Counts> {
  const accounts = (condition: string) => sql`(select count(*)::int from (select from accounts
    where workspace_id = ${workspace_id} and ${sql.raw(condition)} limit ${sql.lit(MAX_COUNTED)}) as counted)`
  const { rows } = await sql<Counts>`
    select member.setup as choices, ${accounts(`status = 'active'`)} as companies, ${accounts('true')} as accounts,
      case when profile.scraped_meta->>'outcome' = 'items' then jsonb_array_length(profile.refresh_pages) else 0 end as website,
      (select count(*)::int from crm_syncs join connections using (workspace_id, provider)
        where crm_syncs.workspace_id = ${workspace_id} and crm_syncs.first_finished_at is not null) as crm,
      (select count(*)::int from signals where workspace_id = ${workspace_id} and enabled) as signals,
      exists (select from signals where workspace_id = ${workspace_id} and not (is_builtin and enabled)) as signals_changed,
      (writer.signature is not null or writer.job_title is not null)::int as profile,
      (select count(*)::int from alert_rules where workspace_id = ${workspace_id} and is_enabled
        and (member_id = ${id} or to_member_id = ${id} or recipient = 'channel'))
        + settings.webhook_enabled::int + settings.chat_enabled::int as alerts
    from members as member
      join company_profiles as profile on profile.workspace_id = member.workspace_id
      join notification_settings as settings on settings.workspace_id = member.workspace_id
      left join member_profiles as writer on writer.workspace_id = member.workspace_id and writer.member_id = member.id
    where member.workspace_id = ${workspace_id} and member.id = ${id}`.execute(db)
  return rows[0] as Counts
}

/** Stores the decisions of the member; others do not change. */
export async function saveSetupChoices(db: Db, member: Member, { step, choice, is_dismissed }: UpdateSetup) {
  const { workspace_id, id } = member
  const without = step === undefined ? sql`` : sql`- ${step}::text`
  const added = step !== undefined && choice ? { [step]: choice } : {}
  const dismissed = is_dismissed === undefined ? {} : { is_dismissed }
  await sql`
    update members set setup = jsonb_set(setup || ${JSON.stringify(dismissed)}::jsonb, '{steps}',
      coalesce(setup -> 'steps', '{}') ${without} || ${JSON.stringify(added)}::jsonb)
    where workspace_id = ${workspace_id} and id = ${id}`.execute(db)
}

/** The progress of the scans of the workspace. */
export async function readScanProgress(db: Db, workspaceId: string): Promise<Setup['scans']> {
  const { rows } = await sql<Setup['scans']>`
    with running as (
      select runs.account_id, accounts.name as account_name, runs.stats->'reading'->>'url' as url, runs.touched_at,
        coalesce((runs.stats->'reading'->>'pages')::int, 0) as pages
      from runs join accounts on accounts.workspace_id = runs.workspace_id and accounts.id = runs.account_id
      where runs.workspace_id = ${workspaceId} and runs.status = 'running'
    ), ended as (
      select runs.account_id, accounts.name as account_name, runs.status, runs.failure, runs.finished_at,
        coalesce((runs.stats->>'documents')::int, 0) as documents
      from runs join accounts on accounts.workspace_id = runs.workspace_id and accounts.id = runs.account_id
      where runs.workspace_id = ${workspaceId} and runs.status <> 'running'
      order by runs.created_at desc, runs.id desc limit 1
    )
    select (select count(*)::int from running) as running,
      (select json_build_object('account_id', account_id, 'account_name', account_name, 'url', url, 'pages', pages)
        from running order by touched_at desc nulls last limit 1) as reading,
      (select json_build_object('account_id', account_id, 'account_name', account_name, 'status', status, 'failure', failure,
        'documents', documents, 'finished_at', to_char(finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from ended) as last`.execute(db)
  return rows[0] as Setup['scans']
}

/** The first finding of an account that was not rejected. */
export async function findFirstFinding(db: Db, workspaceId: string): Promise<Setup['finding']> {
  const { rows } = await sql<NonNullable<Setup['finding']>>`
    select d.id, d.account_id, accounts.name as account_name, ${sql.raw(FINDING_HEADLINE)} as headline
    from signal_detections as d
      join accounts on accounts.workspace_id = d.workspace_id and accounts.id = d.account_id
      join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
    where d.workspace_id = ${workspaceId} and d.is_shown and accounts.status not in ('rejected', 'unqualified')
    order by d.created_at, d.id limit 1`.execute(db)
  return rows[0] ?? null
}
