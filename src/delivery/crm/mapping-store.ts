import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { FieldMapping } from '../../providers/crm/vendor/types.ts'
import type { CrmAccount } from './store.ts'

/** What a workspace changed of the targets of its fields in one account of a CRM. */
export async function findFieldMapping(
  db: Db,
  workspaceId: string,
  { provider, vendorAccount }: CrmAccount,
): Promise<FieldMapping> {
  const row = await db
    .selectFrom('crm_syncs')
    .select('field_mapping')
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .where('portal', '=', vendorAccount)
    .executeTakeFirst()
  return row?.field_mapping ?? {}
}

/** Stores the mapping. Returns false when the workspace still has records of another account of the CRM. */
export async function saveFieldMapping(
  db: Db,
  workspaceId: string,
  { provider, vendorAccount }: CrmAccount,
  mapping: FieldMapping,
): Promise<boolean> {
  const saved = await db
    .insertInto('crm_syncs')
    .values({ workspace_id: workspaceId, provider, portal: vendorAccount, field_mapping: JSON.stringify(mapping) })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'provider'])
        .doUpdateSet({ field_mapping: JSON.stringify(mapping) })
        .where('crm_syncs.portal', '=', vendorAccount),
    )
    .returning('portal')
    .executeTakeFirst()
  return saved !== undefined
}

/** The newest accounts with findings, then the others; or people with an email, newest first. */
export async function listPreviewIds(
  db: Db,
  workspaceId: string,
  object: 'companies' | 'contacts',
  limit: number,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await (object === 'companies'
    ? sql<{ id: string; name: string }>`
        select id, name from accounts where workspace_id = ${workspaceId}
        order by last_signal_at desc nulls last, id desc limit ${limit}`
    : sql<{ id: string; name: string }>`
        select id, full_name as name from people where workspace_id = ${workspaceId} and email is not null
        order by created_at desc, id desc limit ${limit}`
  ).execute(db)
  return rows
}
