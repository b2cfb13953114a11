import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Answer, Client } from '../support/client.ts'
import { Caller } from './caller.ts'
import { KINDS, type Scene } from './kinds.ts'
import { invariants, settled } from './ledger.ts'
import { Draws } from './seeded.ts'
import { newCompany, TEAM } from './sites.ts'
import { startWorld, VICTIMS } from './world.ts'

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20)
const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000))
const MOST_KILLS = 3

const world = await startWorld()
const say = (line: string) => process.stdout.write(`${line}\n`)

/** The plan of a round: the same for the same seed. */
function planOf(seed: number) {
  const draws = new Draws(seed)
  const kinds = draws.some(Object.keys(KINDS) as (keyof typeof KINDS)[], draws.between(1, 3))
  const kills = Array.from({ length: draws.between(1, MOST_KILLS) }, () => ({
    victim: draws.pick(VICTIMS),
    moment: draws.fraction() < 0.5 ? { events: draws.between(1, 60) } : { ms: draws.between(0, 800) },
  }))
  const told = kills.map(
    ({ victim, moment }) => `${victim} ${'ms' in moment ? `+${moment.ms} ms` : `+${moment.events} events`}`,
  )
  return { kinds, kills, text: `seed ${seed}: ${kinds.join(', ')}; killed ${told.join(', ')}` }
}

async function round({ kinds, kills }: ReturnType<typeof planOf>, seed: number) {
  const work = await Promise.all(
    kinds.map(async (kind) => {
      const { id: workspaceId, key } = await world.newWorkspace()
      const own = new Draws(seed + kind.length)
      const scene: Scene = { world, draws: own, caller: new Caller(world, key, own), workspaceId, kills: kills.length }
      return KINDS[kind](scene)
    }),
  )
  const began = Promise.allSettled(work.map(({ begin }) => begin()))
  for (const { victim, moment } of kills) {
    await ('ms' in moment ? sleep(moment.ms) : world.eventsPass(moment.events))
    await world.kill(victim)
  }
  await settled(world, Promise.all([began, world.whole()]))
  for (const one of await began) if (one.status === 'rejected') throw one.reason
  const failures: string[] = []
  let doubled = 0
  for (const { account } of work) doubled += await account((reason) => failures.push(reason))
  await invariants(world)
  assert.deepEqual(world.crashes.splice(0), [], 'nobody ended who was not killed')
  return { doubled, failures }
}

test('two APIs and three workers: the same request sent to both at once runs once', async () => {
  const { id: workspaceId, key } = await world.newWorkspace()
  const [one, two] = world.addresses().map((address) => new Client(address, key)) as [Client, Client]
  /** Sends this number of requests at once, half of them to each API. */
  const both = (count: number, call: (client: Client) => Promise<Answer>) =>
    Promise.all(Array.from({ length: count }, (_, n) => call(n % 2 ? one : two)))
  const unlike = (answers: Answer[], read: (data: Answer['data']) => string) =>
    new Set(answers.map(({ data }) => read(data)))

  const company = newCompany()
  const created = await both(10, (client) => client.post('/v1/accounts', company))
  assert.equal(unlike(created, ({ id }) => id).size, 1, 'a domain is one account')
  assert.equal(created.filter(({ status }) => status === 201).length, 1)
  const account_id = created[0]?.data.id
  const activated = await both(6, (client) => client.post(`/v1/accounts/${account_id}/activate`))
  assert.ok(activated.every(({ status }) => status === 200))
  assert.equal((await one.expect(200, 'GET', '/v1/subscription')).credits_used, 1, 'a credit is taken once')
  const scans = await both(6, (client) => client.post(`/v1/accounts/${account_id}/scan`))
  assert.ok(scans.every(({ status }) => status === 202))
  const synced = await both(6, (client) => client.post('/v1/people/sync', { account_id }))
  assert.deepEqual(
    unlike(synced, ({ synced }) => synced),
    new Set([TEAM.length]),
  )

  const path = `/together/${workspaceId}`
  const url = world.receiver.url + path
  const { id: destination_id } = await one.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Main', url })
  const accounts = await two.expect(201, 'POST', '/v1/accounts', Array.from({ length: 150 }, newCompany))
  const account_ids = accounts.map(({ id }: { id: string }) => id)
  const headers = { 'idempotency-key': 'the-same' }
  const pushes = await both(6, (client) =>
    client.post('/v1/accounts/webhook-push', { destination_id, account_ids }, { headers }),
  )
  assert.equal(unlike(pushes, ({ run_id }) => run_id).size, 1, 'one key, one push')
  await settled(world, Promise.resolve())
  const arrived = world.receiver.deliveries.filter((one) => one.path === path && one.status === 200)
  assert.deepEqual([arrived.length, new Set(arrived.map(({ id }) => id)).size], [150, 150], 'each row comes once')
  const { rows: overlapping } = await sql`select from runs as one join runs as other
    on one.account_id = other.account_id and one.id < other.id and other.created_at < one.finished_at
    where one.workspace_id = ${workspaceId}`.execute(world.db)
  assert.equal(overlapping.length, 0, 'a scan that runs is joined')
  await invariants(world)
})

test(`${ROUNDS} rounds of random kills: nothing is lost, nothing is duplicated beyond what is documented`, {
  timeout: 60_000 + ROUNDS * 180_000,
}, async () => {
  say(`fault rounds: seed ${SEED}; repeat with npm run test:faults -- --seed ${SEED} --rounds ${ROUNDS}`)
  const failed: unknown[] = []
  let doubled = 0
  let honest = 0
  for (let at = 0; at < ROUNDS; at++) {
    const plan = planOf(SEED + at)
    const began = performance.now()
    const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
    try {
      const result = await round(plan, SEED + at)
      doubled += result.doubled
      honest += result.failures.length
      const ends = `${result.doubled} came again, ${result.failures.length} failed and said so`
      say(`round ${at}: ${plan.text}; ${ends}; ${seconds()}`)
      for (const reason of result.failures) say(`  failed and said so: ${reason}`)
    } catch (error) {
      failed.push(error)
      say(
        `round ${at} FAILED after ${seconds()}: ${plan.text}; repeat with npm run test:faults -- --seed ${SEED + at} --rounds 1`,
      )
      say(String((error as Error).stack ?? error))
      say(`PostgreSQL said last:\n${world.postgresSaid.join('')}`)
    }
  }
  say(
    `${ROUNDS} rounds: ${ROUNDS - failed.length} hold, ${doubled} deliveries came again under their id, ${honest} runs failed and said so`,
  )
  assert.equal(failed.length, 0, `${failed.length} of ${ROUNDS} rounds failed; the first: ${failed[0]}`)
})
