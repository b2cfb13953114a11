import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // How a document was read: in which language it is, and how its day was found. Unknown of what was read before.
  await db.schema.alterTable('documents').addColumn('language', 'text').addColumn('published_by', 'text').execute()
}
