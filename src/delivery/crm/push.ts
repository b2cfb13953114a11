import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import type { Viewer } from '../../member.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import { INLINE_LIMIT, readIds, startRun } from '../run.ts'
import { connectedCrms, crmChannel } from './channel.ts'
import { pushToCrmInline } from './inline.ts'
import { readRecords } from './records.ts'

type Parts = Pick<Deps, 'db' | 'outbound' | 'secrets' | 'jobs' | 'config' | 'crmClients' | 'now'>

/**
 * Pushes records to one CRM or to every connected one: a few at once, many as a run in the background. An id that names
 * nothing the viewer may see, or that came before, is skipped. Throws crm_not_connected.
 */
export async function pushToCrm(
  deps: Parts,
  viewer: Viewer,
  recordType: PushRecordType,
  given: string[],
  wanted: CrmProvider | undefined,
) {
  const providers = await connectedCrms(deps, viewer.workspace_id, wanted)
  const { ids, surplus, asked } = readIds(given)
  if (asked > INLINE_LIMIT) {
    return startRun(deps, viewer, crmChannel, { recordType, destinationId: null, providers, ids, surplus })
  }
  const records = await readRecords(deps.db, viewer, recordType, ids)
  const all = [...records.values()]
  const { pushed, failed, skipped, results } = await pushToCrmInline(
    deps,
    viewer.workspace_id,
    providers,
    recordType,
    all,
  )
  return { pushed, failed, unknown: asked - records.size, withoutIdentity: skipped, providers, results }
}
