import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Empty until SECRETS_KEY is rotated for the first time: until then it encrypts everything itself. Afterwards it encrypts the
  // keys in this table, once for each SECRETS_KEY that is accepted.
  await sql`
    create table secret_keys (
      name text not null check (name ~ '^(data-[1-9][0-9]{0,2}|suppression|unsubscribe)$'),
      master_check bytea not null,
      key_sealed bytea not null,
      active_at timestamptz(3) not null,
      primary key (name, master_check)
    )`.execute(db)
}
