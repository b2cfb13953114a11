import { readFileSync } from 'node:fs'
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { SetupError } from '../shared/errors.ts'
import { useShardFunctions } from './distribution.ts'
import * as foundation from './migrations/0001-foundation.ts'
import * as accountsAndPeople from './migrations/0002-accounts-and-people.ts'
import * as webhooks from './migrations/0003-webhooks.ts'
import * as research from './migrations/0004-research.ts'
import * as monitor from './migrations/0005-monitor.ts'
import * as companies from './migrations/0006-companies.ts'
import * as alertsAndCompanyProfile from './migrations/0007-alerts-and-company-profile.ts'
import * as peopleResearch from './migrations/0008-people-research.ts'
import * as crm from './migrations/0009-crm.ts'
import * as crmCare from './migrations/0012-crm-care.ts'
import * as reader from './migrations/0013-reader.ts'
import * as edits from './migrations/0015-edits.ts'
import * as peopleSearches from './migrations/0016-people-searches.ts'
import * as pushOutcomes from './migrations/0019-push-outcomes.ts'
import * as companyUploads from './migrations/0020-company-uploads.ts'
import * as drafts from './migrations/0021-drafts.ts'
import * as erasure from './migrations/0022-erasure.ts'
import * as lostWorkers from './migrations/0023-lost-workers.ts'
import * as rights from './migrations/0024-rights.ts'
import * as sessions from './migrations/0025-sessions.ts'
import * as feedback from './migrations/0026-feedback.ts'
import * as outlets from './migrations/0027-outlets.ts'
import * as accountImports from './migrations/0028-account-imports.ts'
import * as consoleKnowledge from './migrations/0029-console-knowledge.ts'
import * as mcp from './migrations/0030-mcp.ts'
import * as listVersions from './migrations/0032-list-versions.ts'
import * as pushRanges from './migrations/0033-push-ranges.ts'
import * as monitorCache from './migrations/0034-monitor-cache.ts'
import * as facetOrder from './migrations/0035-facet-order.ts'
import * as retention from './migrations/0037-retention.ts'
import * as facetMoves from './migrations/0038-facet-moves.ts'
import * as readDocuments from './migrations/0039-read-documents.ts'
import * as streams from './migrations/0040-streams.ts'
import * as technologies from './migrations/0041-technologies.ts'
import * as hiring from './migrations/0042-hiring.ts'
import * as peopleWhoMove from './migrations/0043-people-who-move.ts'
import * as modelReadings from './migrations/0044-model-readings.ts'
import * as repair from './migrations/0045-repair.ts'
import * as erasureVersions from './migrations/0046-erasure-versions.ts'
import * as peopleSources from './migrations/0047-people-sources.ts'
import * as inlinePushesAndConsent from './migrations/0048-inline-pushes-and-consent.ts'
import * as accountFacts from './migrations/0049-account-facts.ts'
import * as failingPagesAndProofs from './migrations/0050-failing-pages-and-proofs.ts'
import * as lossesByWorker from './migrations/0051-losses-by-worker.ts'
import * as namesOfRuns from './migrations/0052-names-of-runs.ts'
import * as customSignalExamples from './migrations/0053-custom-signal-examples.ts'
import * as secondReader from './migrations/0054-second-reader.ts'
import * as workItems from './migrations/0055-work-items.ts'
import * as alertRules from './migrations/0056-alert-rules.ts'
import * as crmActivities from './migrations/0057-crm-activities.ts'
import * as chatInteractions from './migrations/0058-chat-interactions.ts'
import * as profiles from './migrations/0059-profiles.ts'
import * as importedAccounts from './migrations/0060-imported-accounts.ts'
import * as setup from './migrations/0061-setup.ts'
import * as messageDrafts from './migrations/0062-message-drafts.ts'
import * as crmSource from './migrations/0063-crm-source.ts'
import * as crmPull from './migrations/0064-crm-pull.ts'
import * as crmUse from './migrations/0065-crm-use.ts'
import * as crmMoves from './migrations/0067-crm-moves.ts'
import * as findingSources from './migrations/0068-finding-sources.ts'
import * as signInByProvider from './migrations/0069-sign-in-by-provider.ts'
import * as audit from './migrations/0070-audit.ts'
import * as backups from './migrations/0071-backups.ts'
import * as keyLimits from './migrations/0072-key-limits.ts'
import * as secretKeys from './migrations/0073-secret-keys.ts'
import * as companyGraph from './migrations/0074-company-graph.ts'
import * as unresolved from './migrations/0075-unresolved.ts'
import * as workforceBasis from './migrations/0076-workforce-basis.ts'
import * as accountBoards from './migrations/0077-account-boards.ts'
import * as streamLeads from './migrations/0078-stream-leads.ts'
import * as distribution from './migrations/0079-distribution.ts'
import * as accountCounts from './migrations/0080-account-counts.ts'
import * as pushRows from './migrations/0081-push-rows.ts'
import type { Database } from './schema.ts'

const MIGRATIONS: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-accounts-and-people': accountsAndPeople,
  '0003-webhooks': webhooks,
  '0004-research': research,
  '0005-monitor': monitor,
  '0006-companies': companies,
  '0007-alerts-and-company-profile': alertsAndCompanyProfile,
  '0008-people-research': peopleResearch,
  '0009-crm': crm,
  '0012-crm-care': crmCare,
  '0013-reader': reader,
  '0015-edits': edits,
  '0016-people-searches': peopleSearches,
  '0019-push-outcomes': pushOutcomes,
  '0020-company-uploads': companyUploads,
  '0021-drafts': drafts,
  '0022-erasure': erasure,
  '0023-lost-workers': lostWorkers,
  '0024-rights': rights,
  '0025-sessions': sessions,
  '0026-feedback': feedback,
  '0027-outlets': outlets,
  '0028-account-imports': accountImports,
  '0029-console-knowledge': consoleKnowledge,
  '0030-mcp': mcp,
  '0032-list-versions': listVersions,
  '0033-push-ranges': pushRanges,
  '0034-monitor-cache': monitorCache,
  '0035-facet-order': facetOrder,
  '0037-retention': retention,
  '0038-facet-moves': facetMoves,
  '0039-read-documents': readDocuments,
  '0040-streams': streams,
  '0041-technologies': technologies,
  '0042-hiring': hiring,
  '0043-people-who-move': peopleWhoMove,
  '0044-model-readings': modelReadings,
  '0045-repair': repair,
  '0046-erasure-versions': erasureVersions,
  '0047-people-sources': peopleSources,
  '0048-inline-pushes-and-consent': inlinePushesAndConsent,
  '0049-account-facts': accountFacts,
  '0050-failing-pages-and-proofs': failingPagesAndProofs,
  '0051-losses-by-worker': lossesByWorker,
  '0052-names-of-runs': namesOfRuns,
  '0053-custom-signal-examples': customSignalExamples,
  '0054-second-reader': secondReader,
  '0055-work-items': workItems,
  '0057-crm-activities': crmActivities,
  '0058-chat-interactions': chatInteractions,
  '0056-alert-rules': alertRules,
  '0059-profiles': profiles,
  '0060-imported-accounts': importedAccounts,
  '0061-setup': setup,
  '0062-message-drafts': messageDrafts,
  '0063-crm-source': crmSource,
  '0064-crm-pull': crmPull,
  '0065-crm-use': crmUse,
  '0067-crm-moves': crmMoves,
  '0068-finding-sources': findingSources,
  '0069-sign-in-by-provider': signInByProvider,
  '0070-audit': audit,
  '0071-backups': backups,
  '0072-key-limits': keyLimits,
  '0073-secret-keys': secretKeys,
  '0074-company-graph': companyGraph,
  '0075-unresolved': unresolved,
  '0076-workforce-basis': workforceBasis,
  '0077-account-boards': accountBoards,
  '0078-stream-leads': streamLeads,
  '0079-distribution': distribution,
  '0080-account-counts': accountCounts,
  '0081-push-rows': pushRows,
}

/**
 * The first migration after which checksums of applied migrations are recorded. Earlier ones were edited and inserted after
 * they had been applied; this one repairs the differences, so only migrations before it may be applied out of order.
 */
const REPAIR = '0045-repair'

/** The checksum of each migration file, written by `npm run migrations:seal`. */
function readChecksums(): Map<string, string> {
  const lines = readFileSync(new URL('migrations.sha256', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return new Map(
    lines.map((line) => {
      const [checksum, file] = line.split(/ +/) as [string, string]
      return [file.replace(/^migrations\/|\.ts$/g, ''), checksum]
    }),
  )
}

/** SQL: the advisory lock of a migration and of a backup, which therefore wait for each other before they lock any table. */
export const SCHEMA_LOCK = `hashtextextended('bellwether backup', 0)`

/** The lock of Kysely's migrator, which earlier versions take for their session. */
const MIGRATION_LOCK = 3853314791062309107n

/** A migration that a database has applied. The checksum is null when it was applied before checksums were recorded. */
export type AppliedMigration = { name: string; checksum: string | null }

/**
 * Migrates the schema to this version, or applies only the named migrations. Concurrent processes wait for each other, and for
 * a backup, which is reported; each migration runs once. All run in one transaction: when one fails, the schema stays as it was.
 */
export async function migrate(
  db: Kysely<Database>,
  only?: ReadonlySet<string>,
  onWait: () => void = () => {},
): Promise<string[]> {
  const checksums = readChecksums()
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS)
      .filter(([name]) => only?.has(name) ?? true)
      .map(([name, { up }]) => [
        name,
        { up: (db) => lockSchema(db, onWait).then(() => applyAndRecord(db, name, up, checksums)) },
      ]),
  ) satisfies Record<string, Migration>
  const run = async (db: Kysely<Database>) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db)
    const migrator = new Migrator({
      db,
      // Called under the lock, so nothing is applied between this check and the migrations.
      provider: { getMigrations: () => checkApplied(db).then(() => migrations) },
      // Kysely compares the order of application, in which a repaired database always differs; checkApplied compares names.
      allowUnorderedMigrations: true,
    })
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error) throw error
    if (results.length > 0) await useShardFunctions(db)
    return results.map(({ migrationName }) => migrationName)
  }
  // A restore migrates in its own transaction.
  return db.isTransaction ? run(db) : db.transaction().execute(run)
}

/** The migrations that `migrate` would apply. Changes nothing. Throws SetupError when it would refuse to. */
export async function listPendingMigrations(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  const applied = rows[0]?.exists ? await checkApplied(db) : []
  const names = new Set(applied.map(({ name }) => name))
  return Object.keys(MIGRATIONS)
    .filter((name) => !names.has(name))
    .sort()
}

/** Throws SetupError when the applied migrations do not match those of this version. */
async function checkApplied(db: Kysely<Database>): Promise<AppliedMigration[]> {
  const applied = await listAppliedMigrations(db)
  checkMigrations(applied, 'database')
  return applied
}

/** The migrations of a database that has been migrated, ordered by name. */
export async function listAppliedMigrations(db: Kysely<Database>): Promise<AppliedMigration[]> {
  const { rows } = await sql<{ name: string; checksum: string | null }>`
    select name, null as checksum from kysely_migration order by name collate "C"`.execute(db)
  if (!rows.some(({ name }) => name === REPAIR)) return rows
  const recorded = await sql<{ name: string; checksum: string }>`
    select name, checksum from migration_checksums`.execute(db)
  const checksums = new Map(recorded.rows.map(({ name, checksum }) => [name, checksum]))
  return rows.map(({ name }) => ({ name, checksum: checksums.get(name) ?? null }))
}

/** Throws SetupError when the migrations of a database or a backup are not those of this version. Ordered by name. */
export function checkMigrations(applied: readonly AppliedMigration[], what: 'database' | 'backup'): void {
  const instead = what === 'database' ? 'Start' : 'Restore it with'
  const orOlder = what === 'database' ? ', or restore a backup made before it' : ''
  const later = applied.find(({ name }) => !(name in MIGRATIONS))
  if (later) {
    throw new SetupError(
      what === 'database'
        ? `A later version has changed this database (${later.name}). Start that version${orOlder}.`
        : `A later version made this backup (${later.name}). Restore it with that version.`,
    )
  }
  const names = new Set(applied.map(({ name }) => name))
  if (!names.has(REPAIR)) return
  const last = applied.at(-1)?.name ?? ''
  const skipped = Object.keys(MIGRATIONS).find((name) => name < last && !names.has(name))
  if (skipped) {
    throw new SetupError(
      `This ${what} was made by a version that did not have the migration ${skipped}, but has later ones (${last}). ` +
        `${instead} the version that made it${orOlder}.`,
    )
  }
  const checksums = readChecksums()
  const changed = applied.find(({ name, checksum }) => checksum !== null && checksums.get(name) !== checksum)
  if (changed) {
    throw new SetupError(
      `The migration ${changed.name} of this version is not the one that this ${what} applied. ` +
        `${instead} the version that applied it${orOlder}.`,
    )
  }
}

/** Waits for a running backup, and keeps the next one waiting until the migrations are committed. */
async function lockSchema(db: QueryExecutorProvider, onWait: () => void): Promise<void> {
  const lock = sql.raw(SCHEMA_LOCK)
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lock}) as free`.execute(db)
  if (rows[0]?.free) return
  onWait()
  await sql`select pg_advisory_xact_lock(${lock})`.execute(db)
}

/** Holds this lock while another schema than that of the migrations changes. */
export async function withSchemaLock(
  db: Kysely<Database>,
  onWait: () => void,
  run: () => Promise<unknown>,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    // The transaction is idle while the other connection works.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
    await lockSchema(db, onWait)
    await run()
  })
}

/** Applies a migration and records its checksum. The repair also records those applied before it. */
async function applyAndRecord(
  db: Kysely<unknown>,
  name: string,
  up: Migration['up'],
  checksums: Map<string, string>,
): Promise<void> {
  await up(db)
  if (name < REPAIR) return
  await sql`
    insert into migration_checksums (name, checksum)
    select name, checksum from unnest(${[...checksums.keys()]}::text[], ${[...checksums.values()]}::text[]) as listed (name, checksum)
    where name = ${name} or name in (select name from kysely_migration)
    on conflict do nothing`.execute(db)
}
