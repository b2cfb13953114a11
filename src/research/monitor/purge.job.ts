import { definePurge } from '../../jobs/purge.ts'
import { looksWithNews, quietLooks } from './store.ts'

/** Forgets looks that found nothing new soon, the others as late as what was read. */
export const purgeMonitorEvents = definePurge('purge-monitor-events', 20, (config) => ({
  'looks without news': quietLooks(config.MONITOR_EVENTS_DAYS),
  'looks with news': looksWithNews(config.DOCUMENT_RETENTION_DAYS),
}))
