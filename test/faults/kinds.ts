import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { webhookId } from '../../src/delivery/webhook/channel.ts'
import { DEAD_LETTERS } from '../../src/jobs/queue.ts'
import { savePeople } from '../../src/people/save.ts'
import { addCompanies } from '../support/companies.ts'
import type { Caller } from './caller.ts'
import type { Draws } from './seeded.ts'
import { newCompany, TEAM } from './sites.ts'
import type { World } from './world.ts'

/** The state of the work that a round has started. */
export type Scene = { world: World; draws: Draws; caller: Caller; workspaceId: string; kills: number }

/** Work of one kind, in a separate workspace. */
export type Work = {
  /** Starts the work, while processes are killed. Its result was acknowledged. */
  begin: () => Promise<void>
  /** Compares what was acknowledged with the database and the other side. Returns the number of duplicates. */
  account: (honest: (reason: string) => void) => Promise<number>
}

type Kind = (scene: Scene) => Promise<Work>

const csv = (domains: readonly { name: string; domain: string }[]) => ({
  body: `domain,name\n${domains.map(({ name, domain }) => `${domain},${name}\n`).join('')}`,
  headers: { 'content-type': 'text/csv' },
})

const companies = (count: number) => Array.from({ length: count }, newCompany)

/** Whether a run is done; a failed one must have a reason, and is counted. */
async function isDone({ caller }: Scene, path: string, honest: (reason: string) => void): Promise<boolean> {
  const { status, failure } = await caller.get(path)
  if (status === 'done') return true
  assert.equal(status, 'failed', path)
  assert.ok(failure, `${path} says why it failed`)
  honest(failure)
  return false
}

/** The deliveries that the receiver acknowledged on a path, by webhook-id. */
function acknowledged({ world }: Scene, path: string): Map<string, { count: number; body: string }> {
  const found = new Map<string, { count: number; body: string }>()
  for (const { path: at, status, id, body } of world.receiver.deliveries) {
    if (at !== path || status !== 200 || !id) continue
    found.set(id, { body, count: (found.get(id)?.count ?? 0) + 1 })
  }
  return found
}

/** At least once, and never more often than there were kills. Returns the number of duplicates. */
function doublesOf(found: Map<string, { count: number }>, kills: number): number {
  for (const [id, { count }] of found) assert.ok(count <= 1 + kills, `${id} came ${count} times after ${kills} kills`)
  return [...found.values()].filter(({ count }) => count > 1).length
}

const importing: Kind = async ({ world, draws, caller, workspaceId }) => {
  const given = companies(draws.between(500, 12_000))
  let path = ''
  return {
    begin: async () => {
      path = `/v1/companies/imports/${(await caller.post('/v1/companies/import', {}, csv(given))).id}`
    },
    async account() {
      const { status, rows, created, existing, rejected, failure } = await caller.get(path)
      assert.deepEqual([status, rows, created + existing, rejected], ['done', given.length, given.length, 0], failure)
      const stored = await world.db
        .selectFrom('companies')
        .select('domain')
        .where('workspace_id', '=', workspaceId)
        .execute()
      assert.deepEqual(stored.map(({ domain }) => domain).sort(), given.map(({ domain }) => domain).sort())
      return 0
    },
  }
}

/** Adds accounts; the same domain twice is one account. */
async function addAccounts({ caller }: Scene, count: number): Promise<string[]> {
  const given = companies(count)
  const ids: string[] = []
  for (let at = 0; at < count; at += 500)
    for (const { id } of await caller.post('/v1/accounts', given.slice(at, at + 500))) ids.push(id)
  assert.equal(new Set(ids).size, count)
  return ids
}

const scanning: Kind = async (scene) => {
  const { world, caller, workspaceId } = scene
  const ids: string[] = []
  const runs = new Map<string, string>()
  return {
    async begin() {
      ids.push(...(await addAccounts(scene, 3)))
      for (const id of ids) runs.set(id, (await caller.post(`/v1/accounts/${id}/scan`, {})).run_id)
    },
    async account(honest) {
      const { length } = await world.db
        .selectFrom('accounts')
        .where('workspace_id', '=', workspaceId)
        .select('id')
        .execute()
      assert.equal(length, 3, 'an account for each domain')
      for (const [account, run] of runs) {
        if (!(await isDone(scene, `/v1/runs/${run}`, honest))) continue
        const present = (await caller.get(`/v1/accounts/${account}/signals`)).filter(
          (one: { signal_present: boolean }) => one.signal_present,
        )
        assert.deepEqual(
          present.map(({ signal_id, evidence }: { signal_id: string; evidence: object[] }) => [
            signal_id,
            evidence.length,
          ]),
          [['funding', 1]],
        )
      }
      return 0
    },
  }
}

/** Activation loads the roster, scans, and sends alerts for the findings. */
const activating: Kind = async (scene) => {
  const { world, caller, workspaceId } = scene
  const path = `/alerts/${workspaceId}`
  await caller.put('/v1/settings/notifications', { webhook_url: world.receiver.url + path, webhook_enabled: true })
  const ids = await addAccounts(scene, 3)
  return {
    async begin() {
      for (const id of ids) await caller.post(`/v1/accounts/${id}/activate`, {})
      // While the load of the activation may be running: two concurrent loads are one.
      const { synced } = await caller.post('/v1/people/sync', { account_id: ids[0] })
      assert.equal(synced, TEAM.length)
    },
    async account(honest) {
      const told = acknowledged(scene, path)
      const db = world.db
      const { credits_used } = await db
        .selectFrom('subscriptions')
        .select('credits_used')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
      assert.equal(credits_used, ids.length, 'a credit for each activation')
      for (const id of ids) {
        const { rows: lost } = await lostJobs(world, id)
        const people = await db.selectFrom('people').select('full_name').where('account_id', '=', id).execute()
        if (lost.length > 0 && people.length === 0) honest('a roster lost its worker')
        else assert.deepEqual(people.map(({ full_name }) => full_name).sort(), [...TEAM].sort())
        const [run] = await db.selectFrom('runs').select('id').where('account_id', '=', id).execute()
        assert.ok(run, 'an activated account is scanned')
        if (!(await isDone(scene, `/v1/runs/${run.id}`, honest))) continue
        const about = [...told.values()].filter(({ body }) => JSON.parse(body).data.account.id === id)
        assert.equal(about.length, 1, `one alert tells of the account ${id}`)
      }
      return doublesOf(told, scene.kills)
    },
  }
}

/** Abandoned jobs about an account. */
const lostJobs = (world: World, accountId: string) =>
  sql`select from pgboss.job where name = ${DEAD_LETTERS} and data ->> 'account_id' = ${accountId}`.execute(world.db)

const discovering: Kind = async (scene) => {
  const { world, draws, caller, workspaceId } = scene
  const given = companies(draws.between(3, 6))
  const alerts = `/suggested/${workspaceId}`
  const settings = { webhook_url: world.receiver.url + alerts, webhook_enabled: true, notify_suggested: true }
  await caller.put('/v1/settings/notifications', settings)
  await addCompanies(world.databaseUrl, workspaceId, given)
  let path = ''
  return {
    begin: async () => {
      path = `/v1/runs/${(await caller.post('/v1/runs', { signals: { any_of: ['funding'] } })).run_id}`
    },
    async account(honest) {
      const told = acknowledged(scene, alerts)
      if (!(await isDone(scene, path, honest))) return doublesOf(told, scene.kills)
      const { stats } = await caller.get(path)
      assert.equal(stats.failed, 0, JSON.stringify(stats))
      // A retried call may have started a second run, which finds the records of the first.
      assert.equal(stats.matched + stats.existing, given.length, JSON.stringify(stats))
      const accounts = await world.db
        .selectFrom('accounts')
        .select(['id', 'domain'])
        .where('workspace_id', '=', workspaceId)
        .execute()
      assert.deepEqual(accounts.map(({ domain }) => domain).sort(), given.map(({ domain }) => domain).sort())
      const named = [...told.values()].flatMap(({ body }) => JSON.parse(body).data.accounts as { id: string }[])
      assert.deepEqual(named.map(({ id }) => id).sort(), accounts.map(({ id }) => id).sort(), 'each is told of once')
      return doublesOf(told, scene.kills)
    },
  }
}

/** In the background, or while the caller waits. */
const pushing: Kind = async (scene) => {
  const { world, draws, caller, workspaceId } = scene
  const path = `/push/${workspaceId}`
  const { id: destination_id } = await caller.post('/v1/webhook-destinations', {
    name: 'Main',
    url: world.receiver.url + path,
  })
  const ids = await addAccounts(scene, draws.pick([60, 700]))
  return {
    begin: async () => void (await caller.post('/v1/accounts/webhook-push', { destination_id, account_ids: ids })),
    async account() {
      const arrived = acknowledged(scene, path)
      await pushRunsAddUp(scene, ids, (run, record) => arrived.has(webhookId(run, record)))
      return doublesOf(arrived, scene.kills)
    },
  }
}

const pushingToCrm: Kind = async (scene) => {
  const { world, caller, workspaceId } = scene
  await caller.post('/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
  const accounts = await addAccounts(scene, 10)
  const people = Array.from({ length: 400 }, (_, n) => ({
    account_id: accounts[n % 10] as string,
    full_name: `Person ${n}`,
    email: `person${n}@${workspaceId}.example`,
  }))
  const saved = await world.db
    .transaction()
    .execute((db) => savePeople({ db, secrets: world.secrets }, workspaceId, 'employee', people))
  const ids = saved.map(({ id }) => id)
  return {
    begin: async () => void (await caller.post('/v1/people/crm-push', { contact_ids: ids })),
    async account() {
      const { contacts, companies } = world.hubspot.records
      const mine = [...contacts.values()].filter(({ properties }) =>
        properties.email?.endsWith(`@${workspaceId}.example`),
      )
      assert.deepEqual(mine.map(({ properties }) => properties.email).sort(), people.map(({ email }) => email).sort())
      const made = new Set(mine.map(({ id }) => id))
      const linked = [...world.hubspot.associations].filter((pair) => made.has(pair.split(' ')[0] as string))
      assert.equal(linked.length, people.length, 'each contact is at its company')
      const domains = [...companies.values()].map(({ properties }) => properties.domain)
      assert.equal(new Set(domains).size, domains.length, 'a company is there once')
      await pushRunsAddUp(scene, ids, () => true)
      return 0
    },
  }
}

/** Every run of the workspace has ended and sent all its rows, and the other side has received them. */
async function pushRunsAddUp(
  { world, caller, workspaceId }: Scene,
  ids: string[],
  arrived: (run: string, record: string) => boolean,
) {
  const runs = await world.db.selectFrom('push_runs').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.ok(
    runs.length >= 1 && runs.length <= 1 + caller.repeated,
    `${runs.length} runs of ${1 + caller.repeated} calls`,
  )
  for (const { id, status, total, sent, failed, failure, ends_at } of runs) {
    // An inline push ends with its request, and rows interrupted by a kill have failed.
    if (ends_at) assert.deepEqual([status === 'running', total, sent + failed], [false, ids.length, ids.length])
    else assert.deepEqual([status, total, sent, failed], ['completed', ids.length, ids.length, 0], failure ?? '')
    const rows = await world.db.selectFrom('push_rows').selectAll().where('run_id', '=', id).execute()
    for (const { record_id, state } of rows)
      assert.ok(state === 'failed' || arrived(id, record_id), `${record_id} of the run ${id} did not arrive`)
  }
}

export const KINDS = {
  import: importing,
  scan: scanning,
  'people and alerts': activating,
  discovery: discovering,
  push: pushing,
  'CRM push': pushingToCrm,
} satisfies Record<string, Kind>
