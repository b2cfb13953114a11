import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { purgeOlderThan } from '../db/purge.ts'
import type { ScoreCache } from '../engine/classifier/index.ts'

/** What the reader has judged of a workspace's texts. */
export function judgementsOf(db: Db, workspaceId: string): ScoreCache {
  return {
    async read(keys) {
      if (keys.length === 0) return new Map()
      const { rows } = await sql<{ key: string; logits: Buffer }>`
        select key, logits from judgements
        where workspace_id = ${workspaceId} and key = any(${keys}::text[])`.execute(db)
      return new Map(rows.map(({ key, logits }) => [key, logits]))
    },
    async write(judgements) {
      const rows = [...judgements].map(([key, logits]) => ({ key, logits: logits.toString('hex') }))
      await sql`
        insert into judgements (workspace_id, key, logits)
        select ${workspaceId}::uuid, key, decode(logits, 'hex')
        from json_to_recordset(${JSON.stringify(rows)}::json) as given (key text, logits text)
        on conflict (workspace_id, key) do nothing`.execute(db)
    },
  }
}

/** Judgements of so many days ago. What is read again is judged again. */
export const oldJudgements = (days: number) => purgeOlderThan({ table: 'judgements', time: 'judged_at', days })

/**
 * Notes for every workspace that its documents are read with these weights. Answers the workspaces that had not been:
 * each is answered once for each version, whoever asks.
 */
export async function beginReadings(db: Db, version: string): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    insert into readings (workspace_id, version)
    select id, ${version} from workspaces
    where not exists (select from readings where readings.workspace_id = workspaces.id and readings.version = ${version})
    on conflict (workspace_id, version) do nothing
    returning workspace_id`.execute(db)
  return rows.map(({ workspace_id }) => workspace_id)
}
