import { readFileSync } from 'node:fs'
import pg from 'pg'
import { pino } from 'pino'
import { startInternet } from '../sandbox/internet.ts'
import { hubspotEdits, salesforceEdits } from '../sandbox/vendors/crm-edits.ts'
import { seedCrm } from '../sandbox/vendors/crm-seed.ts'
import { createHubspot } from '../sandbox/vendors/hubspot.ts'
import { createSalesforce } from '../sandbox/vendors/salesforce.ts'
import { loadConfig } from '../src/config/config.ts'
import { createOutbound } from '../src/outbound/client.ts'
import { hubspot } from '../src/providers/crm/hubspot/index.ts'
import { salesforce } from '../src/providers/crm/salesforce/index.ts'
import { type CrmApi, type CrmReader, PULLED_OBJECTS, type PulledObject } from '../src/providers/crm/vendor/types.ts'
import { watchMemory } from './measure.ts'
import { isQuick, report } from './results.ts'
import { caller, serveBeside, startBenchService } from './support.ts'

/**
 * Records per second that a worker stores and applies when every company is an account, compared with the reader of the same
 * CRM when nothing is done with the records; the memory of the worker, and the time to read the changes of a day. The vendors
 * have their published limits and the latency of a request over the internet.
 */

const SIZE = isQuick
  ? { companies: 1_000, contacts: 4_000, deals: 500 }
  : { companies: 10_000, contacts: 40_000, deals: 5_000 }
const LATENCY_MS = 100
const MAX_FULL_SECONDS = 300
const MAX_CHANGES_SECONDS = 20
const LEAST_SHARE = 0.6
const MAX_MEGABYTES = 250
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WORLD = { today: '2026-11-14', companies: [], stories: [], filings: [] }

type Sync = { state: string; problem: string | null; finished_at: string | null }
type Positions = Partial<Record<PulledObject, string>>

async function readToEnd(reader: CrmReader, positions: Positions): Promise<number> {
  let records = 0
  for (const object of PULLED_OBJECTS) {
    for (let isLast = false; !isLast; ) {
      const page = await reader.readPage(object, positions[object] ?? null)
      records += page.records.length
      positions[object] = page.position
      isLast = page.is_last
    }
  }
  return records
}

/** Has a worker read the CRM, then the changes of a day. Returns the seconds of both and the peak of its memory in megabytes. */
async function pullWithWorker(
  env: Record<string, string>,
  connection: { provider: string },
  domains: string[],
  changeRecords: () => void,
) {
  await using service = await startBenchService(env, ['--only', 'api'])
  const client = new pg.Client(service.connection)
  await client.connect()
  await client.query(
    `insert into accounts (workspace_id, id, name, domain, status, source)
     select $1, gen_random_uuid(), domain, domain, 'new', 'import' from unnest($2::text[]) as domain`,
    [service.workspaceId, domains],
  )
  await client.end()
  const call = caller(service)
  await using worker = await serveBeside(service, env, ['--only', 'worker'])
  const peak = watchMemory(worker.child.pid)
  const full = await secondsOf(() => call('POST', '/v1/connections', connection))
  changeRecords()
  const path = `/v1/crm/sync/${connection.provider}`
  await call('PATCH', path, { is_paused: true })
  const changes = await secondsOf(() => call('PATCH', path, { is_paused: false }))
  return { full, changes, megabytes: peak() }

  /** Measures until the run that a call starts has finished. */
  async function secondsOf(start: () => Promise<unknown>): Promise<number> {
    const [before] = await call<Sync[]>('GET', '/v1/crm/sync')
    const began = performance.now()
    await start()
    for (;;) {
      const [sync] = await call<Sync[]>('GET', '/v1/crm/sync')
      if (sync?.problem) throw new Error(sync.problem)
      if (sync?.state === 'up_to_date' && sync.finished_at !== before?.finished_at) break
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    return (performance.now() - began) / 1000
  }
}

async function measure(name: string, calls: number | null): Promise<void> {
  let offset = 0
  const now = () => Date.now() + offset
  const one = createHubspot({
    ...{ limit: { calls: calls ?? 1, ms: 10_000 }, searchLagMs: 5_000, latencyMs: LATENCY_MS, now },
  })
  const two = createSalesforce({ latencyMs: LATENCY_MS, now })
  const vendor = calls === null ? two : one
  const edits = calls === null ? salesforceEdits(two) : hubspotEdits(one)
  const { companies, contacts, deals } = seedCrm(edits, SIZE)
  await using internet = await startInternet((request) => vendor.answer(request, WORLD), { keep: false })
  const config = loadConfig(internet.env)
  const outbound = createOutbound({
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.OUTBOUND_CONNECT_TO,
    ca: config.OUTBOUND_CA && readFileSync(config.OUTBOUND_CA, 'utf8'),
    log: pino({ level: 'silent' }),
  })
  const token = calls === null ? 'sandbox-token' : 'sandbox-key'
  const session = {
    vendorAccount: name,
    base: () => (calls === null ? two.instanceUrl : 'https://api.hubapi.com'),
    token: async () => token,
    renew: async () => token,
  }
  const api: CrmApi = calls === null ? salesforce.create() : hubspot.create()
  const { reader } = api.open({ outbound, session, signal: new AbortController().signal }, {})
  const positions: Positions = {}

  let began = performance.now()
  const records = await readToEnd(reader, positions)
  const full = (performance.now() - began) / 1000
  if (records < SIZE.companies + SIZE.contacts + SIZE.deals) throw new Error(`${name}: only ${records} records`)
  const asked = vendor.calls.length
  console.log(`${name}: ${(records / full).toFixed(0)} records/s in ${asked} calls`)
  report({ path: `crm-pull: ${name}, all`, ours: full, unit: 's', atMost: MAX_FULL_SECONDS })

  /** One in fifty records changes within a day. */
  function changeRecords(title: string): void {
    offset += DAY_MS - HOUR_MS
    for (let n = 0; n < companies.length; n += 50) edits.editCompany(companies[n] as string, { name: `${title} ${n}` })
    for (let n = 0; n < contacts.length; n += 50) edits.editContact(contacts[n] as string, { title })
    for (let n = 0; n < deals.length; n += 50) edits.editDeal(deals[n] as string, { state: 'won' })
    offset += HOUR_MS
  }
  changeRecords('COO')
  began = performance.now()
  const changed = await readToEnd(reader, positions)
  const seconds = (performance.now() - began) / 1000
  console.log(`${name}: ${changed} changes in ${vendor.calls.length - asked} calls`)
  report({ path: `crm-pull: ${name}, changes of a day`, ours: seconds, unit: 's', atMost: MAX_CHANGES_SECONDS })
  await outbound.close()

  // The rate limit window of the calls above ends.
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const provider = calls === null ? 'crm_two' : 'crm_one'
  const domains = [...edits.contents().company.values()].flatMap(({ domain }) => domain ?? [])
  const connection = { provider, token, ...(calls === null ? { instance_url: two.instanceUrl } : {}) }
  const stored = await pullWithWorker(internet.env, connection, domains, () => changeRecords('CFO'))
  report({ path: `crm-pull: ${name}, all stored`, ours: stored.full, unit: 's', atMost: MAX_FULL_SECONDS })
  report({
    ...{ path: `crm-pull: ${name}, stored by a worker`, ours: records / stored.full, unit: 'records/s' },
    ...{ limit: records / full, aim: LEAST_SHARE },
  })
  report({
    ...{ path: `crm-pull: ${name}, changes of a day stored`, ours: stored.changes, unit: 's' },
    ...{ atMost: MAX_CHANGES_SECONDS },
  })
  report({ path: `crm-pull: ${name}, worker`, ours: stored.megabytes, unit: 'MB', atMost: MAX_MEGABYTES })
}

// A call at a time with this latency stays below the higher limits too.
await measure('HubSpot', 100)
await measure('Salesforce', null)
