import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { SetupError } from '../errors.ts'
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
}

/** Brings the schema up to date. Processes that start together wait for each other; each migration runs once. */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error, results = [] } = await migrator.migrateToLatest()
  const [, later] = /previously executed migration (\S+) is missing/.exec((error as Error)?.message ?? '') ?? []
  if (later) {
    throw new SetupError(
      `A later version has changed this database (${later}). Start that version, or restore a backup made before it.`,
    )
  }
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}
