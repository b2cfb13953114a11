import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { SetupError } from './errors.ts'
import { purposeOf, type RowKey, type SealedValue } from './sealed-columns.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The keys in use: the data keys by number, and the keys of hashes and signatures. */
export type KeyRing = { data: ReadonlyMap<number, Buffer>; current: number; suppression: Buffer; unsubscribe: Buffer }

/**
 * Encrypts values that must not be readable in a database dump: URLs with tokens, signing secrets, credentials, stored
 * responses. The first byte of an encrypted value is the number of its key.
 */
export class Secrets {
  #master: Buffer
  #ring: KeyRing

  constructor(master: Buffer) {
    this.#master = master
    this.#ring = initialRing(master)
  }

  get master(): Buffer {
    return this.#master
  }

  /** Replaces the SECRETS_KEY itself, when its file was replaced; the keys in use stay. */
  replaceMaster(master: Buffer): void {
    this.#master = master
  }

  /** Replaces the keys; called when they were read from the database. */
  use(ring: KeyRing): void {
    this.#ring = ring
  }

  /** The number of the key that encrypts new values. */
  get current(): number {
    return this.#ring.current
  }

  /**
   * AES-256-GCM. The column and the row of the value are authenticated with it, so a sealed value copied to another row or
   * column cannot be opened.
   */
  seal<V extends SealedValue>(plain: string, value: V, ...row: RowKey<V>): Buffer {
    const { data, current } = this.#ring
    return encrypt(current, data.get(current) as Buffer, plain, purposeOf(value, row))
  }

  open<V extends SealedValue>(sealed: Buffer, value: V, ...row: RowKey<V>): string {
    const key = this.#ring.data.get(sealed[0] as number)
    if (!key) throw new Error(`The value is encrypted with key ${sealed[0]}, which this process does not have.`)
    return decrypt(key, sealed, purposeOf(value, row))
  }

  /** Key for the hashes of erased people, which must not be computable without it. Separate from the encryption key. */
  get suppressionKey(): Buffer {
    return this.#ring.suppression
  }

  /** Key for the signatures of links that unsubscribe from alerts. */
  get unsubscribeKey(): Buffer {
    return this.#ring.unsubscribe
  }

  /** Identifies the key without revealing it; stored in the database to detect a changed key. */
  get check(): Buffer {
    return derive(this.master, 'bellwether secrets key')
  }

  /** Encrypts a key of the ring with the SECRETS_KEY itself. */
  wrap(key: Buffer, name: string): Buffer {
    return encrypt(0, this.master, key.toString('base64'), `secret_keys ${name}`)
  }

  unwrap(sealed: Buffer, name: string): Buffer {
    return Buffer.from(decrypt(this.master, sealed, `secret_keys ${name}`), 'base64')
  }
}

/** Before the first rotation the SECRETS_KEY encrypts values itself, as key 1, and the other keys are derived from it. */
export function initialRing(master: Buffer): KeyRing {
  return {
    data: new Map([[1, master]]),
    current: 1,
    suppression: derive(master, 'bellwether suppression key'),
    unsubscribe: derive(master, 'bellwether unsubscribe key'),
  }
}

const derive = (key: Buffer, purpose: string): Buffer => createHmac('sha256', key).update(purpose).digest()

function encrypt(number: number, key: Buffer, plain: string, purpose: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([number]), nonce, cipher.getAuthTag(), body])
}

function decrypt(key: Buffer, sealed: Buffer, purpose: string): string {
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag)
  return decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** The key from the configuration, or the one in the data folder, which the first start generates. */
export function loadSecrets(given: Buffer | null, dataDir: string): Secrets {
  if (given) return new Secrets(given)
  const file = secretsKeyFile(dataDir)
  try {
    mkdirSync(dataDir, { recursive: true })
    if (!existsSync(file)) makeKeyFile(file)
    return new Secrets(readKeyFile(file))
  } catch (cause) {
    throw new SetupError(
      `The secrets key ${file} cannot be used: ${(cause as Error).message}. Repair the file or set SECRETS_KEY.`,
    )
  }
}

/** The generated key, which is used while SECRETS_KEY is not set. */
export const secretsKeyFile = (dataDir: string) => join(dataDir, 'secrets.key')

/** The key of a rotation that has begun; a crash must not lose it. */
const nextKeyFile = (dataDir: string) => `${secretsKeyFile(dataDir)}.next`

/** The new key of a rotation of the generated key: the one of an interrupted rotation, or a new one, stored first. */
export function prepareNextKey(dataDir: string): Buffer {
  const file = nextKeyFile(dataDir)
  if (!existsSync(file)) makeKeyFile(file)
  return readKeyFile(file)
}

/**
 * Makes the new key the generated one, and returns the file that keeps the old one, for copies of the database from before. A
 * crash leaves the old or the new one in use.
 */
export function replaceKeyFile(dataDir: string, now: Date): string {
  const file = secretsKeyFile(dataDir)
  const kept = `${file}.${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  linkSync(file, kept)
  renameSync(nextKeyFile(dataDir), file)
  // The database forgets the old key next, so the new names must be on the disk before.
  const folder = openSync(dataDir, 'r')
  fsyncSync(folder)
  closeSync(folder)
  return kept
}

/** Deletes the new key of a cancelled rotation, so that the next one generates another. */
export const discardNextKey = (dataDir: string): void => rmSync(nextKeyFile(dataDir), { force: true })

function readKeyFile(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (key.length !== 32) throw new Error('the file does not contain 64 hex digits')
  return key
}

/** Written and flushed under another name, then linked: of two processes one wins, and no process reads a partial key. */
function makeKeyFile(file: string): void {
  const draft = `${file}.${process.pid}.new`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}
