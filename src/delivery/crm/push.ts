import type { PushRecordType } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import type { Viewer } from '../../member.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import type { PushedRow } from '../../resources/push-runs/store.ts'
import { pushInline } from '../inline.ts'
import { INLINE_LIMIT, readIds, startRun } from '../run.ts'
import { connectedCrms, crmChannel } from './channel.ts'
import { WITHOUT_IDENTITY } from './sync.ts'

type Result = { id: string; provider: CrmProvider; ok: boolean; created: boolean; error: string | null }

/**
 * Pushes records to one CRM or to every connected one: a few while the caller waits, many, and what is not done in time, as
 * a run in the background. An id that names nothing the viewer may
 * see, or that came before, is skipped. Throws crm_not_connected.
 */
export async function pushToCrm(
  deps: Deps,
  viewer: Viewer,
  recordType: PushRecordType,
  given: string[],
  wanted: CrmProvider | undefined,
) {
  const providers = await connectedCrms(deps, viewer.workspace_id, wanted)
  const { ids, surplus, asked } = readIds(given)
  const run = { recordType, destinationId: null, providers, ids, surplus }
  if (asked > INLINE_LIMIT) return startRun(deps, viewer, crmChannel, run)
  const { run_id: _, rows, handedOver, ...counts } = await pushInline(deps, viewer, crmChannel, run)
  const results = rows.flatMap((row) => resultsOf(row, providers))
  const withoutIdentity = counts.skipped_records.filter(({ message }) => message === WITHOUT_IDENTITY).length
  return { ...counts, withoutIdentity, providers, results, handedOver }
}

/** What each CRM did with a record. Nothing of one that was skipped, or that is still to be tried. */
function resultsOf({ id, state, message, providers_done, outcomes }: PushedRow, providers: CrmProvider[]): Result[] {
  return providers.flatMap((provider): Result[] => {
    const said = outcomes?.[provider]
    if (providers_done.includes(provider))
      return [{ id, provider, ok: true, created: said?.created ?? false, error: null }]
    if (state !== 'failed') return []
    return [{ id, provider, ok: false, created: false, error: said?.error ?? message ?? 'It could not be delivered.' }]
  })
}
