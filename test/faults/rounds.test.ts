import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Caller } from './caller.ts'
import { KINDS, type Scene } from './kinds.ts'
import { invariants, settled } from './ledger.ts'
import { Draws } from './seeded.ts'
import { startWorld, VICTIMS, type Victim } from './world.ts'

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 20)
const SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 1_000_000))
const MOST_KILLS = 3

const world = await startWorld()
const say = (line: string) => process.stdout.write(`${line}\n`)

type Plan = { victim: Victim; moment: { events: number } | { ms: number } }

/** Who is killed and when, drawn before anything happens. */
function planOf(draws: Draws): Plan[] {
  return Array.from({ length: draws.between(1, MOST_KILLS) }, () => ({
    victim: draws.pick(VICTIMS),
    moment: draws.fraction() < 0.5 ? { events: draws.between(1, 60) } : { ms: draws.between(0, 800) },
  }))
}

async function round(seed: number) {
  const draws = new Draws(seed)
  const kinds = draws.some(Object.keys(KINDS) as (keyof typeof KINDS)[], draws.between(1, 3))
  const plan = planOf(draws)
  const work = await Promise.all(
    kinds.map(async (kind) => {
      const { id: workspaceId, key } = await world.newWorkspace()
      const own = new Draws(seed + kind.length)
      const scene: Scene = { world, draws: own, caller: new Caller(world, key, own), workspaceId, kills: plan.length }
      return KINDS[kind](scene)
    }),
  )
  const began = Promise.allSettled(work.map(({ begin }) => begin()))
  for (const { victim, moment } of plan) {
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
  const told = plan.map(
    ({ victim, moment }) => `${victim} ${'ms' in moment ? `+${moment.ms} ms` : `+${moment.events} events`}`,
  )
  return { kinds, told, doubled, failures }
}

test(`${ROUNDS} rounds of random kills: nothing is lost, nothing doubled beyond what is documented`, {
  timeout: 60_000 + ROUNDS * 180_000,
}, async () => {
  say(`fault rounds: seed ${SEED}; repeat with npm run test:faults -- --seed ${SEED} --rounds ${ROUNDS}`)
  const failed: unknown[] = []
  let doubled = 0
  let honest = 0
  for (let at = 0; at < ROUNDS; at++) {
    const began = performance.now()
    const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
    try {
      const result = await round(SEED + at)
      doubled += result.doubled
      honest += result.failures.length
      const ends = `${result.doubled} came again, ${result.failures.length} failed and said so`
      say(
        `round ${at} (seed ${SEED + at}): ${result.kinds.join(', ')}; killed ${result.told.join(', ')}; ${ends}; ${seconds()}`,
      )
      for (const reason of result.failures) say(`  failed and said so: ${reason}`)
    } catch (error) {
      failed.push(error)
      say(`round ${at} FAILED after ${seconds()}; repeat with npm run test:faults -- --seed ${SEED + at} --rounds 1`)
      say(String((error as Error).stack ?? error))
    }
  }
  say(
    `${ROUNDS} rounds: ${ROUNDS - failed.length} hold, ${doubled} deliveries came again under their id, ${honest} runs failed and said so`,
  )
  assert.equal(failed.length, 0, `${failed.length} of ${ROUNDS} rounds failed; the first: ${failed[0]}`)
})
