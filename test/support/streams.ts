import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { HostResponse } from '../../sandbox/internet.ts'
import type { Outage, SandboxRequest, World } from '../../sandbox/types.ts'
import { COMPANIES_HOUSE_STREAM_KEY } from '../../sandbox/vendors/companies-house.ts'
import type { ProviderProblem } from '../../src/providers/health.ts'
import type { AccountLookup, FeedResult, FeedState, Stream, StreamItem } from '../../src/providers/streams/types.ts'
import type { ProviderDeps } from '../../src/providers/types.ts'
import { daysAgo, vendorNet } from './vendors.ts'

export const OUTAGES: Outage[] = ['error', 'refused', 'spent', 'garbage', 'misshapen', 'busy', 'stall', 'drop']

/** The accounts by company number. */
const ACCOUNTS = new Map([['01234567', 'ACME ROBOTICS LIMITED']])

type Alteration = (answer: HostResponse, request: SandboxRequest) => HostResponse

/** The vendors of streams, whose responses may be altered, and runs of a stream over them. */
export async function startStreamVendors() {
  let alteration: Alteration = (answer) => answer
  const net = await vendorNet(
    {},
    () => null,
    (answer, request) => alteration(answer, request),
  )
  after(() => net[Symbol.asyncDispose]())
  /** The ids that were looked up in a register. */
  const lookups: (readonly string[])[] = []
  /** The names that accounts have. */
  const accountNames = new Set<string>()
  const accounts: AccountLookup = {
    async registered(register, ids) {
      assert.equal(register, 'companies-house')
      lookups.push(ids)
      return new Map([...ACCOUNTS].filter(([id]) => ids.includes(id)))
    },
    named: async (names) => new Set(names.filter((name) => accountNames.has(name))),
  }
  return {
    ...{ net, lookups, accountNames },

    /** Alters all responses until `setWorld` or the next alteration. */
    alter(next: Alteration): void {
      alteration = next
    },

    setWorld(told: Partial<World>, outages: World['outages'] = {}): void {
      alteration = (answer) => answer
      net.world = { today: daysAgo(0), companies: [], stories: [], filings: [], ...told, outages }
      net.asked()
    },

    /** A run, and what it reported about the source. */
    async reading(
      { stream, feed }: { stream: Stream; feed: string },
      state: FeedState['state'] = null,
      timeoutMs?: number,
      given: Partial<ProviderDeps> = {},
    ) {
      const reported = new Map<string, ProviderProblem | null>()
      const health = {
        report: async (name: string, problem: ProviderProblem | null) => void reported.set(name, problem),
      }
      const deps = {
        ...net.deps({ CRAWL_DELAY_MS: '0', COMPANIES_HOUSE_STREAM_KEY }, timeoutMs ? { timeoutMs } : {}),
        health,
        ...given,
      }
      const read = await stream.read(deps, feed, { since: daysAgo(stream.firstDays), state, accounts })
      return { read, reported }
    },
  }
}

export function itemsOf(read: FeedResult): StreamItem[] {
  assert.equal(read.outcome, 'items', JSON.stringify(read))
  return read.outcome === 'items' ? read.items : []
}

/** Changes the text of responses. */
export function altering(change: (body: string) => string): Alteration {
  return (answer) => {
    if (answer === null || typeof answer === 'string') return answer
    const { pieces } = answer
    if (pieces) {
      return {
        ...answer,
        async *pieces() {
          for await (const piece of pieces()) yield change(piece)
        },
      }
    }
    return typeof answer.body === 'string' ? { ...answer, body: change(answer.body) } : answer
  }
}

/** Responses in which a field, a column header, or an element is renamed. */
export function renaming(field: string): Alteration {
  return altering((body) =>
    body
      .replaceAll(`"${field}"`, '"other"')
      .replaceAll(`>${field}<`, '>Other<')
      .replaceAll(new RegExp(`(</?)${field}>`, 'g'), '$1other>'),
  )
}
