import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { ConnectionProvider } from '../../db/schema.ts'
import type { Secrets } from '../../secrets.ts'

/** What is kept for each kind of connection, sealed as one JSON text. */
export type Credentials = {
  chat: { token: string }
  crm_one: Record<string, string>
  crm_two: Record<string, string>
}

export type Connection<P extends ConnectionProvider = ConnectionProvider> = {
  provider: P
  credential: Credentials[P]
  expires_at: string | null
  /** Why it does not work at the moment, for a person; null while it does. */
  problem: string | null
  connected_at: string
}

const STATUS = ['provider', 'expires_at', 'problem', 'connected_at'] as const

const purpose = (workspaceId: string, provider: ConnectionProvider) =>
  `connections.credential ${workspaceId} ${provider}`

export async function findConnection<P extends ConnectionProvider>(
  db: Db,
  workspaceId: string,
  provider: P,
  secrets: Secrets,
): Promise<Connection<P> | null> {
  const row = await db
    .selectFrom('connections')
    .select(['credential_sealed', ...STATUS])
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  if (!row) return null
  const { credential_sealed, ...status } = row
  const credential = JSON.parse(secrets.open(credential_sealed, purpose(workspaceId, provider))) as Credentials[P]
  return { ...status, provider, credential }
}

/** What is connected, the first connected first, without what it is connected with. */
export function listConnections(db: Db, workspaceId: string) {
  return db
    .selectFrom('connections')
    .select(STATUS)
    .where('workspace_id', '=', workspaceId)
    .orderBy('connected_at')
    .orderBy('provider')
    .execute()
}

/** Connects, or puts a new credential in place of the one there: the problem of the old one is over. */
export function saveConnection<P extends ConnectionProvider>(
  db: Db,
  workspaceId: string,
  provider: P,
  secrets: Secrets,
  { credential, expires_at = null }: { credential: Credentials[P]; expires_at?: string | null },
) {
  const sealed = secrets.seal(JSON.stringify(credential), purpose(workspaceId, provider))
  const fields = { credential_sealed: sealed, expires_at, problem: null }
  return db
    .insertInto('connections')
    .values({ workspace_id: workspaceId, provider, ...fields })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'provider']).doUpdateSet({ ...fields, updated_at: sql`now()` }),
    )
    .returning(STATUS)
    .executeTakeFirstOrThrow()
}

/** Answers whether there was one. */
export async function deleteConnection(db: Db, workspaceId: string, provider: ConnectionProvider): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('connections')
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Notes why the connection does not work, or that it does (null). Writes only what is new: it is called for every use. */
export async function setProblem(
  db: Db,
  workspaceId: string,
  provider: ConnectionProvider,
  problem: string | null,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({ problem, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .where('problem', 'is distinct from', problem)
    .execute()
}
