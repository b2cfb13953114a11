import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { olderThan } from '../db/purge.ts'
import type { Told } from '../providers/llm/events.ts'

/** What the language model read in texts of a workspace before, by the keys of what it was asked. */
export async function findModelReadings(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<Map<string, Told>> {
  const { rows } = await sql<Told & { key: string }>`
    select key, events, unproven from model_readings
    where workspace_id = ${workspaceId} and key = any(${keys}::text[])`.execute(db)
  return new Map(rows.map(({ key, events, unproven }) => [key, { events, unproven }]))
}

export async function insertModelReading(db: Db, workspaceId: string, key: string, { events, unproven }: Told) {
  await sql`
    insert into model_readings (workspace_id, key, events, unproven)
    values (${workspaceId}::uuid, ${key}, ${JSON.stringify(events)}::jsonb, ${unproven})
    on conflict (workspace_id, key) do nothing`.execute(db)
}

/** What was read so many days ago. What is met again is read again. */
export const oldModelReadings = (days: number) => olderThan({ table: 'model_readings', time: 'read_at', days })
