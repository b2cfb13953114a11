import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'

export type Authority = {
  /** The authority's certificate, for OUTBOUND_CA. */
  pem: string
  /** A certificate for a host name, created on first use. */
  contextFor: (name: string) => SecureContext
}

/** A certificate authority for the lifetime of the process, so that the sandbox can serve any host name over TLS. */
export function createAuthority(): Authority {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  // One key for all names: generating keys is slower than signing.
  const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const key = leaf.export({ type: 'pkcs8', format: 'pem' })
  const made = new Map<string, SecureContext>()
  return {
    pem: certificate(root, root, 'Bellwether sandbox', IS_AUTHORITY),
    contextFor(name) {
      const known = made.get(name)
      if (known) return known
      const context = createSecureContext({ key, cert: certificate(leaf, root, 'sandbox', namesHost(name)) })
      made.set(name, context)
      return context
    },
  }
}

// The rest encodes an X.509 certificate (RFC 5280) in DER: tag, length, content.

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes))
const extension = (id: Buffer, value: Buffer) => sequence(id, der(0x01, Buffer.from([0xff])), der(0x04, value))

const ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const IS_AUTHORITY = extension(oid(0x55, 0x1d, 0x13), sequence(der(0x01, Buffer.from([0xff]))))
const namesHost = (name: string) => extension(oid(0x55, 0x1d, 0x11), sequence(der(0x82, Buffer.from(name))))
const commonName = (name: string) => sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))))
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

function certificate(subject: KeyObject, issuer: KeyObject, name: string, extra: Buffer): string {
  const day = 86_400_000
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    commonName('Bellwether sandbox'),
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + 365 * day))),
    commonName(name),
    createPublicKey(subject).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extra)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, issuer))
  const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64')
  // Joined without a trailing line break: an empty line before the end marker makes the PEM invalid.
  const lines = base64.match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
