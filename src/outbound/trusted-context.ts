import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

const contexts = new Map<string | null, SecureContext>()

/** Cached per process: loading the certificate authorities takes 20 ms per connection otherwise. */
export function trustedContext(ca: string | null): SecureContext {
  const known = contexts.get(ca) ?? createSecureContext(ca ? { ca: [...getCACertificates('default'), ca] } : {})
  contexts.set(ca, known)
  return known
}
