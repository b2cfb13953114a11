import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Steps of the setup that the member has put off or kept as they are, and whether the member has dismissed it.
  await sql`alter table members add column setup jsonb not null default '{"steps": {}, "is_dismissed": false}'`.execute(
    db,
  )
  // Until a browser has signed in, every start prints a sign-in link. Earlier installations count as used.
  await sql`alter table installation add column signed_in_at timestamptz(3)`.execute(db)
  await sql`update installation set signed_in_at = now()`.execute(db)
}
