import type { components, webhooks } from './schema.ts'

type Schemas = components['schemas']

export type AccountRow = Schemas['AccountRow']
export type PersonRow = Schemas['PersonRow']
export type SignalAlert = Schemas['SignalAlert']
export type SuggestionAlert = Schemas['SuggestionAlert']
export type JobChangeAlert = Schemas['JobChangeAlert']
export type WorkItemAlert = Schemas['WorkItemAlert']

type Payloads = { [N in keyof webhooks]: webhooks[N]['post']['requestBody']['content']['application/json'] }

type Delivered = {
  /** The same in every attempt, for deduplication. */
  id: string
  /** When this attempt was sent. */
  sentAt: Date
}

/** A delivery, discriminated by its name in the documentation. */
export type WebhookEvent =
  | { [N in keyof Payloads]: Delivered & { name: N; payload: Payloads[N] } }[keyof Payloads]
  /** An event type of a newer service. */
  | (Delivered & { name: 'other'; payload: Record<string, unknown> })

export type WebhookErrorCode = 'missing_headers' | 'malformed' | 'too_old' | 'too_new' | 'wrong_signature'

/** A delivery that failed verification. Respond with 400 or 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export type ReceivedWebhook = {
  /** The raw body: parsing and serializing it again would change it. */
  body: string | Uint8Array
  headers: Headers | Record<string, string | string[] | undefined>
  /** `whsec_…` of the destination or of the notification settings. With several, one of them must match. */
  secret: string | readonly string[]
  /** Maximum age of the delivery, including clock skew; 300 by default. */
  toleranceSeconds?: number
  now?: () => Date
}

const PREFIX = 'whsec_'

/** CryptoKey, which not every runtime declares as a type. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/**
 * Verifies the signature of a delivery (Standard Webhooks, HMAC-SHA256) and returns its payload. A delivery may be repeated:
 * ignore an `id` that you have processed. Throws WebhookError; TypeError for a malformed secret.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { headers, secret, toleranceSeconds = 300, now = () => new Date() } = received
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const given = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('malformed', 'webhook-timestamp is not a timestamp.')
  const body = typeof received.body === 'string' ? new TextEncoder().encode(received.body) : received.body
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  const keys = await Promise.all([secret].flat().map(importKey))
  if (!(await isSigned(keys, signaturesIn(given), signed))) {
    throw new WebhookError('wrong_signature', 'No signature of the delivery matches the secret.')
  }
  const age = now().getTime() / 1000 - Number(timestamp)
  if (age > toleranceSeconds) throw new WebhookError('too_old', 'The delivery is too old.')
  if (age < -toleranceSeconds) throw new WebhookError('too_new', 'The delivery is from the future: check the clocks.')
  return { id, sentAt: new Date(Number(timestamp) * 1000), ...classify(parse(body)) } as WebhookEvent
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name)
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookError('missing_headers', `The delivery has no ${name} header, or several.`)
}

/** Looks up a header case-insensitively, because frameworks differ in the case of names. */
function findHeader(headers: Record<string, string | string[] | undefined>, name: string) {
  const key = name in headers ? name : Object.keys(headers).find((key) => key.toLowerCase() === name)
  const value = key === undefined ? undefined : headers[key]
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

/** The signatures of version 1; the header may contain other versions. */
function signaturesIn(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(' ').flatMap((one) => (one.startsWith('v1,') ? (decode(one.slice(3)) ?? []) : []))
}

function importKey(secret: string): Promise<Key> {
  const bytes = secret.startsWith(PREFIX) ? decode(secret.slice(PREFIX.length)) : null
  // The message must not contain the secret.
  if (!bytes || bytes.length === 0) throw new TypeError('A webhook secret is whsec_ followed by base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** Computes one HMAC per key, independent of the number of signatures that the sender has added. */
async function isSigned(keys: Key[], signatures: Uint8Array[], signed: Uint8Array<ArrayBuffer>) {
  for (const key of keys) {
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
    if (signatures.some((given) => isSame(given, expected))) return true
  }
  return false
}

/** Compares in constant time. */
function isSame(given: Uint8Array, expected: Uint8Array): boolean {
  if (given.length !== expected.length) return false
  return expected.reduce((differs, byte, at) => differs | (byte ^ (given[at] as number)), 0) === 0
}

function parse(body: Uint8Array): Record<string, unknown> {
  try {
    const payload: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return { ...payload }
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof TypeError)) throw cause
  }
  throw new WebhookError('malformed', 'The body is not a JSON object.')
}

/** Alerts have a `type`, pushed rows have a `record_type`. */
function classify(payload: Record<string, unknown>): { name: WebhookEvent['name']; payload: object } {
  const { type, record_type, test } = payload
  if (type === 'signal.detected' || type === 'account.suggested') return { name: type, payload }
  if (type === 'people.job_changed' || type === 'work_item.done') return { name: type, payload }
  if (type === 'audit.recorded') return { name: type, payload }
  if (type === 'test') return { name: 'alert.tested', payload }
  if (test === true && record_type === 'account') return { name: 'destination.tested', payload }
  if (type === undefined && record_type === 'account') return { name: 'account.pushed', payload }
  if (type === undefined && record_type === 'person') return { name: 'person.pushed', payload }
  return { name: 'other', payload }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

/** Null for invalid base64. */
function decode(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
