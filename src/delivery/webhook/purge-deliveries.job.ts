import { defineJob } from '../../jobs/define.ts'
import { deleteOldDeliveries } from '../../resources/webhook-destinations/store.ts'

const KEEP_DAYS = 30

/** Forgets deliveries after 30 days. */
export const purgeDeliveries = defineJob({
  name: 'purge-deliveries',
  schedule: '43 2 * * *',
  run: ({ db }) => deleteOldDeliveries(db, KEEP_DAYS),
})
