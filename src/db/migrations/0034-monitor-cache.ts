import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Checks that were made to the end, from any place on: they say whose turn it is among the pages of an account.
  await sql`alter table monitors add column checks integer not null default 0`.execute(db)
  await sql`update monitors set checks = floor(random() * 6)`.execute(db)

  // What came, byte for byte, and until when the site says that it holds; null where that is before the next check.
  await sql`alter table watched_pages add column body_hash text, add column fresh_until timestamptz(3)`.execute(db)

  // What the robots.txt of an origin says to us; null when that is too much. The same for all workspaces.
  await sql`
    create table robots_files (
      origin text primary key check (length(origin) <= 300),
      file jsonb,
      etag text,
      last_modified text,
      fresh_until timestamptz(3) not null
    )`.execute(db)
  await sql`create index robots_files_age on robots_files (fresh_until)`.execute(db)
}
