import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { ALL_WORKSPACES } from '../db/distribution.ts'
import type { SealedColumn } from '../shared/sealed-columns.ts'

/** The keys that are encrypted with this SECRETS_KEY, the oldest first. */
export function listSecretKeys(db: Db, masterCheck: Buffer) {
  return db
    .selectFrom('secret_keys')
    .select(['name', 'key_sealed', sql<boolean>`active_at <= now()`.as('is_active')])
    .where('master_check', '=', masterCheck)
    .orderBy('active_at')
    .execute()
}

/** Whether the SECRETS_KEY was never rotated and is the one that the database was set up with, or is about to be. */
export async function isInitialKey(db: Db, masterCheck: Buffer): Promise<boolean> {
  const { rows } = await sql<{ is_initial: boolean }>`
    select not exists (select 1 from secret_keys)
      and coalesce((select secrets_key_check = ${masterCheck} from installation), true) as is_initial`.execute(db)
  return rows[0]?.is_initial ?? false
}

/** Makes concurrent rotations follow one another. */
export async function lockSecretKeys(db: Db): Promise<void> {
  await sql`lock table secret_keys in share row exclusive mode`.execute(db)
}

/** The other SECRETS_KEYs that are accepted. */
export async function listOtherMasters(db: Db, masterCheck: Buffer): Promise<Buffer[]> {
  const others = db.selectFrom('secret_keys').select('master_check').distinct()
  const rows = await others.where('master_check', '!=', masterCheck).execute()
  return rows.map(({ master_check }) => master_check)
}

type NewKey = { name: string; master_check: Buffer; key_sealed: Buffer; seconds: number }

/** Replaces all keys; each is active after its seconds. */
export async function replaceSecretKeys(db: Db, keys: NewKey[]): Promise<void> {
  await db.deleteFrom('secret_keys').execute()
  const active_at = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`
  const rows = keys.map(({ seconds, ...key }) => ({ ...key, active_at: active_at(seconds) }))
  await db.insertInto('secret_keys').values(rows).execute()
}

/** Seconds since the latest key became active, negative before; null without keys. */
export async function secondsSinceActivation(db: Db): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - max(active_at))::float8 as seconds from secret_keys`.execute(db)
  return rows[0]?.seconds ?? null
}

/** Whether this is the SECRETS_KEY from before a rotation, or from after the last one. */
export async function isInstalledKey(db: Db, masterCheck: Buffer): Promise<boolean> {
  const { secrets_key_check } = await db
    .selectFrom('installation')
    .select('secrets_key_check')
    .executeTakeFirstOrThrow()
  return secrets_key_check.equals(masterCheck)
}

/** Accepts only this SECRETS_KEY. */
export async function acceptOnlyKey(db: Db, masterCheck: Buffer): Promise<void> {
  await db.deleteFrom('secret_keys').where('master_check', '!=', masterCheck).execute()
  await db.updateTable('installation').set({ secrets_key_check: masterCheck }).execute()
}

export type SealedRow = { key: readonly (string | Buffer)[]; sealed: Buffer }

/** Rows whose value is not encrypted with this data key, by primary key, after a row. */
export async function listSealedOtherwise(
  db: Db,
  { table, column, key }: SealedColumn,
  number: number,
  after: SealedRow | null,
  limit: number,
): Promise<SealedRow[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  const isAfter = after ? sql`(${columns}) > (${sql.join(after.key)})` : sql`true`
  const { rows } = await sql<Record<string, string | Buffer> & { sealed: Buffer }>`
    select ${sql.raw(ALL_WORKSPACES)} ${columns}, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where substring(${sql.ref(column)} for 1) <> ${Buffer.from([number])} and ${isAfter}
    order by ${columns} limit ${limit}`.execute(db)
  return rows.map(({ sealed, ...row }) => ({ key: key.map((name) => row[name] as string | Buffer), sealed }))
}

/** Replaces an encrypted value, unless it has changed. */
export async function replaceSealed(
  db: Db,
  { table, column, key }: SealedColumn,
  row: SealedRow,
  value: Buffer,
): Promise<void> {
  const isRow = key.map((name, at) => sql`${sql.ref(name)} = ${row.key[at]}`)
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}
    where ${sql.join(isRow, sql` and `)} and ${sql.ref(column)} = ${row.sealed}`.execute(db)
}
