import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Member } from '../../shared/member.ts'
import type { Secrets } from '../../shared/secrets.ts'
import type { AlertRule } from './schema.ts'

const PLAIN = [
  ...(['id', 'member_id', 'name', 'is_enabled', 'events', 'signals', 'min_score', 'only_mine', 'tags'] as const),
  ...([
    'statuses',
    'icp_tiers',
    'relationships',
    'recipient',
    'to_member_id',
    'channel',
    'chat_channel',
    'destination_id',
  ] as const),
  ...(['schedule', 'hour', 'created_at'] as const),
] as const

export type RuleFields = Omit<AlertRule, 'id' | 'member_id' | 'created_at'>

type StoredUrl = { id: string; teams_url_sealed: Buffer | null; teams_url_masked: string | null }

/** The whole URL when `secrets` is given to decrypt it, otherwise the masked one. */
function readTeamsUrl<Row extends StoredUrl>(workspaceId: string, row: Row, secrets: Secrets | null) {
  const { teams_url_sealed: sealed, teams_url_masked: masked, ...rule } = row
  return {
    ...rule,
    teams_url: secrets && sealed ? secrets.open(sealed, 'alert_rules.teams_url', workspaceId, row.id) : masked,
  }
}

/** A rule belongs to its member; admins see and change all rules. */
function rulesOf(db: Db, { workspace_id, id, role }: Member) {
  return db
    .selectFrom('alert_rules')
    .select([...PLAIN, 'teams_url_sealed', 'teams_url_masked'])
    .where('workspace_id', '=', workspace_id)
    .$if(role !== 'admin', (query) => query.where('member_id', '=', id))
}

export async function listAlertRules(db: Db, member: Member, secrets: Secrets | null) {
  const rows = await rulesOf(db, member).orderBy('created_at').orderBy('id').execute()
  return rows.map((row) => readTeamsUrl(member.workspace_id, row, secrets))
}

/** Throws not_found, also for the rule of another member. */
export async function getAlertRule(db: Db, member: Member, id: string, secrets: Secrets | null) {
  const row = await rulesOf(db, member).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('alert rule')
  return readTeamsUrl(member.workspace_id, row, secrets)
}

export async function countAlertRules(db: Db, { workspace_id, id }: Member): Promise<number> {
  const { count } = await db
    .selectFrom('alert_rules')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspace_id)
    .where('member_id', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

type StoredFields = Partial<RuleFields> & { teams_url_masked?: string | null }

function toColumns(workspaceId: string, id: string, secrets: Secrets, { teams_url, ...fields }: StoredFields) {
  if (teams_url === undefined) return fields
  return {
    ...fields,
    // The URL of a workflow contains its credential, so it is encrypted.
    teams_url_sealed: teams_url && secrets.seal(teams_url, 'alert_rules.teams_url', workspaceId, id),
  } as typeof fields & {
    teams_url_sealed: Buffer | null
  }
}

export async function insertAlertRule(
  db: Db,
  { workspace_id, id: member_id }: Member,
  secrets: Secrets,
  fields: RuleFields & { teams_url_masked: string | null },
): Promise<string> {
  const id = newId()
  const columns = toColumns(workspace_id, id, secrets, fields) as RuleFields
  await db
    .insertInto('alert_rules')
    .values({ workspace_id, id, member_id, ...columns })
    .execute()
  return id
}

export async function updateAlertRuleRow(
  db: Db,
  workspaceId: string,
  id: string,
  secrets: Secrets,
  fields: StoredFields,
): Promise<void> {
  await db
    .updateTable('alert_rules')
    .set(toColumns(workspaceId, id, secrets, fields))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a rule with its alerts. */
export async function deleteAlertRuleRow(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('alert_rules').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Moves the digests that wait for their slot to the slot of the rule's present schedule and of the present time zone. */
export async function rescheduleDigests(
  db: Db,
  workspaceId: string,
  { rule_id, member_id }: { rule_id?: string; member_id?: string },
): Promise<void> {
  await sql`
    update alert_deliveries as delivery set next_attempt_at = digest.slot
    from (
      select alerts.id, case rule.schedule when 'at_once' then now()
        else next_alert_slot(now(), reader.time_zone, rule.schedule, rule.hour) end as slot
      from alerts
        join alert_rules as rule on rule.workspace_id = alerts.workspace_id and rule.id = alerts.rule_id
        join members as reader on reader.workspace_id = alerts.workspace_id
          and reader.id = coalesce(alerts.member_id, rule.member_id)
      where alerts.workspace_id = ${workspaceId} and alerts.is_open and alerts.type = 'digest'
        ${rule_id ? sql`and rule.id = ${rule_id}` : sql``} ${member_id ? sql`and reader.id = ${member_id}` : sql``}) as digest
    where delivery.workspace_id = ${workspaceId} and delivery.alert_id = digest.id and delivery.state = 'pending'`.execute(
    db,
  )
}

/** The rule of an alert as it is when the alert is sent. */
export type SendingRule = Pick<
  AlertRule,
  | ('id' | 'name' | 'is_enabled' | 'only_mine' | 'recipient' | 'to_member_id' | 'channel')
  | ('chat_channel' | 'destination_id' | 'teams_url' | 'schedule')
> & {
  /** The receiving member; null for a shared place. */
  receiver: { id: string; name: string; email: string } | null
  has_opted_out: boolean
  /** The member whose visibility applies, when it is scoped: the receiver, or the rule's member for a shared place. */
  scoped_to: string | null
}

/** Returns null when the rule or the receiving member was deleted, or when its author may not send to others any more. */
export async function findSendingRule(
  db: Db,
  workspaceId: string,
  ruleId: string,
  memberId: string | null,
  secrets: Secrets,
): Promise<SendingRule | null> {
  const { rows } = await sql<Omit<SendingRule, 'teams_url'> & StoredUrl>`
    select rule.id, rule.name, is_enabled, only_mine, recipient, to_member_id, channel, chat_channel, destination_id,
      teams_url_sealed, teams_url_masked, schedule,
      case when ${memberId}::uuid is not null then
        json_build_object('id', reader.id, 'name', reader.name, 'email', reader.email) end as receiver,
      case when reader.visibility = 'scoped' and reader.role <> 'admin' then reader.id end as scoped_to,
      exists (select from alert_rule_opt_outs as opt_out where opt_out.workspace_id = ${workspaceId}
        and opt_out.rule_id = rule.id and opt_out.member_id = ${memberId}::uuid) as has_opted_out
    from alert_rules as rule join members as reader on reader.workspace_id = rule.workspace_id
      and reader.id = coalesce(${memberId}::uuid, rule.member_id)
      join members as author on author.workspace_id = rule.workspace_id and author.id = rule.member_id
    where rule.workspace_id = ${workspaceId} and rule.id = ${ruleId}
      and (author.role = 'admin' or rule.to_member_id = author.id)`.execute(db)
  return rows[0] ? readTeamsUrl(workspaceId, rows[0], secrets) : null
}

type Subscription = { workspace_id: string; rule_id: string; member_id: string }

/** The name of a rule that can reach the member; null when the rule or the member was deleted. */
export async function findSubscription(db: Db, { workspace_id, rule_id, member_id }: Subscription) {
  const found = await db
    .selectFrom('alert_rules')
    .innerJoin('members', 'members.workspace_id', 'alert_rules.workspace_id')
    .select('alert_rules.name')
    .where('alert_rules.workspace_id', '=', workspace_id)
    .where('alert_rules.id', '=', rule_id)
    .where('members.id', '=', member_id)
    .executeTakeFirst()
  return found ?? null
}

/** Takes back an unsubscription. Idempotent. */
export async function resumeSubscription(db: Db, { workspace_id, rule_id, member_id }: Subscription): Promise<void> {
  await sql`
    with resumed as (
      delete from alert_rule_opt_outs
      where workspace_id = ${workspace_id} and rule_id = ${rule_id} and member_id = ${member_id}
    )
    update alert_rules set is_enabled = true
    where workspace_id = ${workspace_id} and id = ${rule_id} and member_id = ${member_id} and to_member_id = ${member_id}`.execute(
    db,
  )
}

/** Disables a rule that reaches only its own member; the member opts out of any other rule. Idempotent. */
export async function endSubscription(db: Db, { workspace_id, rule_id, member_id }: Subscription): Promise<void> {
  await sql`
    with disabled as (
      update alert_rules set is_enabled = false
      where workspace_id = ${workspace_id} and id = ${rule_id} and member_id = ${member_id} and to_member_id = ${member_id}
      returning id
    )
    insert into alert_rule_opt_outs (workspace_id, rule_id, member_id)
    select ${workspace_id}::uuid, ${rule_id}::uuid, ${member_id}::uuid where not exists (select 1 from disabled)
    on conflict do nothing`.execute(db)
}
