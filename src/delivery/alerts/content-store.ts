import { type RawBuilder, sql } from 'kysely'
import type { AlertType } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import { FINDING_HEADLINE } from '../../db/finding-headline.ts'
import { MOVE_SENTENCE } from '../../db/move-sentence.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { AlertContent, AlertDetection, AlertMove, AlertWorkItem } from './schema.ts'

/** An alert lists its strongest items and their total number. */
const MAX_LISTED = 20
const MAX_EVIDENCE = 5

export type StoredAlert = {
  id: string
  type: AlertType
  account_id: string | null
  run_id: string | null
  created_at: string
}

/** What the receiver of an alert may see when it is sent. */
export type Reach = {
  workspace_id: string
  /** Only accounts of this owner: the rule is about the accounts of its recipient. */
  owner_id: string | null
  /** The receiver has scoped visibility: only accounts they own, and moves of people they see. */
  scoped_to: string | null
}

/** The condition on `accounts` for those whose findings the receiver may see. */
export const withinReach = ({ owner_id, scoped_to }: Reach): RawBuilder<boolean> => {
  const owner = owner_id ?? scoped_to
  return owner === null ? sql<boolean>`true` : sql<boolean>`accounts.owner_id = ${owner}`
}

/** The condition on `people` and their `accounts` for those whose moves the receiver may see. */
export const movesWithinReach = (reach: Reach): RawBuilder<boolean> =>
  reach.owner_id === null ? visibleTo(reach) : withinReach(reach)

/**
 * The current content of an alert for its receiver. Null when nothing is left to report: the account is not active, all
 * items are gone, or the receiver may no longer see them.
 */
export async function readAlertContent(
  db: Db,
  reach: Reach,
  alert: StoredAlert,
  publicUrl: string | null,
): Promise<AlertContent | null> {
  const { type, run_id, created_at: timestamp } = alert
  const withUrl = <T extends { id: string }>(account: T) => ({
    ...account,
    url: publicUrl && `${publicUrl}/accounts/${account.id}`,
  })
  if (type === 'digest') throw new Error('A digest has no account: read it with readDigest.')
  if (type === 'account.suggested') {
    const { listed, total } = await suggestedAccounts(db, reach, alert.id)
    return total === 0 ? null : { type, timestamp, data: { run_id, accounts: listed.map(withUrl), total } }
  }
  const found = await accountOf(db, reach, alert.account_id)
  if (!found) return null
  const { status, is_within_reach, ...account } = found
  if (type === 'people.job_changed') {
    const { listed, total } = await moves(db, reach, alert.id)
    return total > 0 ? { type, timestamp, data: { account: withUrl(account), moves: listed, total } } : null
  }
  if (!is_within_reach) return null
  if (type === 'work_item.done') {
    const { listed, total } = await workItems(db, reach.workspace_id, alert.id)
    return total > 0 ? { type, timestamp, data: { account: withUrl(account), work_items: listed, total } } : null
  }
  if (status !== 'active') return null
  const { listed, total } = await detections(db, reach.workspace_id, alert.id)
  return total > 0 ? { type, timestamp, data: { run_id, account: withUrl(account), detections: listed, total } } : null
}

const ACCOUNT = ['id', 'name', 'domain', 'score', 'is_hot', 'why_now_md'] as const

/** With any status: people in a list may belong to any account. */
const accountOf = (db: Db, reach: Reach, id: string | null) =>
  db
    .selectFrom('accounts')
    .select([...ACCOUNT, 'status'])
    .select(withinReach(reach).as('is_within_reach'))
    .where('workspace_id', '=', reach.workspace_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** The accounts that are still suggested. */
async function suggestedAccounts(db: Db, reach: Reach, alertId: string) {
  const rows = await db
    .selectFrom('alert_items')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.workspace_id', '=', 'alert_items.workspace_id')
        .onRef('accounts.id', '=', 'alert_items.record_id'),
    )
    .select(ACCOUNT.map((column) => `accounts.${column}` as const))
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('alert_items.workspace_id', '=', reach.workspace_id)
    .where('alert_items.alert_id', '=', alertId)
    .where('accounts.status', '=', 'suggested')
    .where(withinReach(reach))
    .orderBy('accounts.score', 'desc')
    .orderBy('accounts.name')
    .orderBy('accounts.id')
    .limit(MAX_LISTED)
    .execute()
  return counted(rows)
}

async function detections(db: Db, workspaceId: string, alertId: string) {
  const { rows } = await sql<AlertDetection & { total: number }>`
    select d.id, d.signal_id, signals.name as signal_name, ${sql.raw(FINDING_HEADLINE)} as headline, d.alpha, d.icp_fit, d.detected_at,
      d.evidence, count(*) over () as total
    from alert_items as item
      join signal_detections as d on d.workspace_id = item.workspace_id and d.id = item.record_id and d.is_shown
      join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
    where item.workspace_id = ${workspaceId} and item.alert_id = ${alertId}
    order by d.alpha desc, d.detected_at desc, d.id limit ${MAX_LISTED}`.execute(db)
  return counted(rows.map((row) => ({ ...row, evidence: row.evidence.slice(0, MAX_EVIDENCE) })))
}

/** The moves of people who still exist. */
async function moves(db: Db, reach: Reach, alertId: string) {
  const { rows } = await sql<AlertMove & { total: number }>`
    select move.id, move.kind, ${MOVE_SENTENCE} as text, move.happened_on, move.evidence,
      json_build_object('id', people.id, 'full_name', people.full_name, 'network_url', people.network_url) as person,
      case when from_employer is not null then json_build_object('employer', from_employer, 'title', from_title) end as "from",
      case when to_employer is not null then json_build_object('employer', to_employer, 'title', to_title,
        'domain', to_domain, 'account_id', to_account_id) end as "to",
      count(*) over () as total
    from alert_items as item
      join person_moves as move on move.workspace_id = item.workspace_id and move.id = item.record_id
      join people on people.workspace_id = move.workspace_id and people.id = move.person_id
      join accounts on accounts.workspace_id = people.workspace_id and accounts.id = people.account_id
    where item.workspace_id = ${reach.workspace_id} and item.alert_id = ${alertId} and ${movesWithinReach(reach)}
    order by move.created_at desc, move.id limit ${MAX_LISTED}`.execute(db)
  return counted(rows.map((row) => ({ ...row, evidence: row.evidence.slice(0, MAX_EVIDENCE) })))
}

/** The work items that are still done. */
async function workItems(db: Db, workspaceId: string, alertId: string) {
  const { rows } = await sql<AlertWorkItem & { total: number }>`
    select work.id, work.state, work.outcome, work.note, work.changed_at,
      case when members.id is not null then json_build_object('id', members.id, 'name', members.name) end as changed_by,
      count(*) over () as total
    from alert_items as item
      join work_items as work on work.workspace_id = item.workspace_id and work.id = item.record_id and work.state = 'done'
      left join members on members.workspace_id = work.workspace_id and members.id = work.changed_by
    where item.workspace_id = ${workspaceId} and item.alert_id = ${alertId}
    order by work.changed_at desc, work.id limit ${MAX_LISTED}`.execute(db)
  return counted(rows)
}

function counted<T extends { total: number }>(rows: T[]) {
  return { listed: rows.map(({ total: _, ...rest }) => rest), total: rows[0]?.total ?? 0 }
}
