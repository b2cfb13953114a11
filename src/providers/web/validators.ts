import type { OutboundResponse } from '../../outbound/client.ts'

/** What is kept of an answer so that the next request can ask whether it still holds. */
export type Validators = { etag: string | null; last_modified: string | null }

/** The headers that ask whether what was seen still holds. */
export function conditionsOf(seen: Validators | null): Record<string, string> {
  return {
    ...(seen?.etag ? { 'if-none-match': seen.etag } : {}),
    ...(seen?.last_modified ? { 'if-modified-since': seen.last_modified } : {}),
  }
}

/** What the next request can ask by; an answer that says "as it was" need not repeat it. */
export function validatorsOf(answer: OutboundResponse, seen: Validators | null): Validators {
  const before = answer.status === 304 ? seen : null
  return {
    etag: header(answer, 'etag') ?? before?.etag ?? null,
    last_modified: header(answer, 'last-modified') ?? before?.last_modified ?? null,
  }
}

function header({ headers }: OutboundResponse, name: string): string | null {
  const value = headers[name]
  // Longer ones are no validators but an attack on whoever stores them.
  return typeof value === 'string' && value.length <= 500 ? value : null
}
