import pg from 'pg'
import { startInternet } from '../sandbox/internet.ts'
import { createHubspot } from '../sandbox/vendors/hubspot.ts'
import { createSalesforce } from '../sandbox/vendors/salesforce.ts'
import { report } from './results.ts'
import { caller, startBenchService } from './support.ts'

/**
 * Records per second of a background push of people, compared with the vendor's published limit for the requests that
 * were made: 100 in ten seconds on HubSpot's small plans, 190 on larger ones. Salesforce has no limit per second; there
 * the number of requests per hundred people counts, since the daily number is limited.
 */

const ACCOUNTS = 300
/** Minimum latency of a request over the internet. */
const LATENCY_MS = 100
const WORLD = { today: '2026-11-14', companies: [], stories: [], filings: [] }

async function measure(name: string, calls: number | null, people: number): Promise<void> {
  const hubspot = createHubspot({ limit: { calls: calls ?? 1, ms: 10_000 }, searchLagMs: 5_000, latencyMs: LATENCY_MS })
  const salesforce = createSalesforce()
  const vendor = calls === null ? salesforce : hubspot
  await using internet = await startInternet(async (request) => {
    if (!vendor.hosts.some((host) => request.url.hostname.endsWith(host.replace('*', '')))) return null
    if (vendor === salesforce) await new Promise((resolve) => setTimeout(resolve, LATENCY_MS))
    return vendor.answer(request, WORLD)
  })
  await using service = await startBenchService(internet.env)
  const { connection, workspaceId } = service
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `insert into accounts (workspace_id, id, name, domain, status, source) select $1, gen_random_uuid(), 'Company ' || n, 'c' || n || '.com', 'suggested', 'api'
     from generate_series(1, $2::int) as n`,
    [workspaceId, ACCOUNTS],
  )
  await client.query(
    `insert into people (workspace_id, id, account_id, identity, full_name, title, email, network_url, sources)
     select $1, gen_random_uuid(), a.id, 'p' || n, 'Person ' || n, 'VP', 'p' || n || '@' || a.domain, 'https://network.example/in/p' || n, '{employee}'
     from generate_series(1, $2::int) as n
     join (select id, domain, row_number() over () as at from accounts where workspace_id = $1) as a on a.at = 1 + n % $3`,
    [workspaceId, people, ACCOUNTS],
  )
  const { rows } = await client.query<{ id: string }>(
    'select id from people where workspace_id = $1 order by account_id',
    [workspaceId],
  )
  await client.end()
  const call = caller(service)
  const token = {
    crm_one: { token: 'sandbox-key' },
    crm_two: { token: 'sandbox-token', instance_url: salesforce.instanceUrl },
  }
  const provider = calls === null ? 'crm_two' : 'crm_one'
  await call('POST', '/v1/connections', { provider, ...token[provider] })
  // Fields are created before the measurement, and a rate limit window has ended.
  await call('POST', '/v1/people/crm-push', { contact_ids: rows.slice(0, 1).map(({ id }) => id) })
  await new Promise((resolve) => setTimeout(resolve, 10_000))

  for (const round of ['first push', 'again, unchanged']) {
    const before = vendor.calls.length
    const began = performance.now()
    const contact_ids = rows.map(({ id }) => id)
    const { run_id } = await call<{ run_id: string }>('POST', '/v1/people/crm-push', { contact_ids })
    const look = () => call<{ status: string; sent: number }>('GET', `/v1/push-runs/${run_id}`)
    let run = await look()
    for (; run.status === 'running'; run = await look()) await new Promise((resolve) => setTimeout(resolve, 50))
    const seconds = (performance.now() - began) / 1000
    if (run.sent !== people) throw new Error(JSON.stringify(run))
    const made = vendor.calls.slice(before)
    const counted = made.filter(({ path, status }) => !path.endsWith('/search') && status !== 429).length
    const refused = made.filter(({ status }) => status === 429).length
    const rate = `${(people / seconds).toFixed(0)} people/s, ${((made.length * 100) / people).toFixed(1)} calls for 100`
    if (calls === null) {
      console.log(`${name.padEnd(28)} ${round.padEnd(17)} ${rate}`)
      continue
    }
    // The published rate over the whole time: an idle window before does not count.
    console.log(`${name.padEnd(28)} ${round.padEnd(17)} ${rate}, ${refused} refused`)
    report({ path: `crm: ${name}, ${round}`, ours: counted / seconds, unit: 'calls/s', limit: calls / 10, aim: 0.8 })
  }
}

await measure('HubSpot, 100 calls in 10 s', 100, 4_000)
await measure('HubSpot, 190 calls in 10 s', 190, 6_000)
await measure('Salesforce', null, 6_000)
