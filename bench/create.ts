import pg from 'pg'
import { isQuick, report } from './results.ts'
import { startBenchService } from './support.ts'

/** Accounts per second through POST in arrays of 500, compared with INSERT … SELECT of the same rows in PostgreSQL. */

const BATCHES = isQuick ? 20 : 60
const SIZE = 500

await using service = await startBenchService()
const { address, key, connection, workspaceId } = service
const client = new pg.Client(connection)
await client.connect()
const second = crypto.randomUUID()
await client.query(`insert into workspaces (id, name) values ($1, 'Second')`, [second])

const batches = Array.from({ length: BATCHES }, (_, b) =>
  Array.from({ length: SIZE }, (_, n) => ({
    name: `Company ${b} ${n}`,
    domain: `company-${b}-${n}.com`,
    tags: ['bench'],
  })),
)

async function throughApi(rows: object[]): Promise<void> {
  const response = await fetch(`${address}/v1/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(rows),
  })
  const { data } = (await response.json()) as { data: unknown[] }
  if (response.status !== 201 || data.length !== SIZE) throw new Error(`answered ${response.status}`)
}

async function straight(rows: { name: string; domain: string }[]): Promise<void> {
  await client.query(
    `insert into accounts (workspace_id, id, name, domain, status, source, tags)
     select $1, id, name, domain, 'suggested', 'api', array['bench'] from unnest($2::uuid[], $3::text[], $4::text[]) as given (id, name, domain)`,
    [second, rows.map(() => crypto.randomUUID()), rows.map(({ name }) => name), rows.map(({ domain }) => domain)],
  )
}

const warm = Array.from({ length: SIZE }, (_, n) => ({ name: `Warm ${n}`, domain: `warm-${n}.com` }))
await throughApi(warm)
await straight(warm)

const spent = { api: 0, straight: 0 }
// Alternating, so that a slow moment of the machine, or a checkpoint, affects both.
for (const batch of batches) {
  let began = performance.now()
  await throughApi(batch)
  spent.api += performance.now() - began
  began = performance.now()
  await straight(batch)
  spent.straight += performance.now() - began
}
const rate = (ms: number) => (BATCHES * SIZE * 1000) / ms
const { rows } = await client.query('select count(*)::int as n from accounts where workspace_id = $1', [workspaceId])
if (rows[0].n !== (BATCHES + 1) * SIZE) throw new Error(`${rows[0].n} accounts are there`)
report({
  path: 'accounts created, 500 at once',
  ours: rate(spent.api),
  unit: 'accounts/s',
  limit: rate(spent.straight),
  aim: 0.4,
})
await client.end()
