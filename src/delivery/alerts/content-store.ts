import { sql } from 'kysely'
import type { AlertType } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import type { AlertContent, AlertDetection } from './schema.ts'

/** An alert names the strongest of what it is about, and how many there are. */
const MAX_LISTED = 20
const MAX_EVIDENCE = 5

type Alert = { id: string; type: AlertType; account_id: string | null; run_id: string | null; created_at: string }

/** What the alert says now. Null when there is nothing left to tell: the account is no longer watched, or all of it is gone. */
export async function readContent(
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
  const [account, { listed, total }] = await Promise.all([
    activeAccount(db, workspaceId, alert.account_id),
    detections(db, workspaceId, alert.id),
  ])
  if (!account || total === 0) return null
  return { type, timestamp, data: { run_id, account: withUrl(account), detections: listed, total } }
}

const ACCOUNT = ['id', 'name', 'domain', 'score', 'is_hot', 'why_now_md'] as const

function activeAccount(db: Db, workspaceId: string, id: string | null) {
  return db
    .selectFrom('accounts')
    .select(ACCOUNT)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst()
}

/** Those nobody has decided on yet. */
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

function counted<T extends { total: number }>(rows: T[]) {
  return { listed: rows.map(({ total: _, ...rest }) => rest), total: rows[0]?.total ?? 0 }
}
