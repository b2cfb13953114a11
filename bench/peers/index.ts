import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { LIST_COLUMNS } from '../../src/resources/accounts/store.ts'
import { load } from '../measure.ts'
import { isQuick, report } from '../results.ts'
import { startBenchService } from '../support.ts'
import { addFlow, installDirectus, startDirectus } from './directus.ts'

/**
 * The same lists, filters, records, creations and webhooks by three services on one PostgreSQL and one machine,
 * sequentially: Bellwether as a user starts it, Directus, and a bare handler as the limit.
 */

const ACCOUNTS = 100_000
const SECONDS = isQuick ? 2 : 5
const CONCURRENCY = 8
const BATCH = 100
const DELIVERED = isQuick ? 1_000 : 5_000
const [RECEIVER, BARE, DIRECTUS] = [39_441, 39_442, 39_443]
const FIELDS = LIST_COLUMNS.join()

if (process.argv[2] === 'receive') receive()
else await measure()

function receive(): void {
  let count = 0
  let waiting: { until: number; answer: () => void } | null = null
  createServer((request, response) => {
    if (request.method === 'GET') {
      const until = Number(request.url?.slice(1))
      waiting = { until, answer: () => response.end(String(count)) }
    } else {
      request.resume().on('end', () => response.end())
      count++
    }
    if (waiting && count >= waiting.until) {
      waiting.answer()
      waiting = null
      count = 0
    }
  }).listen(RECEIVER, '127.0.0.1', () => process.send?.('ready'))
}

type Side = {
  address: string
  headers?: Record<string, string>
  paths: Record<'list' | 'status' | 'score' | 'search' | 'one' | 'create', string>
}

async function measure(): Promise<void> {
  installDirectus()
  const receiver = fork(import.meta.filename, ['receive'])
  await once(receiver, 'message')
  await using closing = new AsyncDisposableStack()
  closing.defer(() => void receiver.kill())
  const service = closing.use(await startBenchService({ OUTBOUND_ALLOW: `127.0.0.1:${RECEIVER}`, LIST_PAGES_MB: '0' }))
  const { connection, workspaceId, key } = service
  const client = new pg.Client(connection)
  await client.connect()
  closing.defer(() => client.end())
  await fill(client, workspaceId)
  const directus = closing.use(await startDirectus(client, connection, DIRECTUS))
  const values = [String(BARE), JSON.stringify(connection), workspaceId, String(RECEIVER)]
  const bare = fork(fileURLToPath(new URL('bare.ts', import.meta.url)), values)
  await once(bare, 'message')
  closing.defer(async () => {
    bare.kill()
    await once(bare, 'exit')
  })
  await client.query('checkpoint')

  const { rows } = await client.query<{ id: string }>('select id from accounts order by id limit 1')
  const id = rows[0]?.id
  const inDirectus = (filter = '') =>
    `/items/accounts?fields=${FIELDS}&filter[workspace_id][_eq]=${workspaceId}${filter}&sort=-score,-id&limit=50&meta=filter_count`
  const sides: Record<'ours' | 'limit' | 'peer', Side> = {
    ours: {
      address: service.address,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      paths: {
        list: '/v1/accounts',
        status: '/v1/accounts?status=active',
        score: '/v1/accounts?min_score=40',
        search: '/v1/accounts?search=blue%20ab',
        one: `/v1/accounts/${id}`,
        create: '/v1/accounts',
      },
    },
    limit: {
      address: `http://127.0.0.1:${BARE}`,
      paths: {
        list: '/accounts',
        status: '/accounts?status=active',
        score: '/accounts?min_score=40',
        search: '/accounts?search=blue%20ab',
        one: `/accounts/${id}`,
        create: '/accounts',
      },
    },
    peer: {
      ...directus,
      paths: {
        list: inDirectus(),
        status: inDirectus('&filter[status][_eq]=active'),
        score: inDirectus('&filter[score][_gte]=40'),
        search: inDirectus('&filter[search_text][_contains]=blue%20ab'),
        one: `/items/accounts/${id}`,
        create: '/items/accounts',
      },
    },
  }

  const totals = await Promise.all(
    [sides.ours, sides.peer].map(async ({ address, headers, paths }) => {
      const answer = await fetch(address + paths.status, { headers: headers ?? {} })
      const { pagination, meta } = (await answer.json()) as Record<string, { total: number; filter_count: number }>
      return pagination?.total ?? meta?.filter_count
    }),
  )
  if (totals[0] !== ACCOUNTS / 5 || totals[1] !== totals[0]) throw new Error(`they do not find the same: ${totals}`)

  let serial = 0
  const account = () => ({ name: `New ${++serial}`, domain: `new-${serial}.example.com` })
  const rate = async ({ address, headers = {}, paths }: Side, path: keyof Side['paths']) => {
    const url = address + paths[path]
    const owned = path === 'create' && address === directus.address
    const extra = owned ? { workspace_id: workspaceId, status: 'suggested', source: 'api' } : {}
    const { rate } = await load({
      url,
      headers,
      connections: CONCURRENCY,
      duration: SECONDS,
      ...(path === 'create' && {
        requests: [
          {
            method: 'POST' as const,
            setupRequest: (request) => ({ ...request, body: JSON.stringify({ ...account(), ...extra }) }),
          },
        ],
      }),
    })
    return rate
  }
  const compare = async (name: string, path: keyof Side['paths'], aim: number | null = 0.7) => {
    const [limit, ours, peer] = [
      await rate(sides.limit, path),
      await rate(sides.ours, path),
      await rate(sides.peer, path),
    ]
    report({ path: name, ours, unit: 'req/s', limit, aim, peer })
  }
  await compare('accounts, page 1 with its total', 'list')
  await compare('accounts of a status', 'status')
  await compare('accounts from a score on', 'score')
  await compare('accounts that hold a text', 'search', null)
  await compare('one account by id', 'one')
  await compare('one account created', 'create')

  await addFlow(directus, `http://127.0.0.1:${RECEIVER}/hook`)
  const post = async ({ address, headers }: Side, path: string, body: unknown) => {
    const sent = { method: 'POST', headers: headers ?? {}, body: JSON.stringify(body) }
    const answer = await fetch(address + path, sent)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string }[] }).data
  }
  const batches = Array.from({ length: DELIVERED / BATCH }, () => Array.from({ length: BATCH }, account))
  /** Records per second, from the first creation until the last has reached the receiver. */
  const delivered = async (work: (batch: object[], at: number) => Promise<unknown>, after?: () => Promise<unknown>) => {
    const arrived = fetch(`http://127.0.0.1:${RECEIVER}/${DELIVERED}`)
    const began = performance.now()
    for (const [at, batch] of batches.entries()) await work(batch, at)
    await after?.()
    const count = Number(await (await arrived).text())
    if (count !== DELIVERED) throw new Error(`${count} of ${DELIVERED} arrived`)
    return (DELIVERED * 1000) / (performance.now() - began)
  }
  const renamed = (batch: object[], by: string) =>
    batch.map((one) => ({ ...one, domain: `${by}-${(one as { domain: string }).domain}` }))
  const limit = await delivered((batch) => post(sides.limit, '/accounts?send', renamed(batch, 'limit')))
  const hook = { name: 'Bench', url: `http://127.0.0.1:${RECEIVER}/hook` }
  const destination = (await post(sides.ours, '/v1/webhook-destinations', hook)) as unknown as { id: string }
  const account_ids: string[] = []
  const ours = await delivered(
    async (batch) => {
      const created = await post(sides.ours, '/v1/accounts', renamed(batch, 'ours'))
      account_ids.push(...created.map(({ id }) => id))
    },
    () => post(sides.ours, '/v1/accounts/webhook-push', { destination_id: destination.id, account_ids }),
  )
  const owned = { workspace_id: workspaceId, status: 'suggested', source: 'api' }
  const peer = await delivered((batch) =>
    post(
      sides.peer,
      '/items/accounts',
      renamed(batch, 'peer').map((one) => ({ ...one, ...owned })),
    ),
  )
  report({
    path: `accounts created by ${BATCH} and each sent to a webhook`,
    ours,
    unit: 'rows/s',
    limit,
    aim: null,
    peer,
  })
}

async function fill(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query(
    `insert into accounts (workspace_id, id, name, domain, status, source, score, industry, country, employees, created_at)
     select $1, gen_random_uuid(), (array['Nordic','Blue','Prime','Atlas','Vertex'])[1 + n % 5] || ' ' || md5(n::text),
       'c' || n || '.com', (array['suggested','active','suggested','rejected','new'])[1 + n % 5], 'api', (100 * power(random(), 3))::int,
       (array['Logistics','Software','Retail'])[1 + n % 3], 'Germany', n % 5000, now() - n * interval '1 second'
     from generate_series(1, $2::int) as n`,
    [workspaceId, ACCOUNTS],
  )
  await client.query('vacuum analyze accounts')
}
