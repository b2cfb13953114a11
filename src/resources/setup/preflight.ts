import type { Deps } from '../../deps/deps.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import { apiOrigin } from '../../providers/crm/origin.ts'
import { CRM_VENDORS, type RegisteredCrm } from '../../providers/crm/registry.ts'
import { checkNetwork, findHostProblem, OFFLINE, type PreflightResult } from '../../providers/preflight/network.ts'
import { findConnection } from '../connections/store.ts'
import { verificationConfig } from '../integrations/email-verification.ts'
import type { Preflight } from './schema.ts'

const KEPT_MS = 5 * 60_000
/** Longer than each check may take. */
const LIMIT_MS = 15_000

type Parts = Pick<Deps, 'db' | 'secrets' | 'config' | 'outbound' | 'mailer' | 'now'>

/** Runs the checks of a workspace and keeps their results for a while. */
export class PreflightRunner {
  readonly #parts: Parts
  readonly #results = new Map<string, Preflight>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async read(workspaceId: string, gone: AbortSignal, { again = false }: { again?: boolean }): Promise<Preflight> {
    const oldest = this.#parts.now().getTime() - KEPT_MS
    for (const [id, { checked_at }] of this.#results) if (Date.parse(checked_at) < oldest) this.#results.delete(id)
    const known = again ? undefined : this.#results.get(workspaceId)
    if (known) return known
    const result = await runChecks(this.#parts, workspaceId, AbortSignal.any([gone, AbortSignal.timeout(LIMIT_MS)]))
    this.#results.set(workspaceId, result)
    return result
  }
}

async function runChecks(parts: Parts, workspaceId: string, signal: AbortSignal): Promise<Preflight> {
  const config = await verificationConfig(parts, workspaceId)
  const [network, ...connections] = await Promise.all([
    checkNetwork({ ...parts, config }, signal),
    checkChat(parts, workspaceId, signal),
    ...CRM_VENDORS.map((vendor) => checkCrm(parts, workspaceId, vendor, signal)),
  ])
  const isOffline = network.some(({ id, message }) => id === 'internet' && message === OFFLINE)
  const checks = [...network, ...connections]
  return { checked_at: parts.now().toISOString(), is_offline: isOffline, checks }
}

const NOT_CONNECTED: PreflightResult = { state: 'off', message: 'Not connected.' }

async function checkChat(parts: Parts, workspaceId: string, signal: AbortSignal) {
  const connection = await findConnection(parts.db, workspaceId, 'chat', parts.secrets)
  const named = { id: 'chat' as const, label: chatVendor.label }
  return {
    ...named,
    ...(connection ? await checkOrigin(parts, named.label, chatVendor.origin, connection, signal) : NOT_CONNECTED),
  }
}

async function checkCrm(parts: Parts, workspaceId: string, vendor: RegisteredCrm, signal: AbortSignal) {
  const connection = await findConnection(parts.db, workspaceId, vendor.id, parts.secrets)
  const named = { id: vendor.id, label: vendor.label }
  if (!connection) return { ...named, ...NOT_CONNECTED }
  const origin = apiOrigin(vendor, connection.credential.base)
  return { ...named, ...(await checkOrigin(parts, vendor.label, origin, connection, signal)) }
}

/** The credential is not sent: each use records whether the vendor accepts it. */
async function checkOrigin(
  parts: Parts,
  label: string,
  origin: string,
  { problem }: { problem: string | null },
  signal: AbortSignal,
): Promise<PreflightResult> {
  const error = await findHostProblem(parts, origin, signal)
  if (error) return { state: 'failing', message: `${label} cannot be reached. ${error.message}` }
  return problem === null
    ? { state: 'works', message: `${label} can be reached.` }
    : { state: 'failing', message: `${problem} Repair the connection in Settings → Connections.` }
}
