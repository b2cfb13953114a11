import type { Deps } from '../../deps/deps.ts'
import { HASH_PREFIX_BYTES } from '../../engine/redact/hashes.ts'
import type { ErasedPeople } from '../../engine/redact/index.ts'
import { findErasureVersion, findHashPrefixes, listNamedScopes } from '../erasure-store.ts'
import { type ScopedCompany, scopesOf, scopesOfCompany } from '../scopes.ts'

/** What texts are about: an account, a company that is none yet, or, with null, any company at which somebody was erased. */
export type About = string | ScopedCompany | null

/** Everybody who was erased, at one moment. `state` is another one when it is not the same for these texts any more. */
export type ErasedNow = { state: string; erased: ErasedPeople | null }

/** Reads whom texts must not name. `erased` is null when nobody was ever erased, and then nothing has to be searched. */
export async function readErased(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  workspaceId: string,
  about: About,
): Promise<ErasedNow> {
  const { version, own, scopes, state } = await readState(db, workspaceId, about)
  if (version === null) return { state, erased: null }
  const prefixes = await prefixesOf(db, workspaceId, version)
  const key = Uint8Array.from(secrets.suppressionKey)
  return { state, erased: { workspace_id: workspaceId, key, prefixes, own, scopes } }
}

/** The state alone: read while the account is locked, it says whether what was redacted before may be stored. */
export async function erasureState(db: Deps['db'], workspaceId: string, accountId: string): Promise<string> {
  return (await readState(db, workspaceId, accountId)).state
}

async function readState(db: Deps['db'], workspaceId: string, about: About) {
  // First: what is read after it includes at least what it counts.
  const version = await findErasureVersion(db, workspaceId)
  if (version === null) return { version, own: [], scopes: [], state: '' }
  const named = await listNamedScopes(db, workspaceId)
  const scopes = named.map(({ account_id, name, company }) => ({ id: account_id, name, company }))
  const own = await ownScopes(db, workspaceId, about, scopes)
  // An account's own id makes no difference: one that was just added has it, and nobody was erased there.
  const others = own.filter((id) => id !== about).sort()
  const known = scopes.map((scope) => JSON.stringify(scope)).sort()
  return { version, own, scopes, state: JSON.stringify([version, others, known]) }
}

async function ownScopes(db: Deps['db'], workspaceId: string, about: About, scopes: readonly { id: string }[]) {
  if (about === null) return [...new Set(scopes.map(({ id }) => id))]
  if (typeof about !== 'string') return [...(await scopesOfCompany(db, workspaceId, about))]
  return [...((await scopesOf(db, workspaceId, [about])).get(about)?.ids ?? [])]
}

type Known = { version: string; prefixes: Uint8Array }

/** Of the workspaces that redacted something last; a thousand erased people take a third of a megabyte. */
const known = new Map<string, Known>()
const MOST_KNOWN = 50
const BATCH = 100_000

/** The prefixes of all hashes a workspace keeps, in memory that threads share. */
async function prefixesOf(db: Deps['db'], workspaceId: string, version: string): Promise<Uint8Array> {
  const before = known.get(workspaceId)
  known.delete(workspaceId)
  const found = before && before.version === version ? before : await loadPrefixes(db, workspaceId, version)
  known.set(workspaceId, found)
  const [oldest] = known.keys()
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
  return found.prefixes
}

async function loadPrefixes(db: Deps['db'], workspaceId: string, version: string): Promise<Known> {
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
