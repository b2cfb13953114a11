import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A member without a row has not said how they write: the defaults apply.
  await sql`
    create table member_profiles (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      member_id uuid not null,
      job_title text,
      signature text,
      tone text not null default 'brief' check (tone in ('brief', 'warm', 'formal')),
      calendar_url text check (calendar_url like 'https://%'),
      sample_messages jsonb not null default '[]',
      greeting text,
      sign_off text,
      body_words integer check (body_words > 0),
      updated_at timestamptz(3) not null default now(),
      primary key (workspace_id, member_id),
      foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade
    )`.execute(db)
  await sql`
    alter table company_profiles
      add column is_name_set boolean not null default false,
      add column products jsonb not null default '[]',
      add column proofs jsonb not null default '[]'`.execute(db)
}
