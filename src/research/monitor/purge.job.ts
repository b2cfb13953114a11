import { defineJob } from '../../jobs/define.ts'
import { purgeUnchanged } from './store.ts'

/** Forgets looks that found nothing new after as many days as the configuration says. */
export const purgeMonitorEvents = defineJob({
  name: 'purge-monitor-events',
  schedule: '20 3 * * *',
  async run({ db, config, log }) {
    const count = await purgeUnchanged(db, config.MONITOR_EVENTS_DAYS)
    if (count > 0) log.info({ count }, 'looks that found nothing new were forgotten')
  },
})
