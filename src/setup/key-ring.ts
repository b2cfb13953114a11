import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { SetupError } from '../shared/errors.ts'
import { initialRing, type KeyRing, type Secrets } from '../shared/secrets.ts'
import { isInitialKey, listSecretKeys } from './secret-key-store.ts'

/** How often a process reads the keys. A new key becomes active after a multiple of it, when every process has it. */
const REFRESH_MS = 10_000

const WRONG_KEY =
  'SECRETS_KEY (or secrets.key in DATA_DIR) is not the key this database was set up with. Use that key: without it stored secrets cannot be read.'

/** Reads the keys that encrypt stored secrets. Throws SetupError if the SECRETS_KEY is not one that the database accepts. */
export async function loadKeyRing(db: Db, secrets: Secrets): Promise<void> {
  const ring = await readKeyRing(db, secrets)
  if (!ring) throw new SetupError(WRONG_KEY)
  secrets.use(ring)
}

/**
 * Reads the keys again at an interval, because another process may rotate them. `reload` reads the SECRETS_KEY again, which a
 * rotation replaces when it is a file of this service.
 */
export function refreshKeyRing(
  db: Db,
  secrets: Secrets,
  log: Logger,
  reload: () => Buffer | null,
  refreshMs = REFRESH_MS,
): Disposable {
  let isReported = false
  const timer = setInterval(async () => {
    try {
      let ring = await readKeyRing(db, secrets)
      const master = ring ? null : reload()
      if (master) {
        secrets.replaceMaster(master)
        ring = await readKeyRing(db, secrets)
      }
      if (ring) secrets.use(ring)
      else if (!isReported) {
        isReported = true
        log.warn('SECRETS_KEY was replaced. This process has the keys and continues; its next start needs the new one.')
      }
    } catch (error) {
      log.warn({ err: error }, 'the keys of stored secrets could not be read')
    }
  }, refreshMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** The keys that the SECRETS_KEY decrypts; null if it is not accepted. */
export async function readKeyRing(db: Db, secrets: Secrets): Promise<KeyRing | null> {
  const rows = await listSecretKeys(db, secrets.check)
  if (rows.length === 0) return (await isInitialKey(db, secrets.check)) ? initialRing(secrets.master) : null
  const keys = new Map(rows.map(({ name, key_sealed }) => [name, secrets.unwrap(key_sealed, name)]))
  const data = rows.filter(({ name }) => name.startsWith('data-'))
  return {
    data: new Map(data.map(({ name }) => [dataKeyNumber(name), keys.get(name) as Buffer])),
    current: dataKeyNumber(data.findLast(({ is_active }) => is_active)?.name as string),
    suppression: keys.get('suppression') as Buffer,
    unsubscribe: keys.get('unsubscribe') as Buffer,
  }
}

const dataKeyNumber = (name: string): number => Number(name.slice('data-'.length))
