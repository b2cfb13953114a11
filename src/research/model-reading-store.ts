import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { purgeOlderThan } from '../db/purge.ts'
import type { SecondReaderVerdict } from '../engine/detect/doubt.ts'
import type { ExtractedEvents } from '../providers/llm/events.ts'

/** What the language model read in texts of a workspace before, by the keys of what it was asked. */
export async function findModelReadings(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<Map<string, ExtractedEvents>> {
  const { rows } = await sql<ExtractedEvents & { key: string }>`
    select key, events, unproven from model_readings
    where workspace_id = ${workspaceId} and key = any(${keys}::text[]) and verdict is null`.execute(db)
  return new Map(rows.map(({ key, events, unproven }) => [key, { events, unproven }]))
}

export async function insertModelReading(
  db: Db,
  workspaceId: string,
  key: string,
  { events, unproven }: ExtractedEvents,
) {
  await sql`
    insert into model_readings (workspace_id, key, events, unproven)
    values (${workspaceId}::uuid, ${key}, ${JSON.stringify(events)}::jsonb, ${unproven})
    on conflict (workspace_id, key) do nothing`.execute(db)
}

const VERDICTS = { true: 'confirmed', false: 'refuted', null: 'unproven' } as const

/** What it said of findings in doubt. No words are kept, so an erasure leaves them. */
export async function findModelVerdicts(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<Map<string, SecondReaderVerdict>> {
  const { rows } = await sql<{ key: string; verdict: string }>`
    select key, verdict from model_readings
    where workspace_id = ${workspaceId} and key = any(${keys}::text[]) and verdict is not null`.execute(db)
  return new Map(rows.map(({ key, verdict }) => [key, verdict === VERDICTS.null ? null : verdict === VERDICTS.true]))
}

export async function insertModelVerdicts(
  db: Db,
  workspaceId: string,
  verdicts: ReadonlyMap<string, SecondReaderVerdict>,
) {
  const named = [...verdicts.values()].map((verdict) => VERDICTS[`${verdict}`])
  await sql`
    insert into model_readings (workspace_id, key, events, unproven, verdict)
    select ${workspaceId}::uuid, key, '[]', 0, verdict
    from unnest(${[...verdicts.keys()]}::text[], ${named}::text[]) as given (key, verdict)
    on conflict (workspace_id, key) do nothing`.execute(db)
}

/** Takes so many questions from those of a day, in one statement for all processes. Answers how many of them may be asked. */
export async function takeQuestions(db: Db, workspaceId: string, day: string, count: number, most: number) {
  const { rows } = await sql<{ wanted: number }>`
    insert into second_readings as known (workspace_id, day, wanted) values (${workspaceId}::uuid, ${day}::date, ${count})
    on conflict (workspace_id) do update set day = greatest(known.day, excluded.day),
      wanted = case when excluded.day > known.day then 0 else least(known.wanted, ${most}) end + excluded.wanted
    returning wanted`.execute(db)
  const { wanted } = rows[0] as { wanted: number }
  return Math.max(0, Math.min(count, most - (wanted - count)))
}

/** Refunds questions whose request was not answered. */
export async function returnQuestions(db: Db, workspaceId: string, day: string, count: number, most: number) {
  await sql`
    update second_readings set wanted = greatest(0, least(wanted, ${most}) - ${count})
    where workspace_id = ${workspaceId} and day = ${day}::date`.execute(db)
}

/** What was read so many days ago. What is met again is read again. */
export const oldModelReadings = (days: number) => purgeOlderThan({ table: 'model_readings', time: 'read_at', days })
