import type { Db } from '../../db/connect.ts'
import type { CrmProvider } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { requestToken } from '../../providers/crm/oauth.ts'
import { CRM_VENDORS } from '../../providers/crm/registry.ts'
import { type Crm, CrmError, type Session } from '../../providers/crm/types.ts'
import { clientOf } from './consent.ts'
import { type Connection, findConnection, saveConnection, setProblem } from './store.ts'

type Parts = Pick<Deps, 'db' | 'outbound' | 'secrets' | 'config'>
type Kept = Connection<CrmProvider>

/** A token is renewed so long before it ends. */
const EARLY_MS = 60_000

export type OpenCrm = { provider: CrmProvider; portal: string; crm: Crm }

/** The connected account of a CRM; null when none is connected. */
export async function openCrm(
  parts: Parts,
  workspaceId: string,
  provider: CrmProvider,
  signal: AbortSignal,
): Promise<OpenCrm | null> {
  let kept = await findConnection(parts.db, workspaceId, provider, parts.secrets)
  if (!kept) return null
  const vendor = CRM_VENDORS[provider]
  const portal = kept.account ?? ''

  async function renew(refused: string | null): Promise<string> {
    kept = await renewOnce(parts, workspaceId, provider, refused)
    return kept.credential.token
  }

  const session: Session = {
    account: portal,
    base: () => vendor.base ?? kept?.credential.base ?? '',
    token: async () => (kept && !endsSoon(kept) ? kept.credential.token : renew(null)),
    renew,
  }
  return { provider, portal, crm: vendor.open({ outbound: parts.outbound, session, signal }) }
}

function endsSoon({ expires_at }: Kept): boolean {
  return expires_at !== null && Date.parse(expires_at) - EARLY_MS < Date.now()
}

/** Renewals under way in this process: whoever comes to one waits for it, and no more than one connection waits with the database. */
const underWay = new WeakMap<Db, Map<string, Promise<Kept>>>()

function renewOnce(parts: Parts, workspaceId: string, provider: CrmProvider, refused: string | null): Promise<Kept> {
  const all = underWay.get(parts.db) ?? new Map<string, Promise<Kept>>()
  underWay.set(parts.db, all)
  const name = `${workspaceId} ${provider}`
  const known = all.get(name)
  if (known) return known
  const renewal = renewToken(parts, workspaceId, provider, refused).finally(() => all.delete(name))
  all.set(name, renewal)
  return renewal
}

/**
 * Takes a new token while the row is locked: of several processes one asks the vendor, the others find what it got. Notes
 * it as the connection's problem when the vendor refuses. Throws CrmError.
 */
async function renewToken(
  { db, outbound, secrets, config }: Parts,
  workspaceId: string,
  provider: CrmProvider,
  refused: string | null,
): Promise<Kept> {
  const { label, oauth } = CRM_VENDORS[provider]
  try {
    return await db.transaction().execute(async (db) => {
      const kept = await findConnection(db, workspaceId, provider, secrets, { lock: true })
      if (!kept) throw new CrmError('auth', `${label} is no longer connected.`)
      const { credential, account } = kept
      if (credential.token !== refused && !endsSoon(kept)) return kept
      const client = clientOf(config, provider)
      if (!credential.refresh_token || !client)
        throw new CrmError('auth', `${label} no longer accepts the connection. Connect it again.`)
      const form = { grant_type: 'refresh_token', refresh_token: credential.refresh_token } as const
      const { expires_at, ...grant } = await requestToken(
        outbound,
        oauth(config.CRM_TWO_LOGIN_URL),
        client,
        form,
        label,
      )
      const renewed = { ...credential, ...grant }
      await saveConnection(db, workspaceId, provider, secrets, { credential: renewed, account, expires_at })
      return { ...kept, credential: renewed, expires_at, problem: null }
    })
  } catch (error) {
    if (error instanceof CrmError && error.kind === 'auth') await setProblem(db, workspaceId, provider, error.message)
    throw error
  }
}
