import { createHash, randomBytes } from 'node:crypto'

/** Prefixes of our API keys, session tokens and sign-in links, so that secret scanners and log redaction recognize them. */
const PREFIX = { key: 'bw_', session: 'bws_', link: 'bwl_' } as const

export type TokenKind = keyof typeof PREFIX

/** Generates a token of 256 random bits, so storing a plain hash of it is enough. */
export const newToken = (kind: TokenKind): string => PREFIX[kind] + randomBytes(32).toString('base64url')

/** Whether the text has the form of a generated token, which cannot be guessed. */
export const isToken = (kind: TokenKind, text: string): boolean =>
  text.startsWith(PREFIX[kind]) && /^[\w-]{43}$/.test(text.slice(PREFIX[kind].length))

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
