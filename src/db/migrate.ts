import { readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { SetupError } from '../shared/errors.ts'
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

/** Migrates the schema to this version. Concurrent processes wait for each other; each migration runs once. */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  const checksums = readChecksums()
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, { up }]) => [name, { up: (db) => applyAndRecord(db, name, up, checksums) }]),
  ) satisfies Record<string, Migration>
  const migrator = new Migrator({
    db,
    // Called under the lock of the migrator, so nothing is applied between this check and the migrations.
    provider: { getMigrations: () => checkApplied(db, checksums).then(() => migrations) },
    // Kysely compares the order of application, in which a repaired database always differs; checkApplied compares names.
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}

/** Throws SetupError when the applied migrations do not match those of this version. */
async function checkApplied(db: Kysely<Database>, checksums: Map<string, string>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  const later = rows.find(({ name }) => !(name in MIGRATIONS))
  if (later) {
    throw new SetupError(
      `A later version has changed this database (${later.name}). Start that version, or restore a backup made before it.`,
    )
  }
  if (!applied.has(REPAIR)) return
  const last = rows.at(-1)?.name ?? ''
  const skipped = Object.keys(MIGRATIONS).find((name) => name < last && !applied.has(name))
  if (skipped) {
    throw new SetupError(
      `This database was made by a version that did not have the migration ${skipped}, but has later ones (${last}). ` +
        'Start the version that made it, or restore a backup made before it.',
    )
  }
  const recorded = await sql<{ name: string; checksum: string }>`
    select name, checksum from migration_checksums order by name`.execute(db)
  const changed = recorded.rows.find(({ name, checksum }) => checksums.get(name) !== checksum)
  if (changed) {
    throw new SetupError(
      `The migration ${changed.name} of this version is not the one that this database applied. ` +
        'Start the version that applied it, or restore a backup made before it.',
    )
  }
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
