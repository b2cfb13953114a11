import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import type { ListCache } from '../db/list-cache.ts'
import type { Classifier } from '../engine/classifier/index.ts'
import type { ParserPool } from '../engine/threads/pool.ts'
import type { Outbound } from '../outbound/client.ts'
import type { Mailer } from '../outbound/mail.ts'
import type { CrmClients } from '../providers/crm/clients.ts'
import type { ProviderHealth } from '../providers/health.ts'
import type { RobotsCache } from '../providers/robots-cache.ts'
import type { Member } from '../shared/member.ts'
import type { Secrets } from '../shared/secrets.ts'

/** Dependencies of actions, routes and jobs. Built once per process, in app/service.ts. */
export type Deps = {
  config: Config
  db: Db
  /** The connection pool, for statements that Kysely does not support: COPY. */
  pool: pg.Pool
  jobs: Jobs
  keys: Keys
  log: Logger
  secrets: Secrets
  outbound: Outbound
  /** Sends mail; null when no mail server is configured. */
  mailer: Mailer | null
  crmClients: CrmClients
  robots: RobotsCache
  health: ProviderHealth
  classifier: Classifier
  /** Worker threads that parse external documents. */
  parserPool: ParserPool
  /** Cache of list totals and pages. */
  lists: ListCache
  background: BackgroundWork
  /** The clock, injected so that tests can set the time. */
  now: () => Date
}

/** The part of the job queue that enqueues jobs; jobs/queue.ts implements it. */
export type Jobs = {
  enqueue: <P extends object>(db: Db, job: Enqueueable<P>, payload: P, options?: EnqueueOptions) => Promise<void>
  /** Enqueues many jobs of one kind in one statement. */
  enqueueAll: <P extends object>(db: Db, job: Enqueueable<P>, payloads: P[]) => Promise<void>
}

/** The part of a job that enqueueing needs: its name, and the payload type of its function. */
export type Enqueueable<P extends object> = {
  name: string
  run: (deps: never, payload: P, context: never) => Promise<void>
}

export type EnqueueOptions = {
  /** Seconds to wait before the first run. */
  startAfter?: number
}

/** Work that continues after its response was sent; jobs/background.ts implements it. */
export type BackgroundWork = { run: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T> }

/** An API key or a browser session. */
export type CallerCredential = { kind: 'key' | 'session'; secret: string }

/** Authenticates credentials and caches the result for a short time; resources/api-keys/authenticate.ts implements it. */
export type Keys = {
  /** The cached result of `authenticate`; undefined when a query is needed. */
  recall: (credential: CallerCredential) => Member | null | undefined
  /** Whether the key may be guessable, because a person chose it: a generated key has 256 random bits. */
  isGuessable: (key: string) => boolean
  /** The member of a valid credential, or null. From an `address` that its key does not allow, it does not count as used. */
  authenticate: (credential: CallerCredential, address?: string) => Promise<Member | null>
  /** Clears the cache: call it when keys, sessions or members change. */
  forget: () => void
}
