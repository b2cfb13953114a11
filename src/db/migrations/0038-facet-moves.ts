import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A company that moves into a facet may stand before all others there. Here, because importers of an earlier release
  // know nothing of first positions and may run beside this one for a while: filters would pass over what they moved.
  await sql`
    create function lower_first_position() returns trigger language plpgsql as $$
    begin
      update company_facets set first_position = new.position
      where workspace_id = new.workspace_id and id = new.facet_id and first_position > new.position;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger companies_lower_first_position after update of facet_id on companies
    for each row when (old.facet_id is distinct from new.facet_id) execute function lower_first_position()`.execute(db)
  // What they moved before this.
  await sql`
    update company_facets as facet set first_position = found.first_position
    from (
      select workspace_id, facet_id, min(position) as first_position from companies group by workspace_id, facet_id
    ) as found
    where found.workspace_id = facet.workspace_id and found.facet_id = facet.id
      and facet.first_position > found.first_position`.execute(db)
}
