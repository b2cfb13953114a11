import { definePurge } from '../../jobs/purge.ts'
import { oldPushRuns } from '../../resources/push-runs/store.ts'
import { oldDeliveries } from '../../resources/webhook-destinations/delivery-store.ts'

/** Forgets deliveries, and push runs that are over. */
export const purgeDeliveries = definePurge('purge-deliveries', 43, (config) => ({
  deliveries: oldDeliveries(config.DELIVERY_RETENTION_DAYS),
  'push rows': oldPushRuns(config.PUSH_RETENTION_DAYS),
}))
