import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pino } from 'pino'
import { startService } from '../../src/app/service.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { Deps } from '../../src/deps/deps.ts'
import type { Job } from '../../src/jobs/define.ts'
import type { AnyJob } from '../../src/jobs/queue.ts'
import type { CreateMcpServer } from '../../src/mcp/protocol-handler.ts'
import { createKey } from '../../src/resources/api-keys/create.ts'
import { insertMember, type MemberFields } from '../../src/resources/members/store.ts'
import { createWorkspace } from '../../src/setup/create-workspace.ts'
import { Client } from './client.ts'
import { cloneDatabase } from './databases.ts'
import { sharedEngine } from './engine.ts'

export const ADMIN_KEY = 'admin-key-of-the-tests'

export type TestService = {
  address: string
  databaseUrl: string
  deps: Deps
  /** A client with the key of the workspace's admin. */
  admin: Client
  /** A client with any other key, or with none. */
  as: (key: string | null) => Client
  workspaceId: string
  /** Adds a member to the admin's workspace and returns a client with their key. */
  member: (
    fields?: Partial<MemberFields>,
    key?: { read_only?: boolean; scope?: 'work' },
  ) => Promise<{ id: string; key: string; client: Client }>
  /** A new workspace, and its admin's client. */
  stranger: () => Promise<{ workspaceId: string; key: string; client: Client }>
  /** Runs a job immediately in this process, as a worker would. */
  run: <P extends object>(job: Job<P>, payload: P) => Promise<void>
  stop: () => Promise<void>
}

type Options = {
  env?: Record<string, string>
  api?: boolean
  /** Whether it runs jobs: only in tests about jobs, because a worker polls all the time. */
  worker?: boolean
  jobs?: AnyJob[]
  /** The MCP server for agents, in addition to or instead of the default. */
  mcp?: CreateMcpServer
  databaseUrl?: string
  keyRefreshMs?: number
}

/** The real service, composed as in production, on a separate database. Stops with the test file. */
export async function testService(options: Options = {}): Promise<TestService> {
  const { env = {}, api = true, worker = false, jobs, mcp, keyRefreshMs, databaseUrl = await cloneDatabase() } = options
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-service-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: process.env.TEST_SECRETS_KEY,
    DATA_DIR: folder,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '1000000',
    // Many test files share the cores.
    DATABASE_TIMEOUT_SECONDS: '60',
    WORKER_LOST_SECONDS: '10',
    // Streams are read on a schedule in every test: tests that need them name them.
    SOURCES: 'website,job-boards,sec,hacker-news,wikidata',
    // No request leaves the machine: a test that needs an internet provides one.
    OUTBOUND_CONNECT_TO: '*:443=127.0.0.1:1',
    ...env,
  })
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const service = await startService({
    config,
    log,
    roles: { api, worker },
    ...(Object.keys(env).some((name) => /^READ(ING|ER)_/.test(name)) ? {} : { engine: sharedEngine() }),
    ...(jobs ? { jobs } : {}),
    ...(mcp ? { mcp } : {}),
    ...(keyRefreshMs ? { keyRefreshMs } : {}),
  })
  const { deps } = service
  const address = service.address ?? ''
  const stop = once(async () => service[Symbol.asyncDispose]())
  after(stop)
  const as = (key: string | null) => new Client(address, key)
  const { id: workspaceId } = await deps.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow()
  return {
    address,
    databaseUrl,
    deps,
    as,
    admin: as(ADMIN_KEY),
    workspaceId,
    run: (job, payload) =>
      job.run(deps, payload, { signal: new AbortController().signal, attempt: 0, progressed: async () => {} }),
    stop,
    async member(fields = {}, key = {}) {
      const all = {
        name: 'Sam',
        email: `${crypto.randomUUID()}@team.example`,
        role: 'member',
        visibility: 'all',
        ...fields,
      } as const
      const { id } = await insertMember(deps.db, workspaceId, all)
      const created = await createKey(deps.db, workspaceId, { member_id: id, name: 'test', ...key })
      return { id, key: created.key, client: as(created.key) }
    },
    async stranger() {
      const admin = { name: 'Other', email: 'other@elsewhere.example' }
      const created = await deps.db.transaction().execute((db) => createWorkspace(db, { name: 'Elsewhere', admin }))
      return { workspaceId: created.workspace.id, key: created.key, client: as(created.key) }
    },
  }
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= run()
    return running
  }
}
