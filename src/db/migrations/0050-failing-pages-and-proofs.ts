import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Other domains that lead to the workspace's own site: discovery suggests none of them.
  await sql`alter table company_profiles add column aliases text[] not null default '{}'`.execute(db)
  await sql`
    update company_profiles set aliases = array[homes.host]
    from (
      select distinct on (profile.workspace_id) profile.workspace_id,
        substring(page ->> 'url' from '^https?://(?:www[.])?([^/:]+)') as host
      from company_profiles as profile, jsonb_array_elements(profile.scraped_meta -> 'pages') as page
      where jsonb_typeof(profile.scraped_meta -> 'pages') = 'array' and profile.scraped_meta ->> 'domain' = profile.domain
        and page ->> 'kind' = 'home' and page ->> 'url' ~* '^https?://[^/]+/([a-z]{2}(-[a-z]{2})?/?)?$'
    ) as homes
    where homes.workspace_id = company_profiles.workspace_id and homes.host <> company_profiles.domain`.execute(db)

  // Pages that fail for the same reason are one event until all of them are read again. "failing" holds those that are not yet.
  await sql`
    alter table monitor_events
      add column count integer not null default 1 check (count > 0),
      add column last_seen_at timestamptz(3),
      add column urls text[] not null default '{}',
      add column failing text[] not null default '{}',
      add check (status = 'failed' or failing = '{}')`.execute(db)
  await sql`update monitor_events set last_seen_at = created_at, run_id = coalesce(run_id, id)`.execute(db)
  await sql`
    alter table monitor_events
      alter column last_seen_at set not null, alter column last_seen_at set default now(), alter column run_id set not null`.execute(
    db,
  )
  await sql`
    create unique index monitor_events_failing on monitor_events (workspace_id, account_id, md5(reason))
    where failing <> '{}'`.execute(db)
  // A failure that goes on is kept, however long ago it began.
  await sql`drop index monitor_events_quiet`.execute(db)
  await sql`
    create index monitor_events_quiet on monitor_events (last_seen_at) where status in ('unchanged', 'failed')`.execute(
    db,
  )

  // The page that shows a person's number.
  await sql`alter table people add column found_phone_url text, add column phone_url text`.execute(db)
}
