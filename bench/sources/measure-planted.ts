import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Host } from '../../sandbox/internet.ts'
import type { World } from '../../sandbox/types.ts'
import { vendorResponse } from '../../sandbox/vendors/index.ts'
import { report } from '../results.ts'
import { type BenchService, caller } from '../support.ts'
import type { Outcome, Planted, PlantedItem } from './planted.ts'

/** Sets where a feed is read next, and that it is due. */
export async function setFeed(client: pg.Client, { stream, feed, state }: Planted['feeds'][number]): Promise<void> {
  await client.query(
    `insert into stream_feeds (stream, feed, state, due_at) values ($1, $2, $3, now() - interval '1 minute')
     on conflict (stream, feed) do update set state = excluded.state, due_at = excluded.due_at`,
    [stream, feed, JSON.stringify(state)],
  )
}

/** The vendors and the sites of planted documents. */
export function answerPlanted(planted: readonly Planted[], today: string): Host {
  const world: World = Object.assign(
    { today, companies: [], stories: [], filings: [] },
    ...planted.map((one) => one.world),
  )
  return async (request) => {
    for (const { hosts } of planted) {
      const found = await hosts.get(request.url.hostname)?.(request)
      if (found) return found
    }
    return vendorResponse(request, world)
  }
}

type Found = { domain: string; signal: string; url: string }

/**
 * Scans the accounts, reads the streams and counts the findings. A finding is right if its evidence is a document about the
 * account, with the signal that the document reports.
 */
export async function measurePlanted(
  service: BenchService,
  client: pg.Client,
  planted: readonly Planted[],
  readSources: (names: string) => Promise<unknown>,
): Promise<void> {
  const items = planted.flatMap((one) => one.items)
  const accounts = [...new Map(items.map(({ account }) => [account.domain, account])).values()]
  const { rows: inserted } = await client.query<{ id: string; domain: string }>(
    `insert into accounts (workspace_id, id, name, domain, status, source)
     select $1, gen_random_uuid(), name, domain, 'active', 'api' from unnest($2::text[], $3::text[]) as given (name, domain)
     returning id, domain`,
    [service.workspaceId, accounts.map(({ name }) => name), accounts.map(({ domain }) => domain)],
  )
  const began = performance.now()
  await scanPlanted(service, planted, new Map(inserted.map(({ id, domain }) => [domain, id])))
  const scanned = performance.now()
  for (const feed of planted.flatMap(({ feeds }) => feeds)) await setFeed(client, feed)
  await readSources('gdelt,companies-house')
  await untilDetected(client)
  const seconds = [scanned - began, performance.now() - scanned].map((ms) => (ms / 1000).toFixed(0))
  console.log(`planted items: scanned in ${seconds[0]} s, read from streams and searched in ${seconds[1]} s`)
  const { rows: found } = await client.query<Found>(
    `select * from (
       select account.domain, found.signal_id as signal, proof ->> 'source_url' as url
       from signal_detections found join accounts account on account.workspace_id = found.workspace_id and account.id = found.account_id
       cross join lateral jsonb_array_elements(found.evidence) as proof
       where found.signal_present
       union
       select account.domain, 'hiring', opening.url
       from openings opening join accounts account on account.workspace_id = opening.workspace_id and account.id = opening.account_id
     ) as stored where url = any($1)`,
    [items.map(({ url }) => url)],
  )
  for (const { source, items } of planted) reportPlanted(`planted at ${source}`, items, found)
  reportPlanted('planted items', items, found, { precision: 0.98, recall: 0.9 })
}

/** Counts what was found at any account. */
function countFound(kind: string, items: readonly PlantedItem[], stored: readonly Found[]): Outcome {
  const urls = new Set(items.map(({ url }) => url))
  const expected = items.filter(({ signal }) => signal !== null)
  const wanted = new Set(expected.map(({ account, signal, url }) => `${account.domain} ${signal} ${url}`))
  const found = stored.filter(({ url }) => urls.has(url))
  const right = found.filter(({ domain, signal, url }) => wanted.has(`${domain} ${signal} ${url}`))
  return { kind, planted: items.length, expected: expected.length, found: found.length, right: right.length }
}

function reportPlanted(
  what: string,
  items: readonly PlantedItem[],
  stored: readonly Found[],
  aims?: { precision: number; recall: number },
): void {
  const kinds = aims ? [] : [...Map.groupBy(items, ({ kind }) => kind)]
  for (const [kind, of] of kinds) {
    const { planted, expected, found, right } = countFound(kind, of, stored)
    console.log(`${kind.padEnd(50)} ${planted} planted, ${expected} expected, ${found} found, ${right} right`)
  }
  const { planted, expected, found, right } = countFound(what, items, stored)
  const path = `${what} (${planted})`
  report({ path: `${path}, precision`, ours: right / found, unit: '', limit: 1, aim: aims?.precision ?? null })
  report({ path: `${path}, recall`, ours: right / expected, unit: '', limit: 1, aim: aims?.recall ?? null })
}

type Run = { status: string; stats: { sources?: { name: string; outcome: string; reason?: string }[] } }

/** Scans the accounts of sources that are read by scans, and reports whether disallowed sources are reported as failed. */
async function scanPlanted(
  service: BenchService,
  planted: readonly Planted[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const call = caller(service)
  const scanned = planted.filter(({ isScanned }) => isScanned).flatMap(({ items }) => items)
  const runs = new Map<string, string>()
  for (const domain of new Set(scanned.map(({ account }) => account.domain))) {
    const { run_id } = await call<{ run_id: string }>('POST', `/v1/accounts/${ids.get(domain)}/scan`)
    runs.set(domain, run_id)
  }
  const disallowed = new Set(planted.flatMap((one) => [...one.disallowed]))
  let reported = 0
  for (const [domain, id] of runs) {
    let run = await call<Run>('GET', `/v1/runs/${id}`)
    for (; run.status === 'running'; run = await call<Run>('GET', `/v1/runs/${id}`)) await wait(100)
    if (run.status !== 'done') throw new Error(`the scan of ${domain}: ${JSON.stringify(run)}`)
    const failed = (run.stats.sources ?? []).filter(({ outcome }) => outcome === 'failed')
    const isReported = failed.some(({ reason }) => reason?.includes('robots.txt'))
    if (isReported && disallowed.has(domain)) reported += 1
    else if (failed.length > 0) throw new Error(`the scan of ${domain}: ${JSON.stringify(failed)}`)
  }
  report({
    path: 'boards disallowed by robots.txt, reported as failed',
    ...{ ours: reported, unit: 'boards', limit: disallowed.size, aim: 1 },
  })
}

async function untilDetected(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      "select from pgboss.job where name = 'look-at-stream-items' and state in ('created', 'retry', 'active') limit 1",
    )
    if (rows.length === 0) return
    await wait(200)
  }
}
