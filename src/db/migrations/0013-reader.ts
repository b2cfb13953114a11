import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What the reader said of a text, so that it is asked once. A key stands for the text and the weights.
  await sql`
    create table judgements (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      key text not null,
      logits bytea not null,
      judged_at timestamptz(3) not null default now(),
      primary key (workspace_id, key)
    )`.execute(db)
  await sql`create index judgements_judged_at on judgements (judged_at)`.execute(db)

  // A description is tried on what was read last.
  await sql`create index documents_newest on documents (workspace_id, read_at desc)`.execute(db)

  // Which weights a workspace's documents were judged with: a change of weights judges them again, once.
  await sql`
    create table readings (
      workspace_id uuid not null references workspaces (id) on delete cascade,
      version text not null,
      begun_at timestamptz(3) not null default now(),
      primary key (workspace_id, version)
    )`.execute(db)

  // Evidence tells the sentence beside the claim now, what the sentence names, and what judged it.
  await sql`
    update signal_detections set evidence = (
      select coalesce(jsonb_agg('{"quote": null, "details": null, "judged_by": null}'::jsonb || proof order by place), '[]')
      from jsonb_array_elements(evidence) with ordinality as proofs (proof, place)
    )
    where evidence <> '[]'`.execute(db)
}
