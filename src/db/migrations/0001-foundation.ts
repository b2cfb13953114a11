import { type Kysely, sql } from 'kysely'

/**
 * Every table of a workspace has (workspace_id, id) as its key and composite foreign keys, so a row cannot point into
 * another workspace and the schema can be distributed by workspace.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspaces (
      id uuid primary key,
      name text not null,
      domain text,
      created_at timestamptz(3) not null default now()
    )`.execute(db)

  // One row at most: whoever inserts it has set the database up.
  await sql`
    create table installation (
      one boolean primary key default true check (one),
      workspace_id uuid not null references workspaces (id),
      secrets_key_check bytea not null
    )`.execute(db)

  await sql`
    create table members (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      name text not null,
      email text not null,
      role text not null check (role in ('admin', 'member')),
      visibility text not null check (visibility in ('all', 'scoped')),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id)
    )`.execute(db)
  await sql`create unique index members_email on members (workspace_id, lower(email))`.execute(db)

  await sql`
    create table api_keys (
      workspace_id uuid not null,
      id uuid not null,
      member_id uuid not null,
      name text not null,
      prefix text not null,
      hash bytea not null unique,
      read_only boolean not null,
      expires_at timestamptz(3),
      last_used_at timestamptz(3),
      revoked_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index api_keys_member on api_keys (workspace_id, member_id)`.execute(db)

  await sql`
    create table subscriptions (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      status text not null check (status in ('active', 'inactive')),
      account_limit integer not null check (account_limit >= 0),
      period_start timestamptz(3) not null,
      period_end timestamptz(3) not null,
      credits_used integer not null default 0 check (credits_used >= 0),
      check (period_end > period_start)
    )`.execute(db)

  await sql`
    create table knowledge_sections (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id uuid not null,
      type text not null,
      title text not null,
      content_md text not null,
      source_url text,
      is_ai_generated boolean not null default false,
      position integer not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id)
    )`.execute(db)
  await sql`create index knowledge_sections_position on knowledge_sections (workspace_id, position, id)`.execute(db)

  await sql`
    create table company_profiles (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      name text,
      domain text,
      logo_url text,
      business_context text,
      scraped_meta jsonb not null default '{}',
      updated_at timestamptz(3) not null default now()
    )`.execute(db)

  await sql`
    create table notification_settings (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      webhook_url_sealed bytea,
      webhook_enabled boolean not null default false,
      chat_channel text,
      chat_enabled boolean not null default false,
      notify_realtime boolean not null default true,
      notify_suggested boolean not null default false
    )`.execute(db)

  await sql`
    create table signals (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      id text not null,
      name text not null,
      description text not null,
      is_builtin boolean not null,
      enabled boolean not null default true,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (workspace_id, id)
    )`.execute(db)
  await sql`create unique index signals_name on signals (workspace_id, lower(name))`.execute(db)

  await sql`
    create table idempotency_keys (
      workspace_id uuid not null,
      member_id uuid not null,
      key text not null,
      request_hash bytea not null,
      status integer,
      answer_sealed bytea,
      lease_until timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, member_id, key),
      foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`create index idempotency_keys_age on idempotency_keys (created_at)`.execute(db)
}
