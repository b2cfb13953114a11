import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import type { PushedRow } from '../../resources/push-runs/store.ts'
import type { Viewer } from '../../shared/member.ts'
import { failureReason, isFailed, pushInline } from '../inline.ts'
import { INLINE_LIMIT, readIds, startRun } from '../run.ts'
import { connectedCrms, crmChannel } from './channel.ts'
import { WITHOUT_IDENTITY } from './sync.ts'

type Result = { id: string; provider: CrmProvider; ok: boolean; created: boolean; error: string | null }

/**
 * Pushes records to one CRM or to every connected one: a few while the caller waits, many, or where it is asked for, as a
 * run in the background. An id that names nothing the viewer may see, or that came before, is skipped. Throws
 * crm_not_connected.
 */
export async function pushToCrm(
  deps: Deps,
  viewer: Viewer,
  recordType: PushRecordType,
  given: string[],
  wanted: CrmProvider | undefined,
  inBackground: boolean,
) {
  const providers = await connectedCrms(deps, viewer.workspace_id, wanted)
  const { ids, surplus, asked } = readIds(given)
  const run = { recordType, destinationId: null, providers, ids, surplus }
  if (inBackground || asked > INLINE_LIMIT) return startRun(deps, viewer, crmChannel, run)
  const { run_id: _, rows, ...counts } = await pushInline(deps, viewer, crmChannel, run)
  const results = rows.flatMap((row) => resultsOf(row, providers))
  const withoutIdentity = counts.skipped_records.filter(({ message }) => message === WITHOUT_IDENTITY).length
  return { ...counts, withoutIdentity, providers, results }
}

/** What each CRM did with a record; nothing for one that was skipped. */
function resultsOf(row: PushedRow, providers: CrmProvider[]): Result[] {
  const { id, providers_done, outcomes } = row
  return providers.flatMap((provider): Result[] => {
    const said = outcomes?.[provider]
    if (providers_done.includes(provider))
      return [{ id, provider, ok: true, created: said?.created ?? false, error: null }]
    if (!isFailed(row)) return []
    return [{ id, provider, ok: false, created: false, error: said?.error ?? failureReason(row) }]
  })
}
