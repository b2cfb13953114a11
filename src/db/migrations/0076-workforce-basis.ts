import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The counts were of people only; the next scan or enrichment adds the open positions. The old column stays, because the
  // released version reads it while processes are upgraded one after the other.
  await sql`alter table accounts add column workforce_basis jsonb`.execute(db)
  // No list shows the column, so their versions stay.
  await sql`alter table accounts disable trigger user`.execute(db)
  await sql`
    update accounts set workforce_basis = jsonb_build_object(
      'text', 'from ' || workforce_based_on || case when workforce_based_on = 1 then ' person' else ' people' end,
      'people', workforce_based_on, 'postings', 0, 'postings_on', null,
      'departments_of', case when workforce_by_department is not null then 'people' end,
      'countries_of', case when workforce_by_country is not null then 'people' end,
      'postings_by_department', jsonb_build_object(), 'postings_by_country', jsonb_build_object())
    where workforce_based_on is not null`.execute(db)
  await sql`alter table accounts enable trigger user`.execute(db)
}
