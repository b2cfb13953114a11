import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { accountTotal } from '../../db/list-versions.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Viewer } from '../../shared/member.ts'

const FIELDS = ['status', 'account_limit', 'period_start', 'period_end', 'credits_used'] as const

const DEFAULT_ACCOUNT_LIMIT = 1000

/** Inserts the subscription of a new workspace: active, with the default limit, for a month from now. */
export async function insertSubscription(db: Db, workspaceId: string): Promise<void> {
  await db
    .insertInto('subscriptions')
    .values({
      workspace_id: workspaceId,
      status: 'active',
      account_limit: DEFAULT_ACCOUNT_LIMIT,
      period_start: sql`now()`,
      period_end: sql`now() + interval '1 month'`,
    })
    .execute()
}

/** Returns the subscription in its current period. After the end of a period it starts the next one with no credit used. */
export async function getSubscription(db: Db, workspaceId: string) {
  const read = () => db.selectFrom('subscriptions').select(FIELDS).where('workspace_id', '=', workspaceId)
  const current = await read().where('period_end', '>', sql<string>`now()`).executeTakeFirst()
  if (current) return current
  await startCurrentPeriod(db, workspaceId)
  return read().executeTakeFirstOrThrow()
}

/** Returns the subscription and locks it until the transaction ends. */
export async function lockSubscription(db: Db, workspaceId: string) {
  await getSubscription(db, workspaceId)
  return db
    .selectFrom('subscriptions')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Adds used credits, and stores the time of each. */
export async function takeCredits(db: Db, workspaceId: string, count: number): Promise<void> {
  await db
    .with('taken', (query) =>
      query.insertInto('credits_taken').values(Array.from({ length: count }, () => ({ workspace_id: workspaceId }))),
    )
    .updateTable('subscriptions')
    .set({ credits_used: sql`credits_used + ${count}` })
    .where('workspace_id', '=', workspaceId)
    .execute()
}

/** Starts the current period and archives the one that ended; skips periods in between. Safe for concurrent calls. */
async function startCurrentPeriod(db: Db, workspaceId: string): Promise<void> {
  await sql`
    with ended as (
      select * from subscriptions where workspace_id = ${workspaceId} and period_end <= now() for update
    ), kept as (
      insert into subscription_periods (workspace_id, period_start, period_end, account_limit, credits_used)
      select workspace_id, period_start, period_end, account_limit, credits_used from ended
      on conflict (workspace_id, period_start) do update set period_end = excluded.period_end,
        account_limit = excluded.account_limit, credits_used = excluded.credits_used
    ), next as (
      select max(ends) as starts, max(ends) + interval '1 month' as ends
      from ended, generate_series(period_end, greatest(now(), period_end), interval '1 month') as ends
      group by workspace_id
    )
    update subscriptions
    set period_start = next.starts, period_end = next.ends, credits_used = 0
    from next
    where subscriptions.workspace_id = ${workspaceId} and subscriptions.period_end <= now()`.execute(db)
}

export type SubscriptionFields = {
  status: 'active' | 'inactive'
  account_limit: number
  period_start: string
  period_end: string
}

export function updateSubscriptionRow(db: Db, workspaceId: string, fields: Partial<SubscriptionFields>) {
  return db
    .updateTable('subscriptions')
    .set(fields)
    .where('workspace_id', '=', workspaceId)
    .returning(FIELDS)
    .executeTakeFirstOrThrow()
}

/** Lists past periods, latest first. */
export function listPeriods(db: Db, workspaceId: string, limit: number) {
  return db
    .selectFrom('subscription_periods')
    .select(['period_start', 'period_end', 'account_limit', 'credits_used'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('period_start', 'desc')
    .limit(limit)
    .execute()
}

/** Counts credits used since a time by UTC day, and returns since when they are recorded. */
export async function countCreditsByDay(db: Db, workspaceId: string, since: string) {
  const days = sql<{ day: string; credits_used: number }>`
    select to_char(taken_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as credits_used from credits_taken
    where workspace_id = ${workspaceId} and taken_at >= ${since} group by 1 order by 1`
  const counting = db.selectFrom('subscriptions').select('counted_since').where('workspace_id', '=', workspaceId)
  const [{ rows }, { counted_since }] = await Promise.all([days.execute(db), counting.executeTakeFirstOrThrow()])
  return { days: rows, counted_since }
}

/** Counts the records of the workspace in one query; people only as far as the viewer may see them. */
export async function countUsage(db: Db, viewer: Viewer) {
  const workspaceId = viewer.workspace_id
  const { rows } = await sql<{
    members: number
    api_keys: number
    signals_enabled: number
    accounts: number
    accounts_active: number
    people: number
  }>`select
      (select count(*) from members where workspace_id = ${workspaceId} and kind = 'person') as members,
      (select count(*) from api_keys where workspace_id = ${workspaceId} and revoked_at is null
        and (expires_at is null or expires_at > now())) as api_keys,
      (select count(*) from signals where workspace_id = ${workspaceId} and enabled) as signals_enabled,
      (select ${sql.raw(accountTotal())} from list_versions where workspace_id = ${workspaceId} and list = 'accounts') as accounts,
      (select ${sql.raw(accountTotal('active'))} from list_versions
        where workspace_id = ${workspaceId} and list = 'accounts') as accounts_active,
      (select count(*) from people where workspace_id = ${workspaceId} and ${visibleTo(viewer)}) as people`.execute(db)
  return rows[0] as (typeof rows)[number]
}

/** Credits of past periods older than this many days; only the totals of past periods are returned. */
export const oldCredits = (days: number) =>
  purgeOlderThan({
    table: 'credits_taken',
    time: 'taken_at',
    days,
    where: sql`exists (select from subscriptions as plan
      where plan.workspace_id = credits_taken.workspace_id and credits_taken.taken_at < plan.period_start)`,
  })
