import { sql } from 'kysely'
import type { AlertType } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import type { AlertContent, AlertDetection, AlertMove } from './schema.ts'

/** An alert lists its strongest items and their total number. */
const MAX_LISTED = 20
const MAX_EVIDENCE = 5

type Alert = { id: string; type: AlertType; account_id: string | null; run_id: string | null; created_at: string }

/** The current content of an alert. Null when nothing is left to report: the account is not active, or all items are gone. */
export async function readAlertContent(
  db: Db,
  workspaceId: string,
  alert: Alert,
  publicUrl: string | null,
): Promise<AlertContent | null> {
  const { type, run_id, created_at: timestamp } = alert
  const withUrl = <T extends { id: string }>(account: T) => ({
    ...account,
    url: publicUrl && `${publicUrl}/accounts/${account.id}`,
  })
  if (type === 'account.suggested') {
    const { listed, total } = await suggestedAccounts(db, workspaceId, alert.id)
    return total === 0 ? null : { type, timestamp, data: { run_id, accounts: listed.map(withUrl), total } }
  }
  if (type === 'people.job_changed') {
    const [account, { listed, total }] = await Promise.all([
      accountOf(db, workspaceId, alert.account_id),
      moves(db, workspaceId, alert.id),
    ])
    return account && total > 0 ? { type, timestamp, data: { account: withUrl(account), moves: listed, total } } : null
  }
  const [account, { listed, total }] = await Promise.all([
    activeAccount(db, workspaceId, alert.account_id),
    detections(db, workspaceId, alert.id),
  ])
  if (!account || total === 0) return null
  return { type, timestamp, data: { run_id, account: withUrl(account), detections: listed, total } }
}

const ACCOUNT = ['id', 'name', 'domain', 'score', 'is_hot', 'why_now_md'] as const

const selectAccount = (db: Db, workspaceId: string, id: string | null) =>
  db.selectFrom('accounts').select(ACCOUNT).where('workspace_id', '=', workspaceId).where('id', '=', id)

const activeAccount = (db: Db, workspaceId: string, id: string | null) =>
  selectAccount(db, workspaceId, id).where('status', '=', 'active').executeTakeFirst()

/** With any status: people in a list may belong to any account. */
const accountOf = (db: Db, workspaceId: string, id: string | null) =>
  selectAccount(db, workspaceId, id).executeTakeFirst()

/** The accounts that are still suggested. */
async function suggestedAccounts(db: Db, workspaceId: string, alertId: string) {
  const rows = await db
    .selectFrom('alert_items')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.workspace_id', '=', 'alert_items.workspace_id')
        .onRef('accounts.id', '=', 'alert_items.record_id'),
    )
    .select(ACCOUNT.map((column) => `accounts.${column}` as const))
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('alert_items.workspace_id', '=', workspaceId)
    .where('alert_items.alert_id', '=', alertId)
    .where('accounts.status', '=', 'suggested')
    .orderBy('accounts.score', 'desc')
    .orderBy('accounts.name')
    .orderBy('accounts.id')
    .limit(MAX_LISTED)
    .execute()
  return counted(rows)
}

async function detections(db: Db, workspaceId: string, alertId: string) {
  const { rows } = await sql<AlertDetection & { total: number }>`
    select d.id, d.signal_id, signals.name as signal_name, d.headline, d.alpha, d.icp_fit, d.detected_at,
      d.evidence, count(*) over () as total
    from alert_items as item
      join signal_detections as d on d.workspace_id = item.workspace_id and d.id = item.record_id and d.is_shown
      join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
    where item.workspace_id = ${workspaceId} and item.alert_id = ${alertId}
    order by d.alpha desc, d.detected_at desc, d.id limit ${MAX_LISTED}`.execute(db)
  return counted(rows.map((row) => ({ ...row, evidence: row.evidence.slice(0, MAX_EVIDENCE) })))
}

/** The moves of people who still exist. */
async function moves(db: Db, workspaceId: string, alertId: string) {
  const { rows } = await sql<AlertMove & { total: number }>`
    select move.id, move.kind, move_sentence(people.full_name, move) as text, move.happened_on, move.evidence,
      json_build_object('id', people.id, 'full_name', people.full_name, 'network_url', people.network_url) as person,
      case when from_employer is not null then json_build_object('employer', from_employer, 'title', from_title) end as "from",
      case when to_employer is not null then json_build_object('employer', to_employer, 'title', to_title,
        'domain', to_domain, 'account_id', to_account_id) end as "to",
      count(*) over () as total
    from alert_items as item
      join person_moves as move on move.workspace_id = item.workspace_id and move.id = item.record_id
      join people on people.workspace_id = move.workspace_id and people.id = move.person_id
    where item.workspace_id = ${workspaceId} and item.alert_id = ${alertId}
    order by move.created_at desc, move.id limit ${MAX_LISTED}`.execute(db)
  return counted(rows.map((row) => ({ ...row, evidence: row.evidence.slice(0, MAX_EVIDENCE) })))
}

function counted<T extends { total: number }>(rows: T[]) {
  return { listed: rows.map(({ total: _, ...rest }) => rest), total: rows[0]?.total ?? 0 }
}
