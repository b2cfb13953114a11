import { purgeIdempotencyKeys } from '../http/idempotency.ts'
import type { AnyJob } from '../jobs/queue.ts'

/** Every job the service can run. A new one is declared beside its verb and listed here. */
export const JOBS: AnyJob[] = [purgeIdempotencyKeys]
