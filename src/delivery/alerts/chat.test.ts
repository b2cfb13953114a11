import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startInternet } from '../../../sandbox/internet.ts'
import { createSlack, type SlackFailure } from '../../../sandbox/vendors/slack.ts'
import { detect } from '../../../test/support/alerts.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { saveConnection } from '../../resources/connections/store.ts'

const slack = createSlack()
const internet = await startInternet((request) => {
  if (request.url.hostname !== 'slack.com') return null
  return slack.answer(request, { today: '2026-11-15', companies: [], stories: [], filings: [] })
})
after(() => internet[Symbol.asyncDispose]())
const receiver = await testReceiver()
const service = await testService({
  worker: true,
  env: {
    ...internet.env,
    OUTBOUND_ALLOW: receiver.host,
    ALERT_DELAY_SECONDS: '0',
    PUSH_RETRY_SECONDS: '0,0',
    PUBLIC_URL: 'https://bellwether.example',
  },
})
const { deps } = service
let channels = 0

/** A workspace with an active account and a connected chat with a separate channel. */
async function fresh({ name = 'Northwind', token = 'xoxb-1' as string | null, settings = {} } = {}) {
  const account = { name, domain: 'n0.com' }
  const { client, workspaceId, ids } = await scene(service, { accounts: [account], active: true })
  const [account_id] = ids as [string]
  const channel = `#deals-${++channels}`
  if (token) await saveConnection(deps.db, workspaceId, 'chat', deps.secrets, { credential: { token } })
  await client.expect(200, 'PUT', '/v1/settings/notifications', {
    chat_channel: channel,
    chat_enabled: true,
    ...settings,
  })
  const deliveries = () =>
    deps.db
      .selectFrom('alert_deliveries')
      .select(['channel', 'state', 'attempts'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('channel')
      .execute()
  return {
    client,
    workspaceId,
    account_id,
    channel,
    found: (...headlines: string[]) =>
      detect(
        deps,
        workspaceId,
        { account_id, run_id: null },
        headlines.map((headline) => ({ headline })),
      ),
    foundWith: (headline: string, claim: string, quote: string) =>
      detect(deps, workspaceId, { account_id, run_id: null }, [{ headline, claim, quote }]),
    posted: () => slack.messages.filter((message) => message.channel === channel),
    settled: (count: number) =>
      eventually('nothing is left to send', async () => {
        const rows = await deliveries()
        return rows.length === count && rows.every(({ state }) => state !== 'pending') && rows
      }),
    problem: async () => (await client.expect(200, 'GET', '/v1/integrations')).chat.problem,
  }
}

/** The texts of a message's blocks, in their order. */
function textsOf(blocks: unknown[]): string[] {
  return (blocks as { text?: { text: string }; elements?: { text: string }[] }[]).flatMap(({ text, elements = [] }) => [
    ...(text ? [text.text] : []),
    ...elements.map((element) => element.text),
  ])
}

test('an alert is posted to the channel with the headline, why now, the evidence and a link to the account', async () => {
  const { client, workspaceId, account_id, channel, found, posted, settled } = await fresh()
  await deps.db
    .updateTable('accounts')
    .set({ score: 71, why_now_md: '**Fresh money**, see [the news](https://n0.com/a?b=1&c=2).\n- hires' })
    .where('workspace_id', '=', workspaceId)
    .execute()
  await found('Raised a round')
  await settled(1)
  const [message, ...others] = posted()
  assert.ok(message && others.length === 0)
  assert.deepEqual([message.token, message.channel], ['xoxb-1', channel])
  assert.equal(message.text, 'New signal at Northwind (n0.com): Raised a round')
  assert.deepEqual(textsOf(message.blocks), [
    'New signal at Northwind (n0.com)',
    '*Why now*\n*Fresh money*, see <https://n0.com/a?b=1&amp;c=2|the news>.\n• hires',
    'Account score 71',
    '*Raised a round*\n• <https://n0.com/news?a=1&amp;b=2|Raised a round, says the page.>',
    'Funding, 2026-11-02, strength 50 of 100',
    `<https://bellwether.example/accounts/${account_id}|Open Northwind>`,
  ])
  const { chat } = await client.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual(chat, { connected: true, channel, interactions_url: null, problem: null })
  // What has no room is counted, in the line that a notification shows as well.
  await found('A', 'B', 'C', 'D', 'E', 'F')
  await settled(2)
  assert.match(posted()[1]?.text ?? '', /^6 new signals at Northwind \(n0\.com\): (?:[A-F]; ){4}[A-F] and 1 more$/)
})

test('where a claim only names the kind of event, the alert shows the sentence', async () => {
  const { foundWith, posted, settled } = await fresh()
  await foundWith('Northwind raised 20 million', 'Northwind raised capital', 'Northwind raised 20 million euros.')
  await settled(1)
  assert.ok(textsOf(posted()[0]?.blocks ?? []).some((text) => text.endsWith('|Northwind raised 20 million euros.>')))
})

test('the text of a page cannot mention everyone in the channel, and a long find stays within the limits', async () => {
  const { found, posted, settled } = await fresh({ name: '<!channel> & Sons' })
  await found(...Array.from({ length: 30 }, (_, n) => `<@U${n}> ${'x'.repeat(2_900)}`))
  await settled(1)
  const [message] = posted()
  assert.ok(message, 'it was posted')
  // The header is plain text to the chat.
  const [header, ...texts] = textsOf(message.blocks)
  assert.match(header ?? '', /^30 new signals at <!channel> & Sons/)
  assert.ok(texts.some((text) => text === 'and 25 more signals'))
  for (const text of [message.text, ...texts]) assert.doesNotMatch(text, /<[!@#]/)
})

test('a missing chat does not stop the webhook, and a broken one does not repeat it', async () => {
  for (const token of [null, 'xoxb-1']) {
    const path = `/hook/${channels}`
    const { found, settled, channel } = await fresh({
      token,
      settings: { webhook_url: receiver.url + path, webhook_enabled: true },
    })
    slack.fail(channel, ...Array.from({ length: 3 }, () => ({ error: 'internal_error' })))
    await found('Raised a round')
    const states = (await settled(2)).map(({ channel, state, attempts }) => [channel, state, attempts])
    assert.deepEqual(states, [
      ['chat', 'failed', token ? 3 : 1],
      ['webhook', 'sent', 1],
    ])
    assert.equal(receiver.deliveries.filter((delivery) => delivery.path === path).length, 1)
  }
})

const REFUSALS = [
  ['channel_not_found', /The channel #deals-\d+ does not exist/],
  ['not_in_channel', /not a member of #deals-\d+\. Invite it/],
  ['is_archived', /#deals-\d+ is archived/],
  ['invalid_auth', /does not accept the token\. Connect the chat again/],
  ['token_revoked', /was revoked/],
  ['missing_scope', /chat:write/],
  ['some_new_error', /refused the message \(some_new_error\)/],
] as const

test('a refusal is not repeated; the integrations show the reason until a message is delivered', async () => {
  await Promise.all(
    REFUSALS.map(async ([error, sentence]) => {
      const { channel, found, posted, settled, problem } = await fresh()
      slack.fail(channel, { error })
      await found('A')
      assert.deepEqual(await settled(1), [{ channel: 'chat', state: 'failed', attempts: 1 }], error)
      assert.match(await problem(), sentence)
      await found('B')
      await settled(2)
      assert.equal(posted().length, 1)
      assert.equal(await problem(), null)
    }),
  )
})

const PASSING: SlackFailure[] = [
  { error: 'rate_limited' },
  { error: 'fatal_error' },
  { status: 429, headers: { 'retry-after': '1' } },
  { status: 502, body: '<html>bad gateway</html>' },
  { status: 200, body: '{"ok":' },
]

test('what passes is tried again, and the message is posted once', async () => {
  await Promise.all(
    PASSING.map(async (failure) => {
      const { channel, found, posted, settled, problem } = await fresh()
      slack.fail(channel, failure)
      await found('A')
      const label = JSON.stringify(failure)
      assert.deepEqual(await settled(1), [{ channel: 'chat', state: 'sent', attempts: 2 }], label)
      assert.equal(posted().length, 1, label)
      assert.equal(await problem(), null, label)
    }),
  )
})

test('a test is posted to the channel, and its result contains the reason of a failure', async () => {
  const { client, channel } = await fresh({ settings: { chat_enabled: false } })
  const sendTest = async () => {
    const { latency_ms: _, ...answer } = await client.expect(200, 'POST', '/v1/settings/notifications/test', {
      channel: 'chat',
    })
    return answer
  }
  assert.deepEqual(await sendTest(), { delivered: true, status: 200, message: null })
  const posted = slack.messages.filter((message) => message.channel === channel)
  assert.equal(posted.length, 1)
  assert.match(JSON.stringify(posted), /This is a test/)
  const none = await fresh({ token: null })
  const { message } = await none.client.expect(200, 'POST', '/v1/settings/notifications/test', { channel: 'chat' })
  assert.equal(message, 'No chat is connected.')
})

test('another channel starts without the problem of the former one', async () => {
  const { client, channel, found, settled, problem } = await fresh()
  slack.fail(channel, { error: 'is_archived' })
  await found('A')
  await settled(1)
  assert.ok(await problem())
  await client.expect(200, 'PUT', '/v1/settings/notifications', { chat_channel: '#elsewhere' })
  assert.equal(await problem(), null)
})
