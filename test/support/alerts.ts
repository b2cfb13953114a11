import { queueAlert } from '../../src/delivery/alert.ts'
import type { Deps } from '../../src/deps/deps.ts'
import { rankAgain } from '../../src/resources/work-items/rank.ts'
import { addEvents } from '../../src/resources/work-items/rank-store.ts'
import { newId } from '../../src/shared/ids.ts'

type Found = { headline: string; alpha?: number; signal_id?: string; claim?: string; quote?: string }

/** Stores detections on an account as a scan does, and queues their alerts in the same transaction. */
export async function detect(
  deps: Deps,
  workspaceId: string,
  { account_id, run_id }: { account_id: string; run_id: string | null },
  found: Found[],
  { delay }: { delay?: number } = {},
): Promise<{ ids: string[]; queued: boolean }> {
  const config = delay === undefined ? deps.config : { ...deps.config, ALERT_DELAY_SECONDS: delay }
  const rows = found.map(
    ({ headline, alpha = 50, signal_id = 'funding', claim = `${headline}, says the page.`, quote }) => ({
      workspace_id: workspaceId,
      id: newId(),
      account_id,
      signal_id,
      run_id,
      signal_present: true,
      alpha,
      icp_fit: 50,
      detected_at: '2026-11-02',
      headline,
      evidence: JSON.stringify([
        { claim, quote, source_url: 'https://n0.com/news?a=1&b=2', published_date: '2026-11-01' },
      ]),
    }),
  )
  const ids = rows.map(({ id }) => id)
  const queued = await deps.db.transaction().execute(async (db) => {
    await db.insertInto('signal_detections').values(rows).execute()
    await addEvents(
      db,
      workspaceId,
      account_id,
      ids.map((id) => ({ id, kind: 'detection', same: [] })),
    )
    await rankAgain(db, workspaceId, account_id, deps.now())
    return queueAlert({ ...deps, config, db }, workspaceId, {
      type: 'signal.detected',
      account_id,
      run_id,
      detection_ids: ids,
    })
  })
  return { ids, queued }
}
