import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Secrets } from '../../shared/secrets.ts'
import type { ConnectionProvider } from './provider-schema.ts'

/** The credential of a connection, encrypted as one JSON text. */
export type ConnectionCredential = {
  token: string
  /** Only with the consent of a person; a key has none. */
  refresh_token?: string
  /** Verifies requests of the chat; without it, messages have no buttons. */
  signing_secret?: string
  /** The origin of the account, for vendors with one for each account. */
  base?: string
}

/** A tested credential of a CRM and its account at the vendor. */
export type CrmGrant = { credential: ConnectionCredential; vendorAccount: string; expires_at: string | null }

export type StoredConnection = {
  provider: ConnectionProvider
  credential: ConnectionCredential
  expires_at: string | null
  /** Why the connection does not work, in a sentence; null while it works. */
  problem: string | null
  problem_since: string | null
  /** The account at the vendor. */
  account: string | null
  connected_at: string
}

const PLAIN = [
  sql<ConnectionProvider>`connections.provider`.as('provider'),
  'account',
  'expires_at',
  'connected_at',
  'problem_since',
] as const
const STATUS = [
  ...PLAIN,
  sql<string | null>`case when connections.problem_until < now() then null else connections.problem end`.as('problem'),
] as const

type Options = {
  /** Locks the row until the transaction ends. */
  lock?: boolean
}

export async function findConnection(
  db: Db,
  workspaceId: string,
  provider: ConnectionProvider,
  secrets: Secrets,
  { lock = false }: Options = {},
): Promise<StoredConnection | null> {
  const row = await db
    .selectFrom('connections')
    .select(['credential_sealed', ...STATUS])
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) return null
  const { credential_sealed, ...status } = row
  const credential = JSON.parse(
    secrets.open(credential_sealed, 'connections.credential', workspaceId, provider),
  ) as ConnectionCredential
  return { ...status, credential }
}

/** Lists the connections, oldest first, without credentials. */
export function listConnections(db: Db, workspaceId: string) {
  return db
    .selectFrom('connections')
    .select(STATUS)
    .where('workspace_id', '=', workspaceId)
    .orderBy('connected_at')
    .orderBy('provider')
    .execute()
}

type NewConnection = {
  credential: ConnectionCredential
  vendorAccount?: string | null
  expires_at?: string | null
}

/** Inserts the connection, or replaces its credential and clears the problem of the former one. */
export function saveConnection(
  db: Db,
  workspaceId: string,
  provider: ConnectionProvider,
  secrets: Secrets,
  connection: NewConnection,
) {
  return upsert(db, workspaceId, provider, secrets, connection, true).executeTakeFirstOrThrow()
}

/** The same, but returns null for a connection to another account at the vendor and leaves it unchanged. */
export async function saveIfSameVendorAccount(
  db: Db,
  workspaceId: string,
  provider: ConnectionProvider,
  secrets: Secrets,
  connection: NewConnection,
) {
  return (await upsert(db, workspaceId, provider, secrets, connection, false).executeTakeFirst()) ?? null
}

const NO_PROBLEM = { problem: null, problem_until: null, problem_since: null }

function upsert(
  db: Db,
  workspaceId: string,
  provider: ConnectionProvider,
  secrets: Secrets,
  { credential, vendorAccount = null, expires_at = null }: NewConnection,
  replacesAny: boolean,
) {
  const sealed = secrets.seal(JSON.stringify(credential), 'connections.credential', workspaceId, provider)
  const fields = { credential_sealed: sealed, account: vendorAccount, expires_at, ...NO_PROBLEM }
  return db
    .insertInto('connections')
    .values({ workspace_id: workspaceId, provider, ...fields })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'provider'])
        .doUpdateSet({
          ...fields,
          // Another account counts as a new connection.
          connected_at: sql`case when connections.account is distinct from excluded.account then excluded.connected_at
          else connections.connected_at end`,
          updated_at: sql`excluded.updated_at`,
        })
        .where(sql<boolean>`${replacesAny}::boolean or connections.account = excluded.account`),
    )
    .returning([...PLAIN, 'problem'])
}

/** Returns whether there was one. */
export async function deleteConnection(db: Db, workspaceId: string, provider: ConnectionProvider): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('connections')
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

type Noted = {
  /** The account at the vendor with the problem: nothing is stored when another account is connected. */
  vendorAccount?: string
  /** The problem expires after so many seconds. */
  seconds?: number
}

/** Stores why the connection does not work, or null. Writes only a changed value, because it is called for every use. */
export async function setConnectionProblem(
  db: Db,
  workspaceId: string,
  provider: ConnectionProvider,
  problem: string | null,
  { vendorAccount, seconds }: Noted = {},
): Promise<void> {
  await db
    .updateTable('connections')
    .set({
      problem,
      problem_until: seconds === undefined ? null : sql`now() + make_interval(secs => ${seconds})`,
      problem_since:
        problem === null
          ? null
          : sql`case when problem_until < clock.at then clock.at else coalesce(problem_since, clock.at) end`,
      updated_at: sql`now()`,
    })
    .from(sql<{ at: string }>`(select now() as at)`.as('clock'))
    .where('connections.workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .$if(vendorAccount !== undefined, (query) => query.where('account', '=', vendorAccount as string))
    .where((eb) =>
      eb.or([
        eb('problem', 'is distinct from', problem),
        eb('problem_until', '<', sql<string>`now() + interval '1 hour'`),
      ]),
    )
    .execute()
}
