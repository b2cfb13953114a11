import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSandbox } from '../../sandbox/start.ts'
import { searchFold } from '../../src/engine/text/fold.ts'
import { testService } from '../support/service.ts'

/** Everything about people against the whole sandbox, held to its manifest. */
const sandbox = await startSandbox({ keep: false, slowMs: 50 })
after(() => sandbox[Symbol.asyncDispose]())
// Without the regulator, whose pace would set the test's.
const env = { ...sandbox.env, SOURCES: 'website', EMAIL_VERIFY_SECONDS: '2' }
const service = await testService({ env })
const { admin } = service
const { companies } = sandbox.manifest()

type Shown = { id: string; account_id: string; full_name: string; title: string; email: string | null }
const accounts: { id: string; domain: string }[] = await admin.expect(
  201,
  'POST',
  '/v1/accounts',
  companies.map(({ name, domain }) => ({ name, domain })),
)
for (const { id } of accounts) await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
const idOf = new Map(accounts.map(({ domain, id }) => [domain, id]))
const peopleAt = (domain: string): Promise<Shown[]> =>
  admin.expect(200, 'GET', `/v1/people?per_page=100&account_id=${idOf.get(domain)}`)

test('rosters contain the people the sites show, and an unreadable site is reported', async () => {
  const answers = await Promise.all(
    companies.map(({ domain }) => admin.post('/v1/people/sync', { account_id: idOf.get(domain) })),
  )
  let right = 0
  let found = 0
  let wanted = 0
  const key = (name: string, title: string) => searchFold(`${name}|${title}`).replace(/[.,]/g, '')
  const missed: string[] = []
  for (const [at, { domain, people, readable }] of companies.entries()) {
    assert.equal(answers[at]?.status, readable ? 200 : 503, domain)
    if (!readable) continue
    const truth = new Set(people.map(({ full_name, title }) => key(full_name, title)))
    const shown = (await peopleAt(domain)).map(({ full_name, title }) => key(full_name, title))
    const hits = shown.filter((one) => truth.has(one))
    missed.push(...[...truth].filter((one) => !shown.includes(one)).map((one) => `${domain} ${one}`))
    missed.push(...shown.filter((one) => !truth.has(one)).map((one) => `${domain} WRONG ${one}`))
    right += hits.length
    found += shown.length
    wanted += truth.size
  }
  const [precision, recall] = [right / found, right / wanted]
  assert.ok(precision > 0.97 && recall > 0.95, `precision ${precision}, recall ${recall}: ${missed.join('; ')}`)
})

test('a search adds only people who exist, and every hit has an address or a reason', async () => {
  const { contacts, message } = await admin.expect(200, 'POST', '/v1/people/find', { query: 'CFO', max_accounts: 50 })
  assert.ok(contacts.length > 10 && message === null)
  const truth = new Set(companies.flatMap(({ people }) => people.map(({ full_name }) => searchFold(full_name))))
  for (const { full_name, title, icp_tier, email, email_reason } of contacts) {
    assert.ok(truth.has(searchFold(full_name)), full_name)
    assert.ok(icp_tier === 3 || !/\bCEO\b|chief executive/i.test(title), `${icp_tier} ${title}`)
    assert.equal(email === null, email_reason !== null, full_name)
  }
})

test('no wrong address of the manifest is returned, and every verifiable one is', async () => {
  let provable = 0
  let given = 0
  for (const { domain, mail, people } of companies) {
    const published = new Set(people.flatMap(({ email }) => email ?? []))
    const isVerified = ['users', 'greylist_once', 'tls_only'].includes(mail.behaviour)
    const shown = await peopleAt(domain)
    const answers = await Promise.all(shown.map(({ id }) => admin.expect(200, 'POST', `/v1/people/${id}/email`)))
    for (const [at, { email, reason }] of answers.entries()) {
      const [first = '', ...rest] = searchFold(shown[at]?.full_name ?? '').split(' ')
      const own = `${first}.${rest.at(-1)}`
      if (isVerified && mail.addresses.includes(`${own}@${domain}`)) provable++
      if (email === null) {
        assert.match(reason, /\w.*\.$/)
        continue
      }
      given++
      // Verified by the mail server, or by the company's own page if the mail server does not decide.
      const isRight = isVerified ? mail.addresses.includes(email) : published.has(email)
      assert.ok(isRight, `${domain} ${mail.behaviour} ${email}`)
      assert.ok(email.startsWith(`${searchFold(own).replace(/[^a-z.-]/g, '')}`), `${email} of ${shown[at]?.full_name}`)
    }
  }
  assert.ok(provable > 40 && given >= provable * 0.9, `${given} given, ${provable} provable`)
})
