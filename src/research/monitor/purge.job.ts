import { defineJob } from '../../jobs/define.ts'
import { purgeRobotsFiles } from '../robots-store.ts'
import { purgeUnchanged } from './store.ts'

/** A site that nobody has visited for so long need not say whether its robots.txt is as it was. */
const ROBOTS_DAYS = 30

/** Forgets looks that found nothing new after as many days as the configuration says. */
export const purgeMonitorEvents = defineJob({
  name: 'purge-monitor-events',
  schedule: '20 3 * * *',
  async run({ db, config, log }) {
    await purgeRobotsFiles(db, ROBOTS_DAYS)
    const count = await purgeUnchanged(db, config.MONITOR_EVENTS_DAYS)
    if (count > 0) log.info({ count }, 'looks that found nothing new were forgotten')
  },
})
