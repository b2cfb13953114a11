import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table members add column feed_seen_at timestamptz(3)`.execute(db)
  // So that a session can only belong to a key of its own member.
  await sql`alter table api_keys add constraint api_keys_of_member unique (workspace_id, member_id, id)`.execute(db)

  await sql`
    create table sessions (
      workspace_id uuid not null,
      id uuid not null,
      member_id uuid not null,
      key_id uuid,
      hash bytea not null unique,
      browser text not null,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      primary key (workspace_id, id),
      constraint sessions_member foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade,
      constraint sessions_key foreign key (workspace_id, member_id, key_id) references api_keys (workspace_id, member_id, id)
        on delete cascade
    )`.execute(db)
  await sql`create index sessions_member on sessions (workspace_id, member_id, key_id)`.execute(db)
  await sql`create index sessions_expiry on sessions (expires_at)`.execute(db)

  // A link that was used stays a while, so that whoever opens it again is told so.
  await sql`
    create table sign_in_links (
      workspace_id uuid not null,
      hash bytea not null,
      member_id uuid not null,
      key_id uuid,
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      primary key (workspace_id, hash),
      constraint sign_in_links_member foreign key (workspace_id, member_id) references members (workspace_id, id)
        on delete cascade,
      constraint sign_in_links_key foreign key (workspace_id, member_id, key_id)
        references api_keys (workspace_id, member_id, id) on delete cascade
    )`.execute(db)
  // Whoever opens one knows its token alone.
  await sql`create unique index sign_in_links_hash on sign_in_links (hash)`.execute(db)
  await sql`create index sign_in_links_member on sign_in_links (workspace_id, member_id, key_id)`.execute(db)
  await sql`create index sign_in_links_expiry on sign_in_links (expires_at)`.execute(db)
}
