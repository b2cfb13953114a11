import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { type LeasedQueue, leasedQueueOfAll } from '../../db/leases.ts'
import type { CrmAccountRule, CrmProblemKind } from '../../db/schema.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import type { PulledObject } from '../../providers/crm/vendor/types.ts'
import { notFound } from '../../shared/errors.ts'

/** Identifies one connected CRM. */
export type SyncKey = { workspace_id: string; provider: CrmProvider }

/** A CRM whose changes are read now. `portal` is the account at the vendor. */
export type ClaimedSync = SyncKey & {
  portal: string
  lease_id: string
  positions: Partial<Record<PulledObject, string>>
  /** The beginning of the run, which may have been interrupted. */
  started_at: string | null
  is_first: boolean
  /** Deletions since the last run may no longer be listed, or the last full read was long ago. */
  is_outdated: boolean
}

/** CRMs list deletions for a limited time: Salesforce for 15 days, HubSpot for 90, and none of those for privacy. */
const MAX_GAP_DAYS = 14
const FULL_READ_DAYS = 30

/** A CRM is read while it is connected, not paused, and accepts the credential. */
const isOpen = (workspaceId: RawBuilder<string>) => sql`not is_paused and problem_kind is distinct from 'auth'
  and exists (select from connections where connections.workspace_id = ${workspaceId} and connections.provider = crm_syncs.provider)`

/** The CRMs that are due to be read; each is leased to one worker. */
export function dueSyncs(db: Db): LeasedQueue<ClaimedSync> {
  return leasedQueueOfAll(db, 'crm_syncs', (workspaceId) => ({
    key: ['provider'],
    // Also of a sync that was paused meanwhile, so that its lease is released.
    open: sql`true`,
    due: sql`${isOpen(workspaceId)} and next_at <= now()`,
    order: sql`next_at`,
    columns: [
      'workspace_id',
      'provider',
      'portal',
      'lease_id',
      'positions',
      'started_at',
      'first_finished_at',
      'finished_at',
    ],
    reading: sql`select workspace_id, provider, portal, lease_id, positions, started_at, first_finished_at is null as is_first,
      coalesce(finished_at < now() - make_interval(days => ${sql.lit(MAX_GAP_DAYS)})
        or first_finished_at < now() - make_interval(days => ${sql.lit(FULL_READ_DAYS)}), false)
        and first_finished_at is not null as is_outdated
      from claimed`,
  }))
}

/** Adds the syncs of CRMs that were connected by an earlier version. */
export async function insertMissingSyncs(db: Db): Promise<void> {
  await sql`
    insert into crm_syncs (workspace_id, provider, portal)
    select ${sql.raw(ALL_WORKSPACES)} workspace_id, provider, account from connections
    where provider <> 'chat' and account is not null
      and not exists (select from crm_syncs where crm_syncs.workspace_id = connections.workspace_id
        and crm_syncs.provider = connections.provider)
    on conflict do nothing`.execute(db)
}

/**
 * Has a CRM that was just connected read at once, and clears the problem of its former credential; a worker that reads with
 * it loses its lease. Records of another account at the vendor are removed when it is read.
 */
export async function startSync(db: Db, { workspace_id, provider }: SyncKey, portal: string): Promise<void> {
  await sql`
    insert into crm_syncs as known (workspace_id, provider, portal) values (${workspace_id}, ${provider}, ${portal})
    on conflict (workspace_id, provider) do update set next_at = excluded.next_at, problem = null, problem_kind = null,
      missing_rights = '{}', lease_id = null, lease_until = null`.execute(db)
}

/** Starts from the beginning; what the workspace set for another account at the vendor is forgotten. A worker that reads at this moment loses its lease, so that it stores nothing more. */
export async function restartSync(db: Db, { workspace_id, provider }: SyncKey, portal?: string): Promise<void> {
  const restarted = await db
    .updateTable('crm_syncs')
    .set({
      // Fields of one account at the vendor may not exist in another.
      ...(portal === undefined ? {} : { portal, field_mapping: '{}', field_sources: '{}' }),
      positions: '{}',
      failures: '{}',
      first_finished_at: null,
      started_at: null,
      next_at: sql<string>`now()`,
      lease_id: null,
      lease_until: null,
    })
    .where('workspace_id', '=', workspace_id)
    .where('provider', '=', provider)
    .returning('provider')
    .executeTakeFirst()
  if (!restarted) throw notFound('CRM')
}

/** Has a worker that reads the CRM at this moment store nothing more. Returns whether the CRM was ever read. */
export async function endLease(db: Db, { workspace_id, provider }: SyncKey): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('crm_syncs')
    .set({ lease_id: null, lease_until: null })
    .where('workspace_id', '=', workspace_id)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes the sync with all records that were read. */
export async function deleteSync(db: Db, { workspace_id, provider }: SyncKey): Promise<void> {
  await db.deleteFrom('crm_syncs').where('workspace_id', '=', workspace_id).where('provider', '=', provider).execute()
}

/** Marks the beginning of a run, unless an interrupted one continues. Returns it; null when the lease was lost. */
export async function beginRun(db: Db, sync: ClaimedSync): Promise<string | null> {
  const { rows } = await sql<{ started_at: string }>`
    update crm_syncs set started_at = case when started_at > coalesce(finished_at, '-infinity') then started_at else clock.at end
    from (select now() as at) as clock
    where crm_syncs.workspace_id = ${sync.workspace_id} and provider = ${sync.provider} and lease_id = ${sync.lease_id}
    returning started_at`.execute(db)
  return rows[0]?.started_at ?? null
}

/** Locks the sync until the transaction ends. Returns false when another worker has taken it over. */
export async function holdLease(db: Db, { workspace_id, provider, lease_id }: ClaimedSync): Promise<boolean> {
  const held = await db
    .selectFrom('crm_syncs')
    .select('provider')
    .where('workspace_id', '=', workspace_id)
    .where('provider', '=', provider)
    .where('lease_id', '=', lease_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return held !== undefined
}

type Calls = { left: number; limit: number } | null

/** Stores how far an object was read, in the transaction that stores the page. Returns whether the sync was paused. */
export async function savePosition(
  db: Db,
  sync: ClaimedSync,
  object: PulledObject,
  position: string,
  calls: Calls,
): Promise<boolean> {
  // Due again, after other CRMs that have waited longer, when reading is interrupted here.
  const { rows } = await sql<{ is_paused: boolean }>`
    update crm_syncs set next_at = now(), positions = positions || jsonb_build_object(${object}::text, ${position}::text),
      calls_left = ${calls?.left ?? null}::integer, calls_limit = ${calls?.limit ?? null}::integer
    where workspace_id = ${sync.workspace_id} and provider = ${sync.provider} and lease_id = ${sync.lease_id}
    returning is_paused`.execute(db)
  return rows[0]?.is_paused ?? true
}

/** Ends the lease, so that the rest is read by the next worker that is free. */
export async function releaseSync(db: Db, sync: ClaimedSync): Promise<void> {
  await sql`
    update crm_syncs set lease_id = null, lease_until = null
    where workspace_id = ${sync.workspace_id} and provider = ${sync.provider} and lease_id = ${sync.lease_id}`.execute(
    db,
  )
}

/** Ends a run in which everything was read that the connection may read. */
export async function finishRun(db: Db, sync: ClaimedSync, missingRights: string[], minutes: number): Promise<void> {
  await sql`
    update crm_syncs set finished_at = now(), first_finished_at = coalesce(first_finished_at, clock.at), failures = '{}',
      lease_id = null, lease_until = null,
      next_at = now() + make_interval(mins => ${minutes}), missing_rights = ${missingRights}::text[],
      problem = ${missingRights[0] ?? null}, problem_kind = ${missingRights.length > 0 ? 'rights' : null}
    from (select now() as at) as clock
    where crm_syncs.workspace_id = ${sync.workspace_id} and provider = ${sync.provider} and lease_id = ${sync.lease_id}`.execute(
    db,
  )
}

/** The first wait after a failure that may pass; it doubles with each further one. */
const FIRST_WAIT_SECONDS = 30
/** Quotas of calls are renewed within a day. */
const QUOTA_WAIT_SECONDS = 3_600

/** Stores why a run stopped and when the next attempt follows, after the seconds for which the vendor asks at the earliest. */
export async function failRun(
  db: Db,
  sync: ClaimedSync,
  { kind, message, wait }: { kind: CrmProblemKind; message: string; wait: number },
  minutes: number,
): Promise<void> {
  await sql`
    update crm_syncs set problem = ${message}, problem_kind = ${kind}, lease_id = null, lease_until = null,
      failures = failures || failure.noted, next_at = failure.next_at
    from (
      select jsonb_build_object(${kind}::text, jsonb_build_object('count', count + 1, 'message', ${message}::text,
          'at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as noted,
        now() + make_interval(secs => case when ${kind} = 'quota' then ${QUOTA_WAIT_SECONDS}
          else greatest(${wait}::double precision, least(${minutes * 60}::double precision,
            ${FIRST_WAIT_SECONDS} * power(2, least(count, 16)))) end) as next_at
      from (select coalesce((failures -> ${kind} ->> 'count')::integer, 0) as count from crm_syncs
        where workspace_id = ${sync.workspace_id} and provider = ${sync.provider}) as before) as failure
    where crm_syncs.workspace_id = ${sync.workspace_id} and provider = ${sync.provider} and lease_id = ${sync.lease_id}`.execute(
    db,
  )
}

const SETTINGS = ['is_paused', 'account_rules', 'field_sources'] as const

/** The settings of a sync; null when the CRM was never connected. */
export async function findSync(db: Db, { workspace_id, provider }: SyncKey) {
  const found = await db
    .selectFrom('crm_syncs')
    .select([...SETTINGS, 'portal'])
    .where('workspace_id', '=', workspace_id)
    .where('provider', '=', provider)
    .executeTakeFirst()
  return found ?? null
}

type Settings = {
  is_paused: boolean
  account_rules: CrmAccountRule[]
  field_sources: Record<string, 'crm' | 'research'>
}

/** Throws not_found. */
export async function updateSync(db: Db, { workspace_id, provider }: SyncKey, settings: Partial<Settings>) {
  const { field_sources, ...rest } = settings
  const updated = await db
    .updateTable('crm_syncs')
    .set({
      ...rest,
      ...(field_sources ? { field_sources: JSON.stringify(field_sources) } : {}),
      // A sync that is continued, or has another rule, is read at once, unless the CRM allows no more calls.
      next_at: sql<string>`case when problem_kind = 'quota' then next_at else clock.at end`,
    })
    .from(sql<{ at: string }>`(select now() as at)`.as('clock'))
    .where('crm_syncs.workspace_id', '=', workspace_id)
    .where('provider', '=', provider)
    .returning(SETTINGS)
    .executeTakeFirst()
  if (!updated) throw notFound('CRM')
  return updated
}

/** Counts the live records of a CRM, and those that belong to an account or a person. */
const countsOf = (ofSync: RawBuilder<unknown>) => sql<{
  companies: number
  matched_companies: number
  contacts: number
  matched_contacts: number
  deals: number
  owners: number
  matched_owners: number
}>`(select json_build_object(
  'companies', (select count(*) from pulled_companies as one where ${ofSync} and deleted_at is null),
  'matched_companies', (select count(*) from pulled_companies as one where ${ofSync} and deleted_at is null
    and account_id is not null),
  'contacts', (select count(*) from pulled_contacts as one where ${ofSync} and deleted_at is null and not is_erased),
  'matched_contacts', (select count(*) from pulled_contacts as one where ${ofSync} and deleted_at is null
    and person_id is not null),
  'deals', (select count(*) from pulled_deals as one where ${ofSync} and deleted_at is null),
  'owners', (select count(*) from pulled_owners as one where ${ofSync} and is_active),
  'matched_owners', (select count(*) from pulled_owners as one where ${ofSync} and is_active and member_id is not null)))`

/** The syncs of a workspace with their counts, in the order of their connection. */
export function listSyncs(db: Db, workspaceId: string) {
  const ofSync = sql`one.workspace_id = ${workspaceId} and one.provider = crm_syncs.provider`
  return db
    .selectFrom('crm_syncs')
    .select([...SETTINGS, 'missing_rights', 'problem', 'problem_kind', 'failures', 'calls_left', 'calls_limit'])
    .select(['first_finished_at', 'started_at', 'finished_at', 'next_at'])
    .select([
      sql<CrmProvider>`provider`.as('provider'),
      countsOf(ofSync).as('records'),
      sql<boolean>`exists (select from connections where connections.workspace_id = ${workspaceId}
        and connections.provider = crm_syncs.provider)`.as('is_connected'),
      sql<boolean>`coalesce(lease_until > now(), false)`.as('is_running'),
    ])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('provider')
    .execute()
}
