import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // An inline push ends with the call that started it. Null: a run in the background, which ends with its last row.
  await sql`alter table push_runs add column ends_at timestamptz(3)`.execute(db)
  // A run that delivered nothing has failed; one that delivered something, or had nothing to deliver, is completed.
  await sql`
    update push_runs set status = case when sent = 0 and failed > 0 then 'failed' else 'completed' end
    where status <> 'running' and (status = 'failed') <> (sent = 0 and failed > 0)`.execute(db)
  await sql`
    alter table push_runs add constraint push_runs_outcome
      check (status = 'running' or (status = 'failed') = (sent = 0 and failed > 0))`.execute(db)
  // nonce_hash: the cookie of the browser that asked for consent; null when no browser did. grant_sealed: what the vendor granted,
  // until an admin confirms it.
  await sql`alter table oauth_states add column nonce_hash bytea, add column grant_sealed bytea`.execute(db)
}
