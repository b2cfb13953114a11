import type { Deps } from '../../deps/deps.ts'
import { HASH_PREFIX_BYTES } from '../../engine/redact/hashes.ts'
import type { ErasedPeople } from '../../engine/redact/index.ts'
import { findCompanyErasureScopes, findErasureScopes, type ScopedCompany } from '../erasure-scopes.ts'
import { findErasureVersion, findHashPrefixes, listNamedErasureScopes } from '../erasure-store.ts'

/** The subject of texts: an account id, a company without an account, or null for every company with an erasure. */
export type RedactionSubject = string | ScopedCompany | null

/** The erasures of a workspace at one moment. `state` differs after an erasure that affects the same texts. */
export type ErasureSnapshot = { state: string; erased: ErasedPeople | null }

/** Reads the erasures that apply to texts. `erased` is null before the first erasure, and then no text has to be searched. */
export async function readErasures(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  workspaceId: string,
  about: RedactionSubject,
): Promise<ErasureSnapshot> {
  const { version, own, scopes, state } = await readState(db, workspaceId, about)
  if (version === null) return { state, erased: null }
  const prefixes = await prefixesOf(db, workspaceId, version)
  const key = Uint8Array.from(secrets.suppressionKey)
  return { state, erased: { workspace_id: workspaceId, key, prefixes, own, scopes } }
}

/** Reads only the state. Call it while the account is locked, to check whether redacted texts are still valid. */
export async function readErasureState(db: Deps['db'], workspaceId: string, accountId: string): Promise<string> {
  return (await readState(db, workspaceId, accountId)).state
}

async function readState(db: Deps['db'], workspaceId: string, about: RedactionSubject) {
  // Read first, so that the later queries include at least the erasures that this version counts.
  const version = await findErasureVersion(db, workspaceId)
  if (version === null) return { version, own: [], scopes: [], state: '' }
  const named = await listNamedErasureScopes(db, workspaceId)
  const scopes = named.map(({ account_id, name, company }) => ({ id: account_id, name, company }))
  const own = await ownScopes(db, workspaceId, about, scopes)
  // The account's own id is left out: a new account has it, although it has no erasure.
  const others = own.filter((id) => id !== about).sort()
  const known = scopes.map((scope) => JSON.stringify(scope)).sort()
  return { version, own, scopes, state: JSON.stringify([version, others, known]) }
}

async function ownScopes(
  db: Deps['db'],
  workspaceId: string,
  about: RedactionSubject,
  scopes: readonly { id: string }[],
) {
  if (about === null) return [...new Set(scopes.map(({ id }) => id))]
  if (typeof about !== 'string') return [...(await findCompanyErasureScopes(db, workspaceId, about))]
  return [...((await findErasureScopes(db, workspaceId, [about])).get(about)?.ids ?? [])]
}

type CachedPrefixes = { version: string; prefixes: Uint8Array }

/** Hash prefixes of the most recently used workspaces; a thousand erased people take a third of a megabyte. */
const cachedPrefixes = new Map<string, CachedPrefixes>()
const MAX_CACHED_WORKSPACES = 50
const BATCH = 100_000

/** Returns the prefixes of all stored hashes of a workspace, in memory that threads share. */
async function prefixesOf(db: Deps['db'], workspaceId: string, version: string): Promise<Uint8Array> {
  const before = cachedPrefixes.get(workspaceId)
  cachedPrefixes.delete(workspaceId)
  const found = before && before.version === version ? before : await loadPrefixes(db, workspaceId, version)
  cachedPrefixes.set(workspaceId, found)
  const [oldest] = cachedPrefixes.keys()
  if (cachedPrefixes.size > MAX_CACHED_WORKSPACES && oldest !== undefined) cachedPrefixes.delete(oldest)
  return found.prefixes
}

async function loadPrefixes(db: Deps['db'], workspaceId: string, version: string): Promise<CachedPrefixes> {
  const parts: Buffer[] = []
  for (let after: Buffer | null = Buffer.alloc(0); after; ) {
    const batch = await findHashPrefixes(db, workspaceId, after, HASH_PREFIX_BYTES, BATCH)
    if (batch) parts.push(batch.prefixes)
    after = batch?.last ?? null
  }
  const prefixes = new Uint8Array(new SharedArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0)))
  let at = 0
  for (const part of parts) {
    prefixes.set(part, at)
    at += part.length
  }
  return { version, prefixes }
}
