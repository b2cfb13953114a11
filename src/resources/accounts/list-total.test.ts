import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Client } from '../../../test/support/client.ts'
import { scene, unique } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import type { Db } from '../../db/connect.ts'
import { importUploadedAccounts } from '../../imports/import-uploads.job.ts'

const service = await testService()
/** Another process on the same database, with caches and connections of its own. */
const beside = await testService({ databaseUrl: service.databaseUrl })
const { db } = service.deps

const STATUSES = ['suggested', 'active', 'rejected', 'unqualified', 'new']
const BULK = ['activate', 'deactivate', 'reject', 'suggest', 'delete', 'tag', 'untag', 'owner'] as const

/** A filter, and the same condition in SQL. */
const FILTERS: [string, string][] = [
  ['', 'true'],
  ...STATUSES.map((status): [string, string] => [`status=${status}`, `status = '${status}'`]),
  ...[true, false].map((hot): [string, string] => [`hot=${hot}`, `is_hot = ${hot}`]),
  ...STATUSES.map((status): [string, string] => [`status=${status}&hot=true`, `status = '${status}' and is_hot`]),
  ['tag=a', `'a' = any(tags)`],
  ['status=suggested&tag=a', `status = 'suggested' and 'a' = any(tags)`],
  ['search=one', `name like '%one%'`],
]

type World = { workspaceId: string; owners: string[] }
type Lane = World & { client: Client; run: typeof service.run }

const someOf = (seed: number, ids: string[]) => ids.filter((_, at) => (seed >> (at % 30)) & 1).slice(0, 40)

async function idsOf({ workspaceId }: World) {
  const { rows } = await sql<{
    id: string
  }>`select id from accounts where workspace_id = ${workspaceId} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** In the order of the service, to avoid a deadlock. */
const lockAll = (db: Db, workspaceId: string) =>
  sql`select from accounts where workspace_id = ${workspaceId} order by id for update`.execute(db)

/** What changes the number of accounts of a kind. `seed` chooses accounts and values. */
const CHANGES: Record<string, (lane: Lane, seed: number) => Promise<unknown>> = {
  async add({ client, owners }, seed) {
    const fields = { tags: seed % 2 ? ['a', 'b'] : [], owner_id: owners[seed % 3] ?? null }
    await client.expect(
      201,
      'POST',
      '/v1/accounts',
      Array.from({ length: 1 + (seed % 7) }, () => ({ name: unique('one'), ...fields })),
    )
  },
  async bulk(lane, seed) {
    const ids = someOf(seed, await idsOf(lane))
    if (ids.length === 0) return
    const action = BULK[seed % BULK.length] as (typeof BULK)[number]
    const values = action === 'owner' ? { owner_id: lane.owners[seed % 3] ?? null } : { tags: ['a'] }
    await lane.client.expect(200, 'POST', '/v1/accounts/bulk', { ids, action, ...(/tag|owner/.test(action) && values) })
  },
  async remove(lane, seed) {
    const ids = await idsOf(lane)
    if (ids.length > 0) await lane.client.send('DELETE', `/v1/accounts/${ids[seed % ids.length]}`)
  },
  async import({ client, workspaceId, run }, seed) {
    const body = `Name;Website\n${Array.from({ length: 1 + (seed % 20) }, () => `${unique('Import')};${unique('import')}.com\n`).join('')}`
    const options = { body, headers: { 'content-type': 'text/csv' } }
    const { data } = await client.post('/v1/accounts/import', undefined, options)
    await run(importUploadedAccounts, { workspace_id: workspaceId, import_id: data.id })
  },
  /** One statement of a worker over accounts of several kinds. */
  async assess({ workspaceId }, seed) {
    await db.transaction().execute(async (db) => {
      await lockAll(db, workspaceId)
      await sql`update accounts set is_hot = (hashtext(id::text) + ${seed % 1000}) % 3 = 0,
        status = (${sql.lit(`{${STATUSES.join()}}`)}::text[])[1 + abs(hashtext(id::text) + ${seed % 1000}) % 5]
        where workspace_id = ${workspaceId} and (hashtext(id::text) + ${seed % 1000}) % 2 = 0`.execute(db)
    })
  },
  async rollBack({ workspaceId }) {
    const transaction = await db.startTransaction().execute()
    await lockAll(transaction, workspaceId)
    await sql`delete from accounts where workspace_id = ${workspaceId}`.execute(transaction)
    await transaction.rollback().execute()
  },
  async deleteMember({ client, owners }, seed) {
    const [owner] = owners.splice(seed % 3, 1)
    if (owner) await client.expect(200, 'DELETE', `/v1/members/${owner}`)
  },
}

async function requireExactTotals(clients: Client[], { workspaceId, owners }: World): Promise<void> {
  const byOwner = owners.flatMap((id): [string, string][] => [
    [`owner_id=${id}`, `owner_id = '${id}'`],
    [`owner_id=${id}&status=active`, `owner_id = '${id}' and status = 'active'`],
  ])
  const filters = [...FILTERS, ...byOwner]
  const counts = filters.map(
    ([query, condition]) => sql`count(*) filter (where ${sql.raw(condition)})::int as ${sql.ref(query || 'all')}`,
  )
  const { rows } = await sql<
    Record<string, number>
  >`select ${sql.join(counts)} from accounts where workspace_id = ${workspaceId}`.execute(db)
  for (const client of clients) {
    const totals = Object.fromEntries(
      await Promise.all(
        filters.map(async ([query]) => {
          const { body } = await client.get(`/v1/accounts?per_page=1&${query}`)
          return [query || 'all', body.pagination.total] as const
        }),
      ),
    )
    assert.deepEqual(totals, rows[0])
    const usage = await client.expect(200, 'GET', '/v1/usage')
    assert.deepEqual([usage.accounts, usage.accounts_active], [totals.all, totals['status=active']])
  }
}

test('totals are exact after concurrent changes of two processes', async () => {
  const changes = fc.array(fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.nat()), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(changes, changes, async (first, second) => {
      const { client: own, workspaceId, key } = await service.stranger()
      await scene(service, { accounts: 9, owner: { client: own, workspaceId } })
      const added = [0, 1, 2].map(() =>
        own.expect(201, 'POST', '/v1/members', { name: 'Kim', email: `${unique('kim')}@x.example` }),
      )
      const world = { workspaceId, owners: (await Promise.all(added)).map(({ id }) => id as string) }
      const clients = [own, beside.as(key)] as const
      const lanes: [Lane, typeof changes extends fc.Arbitrary<infer T> ? T : never][] = [
        [{ ...world, client: clients[0], run: service.run }, first],
        [{ ...world, client: clients[1], run: beside.run }, second],
      ]
      await requireExactTotals([...clients], world)
      await Promise.all(
        lanes.map(async ([lane, steps]) => {
          for (const [name, seed] of steps) await CHANGES[name]?.(lane, seed)
        }),
      )
      await requireExactTotals([...clients], world)
    }),
    { numRuns: 8, endOnFailure: true },
  )
})
