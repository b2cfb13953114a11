import { defineJob } from '../../jobs/define.ts'
import { deleteOldPushRuns } from '../../resources/push-runs/store.ts'
import { deleteOldDeliveries } from '../../resources/webhook-destinations/delivery-store.ts'

const KEEP_DELIVERIES_DAYS = 30
/** A run is asked about, and retried, for so long. */
const KEEP_RUNS_DAYS = 90

/** Forgets deliveries, and push runs that are over. */
export const purgeDeliveries = defineJob({
  name: 'purge-deliveries',
  schedule: '43 2 * * *',
  async run({ db }) {
    await deleteOldDeliveries(db, KEEP_DELIVERIES_DAYS)
    await deleteOldPushRuns(db, KEEP_RUNS_DAYS)
  },
})
