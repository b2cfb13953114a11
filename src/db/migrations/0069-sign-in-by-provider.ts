import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Without a workspace: the provider's answer decides which one it is. Holds no personal data.
  await sql`
    create table sign_in_attempts (
      state_hash bytea primary key,
      provider text not null,
      browser_hash bytea not null,
      secrets_sealed bytea not null,
      expires_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index sign_in_attempts_expiry on sign_in_attempts (expires_at)`.execute(db)

  await sql`
    create table member_identities (
      workspace_id uuid not null,
      issuer text not null,
      subject text not null,
      member_id uuid not null,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, issuer, subject),
      constraint member_identities_member foreign key (workspace_id, member_id) references members (workspace_id, id)
        on delete cascade
    )`.execute(db)
  // A person has one account at a provider: a new one replaces it.
  await sql`create unique index member_identities_member on member_identities (workspace_id, member_id, issuer)`.execute(
    db,
  )
  // Signing in finds a person's members in other workspaces, to end their sessions there.
  await sql`create index member_identities_person on member_identities (issuer, subject)`.execute(db)

  // The provider that opened the session, its tokens, when it is asked next and when it last confirmed the person.
  await sql`
    alter table sessions
      add column provider text,
      add column tokens_sealed bytea,
      add column refresh_at timestamptz(3),
      add column confirmed_at timestamptz(3),
      add column ends_at timestamptz(3)`.execute(db)

  // Limits the mails to a member.
  await sql`alter table sign_in_links add column emailed_at timestamptz(3)`.execute(db)
}
