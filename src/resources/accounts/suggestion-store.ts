import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Why a company was suggested, made of the move of the contact it is about: when they are erased, it is gone. */
export const suggestionReason = sql<string | null>`case when accounts.suggested_by is not null then (
  select 'Your contact ' || people.full_name ||
    case when move.to_title is null then ' works there now' else ' is now ' || move.to_title || ' there' end
  from person_moves as move
    join people on people.workspace_id = move.workspace_id and people.id = move.person_id
  where move.workspace_id = accounts.workspace_id and move.id = accounts.suggested_by) end`.as('suggestion_reason')

/** Accounts of a workspace that are one of these companies: by domain, or by name where the account has no domain. */
export async function findCompanyAccounts(
  db: Db,
  workspaceId: string,
  companies: readonly { name: string; domain: string | null }[],
) {
  const { rows } = await sql<{ at: number; id: string; domain: string | null }>`
    select given.at::int, account.id, account.domain
    from jsonb_array_elements(${JSON.stringify(companies)}::jsonb) with ordinality as given (company, at)
    join accounts as account on account.workspace_id = ${workspaceId} and (account.domain = given.company ->> 'domain'
      or (account.domain is null and search_fold(account.name) = search_fold(given.company ->> 'name')))`.execute(db)
  return rows.map(({ at, ...account }) => ({ ...account, at: at - 1 }))
}

/** Adds a company to which somebody known has moved as a suggested account. Answers null where its domain is one already. */
export async function insertSuggestion(
  db: Db,
  workspaceId: string,
  { id, name, domain, suggested_by }: { id: string; name: string; domain: string; suggested_by: string },
): Promise<string | null> {
  const added = await db
    .insertInto('accounts')
    .values({ workspace_id: workspaceId, id, name, domain, suggested_by, status: 'suggested', source: 'discovery' })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'domain']).where('domain', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id ?? null
}
