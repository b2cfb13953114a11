import { purgeAlerts, resumeAlerts, SEND_JOBS } from '../delivery/alerts/send.job.ts'
import { resumePushRuns } from '../delivery/channels/resume.job.ts'
import { pushCrm } from '../delivery/crm/push.job.ts'
import { purgeDeliveries } from '../delivery/webhook/purge-deliveries.job.ts'
import { pushWebhook } from '../delivery/webhook/push.job.ts'
import { purgeIdempotencyKeys } from '../http/idempotency.ts'
import { importUploadedAccounts, importUploadedCompanies, maintainImports } from '../imports/import-uploads.job.ts'
import { purgeImports } from '../imports/purge.job.ts'
import type { AnyJob } from '../jobs/queue.ts'
import { recheckEmail } from '../people/email/recheck.job.ts'
import { purgeOldSearches } from '../people/search/purge.job.ts'
import { redactErased } from '../privacy/redact.job.ts'
import { readCompanyProfile, readDueProfiles } from '../research/company-profile/read.job.ts'
import { discoverAccounts, resumeDiscoveries } from '../research/discovery/discover.job.ts'
import { rewriteDetectionTexts } from '../research/drafts/rewrite-texts.job.ts'
import { endForgottenRuns } from '../research/end-forgotten-runs.job.ts'
import { enrichAccount } from '../research/enrich.job.ts'
import { applyKnowledge } from '../research/knowledge-base/apply.job.ts'
import { purgeMonitorEvents } from '../research/monitor/purge.job.ts'
import { sweepMonitors } from '../research/monitor/sweep.job.ts'
import { followPeople } from '../research/moves/follow.job.ts'
import { noteKeptMoves } from '../research/moves/note.job.ts'
import { retryMoves } from '../research/moves/retry.job.ts'
import { redetectSignal } from '../research/redetect.job.ts'
import { rejudgeDocuments } from '../research/rejudge.job.ts'
import { rescoreAccounts } from '../research/rescore.job.ts'
import { rescanAccounts } from '../research/scan/rescan.job.ts'
import { scanAccount } from '../research/scan/scan.job.ts'
import { lookAtItems } from '../research/streams/look-at-items.job.ts'
import { purgeOldDocuments } from '../research/streams/purge.job.ts'
import { readAllStreams } from '../research/streams/read-streams.job.ts'
import { loadRoster } from '../research/sync-roster.job.ts'

/** Every job the service can run. A new one is declared next to its action and listed here. */
export const JOBS: AnyJob[] = [
  purgeIdempotencyKeys,
  purgeDeliveries,
  purgeOldDocuments,
  pushWebhook,
  pushCrm,
  resumePushRuns,
  endForgottenRuns,
  discoverAccounts,
  resumeDiscoveries,
  importUploadedCompanies,
  importUploadedAccounts,
  maintainImports,
  purgeImports,
  scanAccount,
  rescanAccounts,
  enrichAccount,
  rewriteDetectionTexts,
  redetectSignal,
  rejudgeDocuments,
  rescoreAccounts,
  applyKnowledge,
  SEND_JOBS.webhook,
  SEND_JOBS.chat,
  resumeAlerts,
  purgeAlerts,
  readCompanyProfile,
  readDueProfiles,
  sweepMonitors,
  purgeMonitorEvents,
  loadRoster,
  readAllStreams,
  lookAtItems,
  noteKeptMoves,
  followPeople,
  retryMoves,
  recheckEmail,
  purgeOldSearches,
  redactErased,
]
