import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Card, home, PDL, teamPage } from '../../../test/support/people.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { testWorld } from '../../../test/support/world.ts'
import { followPeople } from '../../research/moves/follow.job.ts'

const { sites, world, internet, env } = await testWorld({ mail: [] })
const service = await testService({ env: { ...env, ...PDL, SOURCES: 'website' } })

const page = (name: string) => `https://www.linkedin.com/in/${name}`
const linked = (name: string) => `<a href="${page(name)}">LinkedIn</a>`
const STAFF: readonly Card[] = [
  { name: 'Ada Pike', title: 'VP Sales', more: linked('ada-pike') },
  { name: 'Noor Falk', title: 'Director of Finance' },
  { name: 'Ivo Lindt', title: 'Chief Executive Officer' },
  { name: 'Tess Noble', title: 'Warehouse Manager' },
]
const without = (...names: string[]) => STAFF.filter(({ name }) => !names.includes(name))
const site = (cards: readonly Card[]) => ({ '/': home(), '/team': teamPage(cards) })

/** Two companies whose rosters are loaded; `moves` returns the moves of all people at the first, from their exports. */
async function companies() {
  sites.set('north.example', site(STAFF))
  sites.set('south.example', site([{ name: 'Lena Okafor', title: 'Chief Technology Officer' }]))
  const ours = await scene(service, { accounts: ['north.example', 'south.example'], active: true })
  const { client } = ours
  const sync = (domain: string) => client.expect(200, 'POST', '/v1/people/sync', { account_id: ours.id(domain) })
  for (const domain of ['north.example', 'south.example']) await sync(domain)
  const people = (): Promise<{ id: string; full_name: string; left_on: string | null }[]> =>
    client.expect(200, 'GET', `/v1/people?account_id=${ours.id('north.example')}&sort=full_name&order=asc`)
  const moves = async () => {
    const held = await Promise.all(
      (await people()).map(({ id }) => client.expect(200, 'GET', `/v1/people/${id}/export`)),
    )
    return held.flatMap((one) => one.moves.map(({ text }: { text: string }) => text))
  }
  return { ...ours, sync, people, moves }
}

test('a person missing from a fully read page has left, and the departure is reverted when they are shown again', async () => {
  const { client, sync, people, moves } = await companies()
  assert.deepEqual(await moves(), [], 'the first sync records no move')

  // A page that fails, is missing, or loses most of its people shows no departure.
  // Nor does a page that links another profile page to a person.
  const relinked = [{ name: 'Ada Pike', title: 'VP Sales', more: linked('ada-p') }, ...STAFF.slice(1)]
  for (const broken of [{ status: 403 }, { status: 404 }, teamPage(STAFF.slice(0, 1)), teamPage(relinked)]) {
    const about = teamPage([{ name: 'Rosa Stein', title: 'Office Manager' }])
    const links = '<a href="/team">Our team</a><a href="/about">About us</a>'
    sites.set('north.example', { '/': home(links), '/team': broken, '/about': about })
    await sync('north.example')
    assert.deepEqual(await moves(), [])
  }

  sites.set('north.example', site(without('Noor Falk')))
  for (const _ of ['read', 'read again']) await sync('north.example')
  assert.deepEqual(await moves(), ['Noor Falk, Director of Finance, is no longer at north'])
  const noor = (await people()).find(({ full_name }) => full_name === 'Noor Falk')
  assert.notEqual(noor?.left_on, null)

  sites.set('north.example', site(STAFF))
  await sync('north.example')
  assert.deepEqual(await moves(), [])
  const back = await client.expect(200, 'GET', `/v1/people/${noor?.id}`)
  assert.deepEqual([back.left_on, back.history.map((job: { is_over: boolean }) => job.is_over)], [null, [false]])
})

test('a new role, an arrival, “former” and a profile page at another account are moves; a rewording is not', async () => {
  const { client, id, sync, moves } = await companies()
  sites.set(
    'north.example',
    site([
      { name: 'Tess Noble', title: 'Former Warehouse Manager' },
      { name: 'Noor Falk', title: 'Chief Financial Officer' },
      { name: 'Ivo Lindt', title: 'CEO' },
      { name: 'Rosa Stein', title: 'Office Manager' },
    ]),
  )
  sites.set(
    'south.example',
    site([
      { name: 'Lena Okafor', title: 'Chief Technology Officer' },
      { name: 'Ada Pike', title: 'Chief Revenue Officer', more: linked('ada-pike') },
    ]),
  )
  for (const domain of ['south.example', 'north.example', 'south.example', 'north.example']) await sync(domain)
  assert.deepEqual(await moves(), [
    'Ada Pike is now Chief Revenue Officer at south; before: VP Sales at north',
    'Noor Falk is now Chief Financial Officer at north; before: Director of Finance',
    'Rosa Stein is now Office Manager at north',
    'Tess Noble, Warehouse Manager, is no longer at north',
  ])
  const [ada] = await client.expect(200, 'GET', `/v1/people?search=Ada&account_id=${id('north.example')}`)
  const { history } = await client.expect(200, 'GET', `/v1/people/${ada.id}`)
  assert.deepEqual(
    history.map((job: Record<string, unknown>) => [job.account_id, job.title, job.from, job.until, job.is_over]),
    [
      [id('south.example'), 'Chief Revenue Officer', null, null, false],
      [id('north.example'), 'VP Sales', null, null, true],
    ],
  )
})

test('followed people are queried by profile page once a week; a record without a date is no move', async () => {
  const { client, ids, save, sync, moves } = await companies()
  const at = ids[0] as string
  await save([
    { full_name: 'Bea Lund', title: 'CFO', network_url: page('bea-lund'), account_id: at },
    { full_name: 'Cy Marsh', title: 'COO', network_url: page('cy-marsh'), account_id: at },
    { full_name: 'Di Novak', title: 'CTO', network_url: page('di-novak'), account_id: at },
  ])
  sites.set('east.example', { '/': home().replace('<title>Home', '<title>East Freight') })
  const record = (name: string, more: object) => ({
    ...{ id: name, full_name: name.replace('-', ' '), job_title: 'chief executive officer' },
    ...{
      job_company_website: 'east.example',
      job_company_name: 'east freight',
      linkedin_url: `linkedin.com/in/${name}`,
    },
    ...more,
  })
  const ended = {
    company: { website: 'north.example' },
    title: { name: 'cfo' },
    start_date: '2020-01',
    end_date: '2026-10',
  }
  world.profiles = [
    record('ada-pike', { job_start_date: new Date().toISOString().slice(0, 10) }),
    record('bea-lund', { experience: [ended] }),
    // Where he was before: the record does not say that he left, nor when he began.
    record('cy-marsh', {}),
    record('di-novak', { job_start_date: '2026-11' }),
  ]
  const asked = () => internet.requests.filter(({ url }) => url.endsWith('/v5/person/enrich')).length
  const before = asked()
  await service.run(followPeople, {})
  assert.equal(asked(), before, 'no person is followed yet')
  await client.expect(200, 'POST', `/v1/accounts/${at}/tags`, { tags: ['Customer'] })
  for (const _ of ['first', 'the same week']) await service.run(followPeople, {})
  assert.equal(asked(), before + 4)
  // That she is gone from the page afterwards is no second move.
  sites.set('north.example', site(without('Ada Pike')))
  await sync('north.example')
  assert.deepEqual(await moves(), [
    'Ada Pike is now Chief Executive Officer at East Freight; before: VP Sales at north',
    'Bea Lund is now Chief Executive Officer at East Freight; before: CFO at north',
  ])
  const [listed] = await client.expect(200, 'GET', '/v1/accounts?status=suggested')
  const suggested = await client.expect(200, 'GET', `/v1/accounts/${listed.id}`)
  assert.deepEqual(
    [suggested.domain, suggested.suggestion_reason],
    ['east.example', 'Your contact Ada Pike is now Chief Executive Officer there'],
  )
})
