import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { ALL_WORKSPACES } from '../db/distribution.ts'
import { purgeOlderThan } from '../db/purge.ts'
import type { ScoreCache } from '../engine/classifier/index.ts'
import type { SecondReaderVerdict } from '../engine/detect/doubt.ts'
import type { ExtractedEvents } from '../providers/llm/events.ts'

/** The cache of the classifier's judgements for a workspace. */
export function judgementCache(db: Db, workspaceId: string): ScoreCache {
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

/** Judgements older than a number of days. A document that is read again is judged again. */
export const oldJudgements = (days: number) => purgeOlderThan({ table: 'judgements', time: 'judged_at', days })

/**
 * Records for every workspace that its documents are judged by this version of the classifier. Returns the workspaces
 * for which that is new; each is returned once per version, in one process only.
 */
export async function claimRereadings(db: Db, version: string): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    insert into readings (workspace_id, version)
    select ${sql.raw(ALL_WORKSPACES)} id, ${version} from workspaces
    where not exists (select from readings where readings.workspace_id = workspaces.id and readings.version = ${version})
    on conflict (workspace_id, version) do nothing
    returning workspace_id`.execute(db)
  return rows.map(({ workspace_id }) => workspace_id)
}

/** Cached results of the language model for a workspace, by the keys of the questions. */
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

/** Cached verdicts on findings in doubt. They contain no text, so an erasure does not delete them. */
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

/** Reserves questions from the daily budget, atomically across processes. Returns how many may be sent. */
export async function reserveQuestions(db: Db, workspaceId: string, day: string, count: number, most: number) {
  const { rows } = await sql<{ wanted: number }>`
    insert into second_readings as known (workspace_id, day, wanted) values (${workspaceId}::uuid, ${day}::date, ${count})
    on conflict (workspace_id) do update set day = greatest(known.day, excluded.day),
      wanted = case when excluded.day > known.day then 0 else least(known.wanted, ${most}) end + excluded.wanted
    returning wanted`.execute(db)
  const { wanted } = rows[0] as { wanted: number }
  return Math.max(0, Math.min(count, most - (wanted - count)))
}

/** Refunds questions whose request had no response. */
export async function refundQuestions(db: Db, workspaceId: string, day: string, count: number, most: number) {
  await sql`
    update second_readings set wanted = greatest(0, least(wanted, ${most}) - ${count})
    where workspace_id = ${workspaceId} and day = ${day}::date`.execute(db)
}

/** Results older than a number of days. A document that is found again is read again. */
export const oldModelReadings = (days: number) => purgeOlderThan({ table: 'model_readings', time: 'read_at', days })
