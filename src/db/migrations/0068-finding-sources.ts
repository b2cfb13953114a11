import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Where the proofs of a finding come from: the source of the document, `website` for the company's own, otherwise the host.
  // Stored, since documents are deleted after a time, and a report of a year would have to look up each of them.
  await sql`alter table signal_detections add column source_names text[] not null default '{}'`.execute(db)
  await sql`
    create function source_names_of(workspace uuid, account uuid, evidence jsonb) returns text[] language sql stable as $$
      select coalesce(array_agg(distinct origin order by origin), '{}')
      from jsonb_array_elements(evidence) as proof
        join accounts on accounts.workspace_id = workspace and accounts.id = account
        left join documents on documents.workspace_id = workspace and documents.account_id = account
          and md5(documents.url) = md5(proof ->> 'source_url'),
        substring(proof ->> 'source_url' from '^https?://(?:www[.])?([^/:?#]+)') as host,
        coalesce(documents.source, case when host = domain or host like '%.' || domain then 'website' else host end) as origin
      where origin is not null
    $$`.execute(db)
  await sql`update signal_detections set source_names = source_names_of(workspace_id, account_id, evidence)
    where evidence <> '[]'`.execute(db)
  await sql`
    create function set_source_names() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' or new.evidence <> old.evidence then
        new.source_names = source_names_of(new.workspace_id, new.account_id, new.evidence);
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger set_source_names before insert or update of evidence on signal_detections
    for each row execute function set_source_names()`.execute(db)

  // The report of results reads contacts and answers alone, without notes, snoozes and the like.
  await sql`
    create index account_activities_results on account_activities (workspace_id, created_at)
      include (id, kind, account_id, work_item_id)
    where kind in ('copied', 'emailed', 'called', 'pushed', 'reopened', 'replied', 'meeting')
      or kind = 'done' and data ->> 'outcome' in ('contacted', 'pushed')`.execute(db)
}
