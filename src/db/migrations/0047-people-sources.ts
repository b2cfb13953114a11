import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Every way somebody came in. A roster and a search may both have brought them, so one value cannot say it.
  await sql`alter table people add column sources text[]`.execute(db)
  // Only searches set a tier, and it outlives them: old searches are purged.
  await sql`
    update people set sources = case
      when source = 'employee' and (icp_tier is not null or exists (
        select from people_search_hits as hit where hit.workspace_id = people.workspace_id and hit.person_id = people.id))
      then array['employee', 'waterfall']
      else array[source] end`.execute(db)
  await sql`
    alter table people alter column sources set not null,
      add constraint people_sources check (sources <@ array['employee', 'waterfall'] and cardinality(sources) between 1 and 2
        and (cardinality(sources) = 1 or sources[1] <> sources[2])),
      drop column source`.execute(db)
  // What is shown as the source: a search's match comes before the roster.
  await sql`
    alter table people add column source text not null
      generated always as (case when 'waterfall' = any(sources) then 'waterfall' else 'employee' end) stored`.execute(
    db,
  )
  await sql`
    create index people_matched on people (workspace_id, created_at desc, id desc) where 'waterfall' = any(sources)`.execute(
    db,
  )
}
