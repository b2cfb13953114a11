import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSandbox } from '../../../sandbox/start.ts'
import { crmRecords } from '../../../test/support/crm-records.ts'
import { idle } from '../../../test/support/eventually.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { saveConnection } from '../../resources/connections/store.ts'
import { detectMoves } from './detect-moves.ts'
import { retryMoves } from './record-moves.ts'

const sandbox = await startSandbox({ keep: false, slowMs: 50 })
after(() => sandbox[Symbol.asyncDispose]())
const { world } = sandbox
const receiver = await testReceiver()
const service = await testService({
  worker: true,
  env: { ...sandbox.env, SOURCES: 'website', OUTBOUND_ALLOW: receiver.host, ALERT_DELAY_SECONDS: '0' },
})
const { deps } = service

const QUILLSTACK = { name: 'Quillstack', domain: 'quillstack.example' }
const NIMBREL = { name: 'Nimbrel', domain: 'nimbrel.example' }
const HALDEN = { name: 'Halden Robotics', domain: 'halden-robotics.example' }
const { signal } = new AbortController()

type Alert = { type: string; headlines: string[]; total: number; state: string }
type Job = { employer: string; title: string; is_over: boolean; account_id: string | null }
type Told = { type: string; data: { moves: { text: string; evidence: { quote: string }[] }[] } }

/** A team that has all people of Quillstack and is notified of moves. */
async function team(path: string, accounts: object[] = [QUILLSTACK]) {
  const ours = await scene(service, { accounts, active: true })
  const { client, workspaceId } = ours
  await saveConnection(deps.db, workspaceId, 'chat', deps.secrets, { credential: { token: 'xoxb-1' } })
  await client.expect(200, 'PUT', '/v1/settings/notifications', {
    ...{ webhook_url: receiver.url + path, webhook_enabled: true },
    ...{ chat_channel: `#${path.slice(1)}`, chat_enabled: true, notify_realtime: false, notify_job_changes: true },
  })
  await idle(service)
  const named = async (search: string, domain: string) => {
    const found: { id: string }[] = await client.expect(
      200,
      'GET',
      `/v1/people?account_id=${ours.id(domain)}&search=${encodeURIComponent(search)}`,
    )
    return found[0]?.id as string
  }
  return {
    ...ours,
    named,
    history: async (id: string): Promise<Job[]> => (await client.expect(200, 'GET', `/v1/people/${id}`)).history,
    alerts: (): Promise<Alert[]> => client.expect(200, 'GET', '/v1/alerts?channel=webhook'),
    arrived: () =>
      receiver.deliveries.filter((one) => one.path === path).map(({ body }) => JSON.parse(String(body)) as Told),
  }
}

const brief = (jobs: Job[]) => jobs.map(({ employer, title, is_over }) => [employer, title, is_over])

test('a contact who joins another company is found, reported once, and makes it a suggestion; a person of the same name does not; erasure removes all of it', async () => {
  const ours = await team('/moves')
  const { client, named, history, alerts, arrived } = ours
  const tyler = await named('Tyler Osgood', QUILLSTACK.domain)
  const { id: account_id } = await ours.add(NIMBREL)
  const [namesake] = await ours.save([{ full_name: 'Tyler Osgood', title: 'Facilities Manager', account_id }])
  const suggestions = async () => {
    const listed: { id: string }[] = await client.expect(200, 'GET', '/v1/accounts?status=suggested&domain=halden')
    return Promise.all(listed.map(({ id }) => client.expect(200, 'GET', `/v1/accounts/${id}`)))
  }
  // Two people of the same name at Quillstack cannot be distinguished.
  const two = ['VP of Sales', 'Data Engineer'].map((title) => ({ full_name: 'Tyler Osgood', title }))
  const stranger = await scene(service, { accounts: [QUILLSTACK], people: two })
  const seller = await scene(service, { accounts: [QUILLSTACK], active: true, people: two.slice(0, 1) })
  await (await crmRecords(deps.db, seller.workspaceId)).company({ ...HALDEN, is_customer: true })

  const { article } = world.move('Tyler Osgood', QUILLSTACK.domain, HALDEN.domain, 'Chief Revenue Officer')
  const url = 'https://northern-tech-wire.example/halden-robotics-names-revenue-chief'
  const text = `Halden Robotics has appointed Tyler Osgood as Chief Revenue Officer.\n\nOsgood joins from Quillstack, where he was VP of Sales.`
  const published_date = world.today
  const story = {
    company: { name: HALDEN.name, domain: null },
    document: { url, kind: 'article' as const, title: article.title, text, published_date },
    source: 'wire',
  }
  // A document without the former company, and one without a date, prove nothing.
  const silent = { ...story, document: { ...story.document, url: `${url}-2`, text: text.split('\n')[0] as string } }
  const undated = { ...story, document: { ...story.document, url: `${url}-3`, published_date: null } }
  // Nor does a document by which he is still there, or that gives him a seat on the board.
  const others = [
    'Halden Robotics has appointed Tyler Osgood as Chief Revenue Officer.\n\nOsgood is VP of Sales at Quillstack.',
    'Halden Robotics has appointed Tyler Osgood as Board Advisor.\n\nOsgood was previously VP of Sales at Quillstack.',
    'Tyler Osgood, CRO at Halden Robotics, joins a panel.\n\nOsgood was previously VP of Sales at Quillstack.',
  ].map((text, at) => ({ ...story, document: { ...story.document, title: null, url: `${url}-4${at}`, text } }))
  await detectMoves(deps, [silent, undated, ...others], signal)
  assert.deepEqual(await history(tyler), [])

  await detectMoves(deps, [story, silent], signal)
  await idle(service)
  assert.deepEqual(brief(await history(tyler)), [
    ['Halden Robotics', 'Chief Revenue Officer', false],
    ['Quillstack', 'VP of Sales', true],
  ])
  const sentence = 'Tyler Osgood is now Chief Revenue Officer at Halden Robotics; before: VP of Sales at Quillstack'
  assert.deepEqual(
    (await alerts()).map(({ type, headlines, state }) => [type, headlines, state]),
    [['people.job_changed', [sentence], 'sent']],
  )
  assert.deepEqual(
    arrived().map(({ type, data }) => [type, data.moves.map(({ text }) => text)]),
    [['people.job_changed', [sentence]]],
  )
  assert.match(JSON.stringify(arrived()), /joins from Quillstack/)
  const posted = () => sandbox.slack.messages.filter(({ channel }) => channel === '#moves').map(({ text }) => text)
  assert.deepEqual(posted(), [`1 person at Quillstack moved: ${sentence}`])
  // The story could not be opened, so nothing leads to the company; the next day it can.
  assert.deepEqual(await suggestions(), [])
  world.publishStory({ url, title: article.title, text, about: HALDEN.domain, tells: ['leadership_change'] })
  await service.run(retryMoves, {})
  await idle(service)
  const suggested = await suggestions()
  const reason = 'Your contact Tyler Osgood is now Chief Revenue Officer there'
  assert.deepEqual(
    suggested.map((one: Record<string, unknown>) => [one.name, one.domain, one.suggestion_reason]),
    [[HALDEN.name, HALDEN.domain, reason]],
  )
  assert.equal((await history(tyler))[0]?.account_id, suggested[0].id)
  const [moved] = seller.people
  assert.equal((await seller.client.expect(200, 'GET', `/v1/people/${moved?.id}`)).history.length, 2)
  assert.deepEqual(await seller.client.expect(200, 'GET', '/v1/accounts?domain=halden'), [], 'a customer in the CRM')

  // A member who cannot see him is not notified either, until he is theirs.
  const fields = { name: 'Sam', email: 'sam@team.example', visibility: 'scoped' }
  const { id: owner_id } = await client.expect(201, 'POST', '/v1/members', fields)
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { member_id: owner_id, name: 'test' })
  const scoped = service.as(key)
  const seen = async () => {
    const [alert]: Alert[] = await scoped.expect(200, 'GET', '/v1/alerts?channel=webhook')
    const account = await scoped.expect(200, 'GET', `/v1/accounts/${suggested[0].id}`)
    return [alert?.headlines, alert?.total, account.suggestion_reason]
  }
  assert.deepEqual(await seen(), [[], 0, null])
  await client.expect(200, 'PUT', `/v1/accounts/${ours.id(QUILLSTACK.domain)}/owner`, { owner_id })
  assert.deepEqual(await seen(), [[sentence], 1, reason])

  // Read again, also from the roster that he left and by the team that monitors his new company: nothing is new.
  await detectMoves(deps, [story], signal)
  await client.expect(200, 'POST', '/v1/people/sync', { account_id: ours.id(QUILLSTACK.domain) })
  await idle(service)
  assert.equal((await client.expect(200, 'GET', `/v1/people/${tyler}`)).left_on !== null, true)
  assert.deepEqual([(await alerts()).length, arrived().length, posted().length], [1, 1, 1])
  assert.equal((await suggestions()).length, 1)

  assert.deepEqual(await history(namesake?.id as string), [])
  const other = await stranger.client.expect(200, 'GET', `/v1/people/${stranger.people[0]?.id}`)
  assert.deepEqual([other.history, other.left_on], [[], null])

  const held = await client.expect(200, 'GET', `/v1/people/${tyler}/export`)
  assert.deepEqual(
    [held.history.length, held.moves.map((one: { text: string }) => one.text), held.alerts.length],
    [2, [sentence], 2],
  )

  await client.expect(200, 'DELETE', `/v1/people/${tyler}`)
  const [left] = await suggestions()
  assert.deepEqual([left.name, left.suggestion_reason], [HALDEN.name, null])
  assert.deepEqual(
    (await alerts()).map(({ headlines, total }) => [headlines, total]),
    [[[], 0]],
  )
  await detectMoves(deps, [story], signal)
  await idle(service)
  assert.equal(arrived().length, 1)
  const rest = await deps.db.selectFrom('person_moves').select('id').where('person_id', '=', tyler).execute()
  assert.deepEqual(rest, [])
})

test('documents of a scan report people who joined, left and changed role; an account is not suggested again', async () => {
  const ours = await team('/scans', [QUILLSTACK, HALDEN])
  const { client, named, history, alerts } = ours
  const kendra = await named('Kendra Blaylock', QUILLSTACK.domain)
  const [marte, jonas] = await Promise.all([
    named('Marte Eikeland', HALDEN.domain),
    named('Jonas Brattberg', HALDEN.domain),
  ])
  const before = await alerts()
  world.move('Kendra Blaylock', QUILLSTACK.domain, HALDEN.domain, 'Chief Marketing Officer')
  const article = (title: string, text: string) => world.publish(HALDEN.domain, { title, text, tells: [] })
  article(
    'Halden Robotics announces departure of CFO',
    'Oslo, {date} – Halden Robotics today announced that Chief Financial Officer Marte Eikeland is stepping down.',
  )
  article(
    'Halden Robotics promotes Jonas Brattberg',
    'Oslo, {date} – Halden Robotics has promoted Jonas Brattberg to Chief Revenue Officer, said Ingrid Solbakken.',
  )
  for (const again of [false, true]) {
    await client.expect(202, 'POST', `/v1/accounts/${ours.id(HALDEN.domain)}/scan`)
    await idle(service)
    const sent = (await alerts()).filter((one) => !before.some(({ headlines }) => headlines[0] === one.headlines[0]))
    assert.deepEqual(
      sent.flatMap(({ headlines }) => headlines).toSorted(),
      [
        'Jonas Brattberg is now Chief Revenue Officer at Halden Robotics; before: VP Sales EMEA',
        'Kendra Blaylock is now Chief Marketing Officer at Halden Robotics; before: Chief Marketing Officer at Quillstack',
        'Marte Eikeland, Chief Financial Officer, leaves Halden Robotics',
      ],
      `again: ${again}`,
    )
  }
  assert.deepEqual(brief(await history(kendra)), [
    ['Halden Robotics', 'Chief Marketing Officer', false],
    ['Quillstack', 'Chief Marketing Officer', true],
  ])
  assert.equal((await history(kendra))[0]?.account_id, ours.id(HALDEN.domain))
  assert.deepEqual(brief(await history(marte)), [['Halden Robotics', 'Chief Financial Officer', false]])
  assert.deepEqual(brief(await history(jonas)), [
    ['Halden Robotics', 'Chief Revenue Officer', false],
    ['Halden Robotics', 'VP Sales EMEA', true],
  ])
  assert.deepEqual(await client.expect(200, 'GET', '/v1/accounts?status=suggested'), [])

  // Erasing another person named in a sentence removes them from it.
  const quoted = async () => JSON.stringify(await history(jonas))
  assert.match(await quoted(), /said Ingrid Solbakken/)
  await client.expect(200, 'DELETE', `/v1/people/${await named('Ingrid Solbakken', HALDEN.domain)}`)
  assert.match(await quoted(), /said \[erased\]/)
  assert.doesNotMatch(JSON.stringify(await client.expect(200, 'GET', `/v1/people/${jonas}/export`)), /Solbakken/)
})
