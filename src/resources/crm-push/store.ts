import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { CrmProvider } from '../../db/schema.ts'

/** An account of a CRM: ids mean something only there. */
export type Portal = { provider: CrmProvider; portal: string }

type What = 'company' | 'contact'
const TABLE = { company: sql.table('crm_companies'), contact: sql.table('crm_contacts') }
const RECORD = { company: sql.ref('account_id'), contact: sql.ref('person_id') }

/** Where a record is, and hashes of what was written there by field. */
export type Remembered = { id: string; crm_id: string; written: Record<string, string> }

export async function findRemembered(
  db: Db,
  workspaceId: string,
  { provider, portal }: Portal,
  what: What,
  ids: string[],
): Promise<Map<string, Remembered>> {
  const { rows } = await sql<Remembered>`
    select ${RECORD[what]} as id, crm_id, written from ${TABLE[what]}
    where workspace_id = ${workspaceId} and provider = ${provider} and portal = ${portal}
      and ${RECORD[what]} = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** In one order for everybody: two workers that push the same records wait for each other and never in a circle. */
export async function remember(
  db: Db,
  workspaceId: string,
  { provider, portal }: Portal,
  what: What,
  rows: Remembered[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into ${TABLE[what]} (workspace_id, provider, portal, ${RECORD[what]}, crm_id, written)
    select ${workspaceId}::uuid, ${provider}, ${portal}, given.id, given.crm_id, given.written
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, crm_id text, written jsonb)
    join ${sql.table(what === 'company' ? 'accounts' : 'people')} as there
      on there.workspace_id = ${workspaceId} and there.id = given.id
    order by given.id
    on conflict (workspace_id, provider, portal, ${RECORD[what]}) do update
      set crm_id = excluded.crm_id, written = excluded.written, pushed_at = now()`.execute(db)
}
