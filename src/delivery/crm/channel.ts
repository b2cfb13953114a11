import type { Deps } from '../../deps/deps.ts'
import { type CrmProvider, crmVendor, isCrmProvider } from '../../providers/crm/registry.ts'
import { listConnections } from '../../resources/connections/store.ts'
import { AppError } from '../../shared/errors.ts'
import type { Channel } from '../run.ts'
import { pushCrm } from './push.job.ts'

export const crmChannel: Channel = {
  name: 'crm',
  job: pushCrm,
  // Its batches go out side by side within one job.
  jobsPerRun: 1,
  async checkTarget(deps, workspaceId, target) {
    const providers = target.providers.filter(isCrmProvider)
    const connected = await connectedCrms(deps, workspaceId, undefined)
    if (!providers.some((provider) => connected.includes(provider))) throw notConnected(providers[0])
  },
}

/** The CRMs that are connected, or the wanted one of them. Throws crm_not_connected. */
export async function connectedCrms(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  wanted: CrmProvider | undefined,
): Promise<CrmProvider[]> {
  const connected = (await listConnections(db, workspaceId)).map(({ provider }) => provider).filter(isCrmProvider)
  const chosen = wanted ? connected.filter((provider) => provider === wanted) : connected
  if (chosen.length === 0) throw notConnected(wanted)
  return chosen
}

function notConnected(provider: CrmProvider | undefined): AppError {
  return new AppError(
    'crm_not_connected',
    `${provider ? `${crmVendor(provider).label} is not` : 'No CRM is'} connected. Connect it with POST /connections.`,
  )
}
