import { type Kysely, sql } from 'kysely'
import { countryName } from '../../engine/countries.ts'

/** Columns that hold a link. */
const LINKS = {
  accounts: ['network_url', 'logo_url'],
  people: ['network_url', 'profile_picture_url'],
  companies: ['network_url'],
  company_profiles: ['logo_url'],
  knowledge_sections: ['source_url'],
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workspaces add scoped_members_claim boolean not null default true`.execute(db)

  // What research knows of the fields in `overridden`, for when the override is taken back.
  await sql`alter table accounts add researched jsonb not null default '{}'`.execute(db)

  await nameCountries(db)
  for (const [table, columns] of Object.entries(LINKS)) await allowWebLinksOnly(db, table, columns)
}

/** Breakdowns by country were stored under country codes. */
async function nameCountries(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ code: string }>`
    select distinct code from accounts, jsonb_object_keys(workforce_by_country) as code`.execute(db)
  const names = JSON.stringify(Object.fromEntries(rows.map(({ code }) => [code, countryName(code) ?? code])))
  await sql`
    update accounts set workforce_by_country = (
      select jsonb_object_agg(${names}::jsonb ->> code, people) from jsonb_each(workforce_by_country) as each (code, people))
    where workforce_by_country is not null and workforce_by_country <> '{}'`.execute(db)
}

/** A link without a scheme gets https; anything else that is not http or https is removed, and refused from now on. */
async function allowWebLinksOnly(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  for (const column of columns) {
    const link = sql.ref(column)
    await sql`
      update ${sql.table(table)} set ${link} = case
        when ${link} ~* '^([a-z0-9-]+[.])+[a-z]{2,}(/|$)' then 'https://' || ${link} end
      where ${link} !~* '^https?://'`.execute(db)
    await sql`
      alter table ${sql.table(table)} add constraint ${sql.ref(`${table}_${column}_web`)}
      check (${link} ~* '^https?://')`.execute(db)
  }
}
