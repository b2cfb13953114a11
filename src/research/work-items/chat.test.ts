import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startInternet } from '../../../sandbox/internet.ts'
import { createSlack, type PostedMessage, signedCallback } from '../../../sandbox/vendors/slack.ts'
import { detect } from '../../../test/support/alerts.ts'
import { eventually, idle } from '../../../test/support/eventually.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const slack = createSlack()
const internet = await startInternet((request) => {
  if (request.url.hostname !== 'slack.com') return null
  return slack.answer(request, { today: '2026-11-15', companies: [], stories: [], filings: [] })
})
after(() => internet[Symbol.asyncDispose]())
const service = await testService({
  worker: true,
  env: {
    ...internet.env,
    ALERT_DELAY_SECONDS: '0',
    PUSH_RETRY_SECONDS: '0,0',
    PUBLIC_URL: 'https://bellwether.example',
  },
})
const { deps } = service
let channels = 0

/** A workspace whose chat got an alert with buttons. */
async function alerted({ signing_secret = slack.signingSecret as string | null, headlines = ['Raised a round'] } = {}) {
  const { client, workspaceId, ids } = await scene(service, { accounts: [{ name: 'Northwind' }], active: true })
  const channel = `#clicks-${++channels}`
  await client.expect(201, 'POST', '/v1/connections', { provider: 'chat', token: 'xoxb-1', signing_secret })
  await client.expect(200, 'PUT', '/v1/settings/notifications', { chat_channel: channel, chat_enabled: true })
  const member = async (fields: object) =>
    client.expect(201, 'POST', '/v1/members', { name: 'Dana', email: `dana-${channels}@team.example`, ...fields })
  await detect(
    deps,
    workspaceId,
    { account_id: ids[0] as string, run_id: null },
    headlines.map((headline) => ({ headline })),
  )
  const message = await eventually('the alert is posted', async () =>
    slack.messages.find((posted) => posted.channel === channel),
  )
  // An update removes the buttons, but a person may click before they see it.
  const original = structuredClone(message)
  const url = `${service.address}/chat/${workspaceId}/interactions`
  const item = async () => (await client.get('/v1/work-items?view=all&state=open')).data[0]
  const last = async (state: string) => (await client.get(`/v1/work-items?view=all&state=${state}`)).data[0]
  const click = async (button: string, options: Parameters<typeof slack.click>[2] = {}) => {
    const response = await slack.deliver(
      url,
      slack.click(original, button, { user: `Udana-${channels}@team.example`, ...options }),
    )
    await idle(service)
    return response.status
  }
  return { client, workspaceId, ids, message, url, item, last, click, member, channel }
}

const shown = ({ blocks }: PostedMessage) => JSON.stringify(blocks)

test('Done in the chat closes the item as the member behind the chat user, and the message says so', async () => {
  const { message, click, last, member } = await alerted()
  const { id } = await member({})
  assert.match(shown(message), /work_item_wrong.*work_item_done.*work_item_open/)
  assert.equal(await click('Done'), 200)
  const item = await eventually('it is done', () => last('done'))
  assert.deepEqual([item.outcome, item.changed_by], ['contacted', id])
  await eventually('the message is updated', async () => shown(message).includes('Done by Dana'))
  assert.doesNotMatch(shown(message), /work_item_done/)
})

test('Snooze and Wrong do the same, and a click after that is answered to the person alone', async () => {
  const { click, last, item, member, message } = await alerted()
  await member({})
  assert.equal(await click('Snooze until Monday'), 200)
  const snoozed = await eventually('it is snoozed', () => last('snoozed'))
  assert.equal(new Date(`${snoozed.snoozed_until}T00:00:00Z`).getUTCDay(), 1)
  assert.equal(await click('Wrong'), 200)
  assert.equal((await eventually('it is done', () => last('done'))).outcome, 'wrong')
  assert.equal(await item(), undefined)
  const before = shown(message)
  assert.equal(await click('Snooze until tomorrow'), 200)
  const reply = await eventually('the person gets an answer', async () => slack.messages.at(-1))
  assert.match(shown(reply), /Reopen it first/)
  assert.equal(shown(message), before)
  assert.equal(await click('Open'), 200, 'a click on a link')
})

test('Wrong marks the finding next to it, once, and the message keeps its buttons for the others', async () => {
  const { client, click, item, member, message, workspaceId } = await alerted({
    headlines: ['Raised a round', 'Opened in Oslo'],
  })
  await member({})
  const { events } = await item()
  // By id: the reason above the findings may contain the headline too.
  const block = message.blocks.findIndex((block) => JSON.stringify(block).includes(events[1].id))
  // The chat refuses the first answer, so it is sent again.
  slack.fail('chat.update', { status: 503 })
  assert.equal(await click('Wrong', { block }), 200)
  await eventually('the message is updated', async () => shown(message).includes('Marked as wrong by Dana'))
  const entries = await client.expect(200, 'GET', '/v1/audit?actor=chat')
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    ['giveFeedback'],
  )
  const left = await item()
  assert.deepEqual([left.total_events, left.events[0].id], [1, events[0].id])
  assert.match(shown(message), /work_item_done.*work_item_snooze/)
  assert.match(shown(message), new RegExp(`${left.id} ${left.events[0].id}`))
  const verdicts = await deps.db
    .selectFrom('signal_detections')
    .select(['id', 'verdict'])
    .where('workspace_id', '=', workspaceId)
    .where('verdict', 'is not', null)
    .execute()
  assert.deepEqual(verdicts, [{ id: events[1].id, verdict: 'wrong' }])
})

test('a click on a message whose item a colleague has closed names the colleague', async () => {
  const { click, item, client, member, message } = await alerted()
  await member({})
  const { name } = (await client.expect(200, 'GET', '/v1/me')).member
  await client.expect(200, 'POST', `/v1/work-items/${(await item()).id}/done`, { outcome: 'contacted' })
  assert.equal(await click('Done'), 200)
  await eventually('the message is updated', async () => shown(message).includes(`Done by ${name}`))
})

test('rights are those of the member: strangers and scoped members of other accounts change nothing', async () => {
  const stranger = await alerted()
  assert.equal(await stranger.click('Done'), 200)
  await eventually('the stranger gets an answer', async () =>
    shown(slack.messages.at(-1) as PostedMessage).includes('not a member'),
  )
  assert.ok(await stranger.item())
  const scoped = await alerted()
  await scoped.member({ visibility: 'scoped' })
  assert.equal(await scoped.click('Done'), 200)
  await eventually('the member gets an answer', async () =>
    shown(slack.messages.at(-1) as PostedMessage).includes('No such work item'),
  )
  assert.ok(await scoped.item())
})

test('forged, late and replayed clicks are refused, and so are those of another workspace', async () => {
  const { click, item, member, message, url } = await alerted()
  await member({})
  const user = `Udana-${channels}@team.example`
  assert.equal(await click('Done', { secret: 'another-secret' }), 401)
  assert.equal(await click('Done', { at: new Date(Date.now() - 6 * 60_000) }), 401)
  assert.equal(await click('Done', { at: new Date(Date.now() + 6 * 60_000) }), 401)
  const signed = slack.click(message, 'Done', { user })
  const changed = { ...signed, body: `${signed.body}%20` }
  assert.equal((await slack.deliver(url, changed)).status, 401)
  assert.equal(
    (await slack.deliver(url, { ...signed, headers: { 'content-type': signed.headers['content-type'] ?? '' } })).status,
    401,
  )
  for (const body of ['', 'payload=', 'payload=%7B', `payload=${'x'.repeat(600_000)}`])
    assert.ok(
      (await slack.deliver(url, signedCallback(body, slack.signingSecret, new Date()))).status >= 400,
      body.slice(0, 20),
    )
  const { url: other } = await alerted({ signing_secret: 'theirs' })
  assert.equal((await slack.deliver(other, signed)).status, 401)
  assert.equal((await slack.deliver(`${service.address}/chat/none/interactions`, signed)).status, 401)
  assert.ok(await item(), 'nothing was done')
  const snooze = slack.click(message, 'Snooze until tomorrow', { user })
  assert.equal((await slack.deliver(url, snooze)).status, 200)
  assert.equal((await slack.deliver(url, snooze)).status, 401, 'replayed')
})

test('without a signing secret a message has no buttons, and clicks are refused', async () => {
  const { message } = await alerted()
  const { message: plain, url } = await alerted({ signing_secret: null })
  assert.doesNotMatch(shown(plain), /work_item_/)
  assert.equal((await slack.deliver(url, slack.click(message, 'Done'))).status, 401)
})
