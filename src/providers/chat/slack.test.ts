import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createSlack, type PostedMessage, signedCallback } from '../../../sandbox/vendors/slack.ts'
import { vendorNet } from '../../../test/support/vendors.ts'
import { newId } from '../../shared/ids.ts'
import { chatVendor } from './registry.ts'
import { type ChatMessage, InteractionRefusedError } from './types.ts'

const WORLD = { today: '2026-11-15', companies: [], stories: [], filings: [] }
const NOW = new Date('2026-11-18T09:00:00Z')
const TOKEN = 'xoxb-1'

/** The chat, and the dependencies to call it. */
async function chat(options: Parameters<typeof createSlack>[0] = {}) {
  const slack = createSlack(options)
  const net = await vendorNet({}, (request) =>
    request.url.hostname === 'slack.com' ? slack.answer(request, WORLD) : null,
  )
  after(() => net[Symbol.asyncDispose]())
  return { slack, deps: net.deps() }
}

const FINDING = newId()

function message(more: Partial<ChatMessage> = {}): ChatMessage {
  return {
    title: 'New signal at Northwind',
    summary: 'New signal at Northwind: raised a round',
    sections: [{ heading: 'Raised a round', text_md: null, note: null, links: [], detection_id: FINDING }],
    link: null,
    ...more,
  }
}

type Element = { action_id: string; text: { text: string }; value?: string; url?: string }

const buttonsOf = ({ blocks }: PostedMessage) =>
  (blocks as { type: string; elements: Element[]; accessory?: Element }[])
    .flatMap(({ type, elements, accessory = [] }) => (type === 'actions' ? elements : accessory))
    .map(({ text, value, url }) => [text.text, value ?? url])

/** Posts a message with buttons and returns it as the chat stored it. */
async function posted(id = newId(), open_url: string | null = 'https://bellwether.example/accounts/1') {
  const { slack, deps } = await chat()
  await chatVendor.post(deps, TOKEN, '#deals', message({ actions: { work_item_id: id, open_url } }))
  const [found] = slack.messages
  assert.ok(found)
  return { slack, deps, id, message: found }
}

test('a message for a work item has buttons, and can be replaced by one without them', async () => {
  const { slack, deps } = await chat()
  const id = newId()
  const actions = { work_item_id: id, open_url: 'https://bellwether.example/accounts/1?a=1&b=2' }
  const result = await chatVendor.post(deps, TOKEN, '#deals', message({ actions }))
  const [stored] = slack.messages
  assert.ok(stored)
  assert.deepEqual(result, {
    result: 'sent',
    status: 200,
    message: null,
    retryAfter: null,
  })
  assert.deepEqual(buttonsOf(stored), [
    ['Wrong', `${id} ${FINDING}`],
    ['Done', id],
    ['Snooze until tomorrow', id],
    ['Snooze until Monday', id],
    ['Open', actions.open_url],
  ])
  const { channel_id, ts } = stored
  const updated = await chatVendor.update(
    deps,
    TOKEN,
    channel_id,
    ts,
    message({ title: 'Done by Dana', actions: null }),
  )
  assert.equal(updated.result, 'sent')
  assert.equal(slack.messages.length, 1)
  assert.match(JSON.stringify(stored.blocks), /Done by Dana/)
  assert.deepEqual(buttonsOf(stored), [])
})

test('a message without actions has no buttons, and an address that is no web page has no Open button', async () => {
  const { slack, deps } = await chat()
  await chatVendor.post(deps, TOKEN, '#deals', message())
  const work_item_id = newId()
  const urls = ['javascript:alert(1)', 'not a url', `https://x.example/${'x'.repeat(3_000)}`, null]
  for (const open_url of urls)
    await chatVendor.post(deps, TOKEN, '#deals', message({ actions: { work_item_id, open_url } }))
  const labels = slack.messages.map((stored) => buttonsOf(stored).map(([label]) => label))
  const four = ['Wrong', 'Done', 'Snooze until tomorrow', 'Snooze until Monday']
  assert.deepEqual(labels, [[], four, four, four, four])
})

test('hostile texts mention no person, and the buttons of a long message remain', async () => {
  const { slack, deps } = await chat()
  const hostile = '<!channel> <@U1> <https://evil.example|Northwind> *&* '
  const sections = Array.from({ length: 80 }, (_, n) => ({
    heading: hostile + n,
    text_md: hostile.repeat(80),
    note: hostile,
    links: [{ text: hostile, url: 'https://x.example/?a=<b>|c' }],
  }))
  const actions = { work_item_id: newId(), open_url: null }
  const given = message({ title: hostile.repeat(9), summary: hostile.repeat(90), sections, actions })
  assert.equal((await chatVendor.post(deps, TOKEN, '#deals', given)).result, 'sent')
  const [stored] = slack.messages
  assert.ok(stored && stored.blocks.length === 50)
  assert.equal(buttonsOf(stored).length, 3)
  const [, ...withoutHeader] = stored.blocks
  assert.doesNotMatch(JSON.stringify([stored.text, withoutHeader]), /<[!@]|<https:\/\/evil/)
})

test('a person is found by id and by email address, and receives a direct message', async () => {
  const { slack, deps } = await chat({ users: { 'dana@northwind.example': 'U123' } })
  const found = await chatVendor.findUserByEmail(deps, TOKEN, 'dana@northwind.example')
  assert.deepEqual(found, { id: 'U123' })
  assert.deepEqual(await chatVendor.findUser(deps, TOKEN, 'U123'), {
    user: { id: 'U123', email: 'dana@northwind.example', name: 'dana' },
  })
  const sent = await chatVendor.post(deps, TOKEN, 'U123', message())
  assert.equal(sent.result, 'sent')
  const { channel_id = '', ts = '' } = slack.messages[0] ?? {}
  assert.match(channel_id, /^D/)
  const changed = await chatVendor.update(deps, TOKEN, channel_id, ts, message({ title: 'Done' }))
  assert.equal(changed.result, 'sent')
  assert.equal(slack.messages.length, 1)
})

test('an unknown person, a missing scope and a deactivated account are refused with what to do', async () => {
  const { deps } = await chat({ users: {} })
  const refused = async (found: Promise<object>) => ((await found) as { refused?: string }).refused ?? ''
  assert.match(
    await refused(chatVendor.findUserByEmail(deps, TOKEN, 'jo@northwind.example')),
    /No person in the chat has the email address jo@northwind\.example/,
  )
  assert.match(await refused(chatVendor.findUser(deps, TOKEN, 'U9')), /does not know the person U9/)
  const few = await chat({ scopes: ['chat:write', 'users:read'] })
  for (const found of [
    chatVendor.findUserByEmail(few.deps, TOKEN, 'jo@northwind.example'),
    // Slack leaves the address out without an error.
    chatVendor.findUser(few.deps, TOKEN, 'Ujo@northwind.example'),
  ])
    assert.match(await refused(found), /lacks the scopes? .*users:read\.email\. Add it to the app/)
  const gone = await chat()
  const deactivated = JSON.stringify({ ok: true, user: { id: 'U1', deleted: true, profile: { email: 'a@b.example' } } })
  gone.slack.fail('users.info', { status: 200, body: deactivated })
  gone.slack.fail('users.lookupByEmail', { status: 200, body: deactivated })
  assert.match(await refused(chatVendor.findUser(gone.deps, TOKEN, 'U1')), /not an active person/)
  assert.match(await refused(chatVendor.findUserByEmail(gone.deps, TOKEN, 'a@b.example')), /not an active person/)
})

test('a lookup that fails for the moment is unavailable, not refused', async () => {
  const { slack, deps } = await chat()
  for (const failure of [
    { error: 'ratelimited' },
    { status: 429 },
    { status: 502, body: '<html>' },
    { error: 'fatal_error' },
  ]) {
    slack.fail('users.info', failure)
    assert.ok('unavailable' in (await chatVendor.findUser(deps, TOKEN, 'U1')), JSON.stringify(failure))
  }
})

const UPDATE_ERRORS = [
  ['message_not_found', 'failed', /was deleted/],
  ['cant_update_message', 'failed', /Only the app that posted/],
  ['edit_window_closed', 'failed', /does not allow changing/],
  ['token_revoked', 'failed', /was revoked/],
  ['missing_scope', 'failed', /chat:write/],
  ['ratelimited', 'retry', /requests a pause/],
  ['some_new_error', 'failed', /\(some_new_error\)/],
] as const

test('an update that is not possible has a reason', async () => {
  const { slack, deps } = await chat()
  for (const [error, result, reason] of UPDATE_ERRORS) {
    slack.fail('chat.update', { error })
    const found = await chatVendor.update(deps, TOKEN, 'C1', '1.0', message())
    assert.equal(found.result, result, error)
    assert.match(found.message ?? '', reason)
  }
})

const CLICKS = [
  ['Done', 'done', null],
  ['Snooze until tomorrow', 'snooze', 'tomorrow'],
  ['Snooze until Monday', 'snooze', 'next_monday'],
  ['Wrong', 'wrong', null],
] as const

test('a click arrives over HTTP with the person, the action and the message', async () => {
  const { slack, message, id } = await posted()
  const received: { headers: IncomingHttpHeaders; body: Buffer }[] = []
  const app = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) })
    response.end()
  })
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  after(() => app.close())
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/slack`
  for (const [button, action, snooze_until] of CLICKS) {
    const response = await slack.deliver(url, slack.click(message, button, { user: 'U123', at: NOW }))
    await response.text()
    const [{ headers, body } = { headers: {} as IncomingHttpHeaders, body: '' }] = received.slice(-1)
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
    const found = chatVendor.verifyInteraction(headers, body, slack.signingSecret, NOW)
    assert.deepEqual(found, {
      user_id: 'U123',
      action,
      snooze_until,
      work_item_id: id,
      detection_id: action === 'wrong' ? FINDING : null,
      channel: message.channel_id,
      ts: message.ts,
      signature: headers['x-slack-signature'],
    })
  }
})

test('a click on Open is verified and has no action', async () => {
  const { slack, message } = await posted()
  const { headers, body } = slack.click(message, 'Open', { at: NOW })
  assert.equal(chatVendor.verifyInteraction(headers, body, slack.signingSecret, NOW), null)
  assertRefused('wrong_signature', headers, body, 'another secret')
})

test('a replayed click has the same signature, and another click another one', async () => {
  const { slack, message } = await posted()
  const verified = (at: Date) => {
    const { headers, body } = slack.click(message, 'Done', { at })
    return chatVendor.verifyInteraction(headers, body, slack.signingSecret, NOW)?.signature
  }
  assert.equal(verified(NOW), verified(NOW))
  assert.notEqual(verified(NOW), verified(new Date(NOW.getTime() - 1_000)))
})

function assertRefused(
  reason: string,
  headers: Record<string, string | string[] | undefined>,
  body: Buffer | string,
  secret: string,
): void {
  assert.throws(
    () => chatVendor.verifyInteraction(headers, body, secret, NOW),
    (error) => error instanceof InteractionRefusedError && error.reason === reason,
    `${reason}: ${JSON.stringify(headers)} ${body.slice(0, 100)}`,
  )
}

test('a forged, changed or unsigned request is refused', async () => {
  const { slack, message } = await posted()
  const { signingSecret } = slack
  const forged = slack.click(message, 'Done', { at: NOW, secret: 'guessed' })
  assertRefused('wrong_signature', forged.headers, forged.body, signingSecret)
  const { headers, body } = slack.click(message, 'Done', { at: NOW })
  assertRefused('wrong_signature', headers, body.replace('work_item_done', 'work_item_wrong'), signingSecret)
  const later = String(Math.floor(NOW.getTime() / 1000) + 1)
  assertRefused('wrong_signature', { ...headers, 'x-slack-request-timestamp': later }, body, signingSecret)
  const signature = headers['x-slack-signature'] ?? ''
  for (const given of ['', 'v0=', signature.slice(0, -1), `${signature}0`, signature.replace('v0', 'v1'), 'v0=é'])
    assertRefused('wrong_signature', { ...headers, 'x-slack-signature': given }, body, signingSecret)
  for (const name of ['x-slack-signature', 'x-slack-request-timestamp']) {
    assertRefused('not_signed', { ...headers, [name]: undefined }, body, signingSecret)
    assertRefused('not_signed', { ...headers, [name]: ['a', 'b'] }, body, signingSecret)
  }
  for (const time of ['', 'now', '-1', '1e9', '9'.repeat(400)])
    assertRefused('not_signed', { ...headers, 'x-slack-request-timestamp': time }, body, signingSecret)
})

test('a request is accepted up to five minutes before and after now', async () => {
  const { slack, message } = await posted()
  const at = (seconds: number) => slack.click(message, 'Done', { at: new Date(NOW.getTime() + seconds * 1000) })
  for (const seconds of [-300, 300]) {
    const { headers, body } = at(seconds)
    assert.ok(chatVendor.verifyInteraction(headers, body, slack.signingSecret, NOW), `${seconds}`)
  }
  for (const seconds of [-301, 301]) {
    const { headers, body } = at(seconds)
    assertRefused('wrong_time', headers, body, slack.signingSecret)
  }
})

test('a signed request that is not a click on our buttons is refused', async () => {
  const { slack, message } = await posted()
  const { signingSecret } = slack
  const form = (payload: string) => new URLSearchParams({ payload }).toString()
  const payload = JSON.parse(new URLSearchParams(slack.click(message, 'Done').body).get('payload') ?? '')
  const button = payload.actions[0]
  const bodies = [
    '',
    'payload=',
    'payload=%zz',
    form('{"type":'),
    form('null'),
    form('[]'),
    ...[
      { type: 'view_submission' },
      { actions: [] },
      { actions: [{ ...button, action_id: 'constructor' }] },
      { actions: [{ ...button, value: 'x' }] },
      { actions: [{ ...button, value: `${button.value} ${FINDING}` }] },
      { actions: [{ ...button, action_id: 'work_item_wrong' }] },
      { actions: [{ ...button, action_id: 'work_item_wrong', value: `${button.value} x` }] },
      { actions: [{ ...button, action_id: 'work_item_wrong', value: `${button.value} ${FINDING} ${FINDING}` }] },
      { actions: [{ ...button, value: undefined }] },
      { user: { id: '' } },
      { user: { id: 'U'.repeat(200) } },
      { channel: undefined },
      { message: undefined },
    ].map((change) => form(JSON.stringify({ ...payload, ...change }))),
  ]
  for (const body of bodies) {
    const { headers } = signedCallback(body, signingSecret, NOW)
    assertRefused('malformed', headers, body, signingSecret)
  }
  const large = form(JSON.stringify({ ...payload, filler: 'x'.repeat(600_000) }))
  assertRefused('too_large', signedCallback(large, signingSecret, NOW).headers, large, signingSecret)
})
