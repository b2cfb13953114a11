import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Progress } from '@modelcontextprotocol/client'
import { startSandbox } from '../sandbox/start.ts'
import { addCompanies } from './support/companies.ts'
import { ended, eventually, idle } from './support/eventually.ts'
import { agent, type Called } from './support/mcp.ts'
import { ADMIN_KEY, testService } from './support/service.ts'

/** Uses only tools, against the sandbox: no part of the service is mocked. */
const sandbox = await startSandbox({ keep: false })
after(() => sandbox[Symbol.asyncDispose]())
const { receiver } = sandbox
const service = await testService({ worker: true, env: { ...sandbox.env, SOURCES: 'website' } })
const { admin } = service
const mcp = await agent(service.address, ADMIN_KEY)

const HOTTEST = 'halden-robotics.example'
const { companies } = sandbox.manifest()
const truthOf = (domain: string) => companies.find((company) => company.domain === domain)
const watched = [HOTTEST, 'tavrik.example', 'finbarrow.example'].map((domain) => ({
  name: truthOf(domain)?.name,
  domain,
}))
await mcp.expect('add_accounts', { accounts: watched, owner: 'me' })
const { credits_taken } = await mcp.expect('activate_accounts', { accounts: watched.map(({ domain }) => domain) })
await admin.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Data warehouse', url: `${receiver.url}/rows` })
// The scans that activation starts.
await idle(service)

test('an agent finds the hottest account with its evidence, finds its VP of Sales and pushes both, in few calls and few bytes', async (t) => {
  assert.equal(credits_taken, watched.length)
  const calls: Called[] = []
  const call = async (name: string, args: object) => {
    const called = await mcp.call(name, args)
    assert.equal(called.isError, false, called.text)
    calls.push(called)
    return called
  }

  const { data: listed } = await call('search_accounts', { owner: 'me', limit: 3 })
  const [hottest] = listed.accounts
  const { data: report, text } = await call('read_account', { account: hottest.name })
  const { data: found } = await call('find_people', { query: 'VP of Sales', accounts: [hottest.domain] })
  const [person] = found.people
  const { data: pushed } = await call('push', { to: 'data warehouse', accounts: [hottest.id], people: [person.id] })

  const truth = truthOf(HOTTEST)
  assert.equal(hottest.domain, HOTTEST)
  const cited = report.signals.flatMap(({ signal_id, quoted }: typeof report) =>
    quoted.evidence.map(({ source_url }: { source_url: string }) => `${signal_id} ${source_url}`),
  )
  const true_ = truth?.signals.flatMap(({ signal_id, urls }) => urls.map((url) => `${signal_id} ${url}`)) ?? []
  assert.ok(cited.length >= 2 && cited.every((one: string) => true_.includes(one)), cited.join('\n'))
  for (const { quoted } of report.signals) assert.ok(text.includes(`> — ${quoted.evidence[0].source_url}`), text)
  assert.ok(report.score.because.length > 0 && report.quoted.why_now && report.quoted.draft)
  assert.equal(person.quoted.full_name, 'Jonas Brattberg')
  assert.equal(person.tier, 1)
  assert.match(person.email, /@halden-robotics\.example$/)
  assert.deepEqual([pushed.accounts.pushed, pushed.people.pushed], [1, 1])
  const rows = receiver.deliveries.map(({ body }) => JSON.parse(body))
  assert.ok(rows.some(({ domain }) => domain === HOTTEST) && rows.some(({ email }) => email === person.email))

  const bytes = calls.reduce((sum, one) => sum + one.bytes, 0)
  t.diagnostic(`${calls.length} calls, ${bytes} bytes: ${calls.map((one) => one.bytes).join(' ')}`)
  assert.ok(calls.length <= 8 && bytes <= 20_000, `${calls.length} calls, ${bytes} bytes`)
  assert.ok(
    calls.every((one) => one.bytes <= 7_000),
    calls.map((one) => one.bytes).join(' '),
  )
})

/** Asserts what the protocol requires: progress increases and ends at the total. */
function assertProgress(seen: Progress[]): void {
  assert.ok(seen.length >= 2, JSON.stringify(seen))
  for (const [at, { progress }] of seen.entries()) if (at > 0) assert.ok(progress > (seen[at - 1]?.progress ?? -1))
  const last = seen.at(-1)
  assert.ok(last?.message)
  assert.equal(last?.progress, last?.total)
}

test('a scan is waited for with progress, joined while it runs, and continues when the client disconnects', async () => {
  const seen: Progress[] = []
  const scanned = await mcp.expect(
    'scan_account',
    { account: 'tavrik.example' },
    { onprogress: (one) => seen.push(one) },
  )
  assert.deepEqual([scanned.kind, scanned.status, scanned.failed_sources], ['scan', 'done', []])
  assert.ok(scanned.found_signals.includes('product_launch'))
  assertProgress(seen)

  const { isError, data, text } = await mcp.call('scan_account', { account: 'Finbarrow', wait_seconds: 0 })
  assert.deepEqual([isError, data?.status], [false, 'running'], text)
  assert.match(text, /check_run with run_id/)
  const gone = new AbortController()
  const waiting = mcp.call(
    'scan_account',
    { account: 'Finbarrow' },
    { signal: gone.signal, onprogress: () => gone.abort() },
  )
  await assert.rejects(waiting)
  const run = await ended(admin, `/v1/runs/${data.run_id}`)
  assert.equal(run.status, 'done')
  const checked = await mcp.expect('check_run', { run_id: data.run_id })
  assert.deepEqual([checked.status, checked.done], ['done', checked.total])
  // The token is part of every notification, so a long one is ignored.
  const other = await agent(service.address, ADMIN_KEY)
  const tokens: unknown[] = []
  other.client.setNotificationHandler('notifications/progress', ({ params }) => void tokens.push(params.progressToken))
  for (const progressToken of ['x'.repeat(201), 'short'])
    await other.client.callTool({
      name: 'check_run',
      arguments: { run_id: data.run_id, wait_seconds: 5 },
      _meta: { progressToken },
    })
  assert.deepEqual(tokens, ['short'])
})

test('a service that is busy while a scan is waited for does not lose the scan', async () => {
  let polls = 0
  const busy = (after: number) => (url: string, init: RequestInit) =>
    init.method === 'GET' && url.includes('/v1/runs/') && polls++ >= after
      ? Promise.resolve(new Response('{"error":{"code":"rate_limited","message":"Too many."}}', { status: 429 }))
      : fetch(url, init)
  const atOnce = await agent(service.address, ADMIN_KEY, busy(0))
  const { isError, text } = await atOnce.call('scan_account', { account: HOTTEST })
  const [run_id] = /[0-9a-f-]{36}$/.exec(text.replace(/\.$/, '')) ?? []
  assert.ok(isError && text.includes('check_run with run_id') && run_id, text)
  polls = 0
  const later = await agent(service.address, ADMIN_KEY, busy(1))
  const seen = await later.expect('check_run', { run_id, wait_seconds: 30 })
  assert.equal(seen.run_id, run_id)
  assert.equal((await ended(admin, `/v1/runs/${run_id}`)).status, 'done')
})

test('a discovery is waited for with progress, and shows what it found', async () => {
  const universe = ['wexbury.example', 'tideform.example'].map((domain) => {
    const { name = '', country = '', industry = '', employees = 0 } = truthOf(domain) ?? {}
    return { name, domain, country, industry, employees: String(employees) }
  })
  await addCompanies(service.databaseUrl, service.workspaceId, universe)
  const seen: Progress[] = []
  const request = { any_of: ['Funding'], geographies: ['United Kingdom'], request_key: 'once', wait_seconds: 90 }
  const found = await mcp.expect('discover', request, { onprogress: (one) => seen.push(one) })
  assert.deepEqual([found.kind, found.status, found.matched], ['discovery', 'done', 2], JSON.stringify(found))
  assert.deepEqual(found.accounts.map(({ domain }: { domain: string }) => domain).sort(), [
    'tideform.example',
    'wexbury.example',
  ])
  assertProgress(seen)
  const again = await mcp.expect('discover', request)
  assert.equal(again.run_id, found.run_id, 'the same request is one run')
  const listed = await mcp.expect('search_accounts', { run_id: found.run_id })
  assert.equal(listed.total, 2)
})

test('a push of many records runs in the background and is waited for; a CRM must be connected', async () => {
  const many = Array.from({ length: 101 }, (_, at) => ({ name: `Many ${at}`, domain: `many-${at}.example` }))
  const added = await admin.expect(201, 'POST', '/v1/accounts', many)
  const accounts = added.map(({ id }: { id: string }) => id)
  const seen: Progress[] = []
  const pushed = await mcp.expect('push', { to: 'Data warehouse', accounts }, { onprogress: (one) => seen.push(one) })
  assert.deepEqual([pushed.accounts.status, pushed.accounts.pushed, pushed.accounts.pending], ['done', 101, 0])
  assert.equal(seen.at(-1)?.progress, 101)
  const checked = await mcp.expect('check_run', { run_id: pushed.accounts.run_id })
  assert.deepEqual([checked.kind, checked.sent], ['push', 101])

  const refused = await mcp.call('push', { to: 'crm', accounts: [HOTTEST] })
  assert.match(refused.text, /Push to a webhook destination instead.*\(crm_not_connected/)
  await admin.expect(201, 'POST', '/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
  const inCrm = await mcp.expect('push', { to: 'HubSpot', accounts: [HOTTEST] })
  assert.deepEqual([inCrm.to, inCrm.accounts.pushed], ['HubSpot', 1], JSON.stringify(inCrm))
})

test('a push that succeeded is reported although the next one is rejected', async () => {
  const refusing = (url: string, init: RequestInit) =>
    url.endsWith('/v1/people/webhook-push')
      ? Promise.resolve(new Response('{"error":{"code":"rate_limited","message":"Too many."}}', { status: 429 }))
      : fetch(url, init)
  const limited = await agent(service.address, ADMIN_KEY, refusing)
  const { data: people } = await admin.get('/v1/people')
  const pushed = await limited.call('push', { to: 'Data warehouse', accounts: [HOTTEST], people: [people[0].id] })
  assert.equal(pushed.isError, false, pushed.text)
  assert.deepEqual(
    [pushed.data.accounts.pushed, pushed.data.people.status, pushed.data.people.failed],
    [1, 'failed', 1],
  )
  assert.match(pushed.text, /Too many/)
  const nothing = await limited.call('push', { to: 'Data warehouse', people: [people[0].id] })
  assert.ok(nothing.isError)
  const nowhere = await mcp.call('push', { to: 'nowhere', accounts: [HOTTEST] })
  assert.match(nowhere.text, /There are: “Data warehouse”, crm, HubSpot/)
})

test('a people search that is not waited for continues and is read by its id', async () => {
  const { run_id, status } = await mcp.expect('find_people', { query: 'CEO', wait_seconds: 0 })
  assert.equal(status, 'running')
  const search = await eventually('the end of the search', async () => {
    const checked = await mcp.expect('check_run', { run_id })
    return checked.status !== 'running' && checked
  })
  assert.deepEqual([search.kind, search.status, search.done], ['people_search', 'done', search.total])
  assert.ok(search.found > 0 && search.people[0].quoted.full_name)
})
