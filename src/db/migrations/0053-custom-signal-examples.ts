import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Sentences that members marked for a signal described in words: they sharpen it.
  await sql`
    create table custom_signal_examples (
      workspace_id uuid not null,
      id uuid not null,
      signal_id text not null,
      sentence text not null check (char_length(sentence) between 1 and 1000),
      verdict text not null check (verdict in ('right', 'wrong')),
      -- Null after the description changed: the reader said it of another one.
      confidence double precision check (confidence between 0 and 1),
      marked_by uuid,
      created_at timestamptz(3) not null default now(),
      primary key (workspace_id, id),
      foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade,
      foreign key (workspace_id, marked_by) references members (workspace_id, id) on delete set null (marked_by)
    )`.execute(db)
  await sql`create unique index custom_signal_examples_sentence
    on custom_signal_examples (workspace_id, signal_id, md5(sentence))`.execute(db)
  await sql`create index custom_signal_examples_marked_by on custom_signal_examples (workspace_id, marked_by)
    where marked_by is not null`.execute(db)
  // What members said of findings counts for a signal from when it got its description.
  await sql`alter table signals add column described_at timestamptz(3)`.execute(db)
  // Until now only the last change of any kind is known; the description of a built-in signal never changes.
  await sql`update signals set described_at = case when is_builtin then created_at else updated_at end`.execute(db)
  await sql`alter table signals alter column described_at set default now(), alter column described_at set not null`.execute(
    db,
  )
  // They are counted for every signal whenever something is looked for.
  await sql`create index signal_detections_verdicts on signal_detections (workspace_id, signal_id, verdict_at)
    include (verdict) where verdict is not null`.execute(db)
}
