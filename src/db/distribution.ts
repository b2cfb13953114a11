import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { SetupError } from '../shared/errors.ts'
import type { Database } from './schema.ts'
import { SHARD_FUNCTIONS } from './shard-functions.ts'

/** Marks a statement as one about all workspaces, which may run on every server of a distributed database. */
export const ALL_WORKSPACES = '/* all workspaces */'

/** The tables that are distributed by their column `workspace_id`, all co-located with `workspaces`. */
const BY_WORKSPACE = `
  account_activities account_boards account_registrations account_rosters account_technologies accounts
  alert_deliveries alert_items alert_rule_opt_outs alert_rules alerts api_keys audit_entries audit_heads audit_pending
  audit_streams chat_interactions companies company_facets company_profiles company_relations connections
  credits_taken crm_activities crm_companies crm_contacts crm_syncs custom_signal_examples deliveries documents
  erasure_scopes hiring_looks idempotency_keys import_chunks imports judgements knowledge_drafts knowledge_revisions
  knowledge_sections list_versions lookups mcp_uses member_identities member_profiles members model_readings
  monitor_events monitors notification_settings oauth_states openings people people_list_members people_lists
  people_search_hits people_searches people_suppressions person_jobs person_moves pulled_companies pulled_contacts
  pulled_deals pulled_owners push_ranges push_rows push_runs readings role_lookups run_candidates run_tasks
  run_unresolved runs second_readings sessions sign_in_links signal_detections signals subscription_periods
  subscriptions technology_looks watched_pages webhook_destinations work_item_events work_items
`
  .trim()
  .split(/\s+/)

/** The distribution column of each distributed table; tables that are not listed stay on the coordinator. */
export const DISTRIBUTED: ReadonlyMap<string, string> = new Map([
  ['workspaces', 'id'],
  ...BY_WORKSPACE.map((table) => [table, 'workspace_id'] as const),
  // Unique over all workspaces, and therefore not co-located with them.
  ['token_workspaces', 'hash'],
])

/** Tables with a column `workspace_id` that stay on the coordinator. */
export const COORDINATOR_TABLES: readonly string[] = ['installation']

/** Identity and reference columns that are `bigint` on a distributed database, where each server hands out numbers of its own. */
const WIDE_COLUMNS = [
  ['company_facets', 'id'],
  ['companies', 'facet_id'],
] as const

type ForeignKey = { name: string; table: string; target: string; definition: string; nulled: string[]; clears: boolean }

/**
 * Distributes the tables of a migrated database with the Citus extension, or those that a later version has added. Foreign keys
 * are dropped before and added after, because some tables refer to each other. All happens in one transaction. Returns the tables
 * that were distributed.
 */
export async function distribute(db: Kysely<Database>, onTable: (table: string) => void = () => {}): Promise<string[]> {
  const distributed = await listDistributed(db)
  if (distributed === null) {
    throw new SetupError(
      'This database has no Citus extension. Run "create extension citus" in it and add the workers with citus_add_node, or do not distribute it.',
    )
  }
  const pending = [...DISTRIBUTED.keys()].filter((table) => !distributed.has(table))
  await requireOnlyUser(db)
  await db.transaction().execute(async (db) => {
    await run(db, 'set local idle_in_transaction_session_timeout = 0')
    await run(db, 'set local statement_timeout = 0')
    // Tables with foreign keys between them are created on the shards one after another, on one connection each.
    await run(db, `set local citus.multi_shard_modify_mode = 'sequential'`)
    // Triggers write only co-located shards (shard-functions.ts).
    await run(db, 'set local citus.enable_unsafe_triggers = on')
    const keys = await dropForeignKeys(db, pending)
    for (const statement of await listPreparations(db, pending)) await run(db, statement)
    for (const statement of SHARD_FUNCTIONS) await run(db, statement)
    for (const table of pending) {
      onTable(table)
      await createDistributed(db, table)
    }
    for (const key of keys) await addForeignKey(db, key)
    for (const name of await listFunctions(db))
      await sql`select create_distributed_function(${name}::regprocedure)`.execute(db)
  })
  // The rows were copied to the shards; what is left in the tables of the coordinator cannot be read any more. Of all tables,
  // because an earlier run may have ended before this.
  for (const table of DISTRIBUTED.keys())
    await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(db)
  return pending
}

/** For a migration that adds a listed table: call it before the foreign keys of the table are added. */
export async function distributeNewTable(db: QueryExecutorProvider, table: string): Promise<void> {
  const distributed = await listDistributed(db)
  if (distributed && distributed.size > 0) await createDistributed(db, table)
}

/** After migrations, which write the functions of triggers for plain tables. */
export async function useShardFunctions(db: QueryExecutorProvider): Promise<void> {
  const distributed = await listDistributed(db)
  if (distributed && distributed.size > 0) for (const statement of SHARD_FUNCTIONS) await run(db, statement)
}

/** Throws SetupError when the database is distributed and a listed table is not. */
export async function requireDistributed(db: Kysely<Database>): Promise<void> {
  const distributed = await listDistributed(db)
  if (!distributed || distributed.size === 0) return
  const local = [...DISTRIBUTED.keys()].filter((table) => !distributed.has(table))
  if (local.length === 0) return
  throw new SetupError(
    `This database is distributed, but not its ${local.length === 1 ? 'table' : 'tables'} ${local.join(', ')}. Stop all processes and run "bellwether distribute".`,
  )
}

/** The listed tables that are distributed; null without the Citus extension. */
export async function listDistributed(db: QueryExecutorProvider): Promise<Set<string> | null> {
  const known = await sql<{ exists: boolean }>`select to_regclass('pg_dist_partition') is not null as exists`.execute(
    db,
  )
  if (!known.rows[0]?.exists) return null
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid`.execute(db)
  return new Set(rows.map(({ name }) => name).filter((name) => DISTRIBUTED.has(name)))
}

/** Throws SetupError while the service runs: it would write rows that the copy to the shards does not contain. */
async function requireOnlyUser(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'bellwether%' and pid <> pg_backend_pid()`.execute(db)
  if ((rows[0]?.count ?? 0) === 0) return
  throw new SetupError('Processes of the service are connected to this database. Stop them all, then run this again.')
}

/** Drops the foreign keys of and to these tables, and returns those that distributed tables can have. */
async function dropForeignKeys(db: QueryExecutorProvider, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conname as name, conrelid::regclass::text as table, confrelid::regclass::text as target,
      pg_get_constraintdef(oid) as definition, confdeltype = 'n' as clears,
      array(select attname::text from unnest(confdelsetcols) as number
        join pg_attribute on attrelid = conrelid and attnum = number) as nulled
    from pg_constraint
    where contype = 'f' and (conrelid::regclass::text = any(${tables}::text[]) or confrelid::regclass::text = any(${tables}::text[]))
    order by conrelid::regclass::text, conname`.execute(db)
  for (const { name, table } of rows) await run(db, `alter table ${table} drop constraint ${name}`)
  return rows.filter(({ table }) => DISTRIBUTED.has(table))
}

/**
 * Adds a foreign key again. A distributed table cannot set a column of the key to null when the row it refers to is deleted, so a
 * trigger on the deleted row does.
 */
async function addForeignKey(db: QueryExecutorProvider, key: ForeignKey): Promise<void> {
  const { name, table, target, definition, nulled, clears } = key
  const plain = definition.replace(/ ON DELETE SET NULL( \([^)]*\))?/, '')
  await run(db, `alter table ${table} add constraint ${name} ${clears ? plain : definition}`)
  if (!clears) return
  await run(
    db,
    `create trigger clear_${name} before delete on ${target} for each row execute function clear_reference('${table}', '${nulled.join()}')`,
  )
}

/** What must change in these tables before they are distributed. */
async function listPreparations(db: QueryExecutorProvider, tables: readonly string[]): Promise<string[]> {
  const narrow = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'integer'`.execute(db)
  const isNarrow = new Set(narrow.rows.map(({ name }) => name))
  const widened = WIDE_COLUMNS.filter(([table, column]) => isNarrow.has(`${table}.${column}`))
  // The type of a column that a trigger names cannot be changed.
  const triggers = await sql<{ name: string; table: string; definition: string }>`
    select tgname as name, tgrelid::regclass::text as table, pg_get_triggerdef(oid) as definition from pg_trigger
    where not tgisinternal and tgrelid::regclass::text = any(${widened.map(([table]) => table)}::text[])`.execute(db)
  // Written by the service: a trigger cannot write a table with another distribution.
  const located = await sql<{ name: string }>`
    select tgrelid::regclass::text as name from pg_trigger where tgname = 'locate_token'`.execute(db)
  return [
    ...triggers.rows.map(({ name, table }) => `drop trigger ${name} on ${table}`),
    ...widened.map(([table, column]) => `alter table ${table} alter column ${column} type bigint`),
    ...triggers.rows.map(({ definition }) => definition),
    ...located.rows
      .filter(({ name }) => tables.includes(name))
      .map(({ name }) => `drop trigger locate_token on ${name}`),
  ]
}

/** The functions of the schema that queries call; those of triggers follow their tables. */
async function listFunctions(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select pg_proc.oid::regprocedure::text as name from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

async function run(db: QueryExecutorProvider, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

async function createDistributed(db: QueryExecutorProvider, table: string): Promise<void> {
  const colocation = table === 'workspaces' || table === 'token_workspaces' ? 'none' : 'workspaces'
  await sql`select create_distributed_table(${table}::regclass, ${DISTRIBUTED.get(table)}, colocate_with => ${colocation})`.execute(
    db,
  )
}
