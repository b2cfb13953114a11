import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { webhookId } from '../../src/delivery/webhook/channel.ts'
import { Client } from '../support/client.ts'
import { missingPrograms, startCluster } from '../support/postgres-cluster.ts'
import { Caller } from './caller.ts'
import { KINDS, type Scene } from './kinds.ts'
import { invariants, settled } from './ledger.ts'
import { Draws } from './seeded.ts'
import { newCompany } from './sites.ts'
import { startWorld, type World } from './world.ts'

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2)
const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000))
const LOAD = ['import', 'scan', 'push', 'push'] as const
/** Pause of the writer between two requests. */
const PAUSE_MS = 25

const say = (line: string) => process.stdout.write(`${line}\n`)

/** Adds one account after the other, without repeating a request, and notes which were acknowledged. */
class Writer {
  readonly acknowledged = new Map<string, string>()
  readonly #world: World
  readonly #workspace: { id: string; key: string }
  #isEnding = false
  #ended: Promise<void>
  #succeeded = Promise.withResolvers<void>()
  refused = 0

  constructor(world: World, workspace: { id: string; key: string }) {
    this.#world = world
    this.#workspace = workspace
    this.#ended = this.#write()
    // Avoids an unhandled rejection until it is awaited.
    this.#ended.catch(() => {})
  }

  async #write(): Promise<void> {
    for (let turn = 0; !this.#isEnding; turn++) {
      const addresses = this.#world.addresses()
      const client = new Client(addresses[turn % addresses.length] as string, this.#workspace.key)
      const succeeded = this.#succeeded
      const { status, data, headers, text } = await client.post('/v1/accounts', newCompany())
      if (status === 503) {
        assert.ok(Number(headers.get('retry-after')) > 0, 'a refusal states when to try again')
        this.refused++
      } else {
        assert.equal(status, 201, text)
        this.acknowledged.set(data.id, data.domain)
        succeeded.resolve()
      }
      await sleep(PAUSE_MS)
    }
  }

  /** Resolves with the next request that begins from now on and succeeds. */
  async nextSuccess(): Promise<void> {
    this.#succeeded = Promise.withResolvers()
    await Promise.race([this.#succeeded.promise, this.#ended])
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await this.#ended
    const { rows } = { rows: await this.#stored() }
    const stored = new Map(rows.map(({ id, domain }) => [id, domain]))
    for (const [id, domain] of this.acknowledged)
      assert.equal(stored.get(id), domain, `the account ${domain} was acknowledged`)
  }

  #stored() {
    const accounts = this.#world.db.selectFrom('accounts').select(['id', 'domain'])
    return accounts.where('workspace_id', '=', this.#workspace.id).execute()
  }
}

/** The rows of a workspace that the receiver acknowledged, each under one id of a run that is stored. */
async function rowsSent({ db, receiver }: World, workspaceId: string): Promise<number> {
  const rows = await db
    .selectFrom('push_rows')
    .select(['run_id', 'record_id'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  const recordOf = new Map(rows.map(({ run_id, record_id }) => [webhookId(run_id, record_id), record_id]))
  const idOf = new Map<string, string>()
  for (const { path, status, id } of receiver.deliveries) {
    if (path !== `/push/${workspaceId}` || status !== 200 || !id) continue
    const record = recordOf.get(id) ?? assert.fail(`${id} was sent by a run that is not stored`)
    assert.equal(idOf.get(record) ?? id, id, `the row ${record} was sent under two ids`)
    idOf.set(record, id)
  }
  return idOf.size
}

test(`${ROUNDS} failovers under load, behind PgBouncer in transaction mode: nothing acknowledged is lost or sent under two ids`, {
  skip: missingPrograms(),
  timeout: 240_000 + ROUNDS * 180_000,
}, async () => {
  const cluster = await startCluster()
  after(cluster.end)
  const world = await startWorld(async () => ({
    url: cluster.url,
    env: { DATABASE_PREPARE: 'false' },
    said: cluster.log,
    kill: () => assert.fail('a round kills the primary itself'),
    end: cluster.end,
  }))
  say(
    `failovers: seed ${SEED}; repeat with npm run test:faults -- --seed ${SEED} --rounds ${ROUNDS} test/faults/failover.test.ts`,
  )
  const times: number[] = []
  const sum = { acknowledged: 0, refused: 0, rows: 0, again: 0, restarts: 0 }
  for (let at = 0; at < ROUNDS; at++) {
    const draws = new Draws(SEED + at)
    const failures: string[] = []
    const workspaces: string[] = []
    const work = await Promise.all(
      LOAD.map(async (kind, n) => {
        const { id: workspaceId, key } = await world.newWorkspace()
        workspaces.push(workspaceId)
        const own = new Draws(SEED + at + 1_000 * n)
        const scene: Scene = { world, draws: own, caller: new Caller(world, key, own), workspaceId, kills: 1 }
        return KINDS[kind](scene)
      }),
    )
    const writer = new Writer(world, await world.newWorkspace())
    const began = Promise.allSettled(work.map(({ begin }) => begin()))
    await (draws.fraction() < 0.5 ? world.eventsPass(draws.between(1, 60)) : sleep(draws.between(0, 800)))
    const killedAt = performance.now()
    const restart = await cluster.killPrimary()
    await writer.nextSuccess()
    times.push((performance.now() - killedAt) / 1000)
    restart()
    await settled(world, began)
    for (const one of await began) if (one.status === 'rejected') throw one.reason
    let again = 0
    for (const { account } of work) again += await account((reason) => failures.push(reason))
    assert.deepEqual(failures, [], 'no run fails because of a failover')
    await writer.end()
    let rows = 0
    for (const workspaceId of workspaces) rows += await rowsSent(world, workspaceId)
    await invariants(world)
    assert.deepEqual(world.crashes, [], 'no process ends')
    sum.restarts += await cluster.synchronous()
    sum.acknowledged += writer.acknowledged.size
    sum.refused += writer.refused
    sum.rows += rows
    sum.again += again
    say(
      `failover ${at}: first write after ${times.at(-1)?.toFixed(1)} s; ${writer.acknowledged.size} writes acknowledged, ` +
        `${writer.refused} refused with 503; ${rows} rows sent, ${again} again under their id`,
    )
  }
  const sorted = times.toSorted((a, b) => a - b)
  say(
    `${ROUNDS} failovers: first write after ${sorted[Math.floor(ROUNDS / 2)]?.toFixed(1)} s (median), ` +
      `${sorted.at(-1)?.toFixed(1)} s (worst); ${sum.acknowledged} writes acknowledged and stored, ${sum.refused} refused with 503; ` +
      `${sum.rows} rows sent, ${sum.again} again under their id; ${sum.restarts} keepers hung and were restarted`,
  )
})
