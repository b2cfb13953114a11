import type { Db } from '../../db/connect.ts'

const FIELDS = ['name', 'domain', 'logo_url', 'business_context', 'scraped_meta', 'updated_at'] as const

export async function insertProfile(db: Db, workspaceId: string, known: { name: string; domain: string | null }) {
  await db
    .insertInto('company_profiles')
    .values({ workspace_id: workspaceId, ...known, scraped_meta: '{}' })
    .execute()
}

export function getProfile(db: Db, workspaceId: string) {
  return db
    .selectFrom('company_profiles')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
}
