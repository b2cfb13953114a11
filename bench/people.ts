import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { startInternet } from '../sandbox/internet.ts'
import { startMail } from '../sandbox/mail.ts'
import { mostResidentOf } from './measure.ts'
import { report } from './results.ts'
import { caller, startBenchService } from './support.ts'

/**
 * Find People over 50 accounts whose rosters are not loaded yet, on an internet with latency: compared with
 * the sum of these latencies, which sequential requests would take, and with the longest chain of latencies at one
 * account, the lower bound. Then the load of a roster of 5,000 people in one pass, in time and memory.
 */

const ACCOUNTS = 50
const HTTP_MS = 150
const MAIL_MS = 60
const LARGE = 5_000
const GIVEN = ['Ada', 'Noor', 'Ivo', 'Lena', 'Tomas', 'Greta', 'Omar', 'Paula', 'Sven', 'Yara']

const domains = Array.from({ length: ACCOUNTS }, (_, n) => `company-${n}.example`)
const card = (name: string, title: string) => `<div class="card"><h3>${name}</h3><p>${title}</p></div>`
const page = (body: string) => `<html><head><title>Our team</title></head><body><main>${body}</main></body></html>`
/** Letters, not digits: a name with a digit is not accepted. */
const surname = (n: number) => `S${[...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}son`

const team = (domain: string) => {
  const n = Number(domain.split(/[-.]/)[1])
  return page(
    `<h1>Our team</h1>${card(`Ada ${surname(n)}`, 'VP Sales')}${card(`Noor ${surname(n)}`, 'Head of Sales')}${card(`Ivo ${surname(n)}`, 'CEO')}`,
  )
}
const large = page(
  `<h1>Our people</h1>${Array.from({ length: LARGE }, (_, n) => card(`${GIVEN[n % 10]} ${surname(n)}`, 'Sales Manager')).join('')}`,
)

let waited = 0
let requests = 0
await using internet = await startInternet(async ({ url }) => {
  const isLarge = url.hostname === 'large.example'
  if (!isLarge) {
    requests++
    waited += HTTP_MS
    await wait(HTTP_MS)
  }
  const html = (body: string) => ({ status: 200, headers: { 'content-type': 'text/html' }, body })
  if (url.pathname === '/') return html(page('<h1>Welcome</h1><a href="/team">Our team</a>'))
  if (url.pathname === '/team') return html(isLarge ? large : team(url.hostname))
  return { status: 404, body: '' }
})
const users = (n: number) => [`ada.${surname(n).toLowerCase()}`, `noor.${surname(n).toLowerCase()}`]
await using mail = await startMail(
  domains.map((domain, n) => ({ domain, behaviour: 'users', users: users(n) })),
  {
    latencyMs: MAIL_MS,
    onReply: () => {
      waited += MAIL_MS
    },
  },
)
await using service = await startBenchService({
  OUTBOUND_CA: internet.env.OUTBOUND_CA,
  OUTBOUND_CONNECT_TO: `${internet.env.OUTBOUND_CONNECT_TO},${mail.connectTo}`,
  DNS_SERVER: mail.dns,
  EMAIL_VERIFY_FROM: 'check@sender.example',
  EMAIL_DELAY_MS: '0',
  CRAWL_DELAY_MS: '0',
  SOURCES: 'website',
})
const { connection, workspaceId, child } = service
const call = caller(service)
const client = new pg.Client(connection)
await client.connect()
// Directly into the database: activation would start research during the measurement.
await client.query(
  `insert into accounts (workspace_id, id, name, domain, status, source, activated_at)
   select $1, gen_random_uuid(), domain, domain, 'active', 'api', now() from unnest($2::text[]) as domain`,
  [workspaceId, [...domains, 'large.example']],
)
const { rows } = await client.query<{ id: string; domain: string }>('select id, domain from accounts')
const idOf = (domain: string) => rows.find((row) => row.domain === domain)?.id
type Found = { found: number; accountsSearched: number; complete: boolean; contacts: { email: string | null }[] }

const started = performance.now()
const found = await call<Found>('POST', '/v1/people/find', {
  query: 'VP Sales',
  account_ids: domains.map(idOf),
  max_accounts: ACCOUNTS,
})
const seconds = (performance.now() - started) / 1000
const emails = found.contacts.filter(({ email }) => email).length
const chain = waited / 1000 / ACCOUNTS
console.log(`find over ${found.accountsSearched} accounts: ${found.found} people, ${emails} with a verified email`)
console.log(
  `  ${seconds.toFixed(1)} s; waits of ${requests} requests and the mail servers sum to ${(waited / 1000).toFixed(1)} s`,
)
console.log(`  one account's chain is ${chain.toFixed(1)} s`)
// As a rate, with the sequential latencies as the limit to exceed.
report({
  path: 'people: find over 50 accounts',
  ours: ACCOUNTS / seconds,
  unit: 'accounts/s',
  limit: (ACCOUNTS * 1000) / waited,
  aim: null,
})

const before = mostResidentOf(child.pid)
for (const what of ['first load', 'second load']) {
  const begun = performance.now()
  const account_id = idOf('large.example')
  const { synced } = await call<{ synced: number }>('POST', '/v1/people/sync', { account_id })
  const took = (performance.now() - begun) / 1000
  console.log(`${what} of a roster of ${synced}: ${took.toFixed(2)} s, ${(synced / took).toFixed(0)} people/s`)
}
console.log(
  `  peak memory of the service ${before.toFixed(0)} MB before, ${mostResidentOf(child.pid).toFixed(0)} MB after`,
)
await client.end()
