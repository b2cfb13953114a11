import { createHash, randomBytes } from 'node:crypto'

/** What a secret of ours begins with, so that it is known wherever it appears: an API key, a session, a sign-in link. */
const PREFIX = { key: 'bw_', session: 'bws_', link: 'bwl_' } as const

export type TokenKind = keyof typeof PREFIX

/** A new one: 256 random bits, so a plain hash of it is enough to keep. */
export const newToken = (kind: TokenKind): string => PREFIX[kind] + randomBytes(32).toString('base64url')

/** Whether it has the form of one: then nobody guessed it. */
export const isToken = (kind: TokenKind, text: string): boolean =>
  text.startsWith(PREFIX[kind]) && /^[\w-]{43}$/.test(text.slice(PREFIX[kind].length))

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
