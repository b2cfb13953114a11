import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, Client } from '../support/client.ts'
import type { Draws } from './seeded.ts'
import type { World } from './world.ts'

type File = { body: string; headers: Record<string, string> }

/** Somebody who works over the API while processes are killed: a call that was not answered is made again. */
export class Caller {
  readonly #world: World
  readonly #key: string
  readonly #draws: Draws
  /** Calls that had to be made again, each of which may have done its work before. */
  repeated = 0

  constructor(world: World, key: string, draws: Draws) {
    this.#world = world
    this.#key = key
    this.#draws = draws
  }

  get(path: string): Promise<Answer['data']> {
    return this.#untilAnswered(async (client) => client.get(path))
  }

  put(path: string, body: object): Promise<Answer['data']> {
    return this.#untilAnswered(async (client) => client.put(path, body))
  }

  /** With one Idempotency-Key over all its attempts, except for a file, which is known by no more than its size. */
  post(path: string, body: object, file?: File): Promise<Answer['data']> {
    const key = crypto.randomUUID()
    return this.#untilAnswered(
      (client) => client.post(path, file ? undefined : body, file ?? { headers: { 'idempotency-key': key } }),
      async () => {
        this.repeated++
        // What passes by itself: the key of a call whose process died is free again after three minutes.
        const claim = this.#world.db.updateTable('idempotency_keys').set({ lease_until: new Date(0) })
        await claim.where('key', '=', key).where('status', 'is', null).execute()
      },
    )
  }

  /** Its answer, from whichever API gives one. While PostgreSQL is away they say 503; nothing else may go wrong. */
  async #untilAnswered(
    call: (client: Client) => Promise<Answer>,
    again?: () => Promise<void>,
  ): Promise<Answer['data']> {
    for (const until = Date.now() + 90_000; Date.now() < until; ) {
      const addresses = this.#world.addresses()
      if (addresses.length > 0) {
        const client = new Client(this.#draws.pick(addresses), this.#key)
        // A process that is killed says nothing more.
        const answer = await call(client).catch((error: unknown) => {
          if (error instanceof TypeError) return null
          throw error
        })
        if (answer && answer.status !== 503) {
          assert.ok(answer.status < 300, `${answer.status}: ${answer.text}`)
          this.#world.event()
          return answer.data
        }
        await again?.().catch(() => {})
      }
      await sleep(100)
    }
    throw new Error('No API answered for 90 seconds.')
  }
}
