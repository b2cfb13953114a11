import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** The Standard Webhooks specification requires 24 to 64 random bytes. */
const SECRET_BYTES = 32
const MIN_BYTES = 24
const MAX_BYTES = 64

export type WebhookHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * Signs bodies as Standard Webhooks. With several secrets, as during a rotation, each signs and a receiver accepts any.
 * Secrets are decoded once: keep the signer for as long as its secrets. Throws on a malformed secret.
 */
export class WebhookSigner {
  readonly #keys: readonly KeyObject[]

  constructor(secrets: readonly string[]) {
    if (secrets.length === 0) throw new Error('A signer needs a secret.')
    this.#keys = secrets.map(keyOf)
  }

  /** The headers of one message. `id` stays the same when it is sent again; `at` is in milliseconds. */
  headers(id: string, at: number, body: string | Uint8Array): WebhookHeaders {
    // A full stop separates the signed parts: with one in the id, two messages could share a signature.
    if (id.includes('.')) throw new Error('A webhook id must not contain a full stop.')
    const timestamp = String(Math.floor(at / 1000))
    let signature = ''
    for (const key of this.#keys) {
      const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
      signature += signature ? ` v1,${digest}` : `v1,${digest}`
    }
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  }
}

function keyOf(secret: string): KeyObject {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  const bytes = Buffer.from(text, 'base64')
  // Buffer ignores invalid base64 characters, so a malformed secret would sign with a different key.
  const isExact = bytes.toString('base64') === text
  // The message does not repeat the secret.
  if (!isExact || bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) throw new Error('Malformed webhook secret.')
  return createSecretKey(bytes)
}
