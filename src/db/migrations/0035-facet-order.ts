import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // No company of the facet stands before this position. Whoever looks for the first companies of many facets begins with
  // the lowest, and leaves those out that begin behind what was found. 0 is always right.
  await sql`alter table company_facets add column first_position bigint not null default 0`.execute(db)
  await sql`
    update company_facets as facet set first_position = found.first_position
    from (
      select workspace_id, facet_id, min(position) as first_position from companies group by workspace_id, facet_id
    ) as found
    where found.workspace_id = facet.workspace_id and found.facet_id = facet.id`.execute(db)
  await sql`create index company_facets_first on company_facets (workspace_id, first_position)
    include (id, country_code, industry_key, size_band)`.execute(db)
}
