import type { Config } from '../../config/config.ts'
import type { Deps } from '../../deps/deps.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import { accountOrigin, apiOrigin } from '../../providers/crm/origin.ts'
import { type CrmProvider, crmVendor, type RegisteredCrm } from '../../providers/crm/registry.ts'
import { CrmError, type CrmSession } from '../../providers/crm/vendor/types.ts'
import { type ProviderParts, toProviderDeps } from '../../providers/types.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import { endLease, startSync } from '../crm-sync/store.ts'
import type { ConnectionProvider } from './provider-schema.ts'
import {
  type ConnectionCredential,
  type CrmGrant,
  deleteConnection,
  findConnection,
  saveConnection,
  saveIfSameVendorAccount,
} from './store.ts'

type Parts = Pick<Deps, 'db' | 'secrets'> & ProviderParts

/** The caller waits for the test of a credential. */
const TIME_LIMIT_MS = 30_000

type Given = { token: string; instance_url?: string | null | undefined; signing_secret?: string | null | undefined }

/** Tests a credential and stores it. Throws credential_rejected, invalid_request, unavailable, and then stores nothing. */
export async function connectWithToken(parts: Parts, workspaceId: string, provider: ConnectionProvider, given: Given) {
  const { db, secrets } = parts
  if (provider === 'chat') {
    const vendorAccount = await identifyChat(parts, given.token)
    const { token } = given
    // A new token of the same chat keeps the secret, unless it is null.
    const before = given.signing_secret === undefined ? await findConnection(db, workspaceId, 'chat', secrets) : null
    const isSame = before?.account === vendorAccount
    const signing_secret = isSame ? before.credential.signing_secret : given.signing_secret
    const credential = { token, ...(signing_secret ? { signing_secret } : {}) }
    return saveConnection(db, workspaceId, 'chat', secrets, { credential, vendorAccount })
  }
  const { token, instance_url: base } = given
  const identified = await identifyCrm(parts, workspaceId, provider, { token, ...(base ? { base } : {}) })
  return saveCrmConnection(parts, workspaceId, provider, { ...identified, expires_at: null }, 'any')
}

async function identifyChat(parts: Parts, token: string): Promise<string> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  const found = await chatVendor.identify(toProviderDeps(parts, signal), token).catch((cause: unknown) => {
    if (!(cause instanceof OutboundError)) throw cause
    throw new AppError('unavailable', 'The chat cannot be reached at the moment. Try again later.', { cause })
  })
  if ('unavailable' in found) throw new AppError('unavailable', `${found.unavailable} Try again later.`)
  if ('refused' in found) throw new AppError('credential_rejected', found.refused)
  return found.team
}

/** Tests a credential of a CRM, typed in or granted. Throws credential_rejected, invalid_request, unavailable. */
export async function identifyCrm(
  { outbound, config }: Parts,
  workspaceId: string,
  provider: CrmProvider,
  { base, ...given }: ConnectionCredential,
): Promise<Omit<CrmGrant, 'expires_at'>> {
  const vendor = crmVendor(provider)
  const credential: ConnectionCredential = { ...given, ...ownAddress(vendor, base, config) }
  const session: CrmSession = {
    // Unknown before the first call, so a test has a separate rate limit.
    vendorAccount: `new ${workspaceId}`,
    base: () => apiOrigin(vendor, credential.base),
    token: async () => credential.token,
    renew: async () => {
      throw new CrmError('auth', `${vendor.label} does not accept this token.`)
    },
  }
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  const vendorAccount = await vendor
    .create()
    .identify({ outbound, session, signal })
    .catch((error: unknown) => {
      if (!(error instanceof CrmError)) throw error
      const code = error.kind === 'auth' || error.kind === 'refused' ? 'credential_rejected' : 'unavailable'
      throw new AppError(code, error.message, { cause: error })
    })
  return { credential, vendorAccount }
}

/**
 * Stores a tested credential. With `same`, a connection to another account at the vendor is not replaced, and CrmError is
 * thrown.
 */
export async function saveCrmConnection(
  { db, secrets }: Parts,
  workspaceId: string,
  provider: CrmProvider,
  grant: CrmGrant,
  replaces: 'any' | 'same',
) {
  const save = replaces === 'any' ? saveConnection : saveIfSameVendorAccount
  const saved = await db.transaction().execute(async (db) => {
    const saved = await save(db, workspaceId, provider, secrets, grant)
    if (saved) await startSync(db, { workspace_id: workspaceId, provider }, grant.vendorAccount)
    return saved
  })
  if (saved) return saved
  const { label } = crmVendor(provider)
  throw new CrmError('refused', `another account of ${label} is connected. Disconnect it first.`)
}

/** Deletes the connection with its credential; what was read from a CRM stays. Throws not_found. */
export async function disconnectProvider({ db }: Pick<Parts, 'db'>, workspaceId: string, provider: ConnectionProvider) {
  if (!(await deleteConnection(db, workspaceId, provider))) throw notFound('connection')
  if (provider !== 'chat') await endLease(db, { workspace_id: workspaceId, provider })
  return { provider, deleted: true as const }
}

/** The validated origin of the account, for vendors with one for each account. Throws invalid_request. */
function ownAddress(vendor: RegisteredCrm, url: string | undefined, { OUTBOUND_ALLOW }: Config): { base?: string } {
  if (typeof vendor.origin === 'string') return {}
  const base = accountOrigin(vendor, url, OUTBOUND_ALLOW)
  if (base) return { base }
  const { name, example } = vendor.origin
  const message = `must be the https ${name}, such as ${example}`
  throw new AppError('invalid_request', `instance_url ${message}.`, { details: [{ path: 'instance_url', message }] })
}
