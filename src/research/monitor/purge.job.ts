import { definePurge } from '../../jobs/purge.ts'
import { unvisitedRobots } from '../robots-store.ts'
import { looksWithNews, quietLooks } from './store.ts'

/** A site that nobody has visited for so long need not say whether its robots.txt is as it was. */
const ROBOTS_DAYS = 30

/** Forgets looks that found nothing new soon, the others as late as what was read. */
export const purgeMonitorEvents = definePurge('purge-monitor-events', 20, (config) => ({
  'looks without news': quietLooks(config.MONITOR_EVENTS_DAYS),
  'looks with news': looksWithNews(config.DOCUMENT_RETENTION_DAYS),
  'robots.txt of sites that nobody visits': unvisitedRobots(ROBOTS_DAYS),
}))
