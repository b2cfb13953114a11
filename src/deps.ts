import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/connect.ts'
import type { Queue } from './jobs/queue.ts'
import type { UrlPolicy } from './outbound/url-policy.ts'
import type { Authenticator } from './resources/api-keys/authenticate.ts'
import type { Secrets } from './secrets.ts'

/** What verbs, routes and jobs work with. Built once, in main.ts. */
export type Deps = {
  config: Config
  db: Db
  jobs: Queue
  keys: Authenticator
  log: Logger
  secrets: Secrets
  urls: UrlPolicy
}
