import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from './errors.ts'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts values that must not be readable in a database dump: URLs with tokens, signing secrets, credentials, stored responses. */
export class Secrets {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  /**
   * AES-256-GCM. `purpose` names the column and the row of the value and is authenticated with it, so a sealed value
   * copied to another row or column cannot be opened.
   */
  seal(plain: string, purpose: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body])
  }

  open(sealed: Buffer, purpose: string): string {
    const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
    const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag)
    return decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }

  /** Key for the hashes of erased people, which must not be computable without it. Separate from the encryption key. */
  get suppressionKey(): Buffer {
    return createHmac('sha256', this.#key).update('bellwether suppression key').digest()
  }

  /** Key for the signatures of links that unsubscribe from alerts. */
  get unsubscribeKey(): Buffer {
    return createHmac('sha256', this.#key).update('bellwether unsubscribe key').digest()
  }

  /** Identifies the key without revealing it; stored in the database to detect a changed key. */
  get check(): Buffer {
    return createHmac('sha256', this.#key).update('bellwether secrets key').digest()
  }
}

/** The key from the configuration, or the one in the data folder, which the first start generates. */
export function loadSecrets(given: Buffer | null, dataDir: string): Secrets {
  if (given) return new Secrets(given)
  const file = join(dataDir, 'secrets.key')
  try {
    mkdirSync(dataDir, { recursive: true })
    if (!existsSync(file)) makeKeyFile(file)
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
    if (key.length !== 32) throw new Error('the file does not contain 64 hex digits')
    return new Secrets(key)
  } catch (cause) {
    throw new SetupError(
      `The secrets key ${file} cannot be used: ${(cause as Error).message}. Repair the file or set SECRETS_KEY.`,
    )
  }
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
