import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What was sent is known by its digest, so that no text about people is kept twice; and when it left.
  await sql`alter table deliveries add column body_digest bytea, add column sent_at timestamptz(3)`.execute(db)
  await sql`
    create index deliveries_failed on deliveries (workspace_id, destination_id, created_at desc, id desc)
    where status is null or status not between 200 and 299`.execute(db)

  // Where an alert went, as people may read it: settings change afterwards.
  await sql`alter table alert_deliveries add column target text`.execute(db)
  await sql`create index alerts_created on alerts (workspace_id, created_at desc, id desc)`.execute(db)

  // How each provider fares, and since when: not only the last failure.
  await sql`alter table provider_problems rename to provider_health`.execute(db)
  await sql`
    alter table provider_health alter column kind drop not null, alter column message drop not null,
      alter column failed_at drop not null, alter column failed_at drop default,
      add column since timestamptz(3) not null default now(), add column ok_at timestamptz(3),
      add constraint provider_health_problem check ((kind is null) = (message is null))`.execute(db)
  await sql`update provider_health set since = failed_at`.execute(db)
  await sql`alter table connections add column problem_since timestamptz(3)`.execute(db)
  await sql`update connections set problem_since = updated_at where problem is not null`.execute(db)

  // Credits one by one, and periods that have ended: what was used before this is not known and not made up.
  await sql`alter table subscriptions add column counted_since timestamptz(3) not null default now()`.execute(db)
  await sql`
    create table credits_taken (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      taken_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index credits_taken_at on credits_taken (workspace_id, taken_at)`.execute(db)
  await sql`
    create table subscription_periods (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      period_start timestamptz(3) not null,
      period_end timestamptz(3) not null,
      account_limit integer not null,
      credits_used integer not null,
      primary key (workspace_id, period_start)
    )`.execute(db)
}
