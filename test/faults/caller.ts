import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseGone } from '../../src/http/errors.ts'
import { type Answer, Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import type { Draws } from './seeded.ts'
import type { World } from './world.ts'

type File = { body: string; headers: Record<string, string> }

/** Longer than any call here takes on a busy machine. */
const PATIENCE_MS = 60_000

/** A client that uses the API while processes are killed: a call without a response is retried. */
export class Caller {
  readonly #world: World
  readonly #key: string
  readonly #draws: Draws
  /** Retried calls, each of which may have done its work before. */
  repeated = 0

  constructor(world: World, key: string, draws: Draws) {
    this.#world = world
    this.#key = key
    this.#draws = draws
  }

  get(path: string): Promise<Answer['data']> {
    return this.#untilAnswered(`GET ${path}`, (client) => client.get(path))
  }

  put(path: string, body: object): Promise<Answer['data']> {
    return this.#untilAnswered(`PUT ${path}`, (client) => client.put(path, body))
  }

  /** Uses one Idempotency-Key over all attempts, except for a file, which is identified only by its size. */
  post(path: string, body: object, file?: File): Promise<Answer['data']> {
    const key = crypto.randomUUID()
    return this.#untilAnswered(
      `POST ${path}`,
      (client) => client.post(path, file ? undefined : body, file ?? { headers: { 'idempotency-key': key } }),
      async () => {
        this.repeated++
        // Expires on its own: the key of a request whose process died is free again after three minutes.
        const claim = this.#world.db.updateTable('idempotency_keys').set({ lease_until: new Date(0) })
        await claim.where('key', '=', key).where('status', 'is', null).execute()
      },
    )
  }

  /** The response from any API process. During an outage of PostgreSQL they return 503; nothing else may fail. */
  async #untilAnswered(
    what: string,
    call: (client: Client) => Promise<Answer>,
    again?: () => Promise<void>,
  ): Promise<Answer['data']> {
    for (const until = Date.now() + 90_000; Date.now() < until; ) {
      const addresses = this.#world.addresses()
      if (addresses.length > 0) {
        const client = new Client(this.#draws.pick(addresses), this.#key)
        // A killed process sends no response.
        const answer = await Promise.race([call(client), sleep(PATIENCE_MS, 'late' as const, { ref: false })]).catch(
          (error: unknown) => {
            if (error instanceof TypeError) return null
            throw error
          },
        )
        assert.ok(answer !== 'late', `There was no answer within ${PATIENCE_MS / 1000} seconds: ${what}`)
        if (answer && answer.status !== 503) {
          assert.ok(answer.status < 300, `${answer.status}: ${answer.text}`)
          this.#world.event()
          return answer.data
        }
        await this.#whenBack(again)
      }
      await sleep(100)
    }
    throw new Error('No API answered for 90 seconds.')
  }

  /** Runs as soon as PostgreSQL is available: it may have been killed just now. */
  async #whenBack(act: () => Promise<void> = async () => {}): Promise<void> {
    await eventually('PostgreSQL is back', () =>
      act().then(
        () => true,
        (error) => {
          if (!isDatabaseGone(error)) throw error
          return false
        },
      ),
    )
  }
}
