import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/connect.ts'
import { SetupError } from '../shared/errors.ts'
import { type RowKey, SEALED_COLUMNS, type SealedColumn, type SealedValue } from '../shared/sealed-columns.ts'
import type { KeyRing, Secrets } from '../shared/secrets.ts'
import { loadKeyRing, readKeyRing } from './key-ring.ts'
import {
  acceptOnlyKey,
  isInstalledKey,
  listOtherMasters,
  listSealedOtherwise,
  listSecretKeys,
  lockSecretKeys,
  replaceSealed,
  replaceSecretKeys,
  type SealedRow,
  secondsSinceActivation,
} from './secret-key-store.ts'

export type RotationTiming = { activationSeconds: number; settlingSeconds: number }

/**
 * Processes read the keys every ten seconds (key-ring.ts). A new key becomes active after three times that, when all have
 * read it; after another twice that all of them encrypt new values with it.
 */
export const ROTATION_TIMING: RotationTiming = { activationSeconds: 30, settlingSeconds: 20 }

const BATCH_ROWS = 200
const MAX_DATA_KEYS = 255

/**
 * Adds a data key and encrypts all keys with both SECRETS_KEYs, so that processes with the old and with the new one run
 * together. The key becomes active after `activationSeconds`, when every running process has read it. Repeating it with the
 * same new key continues the rotation. Throws SetupError while a rotation to another key is unfinished, and while processes
 * may still encrypt with the keys before the present one.
 */
export async function beginRotation(
  db: Db,
  secrets: Secrets,
  next: Secrets,
  { activationSeconds, settlingSeconds }: RotationTiming,
): Promise<void> {
  if (next.check.equals(secrets.check)) throw new SetupError('The new SECRETS_KEY must differ from the present one.')
  // The keys before the present one are removed, so nothing may be or become encrypted with them.
  const isSettled = (await secondsUntilSettled(db, settlingSeconds)) <= 0
  await reencrypt(db, secrets)
  await db.transaction().execute(async (db) => {
    await lockSecretKeys(db)
    const present = await readKeyRing(db, secrets)
    if (!present) throw new SetupError('The present SECRETS_KEY does not decrypt the keys of this database.')
    if (present.current !== secrets.current) throw new SetupError('The keys have just changed. Run the command again.')
    const others = await listOtherMasters(db, secrets.check)
    if (others.some((check) => check.equals(next.check))) return
    if (others.length > 0) {
      throw new SetupError(
        'A rotation to another SECRETS_KEY is not finished. Start the service with that key and run "bellwether secrets finish", or run "bellwether secrets cancel" with the present one.',
      )
    }
    if (!isSettled) {
      throw new SetupError(
        'Some processes may still encrypt with the key before the present one. Run the command again in a minute.',
      )
    }
    const keys = withNewDataKey(present, activationSeconds)
    const wrapped = [secrets, next].flatMap((master) =>
      keys.map(({ name, key, seconds }) => {
        return { name, seconds, master_check: master.check, key_sealed: master.wrap(key, name) }
      }),
    )
    await replaceSecretKeys(db, wrapped)
  })
}

/** The current keys and a new one. */
function withNewDataKey({ data, current, suppression, unsubscribe }: KeyRing, seconds: number) {
  return [
    { name: `data-${current}`, key: data.get(current) as Buffer, seconds: 0 },
    { name: `data-${(current % MAX_DATA_KEYS) + 1}`, key: randomBytes(32), seconds },
    { name: 'suppression', key: suppression, seconds: 0 },
    { name: 'unsubscribe', key: unsubscribe, seconds: 0 },
  ]
}

/** Whether this is the new SECRETS_KEY of a rotation that is not finished. */
export async function isNewKeyOfRotation(db: Db, { check }: Secrets): Promise<boolean> {
  return (await listOtherMasters(db, check)).length > 0 && !(await isInstalledKey(db, check))
}

/** Not positive without keys: before the first rotation there is only one. */
async function secondsUntilSettled(db: Db, settlingSeconds: number): Promise<number> {
  return settlingSeconds - ((await secondsSinceActivation(db)) ?? settlingSeconds)
}

/** Waits until every process encrypts new values with the current data key. `begin` is called first if that takes time. */
export async function waitUntilSettled(
  db: Db,
  { settlingSeconds }: Pick<RotationTiming, 'settlingSeconds'>,
  begin: (seconds: number) => void,
): Promise<void> {
  let seconds = await secondsUntilSettled(db, settlingSeconds)
  if (seconds > 0) begin(Math.ceil(seconds))
  // A timer ends up to a millisecond early.
  for (; seconds > 0; seconds = await secondsUntilSettled(db, settlingSeconds)) await sleep(Math.ceil(seconds * 1000))
}

export type Reencrypted = {
  count: number
  /** The values that cannot be decrypted, by table, column and primary key. */
  unreadable: string[]
}

/**
 * Encrypts every value with the current data key. A value that changes meanwhile is left to the next pass; it ends when a
 * pass finds nothing. Values that no key decrypts stay as they are.
 */
export async function reencrypt(db: Db, secrets: Secrets): Promise<Reencrypted> {
  await loadKeyRing(db, secrets)
  for (let total = 0; ; ) {
    const pass: Reencrypted = { count: 0, unreadable: [] }
    for (const column of SEALED_COLUMNS) await reencryptColumn(db, secrets, column, pass)
    total += pass.count
    if (pass.count === 0) return { count: total, unreadable: pass.unreadable }
  }
}

/** Reads the rows in the order of their keys, so that an unreadable one is read once. */
async function reencryptColumn(db: Db, secrets: Secrets, column: SealedColumn, pass: Reencrypted): Promise<void> {
  for (let after: SealedRow | null = null; ; ) {
    const rows: SealedRow[] = await listSealedOtherwise(db, column, secrets.current, after, BATCH_ROWS)
    for (const row of rows) {
      const value = reseal(secrets, column, row)
      if (value === null) pass.unreadable.push(`${column.table}.${column.column} ${row.key.map(printKey).join(' ')}`)
      else {
        await replaceSealed(db, column, row, value)
        pass.count++
      }
    }
    after = rows.at(-1) ?? null
    if (rows.length < BATCH_ROWS) return
  }
}

const printKey = (part: string | Buffer) => (typeof part === 'string' ? part : part.toString('hex'))

/** The value encrypted with the current key; null if it cannot be decrypted, which the caller reports. */
function reseal(secrets: Secrets, { value }: SealedColumn, { key, sealed }: SealedRow): Buffer | null {
  const row = key as RowKey<SealedValue>
  let plain: string
  try {
    plain = secrets.open(sealed, value, ...row)
  } catch {
    return null
  }
  return secrets.seal(plain, value, ...row)
}

/** Accepts only the new SECRETS_KEY from now on. Throws SetupError if it is not the new key of a rotation. */
export async function finishRotation(db: Db, next: Secrets): Promise<void> {
  await db.transaction().execute(async (db) => {
    await lockSecretKeys(db)
    if ((await listSecretKeys(db, next.check)).length === 0 || (await listOtherMasters(db, next.check)).length === 0) {
      throw new SetupError('There is no rotation to finish. Run "bellwether secrets rotate" first.')
    }
    if (await isInstalledKey(db, next.check)) {
      throw new SetupError(
        'This is the old SECRETS_KEY. Set SECRETS_KEY to the new one, then run the command again. If the key is generated, run "bellwether secrets rotate" again instead.',
      )
    }
    await acceptOnlyKey(db, next.check)
  })
}

/** Ends a rotation whose new SECRETS_KEY is not wanted or is lost. Throws SetupError unless this is the old key. */
export async function cancelRotation(db: Db, secrets: Secrets): Promise<void> {
  await db.transaction().execute(async (db) => {
    await lockSecretKeys(db)
    if ((await listOtherMasters(db, secrets.check)).length === 0) {
      throw new SetupError('There is no rotation to cancel.')
    }
    if (!(await isInstalledKey(db, secrets.check))) {
      throw new SetupError('This is the new SECRETS_KEY. To go back, set SECRETS_KEY to the old one first.')
    }
    await acceptOnlyKey(db, secrets.check)
  })
}
