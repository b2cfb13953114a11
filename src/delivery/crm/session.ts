import type { Deps } from '../../deps/deps.ts'
import { oauthApp, requestToken } from '../../providers/crm/oauth.ts'
import { accountOrigin, apiOrigin } from '../../providers/crm/origin.ts'
import { type CrmProvider, crmVendor } from '../../providers/crm/registry.ts'
import { type Crm, CrmError, type CrmSession, type FieldMapping } from '../../providers/crm/vendor/types.ts'
import {
  findConnection,
  type StoredConnection,
  saveConnection,
  setConnectionProblem,
} from '../../resources/connections/store.ts'

import { findFieldMapping } from './mapping-store.ts'

type Parts = Pick<Deps, 'db' | 'outbound' | 'secrets' | 'config' | 'crmClients' | 'now'>

/** A token is renewed this long before it expires. */
const EARLY_MS = 60_000

export const ANOTHER_ACCOUNT = 'Another account was connected.'

export type OpenCrm = {
  provider: CrmProvider
  vendorAccount: string
  crm: Crm
  mapping: FieldMapping
  /** The same account with another mapping. */
  withMapping: (mapping: FieldMapping) => OpenCrm
}

/** Opens the connected account of a CRM with the mapping of the workspace, or a given one; null when none is connected. */
export async function openCrm(
  parts: Parts,
  workspaceId: string,
  provider: CrmProvider,
  signal: AbortSignal,
  given?: FieldMapping,
): Promise<OpenCrm | null> {
  const { outbound, crmClients, now } = parts
  let connection = await findConnection(parts.db, workspaceId, provider, parts.secrets)
  if (!connection) return null
  const vendor = crmVendor(provider)
  const vendorAccount = connection.account ?? ''

  async function renew(refused: string | null): Promise<string> {
    const renewed = await crmClients.renewOnce(`${workspaceId} ${provider}`, () =>
      renewToken(parts, workspaceId, provider, refused),
    )
    // The stored links to records of one account are invalid in another.
    if ((renewed.account ?? '') !== vendorAccount) throw new CrmError('auth', ANOTHER_ACCOUNT)
    connection = renewed
    return connection.credential.token
  }

  const session: CrmSession = {
    vendorAccount,
    base: () => apiOrigin(vendor, connection?.credential.base),
    token: async () => (connection && !endsSoon(connection, now()) ? connection.credential.token : renew(null)),
    renew,
  }
  const mapping = given ?? (await findFieldMapping(parts.db, workspaceId, { provider, vendorAccount }))
  const api = crmClients.api(provider)
  const withMapping = (mapping: FieldMapping): OpenCrm => ({
    ...{ provider, vendorAccount, mapping, withMapping },
    crm: api.open({ outbound, session, signal }, mapping),
  })
  return withMapping(mapping)
}

function endsSoon({ expires_at }: StoredConnection, now: Date): boolean {
  return expires_at !== null && Date.parse(expires_at) - EARLY_MS < now.getTime()
}

/**
 * Renews the token while the row is locked: one of several processes requests it from the vendor, the others find the
 * stored one. A refusal is stored as the problem of the connection. Throws CrmError.
 */
async function renewToken(
  { db, outbound, secrets, config, now }: Parts,
  workspaceId: string,
  provider: CrmProvider,
  refused: string | null,
): Promise<StoredConnection> {
  const vendor = crmVendor(provider)
  const { label } = vendor
  let vendorAccount: string | null = null
  try {
    return await db.transaction().execute(async (db) => {
      const connection = await findConnection(db, workspaceId, provider, secrets, { lock: true })
      if (!connection) throw new CrmError('auth', `${label} is no longer connected.`)
      const { credential } = connection
      vendorAccount = connection.account
      if (credential.token !== refused && !endsSoon(connection, now())) return connection
      const app = oauthApp(vendor, config)
      if (!credential.refresh_token || !app)
        throw new CrmError('auth', `${label} no longer accepts the connection. Connect it again.`)
      const form = { grant_type: 'refresh_token', refresh_token: credential.refresh_token } as const
      const { expires_at, ...grant } = await requestToken({ outbound, now }, app, form)
      const base = accountOrigin(vendor, grant.base, config.OUTBOUND_ALLOW) ?? credential.base
      const renewed = { ...credential, ...grant, ...(base ? { base } : {}) }
      await saveConnection(db, workspaceId, provider, secrets, { credential: renewed, vendorAccount, expires_at })
      return { ...connection, credential: renewed, expires_at, problem: null }
    })
  } catch (error) {
    if (error instanceof CrmError && error.kind === 'auth' && vendorAccount !== null)
      await setConnectionProblem(db, workspaceId, provider, error.message, { vendorAccount })
    throw error
  }
}
