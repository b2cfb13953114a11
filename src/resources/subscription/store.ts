import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Viewer } from '../../shared/member.ts'

const FIELDS = ['status', 'account_limit', 'period_start', 'period_end', 'credits_used'] as const

const DEFAULT_ACCOUNT_LIMIT = 1000

/** A fresh workspace: active, with the default limit, for a month from now. */
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

/** The subscription in its current period. A period that has ended is followed by the next one, with no credit used. */
export async function getSubscription(db: Db, workspaceId: string) {
  const read = () => db.selectFrom('subscriptions').select(FIELDS).where('workspace_id', '=', workspaceId)
  const current = await read().where('period_end', '>', sql<string>`now()`).executeTakeFirst()
  if (current) return current
  await beginPeriod(db, workspaceId)
  return read().executeTakeFirstOrThrow()
}

/** The same, held until the transaction ends. */
export async function lockSubscription(db: Db, workspaceId: string) {
  await getSubscription(db, workspaceId)
  return db
    .selectFrom('subscriptions')
    .select(FIELDS)
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Takes credits, and writes down when. */
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

/** Moves to the period that now lies in and keeps the one that ended; missed periods are passed over. Safe to call by many at once. */
async function beginPeriod(db: Db, workspaceId: string): Promise<void> {
  await sql`
    with ended as (
      select * from subscriptions where workspace_id = ${workspaceId} and period_end <= now() for update
    ), kept as (
      insert into subscription_periods (workspace_id, period_start, period_end, account_limit, credits_used)
      select workspace_id, period_start, period_end, account_limit, credits_used from ended
      on conflict (workspace_id, period_start) do update set period_end = excluded.period_end,
        account_limit = excluded.account_limit, credits_used = excluded.credits_used
    ), next as (
      select workspace_id, max(ends) as starts
      from ended, generate_series(period_end, greatest(now(), period_end), interval '1 month') as ends
      group by workspace_id
    )
    update subscriptions
    set period_start = next.starts, period_end = next.starts + interval '1 month', credits_used = 0
    from next
    where subscriptions.workspace_id = next.workspace_id and subscriptions.period_end <= now()`.execute(db)
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

/** Periods that have ended, the latest first. */
export function listPeriods(db: Db, workspaceId: string, limit: number) {
  return db
    .selectFrom('subscription_periods')
    .select(['period_start', 'period_end', 'account_limit', 'credits_used'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('period_start', 'desc')
    .limit(limit)
    .execute()
}

/** Credits taken since a moment, by day of UTC, and since when they are written down. */
export async function countCreditsByDay(db: Db, workspaceId: string, since: string) {
  const days = sql<{ day: string; credits_used: number }>`
    select to_char(taken_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as credits_used from credits_taken
    where workspace_id = ${workspaceId} and taken_at >= ${since} group by 1 order by 1`
  const counting = db.selectFrom('subscriptions').select('counted_since').where('workspace_id', '=', workspaceId)
  const [{ rows }, { counted_since }] = await Promise.all([days.execute(db), counting.executeTakeFirstOrThrow()])
  return { days: rows, counted_since }
}

/** What the workspace holds, counted in one query; of its people those whom the viewer sees. */
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
      (select count(*) from members where workspace_id = ${workspaceId}) as members,
      (select count(*) from api_keys where workspace_id = ${workspaceId} and revoked_at is null
        and (expires_at is null or expires_at > now())) as api_keys,
      (select count(*) from signals where workspace_id = ${workspaceId} and enabled) as signals_enabled,
      (select count(*) from accounts where workspace_id = ${workspaceId}) as accounts,
      (select count(*) from accounts where workspace_id = ${workspaceId} and status = 'active') as accounts_active,
      (select count(*) from people where workspace_id = ${workspaceId} and ${visibleTo(viewer)}) as people`.execute(db)
  return rows[0] as (typeof rows)[number]
}

/** Credits of periods that have ended so many days ago: of those only the sums are told. */
export const oldCredits = (days: number) =>
  purgeOlderThan({
    table: 'credits_taken',
    time: 'taken_at',
    days,
    where: sql`exists (select from subscriptions as plan
      where plan.workspace_id = credits_taken.workspace_id and credits_taken.taken_at < plan.period_start)`,
  })
