import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'

const FIELDS = [
  ...(['name', 'is_name_set', 'products', 'proofs', 'domain', 'logo_url', 'business_context'] as const),
  ...(['scraped_meta', 'updated_at'] as const),
] as const

/** What a customer has achieved; null bounds and industry fit every company. */
export type Proof = {
  customer: string
  result: string
  industry: string | null
  min_employees: number | null
  max_employees: number | null
}

/** What members say about their company. */
export type SellerFields = { name: string | null; is_name_set: boolean; products: string[]; proofs: Proof[] }

/** With a domain, its site is due to be read. */
export async function insertProfile(
  db: Db,
  workspaceId: string,
  known: { name: string | null; domain: string | null },
) {
  await db
    .insertInto('company_profiles')
    .values({
      workspace_id: workspaceId,
      ...known,
      scraped_meta: '{}',
      due_at: known.domain === null ? null : sql`now()`,
    })
    .execute()
}

export async function getCompanyProfile(db: Db, workspaceId: string) {
  const { refresh_started_at, refresh_ended_at, refresh_pages, ...profile } = await db
    .selectFrom('company_profiles')
    .select(FIELDS)
    .select(['refresh_started_at', 'refresh_ended_at', 'refresh_pages'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const isRunning = refresh_started_at !== null && refresh_ended_at === null
  const { outcome, reason } = profile.scraped_meta as { outcome?: string; reason?: string }
  const state = isRunning ? ('running' as const) : outcome === 'failed' ? ('failed' as const) : ('idle' as const)
  return {
    ...profile,
    refresh: {
      state,
      started_at: refresh_started_at,
      ended_at: refresh_ended_at,
      pages_read: refresh_pages,
      message: isRunning ? null : (reason ?? null),
    },
  }
}

/** The company in whose name drafts are written. */
export function getSeller(
  db: Db,
  workspaceId: string,
): Promise<{ name: string | null; products: string[]; proofs: Proof[] }> {
  return (
    db
      .selectFrom('company_profiles')
      .select(['products', 'proofs'])
      // Before a member or the site has named the company, its name is only that of the workspace.
      .select(
        sql<string | null>`case when is_name_set or scraped_meta ->> 'outcome' = 'items' then name end`.as('name'),
      )
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow()
  )
}

/** Locks the profile until the end of the transaction. */
export function lockCompanyProfile(db: Db, workspaceId: string): Promise<SellerFields> {
  return db
    .selectFrom('company_profiles')
    .select(['name', 'is_name_set', 'products', 'proofs'])
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function saveSeller(
  db: Db,
  workspaceId: string,
  { products, proofs, ...fields }: Partial<SellerFields>,
): Promise<void> {
  await db
    .updateTable('company_profiles')
    .set({
      ...fields,
      ...(products ? { products: JSON.stringify(products) } : {}),
      ...(proofs ? { proofs: JSON.stringify(proofs) } : {}),
      updated_at: sql`now()`,
    })
    .where('workspace_id', '=', workspaceId)
    .execute()
}

/** The domains of the workspace's own site, and the name of its company where it is known. */
export async function findOwnIdentity(
  db: Db,
  workspaceId: string,
): Promise<{ domains: string[]; name: string | null }> {
  const { domain, aliases, name } = await db
    .selectFrom('company_profiles')
    .select(['domain', 'aliases', 'name'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { domains: domain === null ? [] : [domain, ...aliases], name }
}

/** Records that a read has started. */
export async function startReading(db: Db, workspaceId: string): Promise<void> {
  await sql`update company_profiles set ${STARTED} where workspace_id = ${workspaceId}`.execute(db)
}

const STARTED = sql.raw(`refresh_started_at = now(), refresh_ended_at = null, refresh_pages = '[]'`)

/** Records that a page was read, unless a later read has started. */
export async function addPage(
  db: Db,
  workspaceId: string,
  startedAt: string | null,
  page: { url: string; title: string | null },
): Promise<void> {
  await sql`update company_profiles set refresh_pages = refresh_pages || ${JSON.stringify([page])}::jsonb
    where workspace_id = ${workspaceId} and refresh_started_at = ${startedAt} and refresh_ended_at is null`.execute(db)
}

/** Sets the domain, if one is given, and schedules a read. Returns the current domain. */
export async function scheduleReading(
  db: Db,
  workspaceId: string,
  { domain, inSeconds }: { domain: string | null; inSeconds: number },
): Promise<string | null> {
  const row = await db
    .updateTable('company_profiles')
    .set({
      domain: sql`coalesce(${domain}, domain)`,
      aliases: sql`case when coalesce(${domain}, domain) = domain then aliases else '{}' end`,
      due_at: sql`now() + make_interval(secs => ${inSeconds})`,
    })
    .where('workspace_id', '=', workspaceId)
    .returning('domain')
    .executeTakeFirstOrThrow()
  return row.domain
}

/** Claims the workspaces whose site is due. Each is due again after a while, in case the read is lost. */
export async function claimDueProfiles(db: Db, holdSeconds: number): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select ${sql.raw(ALL_WORKSPACES)} workspace_id from company_profiles
    where due_at <= now() and domain is not null order by due_at, workspace_id limit 100`.execute(db)
  const claimed: string[] = []
  for (const { workspace_id } of rows) {
    const { numAffectedRows = 0n } = await sql`
      update company_profiles set due_at = now() + make_interval(secs => ${holdSeconds}), ${STARTED}
      where workspace_id = ${workspace_id} and due_at <= now() and domain is not null`.execute(db)
    if (numAffectedRows > 0n) claimed.push(workspace_id)
  }
  return claimed
}

export type ProfileReading = {
  /** What the site contains; absent fields do not change, nor does a name that a member has set. */
  name?: string
  logo_url?: string
  business_context?: string
  /** Other domains that redirect to it. */
  aliases?: string[]
  scraped_meta: Record<string, unknown>
  /** When to read again; null for no automatic read. */
  againInSeconds: number | null
}

/**
 * Stores the result of a read and its end, if it is the latest one. Returns false, and writes nothing, when the
 * workspace has another domain by now.
 */
export async function saveReading(
  db: Db,
  workspaceId: string,
  { domain, started_at }: { domain: string; started_at: string | null },
  reading: ProfileReading,
): Promise<boolean> {
  const { againInSeconds, scraped_meta, name, ...said } = reading
  const { numUpdatedRows } = await db
    .updateTable('company_profiles')
    .set({
      ...said,
      ...(name ? { name: sql`case when is_name_set then name else ${name} end` } : {}),
      scraped_meta: JSON.stringify(scraped_meta),
      due_at: againInSeconds === null ? null : sql`now() + make_interval(secs => ${againInSeconds})`,
      refresh_ended_at: sql`case when refresh_started_at = ${started_at} then clock.at else refresh_ended_at end`,
      updated_at: sql`now()`,
    })
    .from(sql<{ at: string }>`(select now() as at)`.as('clock'))
    .where('company_profiles.workspace_id', '=', workspaceId)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
