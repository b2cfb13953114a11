import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The counts were of people only. The open positions are added by the next scan or enrichment.
  await sql`alter table accounts add column workforce_basis jsonb`.execute(db)
  await sql`
    update accounts set workforce_basis = jsonb_build_object(
      'text', 'from ' || workforce_based_on || case when workforce_based_on = 1 then ' person' else ' people' end,
      'people', workforce_based_on, 'postings', 0, 'postings_on', null,
      'departments_of', case when workforce_by_department is not null then 'people' end,
      'countries_of', case when workforce_by_country is not null then 'people' end,
      'postings_by_department', jsonb_build_object(), 'postings_by_country', jsonb_build_object())
    where workforce_based_on is not null`.execute(db)
  await sql`alter table accounts drop column workforce_based_on`.execute(db)
}
