import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startInternet } from '../../sandbox/internet.ts'
import { createGate } from '../../sandbox/waiters.ts'
import { Client } from '../support/client.ts'
import { siteOf } from '../support/companies.ts'
import { ended, eventually } from '../support/eventually.ts'
import { address, dataDir, killPostgres, loseJobs, run, stop } from '../support/process.ts'

const KEY = 'key-of-the-fault-tests'
const COUNT = 12
const names = Array.from({ length: COUNT }, (_, n) => `Tree${String.fromCharCode(65 + n)}`)
const sites = new Map(
  names.map((name, n) => [`${name.toLowerCase()}.example`, siteOf({ name, events: { funding: n + 1 } })]),
)

/** Requested front pages, and where responses are held back. */
const asked: string[] = []
const gate = createGate()

const internet = await startInternet(async (request) => {
  const { host, pathname } = request.url
  const site = sites.get(host)
  if (!site) return null
  if (pathname === '/') {
    asked.push(host)
    await gate.pass()
  }
  return site(request)
})
after(() => internet[Symbol.asyncDispose]())
const DATA_DIR = dataDir()
const env = {
  ...internet.env,
  DATA_DIR,
  BELLWETHER_API_KEY: KEY,
  SOURCES: 'website',
  CRAWL_DELAY_MS: '0',
  DISCOVERY_CONCURRENCY: '2',
}
const start = () => run(['serve'], { env })

test('a discovery run survives a kill of the service and of the database: it continues, and adds no duplicate', async () => {
  const killed = start()
  const first = new Client(await address(killed), KEY)
  const send = async (domains: string[]) => {
    const body = `domain,name\n${domains.map((domain) => `${domain},${domain.split('.')[0]}\n`).join('')}`
    const answer = await first.post('/v1/companies/import', undefined, {
      body,
      headers: { 'content-type': 'text/csv' },
    })
    assert.equal(answer.status, 202, answer.text)
    return `/v1/companies/imports/${answer.data.id}`
  }
  const imported = await ended(first, await send([...sites.keys()]))
  assert.deepEqual([imported.status, imported.created], ['done', COUNT])
  gate.open(4)
  const { run_id } = await first.expect(202, 'POST', '/v1/runs', { signals: { any_of: ['funding'] } })
  await gate.untilHeld(2)
  const four = await eventually('the first four match', async () => {
    const accounts = await first.expect(200, 'GET', '/v1/accounts')
    return accounts.length === 4 && accounts
  })
  const done = four.map(({ domain }: { domain: string }) => domain)
  const late = await send(['late.example', 'later.example'])
  await stop(killed, 'SIGKILL')
  gate.clear()

  const service = start()
  const client = new Client(await address(service), KEY)
  await loseJobs(DATA_DIR, 'discover-accounts')
  await loseJobs(DATA_DIR, 'import-uploaded-companies')
  gate.open(4)
  // Four are done when two more are held: companies are researched sequentially, two at a time.
  await gate.untilHeld(2)
  killPostgres(DATA_DIR)
  gate.open()
  const { status, failure, stats } = await ended(client, `/v1/runs/${run_id}`)
  assert.deepEqual(
    [status, failure, stats.candidates, stats.matched, stats.accounts, stats.failed],
    ['done', null, COUNT, COUNT, COUNT, 0],
    JSON.stringify(stats),
  )
  const accounts = await client.expect(200, 'GET', '/v1/accounts?per_page=100')
  assert.deepEqual(accounts.map(({ domain }: { domain: string }) => domain).sort(), [...sites.keys()].sort())
  for (const { id } of accounts) {
    const signals = await client.expect(200, 'GET', `/v1/accounts/${id}/signals`)
    assert.equal(signals.filter((one: { signal_present: boolean }) => one.signal_present).length, 1)
  }
  // Acknowledged changes are durable, however soon the service dies.
  const kept = await ended(client, late)
  assert.deepEqual([kept.status, kept.created + kept.existing], ['done', 2])
  for (const domain of done) assert.equal(asked.filter((host) => host === domain).length, 1, `${domain} was done`)
  assert.equal(await stop(service), 0)
})
