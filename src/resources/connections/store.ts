import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Secrets } from '../../shared/secrets.ts'
import type { ConnectionProvider } from './provider-schema.ts'

/** What opens a connection, sealed as one JSON text. */
export type ConnectionCredential = {
  token: string
  /** There is one when a person gave their consent; a key has none. */
  refresh_token?: string
  /** The address of the account, where a vendor has one for each. */
  base?: string
}

/** A credential of a CRM that was tried, and the account at the vendor that it opens. */
export type CrmGrant = { credential: ConnectionCredential; vendorAccount: string; expires_at: string | null }

export type StoredConnection = {
  provider: ConnectionProvider
  credential: ConnectionCredential
  expires_at: string | null
  /** Why it does not work at the moment, for a person; null while it does. */
  problem: string | null
  problem_since: string | null
  /** The account at the vendor. */
  account: string | null
  connected_at: string
}

const STATUS = [
  sql<ConnectionProvider>`connections.provider`.as('provider'),
  'account',
  'expires_at',
  'connected_at',
  sql<string | null>`case when connections.problem_until < now() then null else connections.problem end`.as('problem'),
  'problem_since',
] as const

const purpose = (workspaceId: string, provider: ConnectionProvider) =>
  `connections.credential ${workspaceId} ${provider}`

type Options = {
  /** Holds the row until the transaction ends: whoever else wants it waits. */
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
  const credential = JSON.parse(secrets.open(credential_sealed, purpose(workspaceId, provider))) as ConnectionCredential
  return { ...status, credential }
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

type NewConnection = {
  credential: ConnectionCredential
  vendorAccount?: string | null
  expires_at?: string | null
}

/** Connects, or puts a new credential in place of the one there: the problem of the old one is over. */
export function saveConnection(
  db: Db,
  workspaceId: string,
  provider: ConnectionProvider,
  secrets: Secrets,
  connection: NewConnection,
) {
  return upsert(db, workspaceId, provider, secrets, connection, true).executeTakeFirstOrThrow()
}

/** The same, but leaves a connection to another account at the vendor as it is and answers null. */
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
  const sealed = secrets.seal(JSON.stringify(credential), purpose(workspaceId, provider))
  const fields = { credential_sealed: sealed, account: vendorAccount, expires_at, ...NO_PROBLEM }
  return db
    .insertInto('connections')
    .values({ workspace_id: workspaceId, provider, ...fields })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'provider'])
        .doUpdateSet({
          ...fields,
          // Another account is another connection.
          connected_at: sql`case when connections.account is distinct from excluded.account then now()
          else connections.connected_at end`,
          updated_at: sql`now()`,
        })
        .where(sql<boolean>`${replacesAny}::boolean or connections.account = excluded.account`),
    )
    .returning(STATUS)
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

type Noted = {
  /** The account at the vendor it is about: nothing is noted when another is connected by now. */
  vendorAccount?: string
  /** It ends by itself after so long. */
  seconds?: number
}

/** Notes why the connection does not work, or that it does (null). Writes only what is new: it is called for every use. */
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
          : sql`case when problem_until < now() then now() else coalesce(problem_since, now()) end`,
      updated_at: sql`now()`,
    })
    .where('workspace_id', '=', workspaceId)
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
