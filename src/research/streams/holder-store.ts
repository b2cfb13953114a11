import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** An active account that what a stream told may be about. */
export type Holder = {
  item_id: number
  /** By whom the stream gives as the company; otherwise its name or domain stands somewhere in the item. */
  is_subject: boolean
  workspace_id: string
  account_id: string
  name: string
  domain: string | null
}

type Asked = { id: number; keys: readonly string[]; domains: readonly string[] }

/** Accounts of one name over all workspaces; more are told of it by their next scan. */
const MOST = 10_000

/** Of all workspaces, the active accounts that bear the name of an item's company, or a name or a domain it mentions. */
export async function findHolders(db: Db, items: readonly Asked[]): Promise<Holder[]> {
  const keys = items.flatMap(({ id, keys }) => keys.map((key) => ({ id, key })))
  const domains = items.flatMap(({ id, domains }) => domains.map((domain) => ({ id, domain })))
  const { rows } = await sql<Holder>`
    with asked as materialized (
      select id as item_id, company_key as key, true as is_subject from stream_items
      where id = any(${items.map(({ id }) => id)}::bigint[]) and company_key <> ''
      union all
      select * , false from unnest(${keys.map(({ id }) => id)}::bigint[], ${keys.map(({ key }) => key)}::text[])
    ), held as (
      select asked.item_id, asked.is_subject, account.workspace_id, account.id, account.name, account.domain
      from asked cross join lateral (
        -- By its index, key by key: working out the key of every account would take longer than everything else.
        select * from accounts where company_key(name) = asked.key and status = 'active' limit ${sql.lit(MOST)}) as account
      union all
      select named.item_id, false, account.workspace_id, account.id, account.name, account.domain
      from unnest(${domains.map(({ id }) => id)}::bigint[], ${domains.map(({ domain }) => domain)}::text[]) as named (item_id, domain)
      cross join lateral (
        select * from accounts where domain = named.domain and status = 'active' limit ${sql.lit(MOST)}) as account
    )
    select item_id, bool_or(is_subject) as is_subject, workspace_id, id as account_id, name, domain from held
    where exists (select from subscriptions plan where plan.workspace_id = held.workspace_id and plan.status = 'active')
    group by item_id, workspace_id, id, name, domain order by item_id, workspace_id, id`.execute(db)
  return rows
}
