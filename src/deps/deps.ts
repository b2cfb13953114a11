import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import type { KnownLists } from '../db/known-lists.ts'
import type { Classifier } from '../engine/classifier/index.ts'
import type { ParserPool } from '../engine/threads/pool.ts'
import type { Outbound } from '../outbound/client.ts'
import type { CrmClients } from '../providers/crm/clients.ts'
import type { ProviderHealth } from '../providers/health.ts'
import type { RobotsCache } from '../providers/robots-cache.ts'
import type { Member } from '../shared/member.ts'
import type { Secrets } from '../shared/secrets.ts'

/** What verbs, routes and jobs work with. Built once, in main.ts. */
export type Deps = {
  config: Config
  db: Db
  /** Connections as such, for what Kysely does not do: COPY. */
  pool: pg.Pool
  jobs: Jobs
  keys: Keys
  log: Logger
  secrets: Secrets
  outbound: Outbound
  crmClients: CrmClients
  robots: RobotsCache
  health: ProviderHealth
  classifier: Classifier
  /** Threads that read what others wrote. */
  parserPool: ParserPool
  /** What this process knows of lists, and whether it is still so. */
  lists: KnownLists
  background: BackgroundWork
  /** The clock: nothing below reads it by itself. */
  now: () => Date
}

/** The job queue as far as work is handed to it; jobs/queue.ts implements it. */
export type Jobs = {
  enqueue: <P extends object>(db: Db, job: Enqueueable<P>, payload: P, options?: EnqueueOptions) => Promise<void>
  /** Many of one kind, in one statement. */
  enqueueAll: <P extends object>(db: Db, job: Enqueueable<P>, payloads: P[]) => Promise<void>
}

/** What the queue needs to know of a job to take it: a name, and by its function what payload it works with. */
export type Enqueueable<P extends object> = {
  name: string
  run: (deps: never, payload: P, context: never) => Promise<void>
}

export type EnqueueOptions = {
  /** Seconds to wait before the first run. */
  startAfter?: number
}

/** Work that goes on after an answer; jobs/background.ts implements it. */
export type BackgroundWork = { run: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T> }

/** How a caller shows who they are: by an API key, or by the session of their browser. */
export type CallerCredential = { kind: 'key' | 'session'; secret: string }

/** Knows who a credential belongs to, and remembers it for a moment; resources/api-keys/authenticate.ts implements it. */
export type Keys = {
  /** What the next `authenticate` would answer without a query; undefined when it would ask. */
  recall: (credential: CallerCredential) => Member | null | undefined
  /** Whether somebody may have chosen the key: one of ours has 256 random bits, and nobody guesses that. */
  isGuessable: (key: string) => boolean
  /** The member behind a credential that is in force, or null. */
  authenticate: (credential: CallerCredential) => Promise<Member | null>
  /** To be called when keys, sessions or members change. */
  forget: () => void
}
