import { closeAbandoned, purgeAudit } from '../audit/jobs.ts'
import { takeDueBackup } from '../backup/scheduled.ts'
import { streamAudit } from '../delivery/audit-stream.ts'
import { ALERT_JOBS, PUSH_JOBS, purgeAlerts, purgeDeliveries, resumeDeliveries } from '../delivery/job.ts'
import { purgeIdempotencyKeys } from '../http/idempotency.ts'
import {
  importUploadedAccounts,
  importUploadedCompanies,
  maintainImports,
  purgeImports,
} from '../imports/import-uploads.job.ts'
import type { AnyJob } from '../jobs/queue.ts'
import { recheckEmail } from '../people/email/recheck.job.ts'
import { purgeOldSearches } from '../people/search/purge.job.ts'
import { redactErasedPeople } from '../privacy/redact.job.ts'
import { rescoreAccounts } from '../research/assess.ts'
import { readCompanyProfile, readDueProfiles } from '../research/company-profile/read.ts'
import { pullCrms } from '../research/crm/pull.ts'
import { discoverAccounts, resumeDiscoveries } from '../research/discovery/discover.job.ts'
import { enrichAccount, loadRoster } from '../research/enrich.ts'
import { fillAccounts } from '../research/fill-accounts.job.ts'
import { applyKnowledge } from '../research/knowledge-base/apply.ts'
import { purgeMonitorEvents, sweepMonitors } from '../research/monitor/sweep.ts'
import { detectMovesInDocuments } from '../research/moves/detect-moves.ts'
import { followPeople } from '../research/moves/follow.job.ts'
import { retryMoves } from '../research/moves/record-moves.ts'
import { redetectSignal, rejudgeDocuments } from '../research/redetect.ts'
import { failAbandonedRuns, rescanAccounts, scanAccount } from '../research/scan/scan.ts'
import { detectInStreamItems, readAllStreams } from '../research/streams/match.ts'
import { purgeOldDocuments } from '../research/streams/purge.job.ts'
import { applyRelationships } from '../research/work-items/apply-relationships.job.ts'
import { wakeWorkItems } from '../research/work-items/change.ts'
import { answerInteraction, purgeInteractions, sendOutcome } from '../research/work-items/chat.ts'
import { openDueDeals } from '../research/work-items/lost-deals.job.ts'
import { redraftAccounts, rewriteDetectionTexts } from '../resources/drafts/redraft.ts'

/** Every job the service can run. A new one is declared next to its action and listed here. */
export const JOBS: AnyJob[] = [
  purgeIdempotencyKeys,
  closeAbandoned,
  purgeAudit,
  streamAudit,
  purgeDeliveries,
  purgeOldDocuments,
  PUSH_JOBS.webhook,
  PUSH_JOBS.crm,
  failAbandonedRuns,
  discoverAccounts,
  resumeDiscoveries,
  importUploadedCompanies,
  importUploadedAccounts,
  maintainImports,
  purgeImports,
  scanAccount,
  rescanAccounts,
  enrichAccount,
  fillAccounts,
  redraftAccounts,
  rewriteDetectionTexts,
  redetectSignal,
  rejudgeDocuments,
  rescoreAccounts,
  wakeWorkItems,
  openDueDeals,
  applyRelationships,
  answerInteraction,
  sendOutcome,
  purgeInteractions,
  applyKnowledge,
  ...Object.values(ALERT_JOBS),
  resumeDeliveries,
  purgeAlerts,
  readCompanyProfile,
  readDueProfiles,
  pullCrms,
  sweepMonitors,
  purgeMonitorEvents,
  loadRoster,
  readAllStreams,
  detectInStreamItems,
  detectMovesInDocuments,
  followPeople,
  retryMoves,
  recheckEmail,
  purgeOldSearches,
  redactErasedPeople,
  takeDueBackup,
]
