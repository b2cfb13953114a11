import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'

/** Accounts of all workspaces whose score is older than a number of hours, the oldest first. */
export function listStaleScores(db: Db, hours: number, limit: number) {
  return db
    .selectFrom('accounts')
    .modifyFront(sql.raw(ALL_WORKSPACES))
    .select(['workspace_id', 'id'])
    .where('scored_at', '<', sql<string>`now() - make_interval(hours => ${hours})`)
    .orderBy('scored_at')
    .limit(limit)
    .execute()
}

/**
 * Active accounts of subscribed workspaces whose last scan, successful or not, is older than a number of days.
 * Alternates between workspaces, so that a large one does not delay a small one.
 */
export async function listDueScans(db: Db, days: number, limit: number) {
  const subscribed = await db
    .selectFrom('subscriptions')
    .modifyFront(sql.raw(ALL_WORKSPACES))
    .select('workspace_id')
    .where('status', '=', 'active')
    .execute()
  const due: { workspace_id: string; id: string; name: string; last_scanned_at: string | null; turn: number }[] = []
  for (const { workspace_id } of subscribed) {
    const { rows } = await sql<{ id: string; name: string; last_scanned_at: string | null }>`
      select account.id, account.name, account.last_scanned_at from accounts account
      where account.workspace_id = ${workspace_id} and account.status = 'active' and not exists (
        -- A check of the monitor is also a run of the account, but has no tasks.
        select from runs join run_tasks task on task.workspace_id = runs.workspace_id and task.run_id = runs.id
        where runs.workspace_id = ${workspace_id} and runs.account_id = account.id
          and runs.created_at > now() - make_interval(days => ${days}))
      order by account.last_scanned_at nulls first, account.id
      limit ${limit}`.execute(db)
    due.push(...rows.map((row, turn) => ({ workspace_id, ...row, turn })))
  }
  const keyOf = ({ last_scanned_at, id }: (typeof due)[number]) => `${last_scanned_at ?? ''} ${id}`
  return due
    .toSorted((one, other) => one.turn - other.turn || (keyOf(one) < keyOf(other) ? -1 : 1))
    .slice(0, limit)
    .map(({ workspace_id, id, name }) => ({ workspace_id, id, name }))
}

/** Accounts with a domain and an unknown field of their profile, in the order of their ids. */
export async function listIncompleteAccounts(db: Db, workspaceId: string, after: string | null, limit: number) {
  const found = await db
    .selectFrom('accounts')
    .select(['id', 'domain', 'overridden', 'researched', 'from_crm'])
    .select(['employees', 'industry', 'country', 'location', 'network_url', 'short_description', 'founded_year'])
    .where('workspace_id', '=', workspaceId)
    .where('domain', 'is not', null)
    .where(
      sql<boolean>`num_nulls(employees, industry, country, location, network_url, short_description, founded_year) > 0`,
    )
    .$if(after !== null, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
  return found.map(({ domain, ...account }) => ({ ...account, domain: domain as string }))
}
