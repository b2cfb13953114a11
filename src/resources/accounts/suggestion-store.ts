import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Viewer } from '../../shared/member.ts'

/**
 * The reason why a company was suggested, computed from the move of a contact, so that it disappears when the contact
 * is erased.
 */
export const suggestionReason = (workspaceId: string) =>
  sql<string | null>`case when accounts.suggested_by is not null then (
  select 'Your contact ' || people.full_name ||
    case when move.to_title is null then ' works there now' else ' is now ' || move.to_title || ' there' end
  from person_moves as move
    join people on people.workspace_id = move.workspace_id and people.id = move.person_id
  where move.workspace_id = ${workspaceId} and move.id = accounts.suggested_by) end`.as('suggestion_reason')

/** The reason why an account is unqualified, from its last assessment. */
export const UNQUALIFIED_REASON = `case when accounts.status = 'unqualified' then (
  select 'It ' || (component ->> 'because') || '.' from jsonb_array_elements(accounts.score_components) as component
  where component ->> 'name' = 'icp_fit') end`
export const unqualifiedReason = sql.raw<string | null>(UNQUALIFIED_REASON).as('unqualified_reason')

/** The account as a member reads it: the reason of a suggestion names only people whom the member can see. */
export async function withSeenReason<A extends { id: string; suggestion_reason: string | null }>(
  db: Db,
  viewer: Viewer,
  account: A,
): Promise<A> {
  if (viewer.scoped_to === null || account.suggestion_reason === null) return account
  const { rows } = await sql`
    select from accounts as suggested
      join person_moves as move on move.workspace_id = suggested.workspace_id and move.id = suggested.suggested_by
      join people on people.workspace_id = move.workspace_id and people.id = move.person_id
    where suggested.workspace_id = ${viewer.workspace_id} and suggested.id = ${account.id}
      and ${visibleTo(viewer)}`.execute(db)
  return rows.length > 0 ? account : { ...account, suggestion_reason: null }
}

/** The accounts of these companies: matched by domain, or by name where the account has no domain. */
export async function findCompanyAccounts(
  db: Db,
  workspaceId: string,
  companies: readonly { name: string; domain: string | null }[],
) {
  const { rows } = await sql<{ at: number; id: string; domain: string | null }>`
    with given as (
      select at::int, company ->> 'name' as name, company ->> 'domain' as domain
      from jsonb_array_elements(${JSON.stringify(companies)}::jsonb) with ordinality as every (company, at)
    )
    select at, account.id, account.domain
    from given join accounts as account on account.workspace_id = ${workspaceId} and account.domain = given.domain
    union all
    select at, account.id, account.domain
    from given join accounts as account on account.workspace_id = ${workspaceId} and account.domain is null
      and search_fold(account.name) = search_fold(given.name)`.execute(db)
  return rows.map(({ at, ...account }) => ({ ...account, at: at - 1 }))
}

/**
 * Inserts a company that a contact has joined as a suggested account. Returns null when the domain is already an
 * account.
 */
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
