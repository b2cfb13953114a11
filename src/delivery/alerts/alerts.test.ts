import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { detect } from '../../../test/support/alerts.ts'
import { eventually, idle } from '../../../test/support/eventually.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { newId } from '../../shared/ids.ts'
import { queueAlert, sendSuggestions } from '../alert.ts'
import { ALERT_JOBS } from '../job.ts'

const receiver = await testReceiver()
const service = await testService({
  worker: true,
  env: {
    OUTBOUND_ALLOW: receiver.host,
    ALERT_DELAY_SECONDS: '0',
    PUSH_RETRY_SECONDS: '0,0',
    PUBLIC_URL: 'https://bellwether.example',
  },
})
const { deps } = service
const NORTHWIND = { name: 'Northwind', domain: 'n0.com' }
/** Long after the test, unless it hastens what waits. */
const LATER = { delay: 3600 }
let paths = 0

/** A workspace with an active account and a notification webhook with a separate path. */
async function fresh(settings: object = {}) {
  const { client, workspaceId, ids } = await scene(service, { accounts: [NORTHWIND], active: true })
  const [account_id] = ids as [string]
  const path = `/alerts/${++paths}`
  const { webhook_secret } = await client.expect(200, 'PUT', '/v1/settings/notifications', {
    webhook_url: receiver.url + path,
    webhook_enabled: true,
    ...settings,
  })
  const arrived = () => receiver.deliveries.filter((delivery) => delivery.path === path)
  const deliveries = () =>
    deps.db
      .selectFrom('alert_deliveries')
      .select(['alert_id', 'channel', 'state', 'attempts', 'message'])
      .where('workspace_id', '=', workspaceId)
      .execute()
  return {
    client,
    workspaceId,
    account_id,
    webhook_secret: webhook_secret as string,
    path,
    arrived,
    deliveries,
    found: (run_id: string | null, headlines: string[], options: { delay?: number; alphas?: number[] } = {}) =>
      detect(
        deps,
        workspaceId,
        { account_id, run_id },
        headlines.map((headline, at) => ({
          headline,
          ...(options.alphas ? { alpha: options.alphas[at] as number } : {}),
        })),
        options,
      ),
    /** Makes what waits to be sent due now. */
    hasten: async () => {
      const due = await deps.db
        .updateTable('alert_deliveries')
        .set({ next_attempt_at: sql`now()` })
        .where('workspace_id', '=', workspaceId)
        .where('state', '=', 'pending')
        .returning(['alert_id', 'channel'])
        .execute()
      for (const { alert_id, channel } of due) {
        await deps.jobs.enqueue(deps.db, ALERT_JOBS[channel], { workspace_id: workspaceId, alert_id })
      }
    },
    /** When nothing is left to send. */
    settled: (count: number) =>
      eventually('nothing is left to send', async () => {
        const rows = await deliveries()
        return rows.length === count && rows.every(({ state }) => state !== 'pending') && rows
      }),
  }
}

test('new detections on an active account are one signed alert with the findings, the strongest first', async () => {
  const { client, account_id, webhook_secret, found, arrived, settled, workspaceId } = await fresh()
  await deps.db
    .updateTable('accounts')
    .set({ score: 71, is_hot: true, why_now_md: 'They **raised**.' })
    .where('workspace_id', '=', workspaceId)
    .execute()
  const run_id = newId()
  const { ids } = await found(run_id, ['Hires a CFO', 'Raised a round'], { alphas: [40, 80] })
  await settled(1)
  const [delivery, ...others] = arrived()
  assert.ok(delivery && others.length === 0)
  const body = new Webhook(webhook_secret).verify(delivery.body, delivery.headers) as Record<string, string>
  const { timestamp, ...rest } = body
  assert.ok(Math.abs(Date.parse(String(timestamp)) - Date.now()) < 60_000)
  const evidence = (headline: string) => [
    { claim: `${headline}, says the page.`, source_url: 'https://n0.com/news?a=1&b=2', published_date: '2026-11-01' },
  ]
  const common = { signal_id: 'funding', signal_name: 'Funding', icp_fit: 50, detected_at: '2026-11-02' }
  assert.deepEqual(rest, {
    type: 'signal.detected',
    data: {
      run_id,
      account: {
        ...{ id: account_id, name: 'Northwind', domain: 'n0.com', score: 71, is_hot: true },
        why_now_md: 'They **raised**.',
        url: `https://bellwether.example/accounts/${account_id}`,
      },
      detections: [
        { ...common, id: ids[1], headline: 'Raised a round', alpha: 80, evidence: evidence('Raised a round') },
        { ...common, id: ids[0], headline: 'Hires a CFO', alpha: 40, evidence: evidence('Hires a CFO') },
      ],
      total: 2,
    },
  })
  assert.equal((await client.expect(200, 'GET', '/v1/integrations')).webhook.problem, null)
})

test('alerts are listed with what was sent where and when, by state, channel and type', async () => {
  const { client, account_id, found, settled, workspaceId, path } = await fresh({ notify_suggested: true })
  await found(newId(), ['Hires a CFO', 'Raised a round'], { alphas: [40, 80] })
  await settled(1)
  receiver.behave({ do: 'answer', status: 422 }, path)
  await found(newId(), ['Opens an office'])
  await settled(2)
  receiver.behave({ do: 'answer' }, path)
  const names = ['A', 'B', 'C', 'D', 'E', 'F']
  const accounts = await client.expect(
    201,
    'POST',
    '/v1/accounts',
    names.map((name) => ({ name })),
  )
  const run_id = newId()
  const account_ids = accounts.map(({ id }: { id: string }) => id)
  await deps.db.transaction().execute(async (db) => {
    await queueAlert({ ...deps, db }, workspaceId, { type: 'account.suggested', run_id, account_ids })
    await sendSuggestions({ ...deps, db }, workspaceId, run_id)
  })
  await settled(3)

  const { data, body } = await client.get('/v1/alerts')
  assert.equal(body.pagination.total, 3)
  const target = `${receiver.url}/…`
  const common = { channel: 'webhook', attempts: 1, rule: null, member: null, target }
  const account = { id: account_id, name: 'Northwind' }
  const five = accounts.slice(0, 5).map(({ id, name }: { id: string; name: string }) => ({ id, name }))
  assert.deepEqual(
    data.map(({ id: _, created_at, sent_at, ...alert }: Record<string, string>) => {
      assert.equal(alert.state === 'sent', sent_at !== null && String(sent_at) >= String(created_at))
      return alert
    }),
    [
      {
        ...{ ...common, type: 'account.suggested', state: 'sent', status: 200, error: null },
        ...{ account: null, accounts: five, headlines: [], total: 6 },
      },
      {
        ...{ ...common, type: 'signal.detected', state: 'failed', status: 422, error: 'The receiver answered 422.' },
        ...{ account, accounts: [], headlines: ['Opens an office'], total: 1 },
      },
      {
        ...{ ...common, type: 'signal.detected', state: 'sent', status: 200, error: null },
        ...{ account, accounts: [], headlines: ['Raised a round', 'Hires a CFO'], total: 2 },
      },
    ],
  )
  for (const [query, at] of [
    ['state=failed', [1]],
    ['type=signal.detected', [1, 2]],
    ['channel=chat', []],
    ['per_page=1&page=2', [1]],
  ] as const) {
    assert.deepEqual(
      (await client.get(`/v1/alerts?${query}`)).data,
      at.map((one) => data[one]),
      query,
    )
  }
  const stranger = await service.stranger()
  assert.deepEqual(await stranger.client.expect(200, 'GET', '/v1/alerts'), [])
})

test('what one run finds on an account bit by bit is one alert; another run gives another', async () => {
  const { found, arrived, hasten, settled } = await fresh()
  const [one, two] = [newId(), newId()]
  await Promise.all([
    found(one, ['A'], LATER),
    found(one, ['B', 'C'], LATER),
    found(two, ['D'], LATER),
    found(null, ['E'], LATER),
    found(null, ['F'], LATER),
  ])
  await hasten()
  await settled(3)
  const sent = arrived().map(({ body }) =>
    JSON.parse(body)
      .data.detections.map(({ headline }: { headline: string }) => headline)
      .sort()
      .join(''),
  )
  assert.deepEqual(sent.sort(), ['ABC', 'D', 'EF'])
})

test('what a run finds after its alert was sent is in a second alert, without the first findings', async () => {
  const { found, arrived, settled, workspaceId, account_id } = await fresh()
  const run_id = newId()
  const { ids } = await found(run_id, ['A'])
  await settled(1)
  await found(run_id, ['B'])
  await settled(2)
  const again = await queueAlert(deps, workspaceId, { type: 'signal.detected', account_id, run_id, detection_ids: ids })
  assert.equal(again, false, 'a detection is in one alert only')
  const sent = arrived().map(({ body }) => JSON.parse(body).data.detections[0].headline)
  assert.deepEqual(sent, ['A', 'B'])
  assert.equal(new Set(arrived().map(({ id }) => id)).size, 2)
})

test('nothing is sent when alerts, or all channels, are switched off, or when the transaction is undone', async () => {
  for (const settings of [
    { notify_realtime: false },
    { webhook_enabled: false },
    { webhook_url: null },
    { webhook_enabled: false, chat_enabled: true },
  ]) {
    const { found, deliveries } = await fresh(settings)
    assert.equal((await found(null, ['A'])).queued, false)
    assert.deepEqual(await deliveries(), [])
  }
  const { workspaceId, account_id, deliveries } = await fresh()
  const undone = deps.db.transaction().execute(async (db) => {
    await queueAlert({ ...deps, db }, workspaceId, {
      ...{ type: 'signal.detected', account_id, run_id: null, detection_ids: [newId()] },
    } as const)
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual(await deliveries(), [])
})

test('an alert that fails is sent again under the same id, several jobs or not, and acknowledged once', async () => {
  const { found, arrived, settled, workspaceId, deliveries } = await fresh()
  receiver.next({ do: 'answer', status: 503 })
  await found(null, ['A'], { delay: 1 })
  const [row] = await deliveries()
  const payload = { workspace_id: workspaceId, alert_id: row?.alert_id as string }
  for (let n = 0; n < 5; n++) await deps.jobs.enqueue(deps.db, ALERT_JOBS.webhook, payload)
  const [{ state, attempts } = {} as never] = await settled(1)
  assert.deepEqual([state, attempts], ['sent', 2])
  await idle(service)
  assert.deepEqual(
    arrived().map(({ status }) => status),
    [503, 200],
  )
  assert.equal(new Set(arrived().map(({ id }) => id)).size, 1)
})

test('an alert fails after its attempts, the integrations show why, and the next success clears it', async () => {
  const { client, found, arrived, settled, path } = await fresh()
  receiver.behave({ do: 'answer', status: 500 }, path)
  await found(null, ['A'])
  const [{ state, attempts, message } = {} as never] = await settled(1)
  assert.deepEqual([state, attempts, message], ['failed', 3, 'The receiver answered 500.'])
  assert.equal(arrived().length, 3)
  const { webhook } = await client.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual(webhook, { enabled: true, url: receiver.url + path, problem: 'The receiver answered 500.' })
  receiver.behave({ do: 'answer' }, path)
  await found(null, ['B'])
  await settled(2)
  assert.equal((await client.expect(200, 'GET', '/v1/integrations')).webhook.problem, null)
})

test('a refusal is not repeated, and a new URL starts without the problem of the old one', async () => {
  const { client, found, arrived, settled, path } = await fresh()
  receiver.behave({ do: 'answer', status: 404 }, path)
  await found(null, ['A'])
  await settled(1)
  assert.equal(arrived().length, 1)
  assert.equal((await client.expect(200, 'GET', '/v1/integrations')).webhook.problem, 'The receiver answered 404.')
  await client.expect(200, 'PUT', '/v1/settings/notifications', { webhook_url: `${receiver.url}${path}/other` })
  assert.equal((await client.expect(200, 'GET', '/v1/integrations')).webhook.problem, null)
})

test('an alert is dropped when its account is no longer active, is deleted, or the channel was switched off', async () => {
  const { client, account_id, found, hasten, settled, deliveries } = await fresh()
  await found(newId(), ['A'], LATER)
  await client.expect(200, 'POST', `/v1/accounts/${account_id}/deactivate`)
  await hasten()
  const [dropped] = await settled(1)
  assert.deepEqual([dropped?.state, dropped?.message], ['dropped', 'There is nothing left to report.'])

  await client.expect(200, 'POST', `/v1/accounts/${account_id}/activate`)
  await found(newId(), ['B'], LATER)
  await client.expect(200, 'DELETE', `/v1/accounts/${account_id}`)
  assert.deepEqual(await deliveries(), [], 'alerts go with their account')

  const other = await fresh()
  await other.found(null, ['C'], LATER)
  await other.client.expect(200, 'PUT', '/v1/settings/notifications', { webhook_enabled: false })
  await other.hasten()
  const [off] = await other.settled(1)
  assert.deepEqual([off?.state, off?.message], ['dropped', 'The channel was switched off.'])
  assert.equal(other.arrived().length, 0)
})

test('a finding marked as wrong before its alert is sent is left out, and an alert without findings is dropped', async () => {
  const { client, account_id, found, hasten, settled, arrived } = await fresh()
  const wrong = (id: string | undefined) =>
    client.expect(200, 'PUT', `/v1/accounts/${account_id}/signals/${id}/feedback`, { verdict: 'wrong' })
  const both = await found(newId(), ['A', 'B'], LATER)
  await wrong(both.ids[0])
  const alone = await found(newId(), ['C'], LATER)
  await wrong(alone.ids[0])
  await hasten()
  assert.deepEqual((await settled(2)).map(({ state }) => state).sort(), ['dropped', 'sent'])
  const [{ data }] = arrived().map(({ body }) => JSON.parse(body))
  assert.deepEqual([data.total, data.detections[0].headline], [1, 'B'])
})

test('accounts a discovery run suggests wait for its end or ten minutes, and are one alert with the best twenty', async () => {
  const { client, workspaceId, arrived, deliveries, settled } = await fresh({ notify_suggested: true })
  const given = Array.from({ length: 31 }, (_, n) => ({ name: `N${n}`, domain: `s${n}.com` }))
  const created = await client.expect(201, 'POST', '/v1/accounts', given)
  const account_ids = created.map(({ id }: { id: string }) => id) as string[]
  await deps.db
    .updateTable('accounts')
    .set({ score: 90 })
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', 'N29')
    .execute()
  const run_id = newId()
  const suggest = (account_ids: string[]) =>
    queueAlert(deps, workspaceId, { type: 'account.suggested', run_id, account_ids })
  for (const part of [account_ids.slice(0, 10), account_ids.slice(10, 30)]) assert.ok(await suggest(part))
  await client.expect(200, 'POST', `/v1/accounts/${account_ids[0]}/reject`)
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from next_attempt_at - now()) / 60 as minutes from alert_deliveries
    where workspace_id = ${workspaceId}`.execute(deps.db)
  assert.deepEqual(
    rows.map(({ minutes }) => Math.round(minutes)),
    [10],
  )
  await sendSuggestions(deps, workspaceId, run_id)
  await settled(1)
  const [delivery, ...others] = arrived()
  assert.equal(others.length, 0)
  const { type, data } = JSON.parse(delivery?.body ?? '{}')
  assert.equal(type, 'account.suggested')
  assert.deepEqual([data.run_id, data.total, data.accounts.length, data.accounts[0].name], [run_id, 29, 20, 'N29'])
  assert.ok(data.accounts.every(({ name }: { name: string }) => name !== 'N0'))
  // What a run suggests after that is the next alert, and ends of other runs do not send it.
  assert.ok(await suggest(account_ids))
  await sendSuggestions(deps, workspaceId, newId())
  assert.deepEqual((await deliveries()).map(({ state }) => state).sort(), ['pending', 'sent'])
  await sendSuggestions(deps, workspaceId, run_id)
  await settled(2)
  assert.deepEqual(JSON.parse(arrived()[1]?.body ?? '{}').data.total, 1)
})

test('suggested accounts are in an alert only when that is switched on', async () => {
  const { workspaceId, account_id } = await fresh()
  const alert = { type: 'account.suggested', run_id: newId(), account_ids: [account_id] } as const
  assert.equal(await queueAlert(deps, workspaceId, alert), false)
})
