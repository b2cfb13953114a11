import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { companyKey } from '../../engine/companies/company-names.ts'

/** A company with the names that identify it, and the related companies that are not it. */
export type AccountIdentity = {
  name: string
  domain: string | null
  /** Names that count as the account, with the domain of the name where it is known. */
  aliases: readonly { name: string; domain: string | null }[]
  /** The names that registers list for the account, now or before. */
  legal_names: readonly string[]
  /** Parents and subsidiaries that do not count as the account. */
  others: readonly string[]
  /** Ids of its register records. */
  records: readonly string[]
  /** Ids of register records that a member called wrong. */
  rejected_records: readonly string[]
}

/** What the company graph of an account says about its names; an account that does not exist has none. */
export async function readIdentity<A extends { id: string; name: string; domain: string | null }>(
  db: Db,
  workspaceId: string,
  account: A,
): Promise<A & AccountIdentity> {
  const { rows } = await sql<Row>`
    select legal_name as name, null as domain, 'legal_name' as kind, true as counts, status, register_id
    from account_registrations
    where workspace_id = ${workspaceId} and account_id = ${account.id}
    union all
    (select name, domain, kind, counts_as_account, status, null from company_relations
      where workspace_id = ${workspaceId} and account_id = ${account.id} and status = 'active'
      order by not counts_as_account, name limit ${MAX_RELATIONS})
    order by name`.execute(db)
  const active = rows.filter(({ status }) => status === 'active')
  const counting = active.filter(({ counts }) => counts)
  const own = new Set([account, ...counting].map(({ name }) => companyKey(name)))
  return {
    ...account,
    aliases: counting.map(({ name, domain }) => ({ name, domain })),
    legal_names: active.filter(({ kind }) => kind === 'legal_name' || kind === 'former_name').map(({ name }) => name),
    // A parent of the same name cannot be distinguished by it.
    others: active.filter(({ name, counts }) => !counts && !own.has(companyKey(name))).map(({ name }) => name),
    records: active.flatMap(({ register_id }) => register_id ?? []),
    rejected_records: rows
      .filter(({ status }) => status === 'rejected')
      .flatMap(({ register_id }) => register_id ?? []),
  }
}

type Row = {
  name: string
  domain: string | null
  kind: string
  counts: boolean
  status: string
  register_id: string | null
}

/** The limit of relations that detection considers: each name costs a search of every text. */
const MAX_RELATIONS = 200

/** The company as the detection of signals knows it. */
export function toNamedCompany({ name, domain, aliases, others }: AccountIdentity) {
  return { name, domain, aliases: aliases.map((alias) => alias.name), others }
}

/** Each name of an account with what identifies the account in a document that uses the name. */
export function identityNames({ name, domain, aliases, legal_names, records }: AccountIdentity) {
  return [{ name, domain }, ...aliases].map((one) => ({
    name: one.name,
    domains: [...new Set([domain, one.domain])].filter((site) => site !== null),
    legal_names,
    records,
  }))
}
