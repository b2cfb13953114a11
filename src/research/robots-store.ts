import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { type Purge, purgeOlderThan } from '../db/purge.ts'
import { toStorable } from '../engine/text/storable.ts'
import type { RobotsRecord } from '../providers/robots-cache.ts'

export type RobotsRow = RobotsRecord & { origin: string }

/** The cached robots.txt files of origins, shared by all workspaces. */
export async function findRobotsFiles(db: Db, origins: readonly string[]): Promise<RobotsRow[]> {
  const { rows } = await sql<RobotsRow>`
    select origin, file, etag, last_modified, fresh_until from robots_files where origin = any(${origins}::text[])`.execute(
    db,
  )
  return rows
}

/** Inserted in the order of the keys, so that concurrent processes do not deadlock. */
export async function saveRobotsFiles(db: Db, rows: readonly RobotsRow[]): Promise<void> {
  // A value that PostgreSQL cannot store must not fail the other rows.
  const given = JSON.stringify(rows, (_key, value) => (typeof value === 'string' ? toStorable(value) : value))
  await sql`
    insert into robots_files (origin, file, etag, last_modified, fresh_until)
    select origin, nullif(file, 'null'), etag, last_modified, fresh_until
    from json_to_recordset(${given}::json) as given
      (origin text, file jsonb, etag text, last_modified text, fresh_until timestamptz)
    order by origin
    on conflict (origin) do update set file = excluded.file, etag = excluded.etag,
      last_modified = excluded.last_modified, fresh_until = excluded.fresh_until`.execute(db)
}

/** Files that expired more than a number of days ago. */
export const oldRobotsFiles = (days: number): Purge =>
  purgeOlderThan({ table: 'robots_files', time: 'fresh_until', days })
