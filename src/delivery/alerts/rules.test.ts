import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Insertable, sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { startInternet } from '../../../sandbox/internet.ts'
import { type ReceivedMail, startSmtp } from '../../../sandbox/smtp.ts'
import { createSlack } from '../../../sandbox/vendors/slack.ts'
import { detect } from '../../../test/support/alerts.ts'
import type { Client } from '../../../test/support/client.ts'
import { crmRecords } from '../../../test/support/crm-records.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { moved } from '../../../test/support/moves.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { scene, unique } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import type { Database } from '../../db/schema.ts'
import { saveConnection } from '../../resources/connections/store.ts'
import { newId } from '../../shared/ids.ts'
import { queueAlert, sendSuggestions } from '../alert.ts'
import { ALERT_JOBS, resumeDeliveries } from '../job.ts'

const TEAMS = 'prod-01.westeurope.logic.azure.com'
const slack = createSlack()
const cards: { url: string; body: string }[] = []
const internet = await startInternet((request) => {
  if (request.url.hostname === 'slack.com')
    return slack.answer(request, { today: '2026-11-15', companies: [], stories: [], filings: [] })
  if (request.url.hostname !== TEAMS) return null
  cards.push({ url: request.url.href, body: request.body })
  return { status: 202, headers: {}, body: '' }
})
after(() => internet[Symbol.asyncDispose]())
const smtp = await startSmtp({ authority: internet.authority })
after(() => smtp[Symbol.asyncDispose]())
const receiver = await testReceiver()
const service = await testService({
  worker: true,
  env: {
    ...internet.env,
    ...smtp.env,
    OUTBOUND_CONNECT_TO: `${internet.env.OUTBOUND_CONNECT_TO},${smtp.connectTo}`,
    OUTBOUND_ALLOW: receiver.host,
    ALERT_DELAY_SECONDS: '0',
    PUSH_RETRY_SECONDS: '0,0',
    PUBLIC_URL: 'https://bellwether.example',
  },
})
const { deps } = service
const { db } = deps
/** Long after the test, unless it hastens what waits. */
const LATER = { delay: 3600 }

type Teammate = {
  id: string
  email: string
  client: Client
  messages: () => { text: string; blocks: unknown[] }[]
  mails: () => ReceivedMail[]
}

/** A workspace with a connected chat and active accounts. */
async function fresh(accounts: readonly object[] = [{ name: 'Northwind', domain: 'n0.com' }]) {
  const world = await scene(service, { accounts, active: true })
  const { client, workspaceId } = world
  const token = `xoxb-${unique('rules')}`
  await saveConnection(db, workspaceId, 'chat', deps.secrets, { credential: { token } })
  const posted = (channel: string) =>
    slack.messages.filter((message) => message.token === token && message.channel === channel)
  const deliveries = () =>
    db.selectFrom('alert_deliveries').selectAll().where('workspace_id', '=', workspaceId).execute()
  return {
    ...world,
    posted,
    deliveries,
    account: (fields: object) =>
      db
        .updateTable('accounts')
        .set(fields)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', world.ids[0] as string)
        .execute(),
    rule: (fields: object, by = client) =>
      by.expect(201, 'POST', '/v1/alert-rules', { name: 'Rule', events: ['signal.detected'], ...fields }),
    teammate: async (fields: object = {}): Promise<Teammate> => {
      const email = `${unique('mate')}@team.example`
      const { id } = await client.expect(201, 'POST', '/v1/members', { name: 'Mate', email, ...fields })
      const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'test', member_id: id })
      return {
        id,
        email,
        client: service.as(key),
        messages: () => posted(`U${email}`),
        mails: () => smtp.mails.filter(({ to }) => to.includes(email)),
      }
    },
    found: (headline: string, { at = 0, ...options }: { at?: number; delay?: number } = {}) =>
      detect(deps, workspaceId, { account_id: world.ids[at] as string, run_id: newId() }, [{ headline }], options),
    own: (at: number, owner_id: string | null) =>
      // Not through the API, which would redraft the findings.
      db
        .updateTable('accounts')
        .set({ owner_id })
        .where('id', '=', world.ids[at] as string)
        .execute(),
    /** Makes what waits to be sent due now. */
    hasten: async () => {
      const due = await db
        .updateTable('alert_deliveries')
        .set({ next_attempt_at: sql`now()` })
        .where('workspace_id', '=', workspaceId)
        .where('state', '=', 'pending')
        .returning(['alert_id', 'channel'])
        .execute()
      for (const { alert_id, channel } of due)
        await deps.jobs.enqueue(db, ALERT_JOBS[channel], { workspace_id: workspaceId, alert_id })
    },
    /** The alerts as the admin lists them, oldest first, when nothing is left to send. */
    settled: (count?: number) =>
      eventually('nothing is left to send', async () => {
        const alerts = await client.expect(200, 'GET', '/v1/alerts')
        const isOver = alerts.every(({ state }: { state: string }) => state !== 'pending')
        return alerts.length === (count ?? alerts.length) && isOver && alerts.toReversed()
      }),
  }
}

/** Stores a work item as ingest does. Returns its id. */
async function openWorkItem(
  workspace_id: string,
  account_id: string,
  fields: Partial<Insertable<Database['work_items']>>,
) {
  const empty = { outcome: null, snoozed_until: null, note: null, changed_by: null, lead_id: null, person_id: null }
  const row = { workspace_id, id: newId(), account_id, account_status: 'active', owner_id: null, ...empty } as const
  await db
    .insertInto('work_items')
    .values({ ...row, ...fields })
    .execute()
  return row.id
}

const textsOf = (blocks: unknown[]): string[] =>
  (blocks as { text?: { text: string }; elements?: { text: string }[] }[]).flatMap(({ text, elements = [] }) => [
    ...(text ? [text.text] : []),
    ...elements.map((element) => element.text),
  ])

const namesOf = (alerts: { rule: { name: string } }[]) => alerts.map(({ rule }) => rule.name).sort()

test('a rule matches the score, signals, tags, status, ICP tier and relationship of the account', async () => {
  const { rule, found, settled, account, deliveries } = await fresh()
  await account({ score: 60, tags: ['rail', 'q4'], icp_fit: 70, relationship: 'open_deal' })
  const filters: [string, object, object][] = [
    ['score', { min_score: 60 }, { min_score: 61 }],
    ['signals', { signals: ['layoffs', 'funding'] }, { signals: ['layoffs'] }],
    ['tags', { tags: ['q4', 'road'] }, { tags: ['road'] }],
    ['statuses', { statuses: ['active', 'new'] }, { statuses: ['suggested'] }],
    ['tiers', { icp_tiers: ['B'] }, { icp_tiers: ['A', 'C'] }],
    ['relationship', { relationships: ['open_deal', 'lost_deal'] }, { relationships: ['customer', 'none'] }],
    ['events', { events: ['signal.detected'] }, { events: ['account.suggested', 'people.job_changed'] }],
    ['enabled', { is_enabled: true }, { is_enabled: false }],
  ]
  for (const [name, fits, misfits] of filters) {
    const channel = { channel: 'chat', chat_channel: `#${unique('filter')}` }
    await rule({ name, ...channel, ...fits })
    await rule({ name: `not ${name}`, ...channel, chat_channel: `#${unique('filter')}`, ...misfits })
  }
  assert.equal((await found('Raised a round')).queued, true)
  const alerts = await settled(filters.length)
  assert.deepEqual(namesOf(alerts), filters.map(([name]) => name).sort())
  assert.ok(alerts.every(({ state, channel }: Record<string, string>) => state === 'sent' && channel === 'chat'))
  assert.equal((await deliveries()).length, filters.length)
})

test('a rule for open deals also matches a customer with an open deal, not one whose deal was deleted in the CRM', async () => {
  const { client, rule, found, account, workspaceId, ids } = await fresh()
  await rule({ name: 'deals', relationships: ['open_deal'], channel: 'chat', chat_channel: `#${unique('deals')}` })
  await account({ relationship: 'customer' })
  const crm = await crmRecords(db, workspaceId)
  const company = await crm.company({ account_id: ids[0] as string })
  await crm.deal(company, { state: 'won' })
  assert.equal((await found('Before', LATER)).queued, false)
  const deal = await crm.deal(company, { state: 'open' })
  assert.equal((await found('Meanwhile', LATER)).queued, true)
  await sql`update pulled_deals set deleted_at = now() where workspace_id = ${workspaceId} and crm_id = ${deal}`.execute(
    db,
  )
  assert.equal((await found('After', LATER)).queued, false)
  assert.equal((await client.expect(200, 'GET', '/v1/alerts')).length, 1)
})

test('the tiers begin at a fit of 80 and 50; an account that was not assessed has none', async () => {
  const { client, rule, found, account } = await fresh()
  for (const tier of ['A', 'B', 'C'])
    await rule({ name: tier, icp_tiers: [tier], channel: 'chat', chat_channel: `#${unique('tier')}` })
  for (const icp_fit of [80, 79, 50, 49, 0, null]) {
    await account({ icp_fit })
    assert.equal((await found(`Fit ${icp_fit}`, LATER)).queued, icp_fit !== null)
  }
  assert.deepEqual(namesOf(await client.expect(200, 'GET', '/v1/alerts')), ['A', 'B', 'B', 'C', 'C'])
})

test('the owner of the account at the time of sending is alerted, and nobody after the owner changed', async () => {
  const { rule, found, own, teammate, hasten, settled } = await fresh()
  const [first, second] = [await teammate(), await teammate()]
  await rule({ name: 'Owners', recipient: 'owner', channel: 'chat_dm' })
  assert.equal((await found('Nobody owns it')).queued, false)
  await own(0, first.id)
  await found('For the first')
  await settled(1)
  await found('Before the change', LATER)
  await own(0, second.id)
  await hasten()
  const [sent, dropped] = await settled(2)
  assert.deepEqual([sent.state, sent.member.id, sent.target], ['sent', first.id, first.email])
  assert.deepEqual([dropped.state, dropped.error], ['dropped', 'There is nothing left to report.'])
  assert.equal(first.messages().length, 1)
  await found('For the second')
  await settled(3)
  assert.deepEqual([first.messages().length, second.messages().length], [1, 1])
})

test('only mine covers the accounts of the recipient', async () => {
  const { rule, found, own, teammate, settled } = await fresh([{ name: 'Mine' }, { name: 'Other' }])
  const mate = await teammate()
  await rule({ only_mine: true, channel: 'chat_dm' }, mate.client)
  await own(0, mate.id)
  await found('Raised', { at: 1 })
  await found('Hires', { at: 0 })
  await settled(1)
  assert.deepEqual(
    mate.messages().map(({ text }) => text),
    ['New signal at Mine: Hires'],
  )
})

test('a scoped member is alerted only about own accounts and about people they see, also when scoped in between', async () => {
  const world = await fresh([{ name: 'Mine' }, { name: 'Foreign' }])
  const { client, workspaceId, ids, rule, found, own, teammate, save, settled, hasten } = world
  const scoped = await teammate({ visibility: 'scoped' })
  const all = await teammate()
  const events = ['signal.detected', 'account.suggested', 'people.job_changed']
  for (const mate of [scoped, all]) await rule({ events, channel: 'chat_dm' }, mate.client)
  await own(0, scoped.id)
  await found('On mine', { at: 0 })
  await found('On foreign', { at: 1 })
  await settled(3)
  assert.deepEqual(
    scoped.messages().map(({ text }) => text),
    ['New signal at Mine: On mine'],
  )
  assert.equal(all.messages().length, 2)

  const people = await save([
    { full_name: 'Seen Person', account_id: ids[1] as string, title: 'CFO' },
    { full_name: 'Hidden Person', account_id: ids[1] as string, title: 'CTO' },
  ])
  const named = (name: string) => people.find(({ full_name }) => full_name === name) as (typeof people)[number]
  await client.expect(200, 'PUT', `/v1/people/${named('Seen Person').id}/owner`, { owner_id: scoped.id })
  for (const name of ['Seen Person', 'Hidden Person'])
    await moved(service, workspaceId, { ...named(name), title: null }, { employer: 'Globex', title: 'COO' })
  // Two moves within a moment are one alert or two.
  const toldAll = () => ['Seen', 'Hidden'].every((name) => JSON.stringify(all.messages()).includes(`${name} Person`))
  await eventually('both moves arrived', toldAll)
  const before = (await settled()).length
  const texts = JSON.stringify(scoped.messages())
  assert.match(texts, /Seen Person/)
  assert.doesNotMatch(texts, /Hidden Person/)

  // Not scoped when it was found, scoped when it is sent; and an account that is no longer theirs.
  await found('Later on foreign', { at: 1, ...LATER })
  await found('Later on mine', { at: 0, ...LATER })
  await client.expect(200, 'PATCH', `/v1/members/${all.id}`, { visibility: 'scoped' })
  await own(0, null)
  await hasten()
  const last = (await settled(before + 3)).slice(before)
  assert.deepEqual(
    last.map(({ state }: { state: string }) => state),
    ['dropped', 'dropped', 'dropped'],
  )
})

test('a move of a person whom the scoped member no longer sees when it is sent is left out', async () => {
  const { client, workspaceId, rule, teammate, save, hasten, settled } = await fresh()
  const mate = await teammate({ visibility: 'scoped' })
  await rule({ events: ['people.job_changed'], channel: 'chat_dm' }, mate.client)
  const [person] = await save([{ full_name: 'Mara Lind', title: 'CFO' }])
  assert.ok(person)
  const assign = (owner_id: string | null) => client.expect(200, 'PUT', `/v1/people/${person.id}/owner`, { owner_id })
  await assign(mate.id)
  const waiting = { ...service, deps: { ...deps, config: { ...deps.config, ALERT_DELAY_SECONDS: LATER.delay } } }
  await moved(waiting, workspaceId, { ...person, title: null }, { employer: 'Globex', title: 'COO' })
  await assign(null)
  await hasten()
  const [alert] = await settled(1)
  assert.deepEqual([alert.type, alert.state], ['people.job_changed', 'dropped'])
  assert.deepEqual(mate.messages(), [])
})

test('overlapping rules of one person over one channel deliver a finding once, at once rather than scheduled', async () => {
  const { rule, found, teammate, settled } = await fresh()
  const mate = await teammate()
  const scheduled = { name: 'Morning', channel: 'chat_dm', schedule: 'weekdays', hour: 8 }
  await rule(scheduled, mate.client)
  await rule({ name: 'Now', channel: 'chat_dm', min_score: 0 }, mate.client)
  await rule({ name: 'Now too', channel: 'chat_dm', signals: ['funding'] }, mate.client)
  const { ids } = await found('Raised a round')
  const [alert] = await settled(1)
  assert.equal(alert.rule.name, 'Now')
  assert.equal(mate.messages().length, 1)
  const items = await db
    .selectFrom('alert_items')
    .selectAll()
    .where('record_id', '=', ids[0] as string)
    .execute()
  assert.deepEqual(
    items.map(({ receiver }) => receiver),
    [`chat_dm:${mate.id}`],
  )
})

test('a rule and the notification settings deliver side by side', async () => {
  const { client, rule, found, posted, settled } = await fresh()
  const [all, deals] = [`#${unique('all')}`, `#${unique('deals')}`]
  await client.expect(200, 'PUT', '/v1/settings/notifications', { chat_channel: all, chat_enabled: true })
  await rule({ channel: 'chat', chat_channel: deals })
  await found('Raised a round')
  const alerts = await settled(2)
  assert.deepEqual(alerts.map(({ rule }: { rule: object | null }) => rule === null).sort(), [false, true])
  assert.deepEqual([posted(all).length, posted(deals).length], [1, 1])
})

/** Days and hours of an instant in a time zone: `Mon 08:00`. */
const localTime = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
    .format(new Date(at))
    .replace(',', '')

test('a digest is due at the hour in the time zone of its receiver, and moves with the zone and the hour', async () => {
  const { rule, found, teammate, deliveries } = await fresh()
  const zones = ['Europe/Vienna', 'America/New_York', 'Asia/Kolkata']
  const mates = await Promise.all(zones.map(() => teammate()))
  const rules: { id: string }[] = []
  for (const [at, { client }] of mates.entries()) {
    await client.expect(200, 'PATCH', '/v1/me', { time_zone: zones[at] })
    rules.push(await rule({ channel: 'chat_dm', schedule: 'weekdays', hour: 8 }, client))
  }
  await found('Raised a round')
  const dueTimes = async () => {
    const rows = await deliveries()
    const alerts = await db.selectFrom('alerts').select(['id', 'member_id']).execute()
    const memberOf = (alertId: string) => alerts.find(({ id }) => id === alertId)?.member_id
    return mates.map(({ id }) => rows.find(({ alert_id }) => memberOf(alert_id) === id)?.next_attempt_at as string)
  }
  const due = await dueTimes()
  for (const [at, zone] of zones.entries())
    assert.match(localTime(due[at] as string, zone), /^(Mon|Tue|Wed|Thu|Fri) 08:00$/)
  const [first] = mates as [Teammate]
  await first.client.expect(200, 'PATCH', '/v1/me', { time_zone: 'Asia/Tokyo' })
  assert.match(localTime((await dueTimes())[0] as string, 'Asia/Tokyo'), / 08:00$/)
  await first.client.expect(200, 'PATCH', `/v1/alert-rules/${rules[0]?.id}`, { schedule: 'mondays', hour: 17 })
  assert.equal(localTime((await dueTimes())[0] as string, 'Asia/Tokyo'), 'Mon 17:00')
})

test('a scheduled rule collects all accounts into one message, the most urgent first, and lists at most five', async () => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
  const world = await fresh(names.map((name) => ({ name })))
  const { workspaceId, ids, rule, found, teammate, save, hasten, settled } = world
  const mate = await teammate()
  const { id: rule_id } = await rule({ name: 'Morning', channel: 'chat_dm', schedule: 'mondays' }, mate.client)
  const [person] = await save([{ full_name: 'Mara Lind', title: 'CFO', account_id: ids[6] as string }])
  for (const [at, name] of names.entries()) {
    await found(`${name} raised a round`, { at })
    await db
      .updateTable('accounts')
      .set({ score: 50 - at })
      .where('id', '=', ids[at] as string)
      .execute()
  }
  await db.updateTable('work_items').set({ act_now: 10 }).where('workspace_id', '=', workspaceId).execute()
  await db
    .updateTable('work_items')
    .set({ act_now: 95, person_id: person?.id as string })
    .where('account_id', '=', ids[6] as string)
    .execute()
  await hasten()
  const [alert] = await settled(1)
  assert.deepEqual(
    [alert.type, alert.rule, alert.total, alert.headlines.length],
    ['digest', { id: rule_id, name: 'Morning' }, 7, 5],
  )
  const [message, ...others] = mate.messages()
  assert.ok(message && others.length === 0)
  assert.equal(message.text, 'Morning: 7 accounts: G; A; B; C; D and 2 more')
  const texts = textsOf(message.blocks)
  assert.ok(texts.includes('Score 44 · Mara Lind, CFO'), texts.join('\n'))
  assert.deepEqual(texts.slice(-2), ['and 2 more accounts', '<https://bellwether.example|Open Today>'])
})

test('a digest names the person to write to only to a member who sees them', async () => {
  const world = await fresh([{ name: 'Mine' }, { name: 'Foreign' }])
  const { workspaceId, ids, rule, found, own, teammate, save, hasten, settled } = world
  const mate = await teammate({ visibility: 'scoped' })
  await own(0, mate.id)
  await rule({ channel: 'chat_dm', schedule: 'mondays' }, mate.client)
  const people = await save([{ full_name: 'Far Away', account_id: ids[1] as string }])
  const work = {
    workspace_id: workspaceId,
    id: newId(),
    account_id: ids[0] as string,
    account_status: 'active',
  } as const
  await db
    .insertInto('work_items')
    .values({
      ...work,
      owner_id: null,
      person_id: people[0]?.id as string,
      outcome: null,
      snoozed_until: null,
      note: null,
      changed_by: null,
      lead_id: null,
    })
    .execute()
  await found('Raised a round')
  await hasten()
  await settled(1)
  assert.equal(mate.messages().length, 1)
  assert.doesNotMatch(JSON.stringify(mate.messages()), /Far Away/)
})

const DAILY = { name: 'Daily', channel: 'email', schedule: 'weekdays', hour: 8 }

/** Follows the link that mail programs offer, without signing in. */
function unsubscribe({ headers }: ReceivedMail) {
  const link = new URL(/^<(.+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? '')
  assert.equal(link.origin, 'https://bellwether.example')
  return fetch(service.address + link.pathname + link.search, { method: 'POST' })
}

test('a digest is mailed once when it is due, and its link ends this rule only', async () => {
  const { workspaceId, ids, rule, found, own, teammate, save, hasten, settled } = await fresh()
  const mate = await teammate()
  await own(0, mate.id)
  await save([{ full_name: 'Mara Lind', title: 'CEO' }])
  const daily = await rule({ ...DAILY, only_mine: true }, mate.client)
  const urgent = await rule({ name: 'Urgent', channel: 'email', signals: ['layoffs'] }, mate.client)
  await found('Northwind raises $20M')
  await found('Northwind opens an office')
  const [waiting] = await mate.client.expect(200, 'GET', '/v1/alerts')
  assert.deepEqual([waiting.state, waiting.attempts, mate.mails().length], ['pending', 0, 0])
  // Each queues a job for the same digest.
  await Promise.all([hasten(), hasten()])
  const [sent] = await settled(1)
  assert.deepEqual([sent.state, sent.attempts, sent.status, sent.target], ['sent', 1, 250, mate.email])
  // A job that was queued twice and runs late.
  await service.run(ALERT_JOBS.email, { workspace_id: workspaceId, alert_id: sent.id })
  const [mail, ...others] = mate.mails()
  assert.ok(mail && others.length === 0)
  assert.equal(mail.headers.subject, '1 account to call today: Northwind')
  const link = `https://bellwether.example/accounts/${ids[0]}`
  for (const part of ['Northwind raises $20M', 'Mara Lind', 'CEO', link])
    for (const body of [mail.text, mail.html]) assert.ok(body?.includes(part), `${part} is missing in ${body}`)
  assert.match(mail.text ?? '', /^- Northwind opens an office/m)

  assert.equal((await unsubscribe(mail)).status, 200)
  assert.equal((await found('Northwind moves')).queued, false)
  const alert = { account_id: ids[0] as string, run_id: newId() }
  await detect(deps, workspaceId, alert, [{ headline: 'Lays off ten', signal_id: 'layoffs' }])
  await settled(2)
  assert.deepEqual(
    mate.mails().map(({ headers }) => headers.subject),
    ['1 account to call today: Northwind', 'New at Northwind: Lays off ten'],
  )
  // The person is contacted about the event that matters most, which this mail does not report.
  assert.match(mate.mails()[1]?.text ?? '', /^Contact: Mara Lind · CEO\r?\nAbout: Northwind \w+/m)
  const rules = await mate.client.expect(200, 'GET', '/v1/alert-rules')
  const enabled = rules.map(({ id, is_enabled }: { id: string; is_enabled: boolean }) => [id, is_enabled])
  assert.deepEqual(Object.fromEntries(enabled), { [daily.id]: false, [urgent.id]: true })
})

test('a digest that waits is not mailed to an owner who unsubscribed since', async () => {
  const { rule, found, own, teammate, hasten, settled } = await fresh()
  const mate = await teammate()
  await own(0, mate.id)
  await rule({ ...DAILY, recipient: 'owner' })
  await found('Raised a round')
  await hasten()
  await settled(1)
  await found('Hires a CFO')
  const [mail] = mate.mails()
  assert.ok(mail)
  await unsubscribe(mail)
  await hasten()
  const [, dropped] = await settled(2)
  assert.deepEqual([dropped.state, dropped.error], ['dropped', 'The recipient unsubscribed.'])
  assert.equal(mate.mails().length, 1)
})

test('a mailed digest has only the accounts that its receiver sees when it is sent', async () => {
  const { rule, found, own, teammate, hasten, settled } = await fresh(
    ['Mine', 'Reassigned', 'Foreign'].map((name) => ({ name })),
  )
  const [scoped, all] = [await teammate({ visibility: 'scoped' }), await teammate()]
  for (const { client } of [scoped, all]) await rule(DAILY, client)
  for (const at of [0, 1]) await own(at, scoped.id)
  for (const at of [0, 1, 2]) await found('Raised a round', { at })
  await own(1, all.id)
  await hasten()
  await settled(2)
  const [share, ...others] = scoped.mails()
  assert.ok(share && others.length === 0)
  assert.equal(share.headers.subject, '1 account to call today: Mine')
  assert.doesNotMatch(`${share.text}${share.html}`, /Reassigned|Foreign/)
  for (const name of ['Mine', 'Reassigned', 'Foreign']) assert.ok(all.mails()[0]?.text?.includes(`${name} (`), name)
})

test('a digest that the mail server refuses is listed with its reply, for the receiver too', async () => {
  const { rule, found, teammate, hasten, settled } = await fresh()
  const mate = await teammate()
  await rule(DAILY, mate.client)
  smtp.behave(mate.email, { do: 'refuse', reply: '550 5.1.1 Mailbox unavailable' })
  await found('Raised a round')
  await hasten()
  await settled(1)
  const [alert] = await mate.client.expect(200, 'GET', '/v1/alerts?state=failed&channel=email')
  assert.deepEqual([alert.type, alert.attempts, alert.status, alert.target], ['digest', 1, 550, mate.email])
  assert.equal(alert.error, 'The mail server refused the message: 5.1.1 Mailbox unavailable.')
  const problems = await mate.client.expect(200, 'GET', '/v1/attention')
  assert.ok(problems.some(({ message }: { message: string }) => message.includes('of the rule “Daily”')))
})

test('an alert of a rule that was disabled, deleted or sent to another member since is not sent', async () => {
  const { client, rule, found, teammate, hasten, settled } = await fresh()
  const [first, second] = [await teammate(), await teammate()]
  const disabled = await rule({ channel: 'chat_dm' }, first.client)
  const given = await rule({ recipient: 'member', to_member_id: second.id, channel: 'chat_dm' })
  const removed = await rule({ channel: 'chat', chat_channel: `#${unique('removed')}` })
  await found('Raised a round', LATER)
  await first.client.expect(200, 'PATCH', `/v1/alert-rules/${disabled.id}`, { is_enabled: false })
  await client.expect(200, 'PATCH', `/v1/alert-rules/${given.id}`, { to_member_id: first.id })
  await client.expect(200, 'DELETE', `/v1/alert-rules/${removed.id}`)
  await hasten()
  const reasons = (await settled(2)).map(({ state, error }: Record<string, string>) => `${state}: ${error}`)
  assert.deepEqual(reasons.sort(), ['dropped: The rule was changed.', 'dropped: The rule was switched off.'])
  assert.deepEqual([first.messages(), second.messages()], [[], []])
})

test('a direct message needs the member in the chat and the scope to look them up', async () => {
  for (const [error, sentence] of [
    ['users_not_found', /^No person in the chat has the email address mate-\d+@team\.example\./],
    ['missing_scope', /lacks the scopes users:read and users:read\.email\./],
  ] as const) {
    const { rule, found, teammate, settled, client } = await fresh()
    const mate = await teammate()
    await rule({ name: 'Mine', channel: 'chat_dm' }, mate.client)
    slack.fail('users.lookupByEmail', { error })
    await found('A')
    const [alert] = await settled(1)
    assert.equal(alert.state, 'failed')
    assert.match(alert.error, sentence)
    const problems = await mate.client.expect(200, 'GET', '/v1/attention')
    assert.ok(problems.some(({ message }: { message: string }) => message.includes('of the rule “Mine”')))
    assert.equal((await client.expect(200, 'GET', '/v1/integrations')).chat.problem, null)
    await found('B')
    await settled(2)
    const left = await mate.client.expect(200, 'GET', '/v1/attention')
    assert.ok(left.every(({ kind }: { kind: string }) => kind !== 'alert_failed'))
  }
})

test('a rule for Teams posts an Adaptive Card to its workflow', async () => {
  const { rule, found, settled } = await fresh([{ name: '[Click](https://evil.example)', domain: 'n0.com' }])
  const url = `https://${TEAMS}/workflows/${unique('flow')}/triggers/manual?sig=s3cret`
  const created = await rule({ channel: 'teams', teams_url: url })
  assert.equal(created.teams_url, url)
  await found('Raised a round')
  const [alert] = await settled(1)
  assert.deepEqual([alert.state, alert.status, alert.target], ['sent', 202, `https://${TEAMS}/…`])
  const [{ body } = { body: '{}' }, ...others] = cards.filter((card) => card.url === url)
  assert.equal(others.length, 0)
  const { type, attachments } = JSON.parse(body)
  assert.deepEqual([type, attachments.length], ['message', 1])
  const [{ contentType, content }] = attachments
  assert.equal(contentType, 'application/vnd.microsoft.card.adaptive')
  assert.deepEqual([content.type, content.version], ['AdaptiveCard', '1.4'])
  assert.deepEqual(
    content.body.map(({ type }: { type: string }) => type),
    ['RichTextBlock', 'RichTextBlock', 'TextBlock', 'RichTextBlock'],
  )
  assert.equal(content.body[0].inlines[0].text, 'New signal at [Click](https://evil.example) (n0.com)')
  assert.equal(content.body[2].text, '- [Raised a round, says the page.](https://n0.com/news?a=1&b=2)')
  assert.match(content.actions[0].url, /^https:\/\/bellwether\.example\/accounts\//)
})

/** A workspace with a webhook rule for a destination with a separate path. */
async function withWebhook(events: string[] = ['signal.detected']) {
  const world = await fresh()
  const path = `/rules/${unique('path')}`
  const destination = await world.client.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Warehouse',
    url: receiver.url + path,
  })
  const created = await world.rule({ name: 'Warehouse', events, channel: 'webhook', destination_id: destination.id })
  return {
    ...world,
    path,
    destination,
    created,
    arrived: () => receiver.deliveries.filter((delivery) => delivery.path === path),
    log: () => world.client.expect(200, 'GET', `/v1/webhook-destinations/${destination.id}/deliveries`),
  }
}

test('a webhook rule posts to its destination, signed with its secret, and every attempt is in the delivery log', async () => {
  const { client, destination, found, arrived, settled, log } = await withWebhook()
  receiver.next({ do: 'answer', status: 503 })
  await found('Raised a round')
  const [alert] = await settled(1)
  assert.deepEqual([alert.channel, alert.state, alert.attempts], ['webhook', 'sent', 2])
  const [first, second] = arrived()
  assert.ok(first && second)
  assert.equal(first.id, second.id)
  const body = new Webhook(destination.secret).verify(second.body, second.headers) as { type: string }
  assert.equal(body.type, 'signal.detected')
  assert.deepEqual(
    (await log()).map(({ attempt, status, webhook_id }: Record<string, unknown>) => [attempt, status, webhook_id]),
    [
      [2, 200, second.id],
      [1, 503, second.id],
    ],
  )
  const [{ id }] = await log()
  const again = await client.post(`/v1/webhook-destinations/${destination.id}/deliveries/${id}/replay`)
  assert.equal(again.status, 409)
})

test('a failed alert is sent again under the same id, and one that was sent is not', async () => {
  const { client, path, found, arrived, settled } = await withWebhook()
  receiver.behave({ do: 'answer', status: 422 }, path)
  await found('Raised a round')
  const [failed] = await settled(1)
  assert.equal(failed.state, 'failed')
  receiver.behave({ do: 'answer' }, path)
  const [again] = await client.expect(200, 'POST', `/v1/alerts/${failed.id}/replay`)
  assert.equal(again.id, failed.id)
  const [sent] = await settled(1)
  assert.deepEqual([sent.id, sent.state, sent.attempts], [failed.id, 'sent', 1])
  assert.deepEqual(new Set(arrived().map(({ id }) => id)), new Set([`msg_${failed.id.replaceAll('-', '')}`]))
  assert.equal(arrived().length, 2)
  assert.equal((await client.post(`/v1/alerts/${failed.id}/replay`)).error.code, 'invalid_transition')
  const { client: stranger } = await service.stranger()
  assert.equal((await stranger.post(`/v1/alerts/${failed.id}/replay`)).status, 404)
})

test('an alert whose worker was killed before the result was stored is sent again under the same id', async () => {
  const { workspaceId, found, arrived, settled } = await withWebhook()
  await found('Raised a round')
  await settled(1)
  await db
    .updateTable('alert_deliveries')
    .set({ state: 'pending', finished_at: null, lease_id: newId(), lease_until: sql`now() - interval '1 second'` })
    .set({ next_attempt_at: sql`now() - interval '1 minute'` })
    .where('workspace_id', '=', workspaceId)
    .execute()
  await service.run(resumeDeliveries, { idle: 1 })
  await eventually('the second message', () => arrived().length === 2)
  await settled(1)
  assert.equal(new Set(arrived().map(({ id }) => id)).size, 1)
})

test('a work item that is done reaches webhook rules, and again when it is reopened and done once more', async () => {
  const { client, workspaceId, ids, arrived, settled } = await withWebhook(['work_item.done'])
  const [account_id] = ids as [string]
  const [admin] = await client.expect(200, 'GET', '/v1/members')
  const done = { state: 'done', outcome: 'contacted', changed_by: admin.id, changed_at: new Date() } as const
  const id = await openWorkItem(workspaceId, account_id, { note: 'Called.', ...done })
  const alert = { type: 'work_item.done', account_id, run_id: null, work_item_ids: [id] } as const
  assert.equal(await queueAlert(deps, workspaceId, alert), true)
  await settled(1)
  const [delivery] = arrived()
  const { type, data } = JSON.parse(delivery?.body ?? '{}')
  assert.equal(type, 'work_item.done')
  assert.equal(data.account.id, account_id)
  assert.deepEqual(data.work_items, [
    {
      id,
      state: 'done',
      outcome: 'contacted',
      note: 'Called.',
      changed_at: data.work_items[0].changed_at,
      changed_by: { id: admin.id, name: admin.name },
    },
  ])
  await db.updateTable('work_items').set({ outcome: 'pushed' }).where('id', '=', id).execute()
  assert.equal(await queueAlert(deps, workspaceId, alert), true)
  const [, second] = await settled(2)
  assert.deepEqual([second.type, second.headlines, second.total], ['work_item.done', ['Pushed'], 1])
  assert.equal(JSON.parse(arrived()[1]?.body ?? '{}').data.work_items[0].outcome, 'pushed')
})

test('suggested accounts reach a rule when their run ends, by the signals they were found with', async () => {
  const { client, workspaceId, rule, teammate, settled } = await fresh()
  const mate = await teammate()
  const events = ['account.suggested']
  await rule({ events, channel: 'chat_dm', signals: ['funding'] }, mate.client)
  const [one, two] = await client.expect(201, 'POST', '/v1/accounts', [{ name: 'Found' }, { name: 'Unknown' }])
  await detect(deps, workspaceId, { account_id: one.id, run_id: null }, [{ headline: 'Raised' }])
  const run_id = newId()
  await queueAlert(deps, workspaceId, { type: 'account.suggested', run_id, account_ids: [one.id, two.id] })
  await sendSuggestions(deps, workspaceId, run_id)
  await settled(1)
  assert.deepEqual(
    mate.messages().map(({ text }) => text),
    ['1 new suggested account: Found'],
  )
})

test('a sample of a rule is sent now, also while it is disabled', async () => {
  const { client, rule, teammate, posted } = await fresh()
  const mate = await teammate()
  const own = await rule({ channel: 'chat_dm', is_enabled: false }, mate.client)
  const tested = await mate.client.expect(200, 'POST', `/v1/alert-rules/${own.id}/test`)
  assert.deepEqual([tested.delivered, tested.message], [true, null])
  assert.match(mate.messages()[0]?.text ?? '', /Sample account/)
  const owners = await rule({ recipient: 'owner', channel: 'chat_dm' })
  assert.equal((await client.expect(200, 'POST', `/v1/alert-rules/${owners.id}/test`)).delivered, true)
  const [admin] = await client.expect(200, 'GET', '/v1/members')
  assert.equal(posted(`U${admin.email}`).length, 1)
  const { client: admins, created, arrived, log } = await withWebhook()
  assert.equal((await admins.expect(200, 'POST', `/v1/alert-rules/${created.id}/test`)).delivered, true)
  assert.equal(JSON.parse(arrived()[0]?.body ?? '{}').type, 'test')
  assert.equal((await log()).length, 1)
})
