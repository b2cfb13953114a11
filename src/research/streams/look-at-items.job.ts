import type { Deps } from '../../deps/deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { findAccount } from '../../resources/accounts/store.ts'
import { insertEndedRun } from '../../resources/runs/store.ts'
import { newId } from '../../shared/ids.ts'
import { readContext } from '../context.ts'
import { detectAndRecord } from '../detect-and-record.ts'
import { listItems } from './item-store.ts'

type Payload = { workspace_id: string; account_id: string; item_ids: number[] }

/** Looks through what streams told of one account, as a run of its own. The same again adds nothing. */
export const lookAtItems = defineJob<Payload>({
  name: 'look-at-stream-items',
  timeout: 300,
  async run(deps, { workspace_id, account_id, item_ids }, { signal }) {
    const { db, now, config } = deps
    const [account, items] = await Promise.all([findAccount(db, workspace_id, account_id), listItems(db, item_ids)])
    const [first] = items
    if (account?.status !== 'active' || !first) return
    const run_id = newId()
    const started_at = now()
    const context = await readContext(deps, workspace_id)
    const documents = items.map(({ stream, document }) => ({ ...document, source: stream }))
    // Without its title: a text of others may name people, and a run is no place where they are looked for.
    const named = `Told by ${first.stream} on ${first.document.published_date}`
    const target = { workspace_id, account_id, run_id }
    await detectAndRecord(deps, context, target, account, documents, {
      signal,
      along: (db: Deps['db'], { found, added }, unread) =>
        insertEndedRun(db, workspace_id, {
          id: run_id,
          mode: 'monitor',
          name: named,
          account_id,
          started_at,
          timeframe_days: config.SCAN_WINDOW_DAYS,
          stats: {
            ...{ candidates: 1, accounts: 1, matched: found.length > 0 ? 1 : 0 },
            ...{ documents: documents.length, detections: added.length },
          },
          failure: unread.length < documents.length ? null : (unread[0]?.reason ?? null),
        }),
    })
  },
})
