import { purgeIdempotencyKeys } from '../http/idempotency.ts'
import type { AnyJob } from '../jobs/queue.ts'
import { enrichAccount } from './accounts/enrich.job.ts'
import { rescanAccounts } from './accounts/rescan.job.ts'
import { scanAccount } from './accounts/scan.job.ts'
import { purgeAlerts, resumeAlerts, SEND_JOBS } from './alerts/send.job.ts'
import { readCompanyProfile, readDueProfiles } from './company-profile/read.job.ts'
import { pushCrm } from './crm-push/push.job.ts'
import { redetectSignal } from './detections/redetect.job.ts'
import { rescoreAccounts } from './detections/rescore.job.ts'
import { wordDetections } from './detections/word.job.ts'
import { purgeOldDocuments } from './documents/purge.job.ts'
import { purgeMonitorEvents } from './monitor/purge.job.ts'
import { sweepMonitors } from './monitor/sweep.job.ts'
import { recheckEmail } from './people/recheck.job.ts'
import { syncRoster } from './people/sync.job.ts'
import { discoverAccounts, resumeDiscoveries } from './runs/discover.job.ts'
import { endForgottenRuns } from './runs/resume.job.ts'
import { purgeDeliveries } from './webhook-destinations/purge.job.ts'
import { pushWebhook, resumePushRuns } from './webhook-push/push.job.ts'

/** Every job the service can run. A new one is declared beside its verb and listed here. */
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
  scanAccount,
  rescanAccounts,
  enrichAccount,
  wordDetections,
  redetectSignal,
  rescoreAccounts,
  SEND_JOBS.webhook,
  SEND_JOBS.chat,
  resumeAlerts,
  purgeAlerts,
  readCompanyProfile,
  readDueProfiles,
  sweepMonitors,
  purgeMonitorEvents,
  syncRoster,
  recheckEmail,
]
