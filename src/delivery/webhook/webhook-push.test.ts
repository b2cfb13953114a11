import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { refused } from '../../../test/support/client.ts'
import { ended, idle } from '../../../test/support/eventually.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { openRanges } from '../../resources/push-runs/work-store.ts'
import { resumeDeliveries } from '../job.ts'

const receiver = await testReceiver()
const OUTBOUND_ALLOW = receiver.host
const service = await testService({ worker: true, env: { OUTBOUND_ALLOW, PUSH_RETRY_SECONDS: '0,0,0' } })
/** On the same database, one whose inline pushes end soon and whose second pause is an hour. */
const hasty = await testService({
  databaseUrl: service.databaseUrl,
  env: { OUTBOUND_ALLOW, PUSH_RETRY_SECONDS: '0,3600', PUSH_INLINE_SECONDS: '6' },
})
const { db } = service.deps
let paths = 0

/** A workspace with accounts and a destination with a separate path, so that tests do not see each other's rows. */
async function fresh(count: number, { on = service } = {}) {
  const accounts = Array.from({ length: count }, (_, n) => ({ name: `N${n}`, domain: `n${n}.com`, tags: ['a', 'b'] }))
  const { client, workspaceId, ids, save } = await scene(on, { accounts })
  const path = `/hook/${++paths}`
  const destination = await client.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Main',
    url: receiver.url + path,
  })
  const arrived = () => receiver.deliveries.filter((delivery) => delivery.path === path)
  const push = (account_ids: string[], more: object = {}, options?: { headers: Record<string, string> }) =>
    client.post('/v1/accounts/webhook-push', { destination_id: destination.id, account_ids, ...more }, options)
  return { client, workspaceId, destination, ids, save, path, arrived, push }
}

test('up to 100 accounts are pushed at once, one flat signed row each', async () => {
  const { client, ids, push, arrived, destination, workspaceId } = await fresh(3)
  await client.expect(200, 'PATCH', `/v1/accounts/${ids[0]}`, { industry: 'Rail', employees: 12 })
  const wrong = crypto.randomUUID()
  const evidence = [{ claim: 'Raised.', source_url: 'https://n0.com/news', published_date: '2026-11-01' }]
  const base = {
    workspace_id: workspaceId,
    account_id: ids[0] as string,
    alpha: 80,
    icp_fit: 50,
    signal_present: true,
    evidence: JSON.stringify(evidence),
  }
  await db
    .insertInto('signal_detections')
    .values([
      { ...base, id: crypto.randomUUID(), signal_id: 'hiring', detected_at: '2026-10-01', headline: 'Old' },
      { ...base, id: crypto.randomUUID(), signal_id: 'funding', detected_at: '2026-11-02', headline: 'Raised a round' },
      { ...base, id: wrong, signal_id: 'ipo', detected_at: '2026-11-05', headline: 'Somebody else lists' },
    ])
    .execute()
  await client.expect(200, 'PUT', `/v1/accounts/${ids[0]}/signals/${wrong}/feedback`, { verdict: 'wrong' })
  await db.updateTable('accounts').set({ score: 0 }).where('id', '=', base.account_id).execute()
  const answer = await push(ids)
  assert.deepEqual(
    [answer.status, answer.data],
    [200, { pushed: 3, failed: 0, skipped: 0, errors: [], skipped_records: [] }],
  )
  assert.equal(arrived().length, 3)
  const rows = arrived().map(
    ({ body, headers }) => new Webhook(destination.secret).verify(body, headers) as Record<string, unknown>,
  )
  const row = rows.find(({ id }) => id === ids[0]) ?? {}
  assert.ok(
    Object.values(row).every((value) => value === null || typeof value !== 'object'),
    'rows are flat',
  )
  const {
    name,
    record_type,
    tags,
    industry,
    employees,
    signal_id,
    signal_headline,
    signal_detected_at,
    signal_source_url,
  } = row
  assert.deepEqual(
    { name, record_type, tags, industry, employees, signal_id, signal_headline, signal_detected_at, signal_source_url },
    {
      ...{ name: 'N0', record_type: 'account', tags: 'a, b', industry: 'Rail', employees: 12, signal_id: 'funding' },
      ...{
        signal_headline: 'Raised a round',
        signal_detected_at: '2026-11-02',
        signal_source_url: 'https://n0.com/news',
      },
    },
  )
  assert.ok('why_now' in row && row.score === 0)
})

test('people are pushed with their company', async () => {
  const { client, save, ids, destination, arrived } = await fresh(1)
  const [person] = await save([{ account_id: ids[0] as string, full_name: 'Mara Lind', title: 'VP' }])
  const answer = await client.post('/v1/people/webhook-push', {
    destination_id: destination.id,
    contact_ids: [person?.id, ids[0]],
  })
  const { skipped_records, ...counts } = answer.data
  assert.deepEqual(counts, { pushed: 1, failed: 0, skipped: 1, errors: [] })
  assert.deepEqual(skipped_records, [{ id: ids[0], message: 'It names no record that you can see.' }])
  const row = JSON.parse(arrived()[0]?.body ?? '{}')
  assert.deepEqual(
    [row.id, row.record_type, row.full_name, row.account_name, row.account_domain],
    [person?.id, 'person', 'Mara Lind', 'N0', 'n0.com'],
  )
})

test('an id that comes again, unknown, foreign and malformed ones are skipped; every id sent is counted', async () => {
  const { ids, push, arrived } = await fresh(2)
  const other = await fresh(1)
  const answer = await push([
    ids[0],
    ids[0]?.toUpperCase(),
    ids[1],
    other.ids[0],
    '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
    'x',
  ] as string[])
  const { skipped_records, ...counts } = answer.data
  assert.deepEqual(counts, { pushed: 2, failed: 0, skipped: 4, errors: [] })
  assert.deepEqual(skipped_records, [
    { id: other.ids[0], message: 'It names no record that you can see.' },
    { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', message: 'It names no record that you can see.' },
    { id: ids[0]?.toUpperCase(), message: 'It is repeated in the list.' },
    { id: 'x', message: 'It is not an id.' },
  ])
  assert.equal(arrived().length, 2)
})

test('an inline row is tried as often as one in the background and then reported', async () => {
  const { ids, push, arrived, path } = await fresh(1)
  receiver.behave({ do: 'answer', status: 503, headers: { 'retry-after': '0' } }, path)
  const answer = await push(ids)
  assert.deepEqual(answer.data, {
    pushed: 0,
    failed: 1,
    skipped: 0,
    errors: [{ id: ids[0], status: 503, message: 'The receiver answered 503.' }],
    skipped_records: [],
  })
  assert.equal(arrived().length, 4, 'one attempt and one for each pause')
  assert.equal(new Set(arrived().map(({ id }) => id)).size, 1, 'a redelivery repeats its id')
})

for (const [status, calls] of [
  [400, 1],
  [404, 1],
  [302, 1],
  [408, 4],
  [429, 4],
  [500, 4],
] as const) {
  test(`an answer of ${status} means ${calls} ${calls === 1 ? 'attempt' : 'attempts'}`, async () => {
    const { ids, push, arrived, path } = await fresh(1)
    receiver.behave({ do: 'answer', status, headers: { location: 'https://example.com/', 'retry-after': '0' } }, path)
    const { data } = await push(ids)
    assert.deepEqual([data.failed, data.errors[0].status, arrived().length], [1, status, calls])
  })
}

test('a receiver that drops the connection gets another attempt', async () => {
  const { ids, push, arrived } = await fresh(1)
  receiver.next({ do: 'drop' })
  assert.deepEqual((await push(ids)).data, { pushed: 1, failed: 0, skipped: 0, errors: [], skipped_records: [] })
  assert.equal(arrived().length, 2)
})

/** Lets every job run that could send something of a push. */
async function takeUpRuns() {
  await service.deps.jobs.enqueue(db, resumeDeliveries, { idle: 0 })
  await idle(service)
}

test('a receiver that never answers: every row is in failed with its reason, and is not sent again unless asked for', async () => {
  const { client, ids, push, path, arrived } = await fresh(3, { on: hasty })
  receiver.behave({ do: 'stall' }, path)
  const answer = await push([...ids, 'x'])
  const message = 'There was no answer in time; it may have arrived.'
  assert.deepEqual(
    [answer.status, answer.data],
    [
      200,
      {
        ...{ pushed: 0, failed: 3, skipped: 1, errors: ids.map((id) => ({ id, status: null, message })) },
        skipped_records: [{ id: 'x', message: 'It is not an id.' }],
      },
    ],
  )
  receiver.behave({ do: 'answer' }, path)
  await takeUpRuns()
  assert.equal(arrived().length, 3, 'what was reported as failed is not sent again')
  const [run] = await client.expect(200, 'GET', '/v1/push-runs')
  assert.deepEqual([run.status, run.sent, run.failed, run.skipped, run.total], ['failed', 0, 3, 1, 4])
  assert.deepEqual(run.skipped_sample, answer.data.skipped_records)
  await client.expect(200, 'POST', `/v1/push-runs/${run.id}/retry`)
  const again = await ended(client, `/v1/push-runs/${run.id}`)
  assert.deepEqual([again.status, again.sent, again.failed, again.skipped], ['completed', 3, 0, 1])
  assert.equal(arrived().length, 6)
})

test('what would have to be tried again after the call has failed; the answer and the run count the same', async () => {
  const { client, ids, push, path, arrived } = await fresh(3, { on: hasty })
  receiver.behave({ do: 'answer', status: 500 }, path)
  receiver.next({ do: 'answer', status: 422 }, { do: 'answer', status: 200 })
  const { status, data } = await push(ids)
  assert.deepEqual([status, data.pushed, data.failed, data.skipped], [200, 1, 2, 0])
  assert.deepEqual(
    data.errors.map((error: { status: number; message: string }) => [error.status, error.message]).sort(),
    [
      [422, 'The receiver answered 422.'],
      [500, 'The receiver answered 500.'],
    ],
  )
  const sent = arrived().length
  const [run] = await client.expect(200, 'GET', '/v1/push-runs')
  assert.deepEqual([run.status, run.sent, run.failed, run.skipped, run.total], ['completed', 1, 2, 0, 3])
  const names = new Map(
    (await client.expect(200, 'GET', '/v1/accounts')).map(({ id, name }: { id: string; name: string }) => [id, name]),
  )
  assert.deepEqual(
    run.error_sample,
    data.errors.map((error: { id: string }) => ({ ...error, name: names.get(error.id) })),
  )
  await takeUpRuns()
  assert.equal(arrived().length, sent)
})

test('an inline push whose process is gone ends as failed and sends nothing more', async () => {
  const { client, ids, push, path, arrived, workspaceId } = await fresh(2)
  receiver.behave({ do: 'answer', status: 422 }, path)
  await push(ids)
  // As a process that was killed leaves it: the first row written down, the second not.
  const [{ id }] = await client.expect(200, 'GET', '/v1/push-runs')
  const past = new Date(Date.now() - 60_000)
  const left = { status: 'running', failed: 1, finished_at: null, ends_at: past, touched_at: past } as const
  await db.updateTable('push_runs').set(left).where('id', '=', id).execute()
  await db
    .updateTable('push_rows')
    .set({ state: 'pending', attempts: 0, status: null, message: null })
    .where('run_id', '=', id)
    .where('record_id', '=', ids[1] as string)
    .execute()
  await openRanges(db, workspaceId, id)
  await takeUpRuns()
  const run = await client.expect(200, 'GET', `/v1/push-runs/${id}`)
  assert.deepEqual([run.status, run.sent, run.failed], ['failed', 0, 2])
  assert.equal(run.error_sample[1].message, 'The service stopped during the push. It may have arrived; push it again.')
  assert.equal(arrived().length, 2)
})

for (const [how, more, headers, applied] of [
  ['Prefer: respond-async', {}, { prefer: 'wait=10, Respond-Async' }, 'respond-async'],
  ['retry: true', { retry: true }, {}, null],
] as const) {
  test(`a few ids are a run in the background on request: ${how}`, async () => {
    const { client, ids, push, path, arrived } = await fresh(1)
    receiver.next({ do: 'answer', status: 500 })
    const answer = await push(ids, more, { headers })
    const { run_id, ...rest } = answer.data
    assert.deepEqual([answer.status, rest], [202, { total: 1, status: 'running' }])
    assert.equal(answer.headers.get('preference-applied'), applied)
    const run = await ended(client, `/v1/push-runs/${run_id}`)
    assert.deepEqual([run.status, run.sent, arrived().length], ['completed', 1, 2], path)
  })
}

test('an inline push with an Idempotency-Key is sent once, and its failures are answered again', async () => {
  const { ids, push, path, arrived } = await fresh(1)
  receiver.behave({ do: 'answer', status: 422 }, path)
  const key = { headers: { 'idempotency-key': 'inline-1' } }
  const first = await push(ids, {}, key)
  receiver.behave({ do: 'answer' }, path)
  const second = await push(ids, {}, key)
  assert.deepEqual([second.status, second.data, second.data.failed], [200, first.data, 1])
  refused(await push(ids, { retry: true }, key), 409, 'idempotency_key_reused')
  assert.equal(arrived().length, 1)
})

test('more than 100 ids become a run in the background that delivers every row', async () => {
  const { client, ids, push, arrived, destination } = await fresh(250)
  const started = await push([...ids, 'malformed', '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'])
  assert.equal(started.status, 202)
  assert.deepEqual([started.data.total, started.data.status], [252, 'running'])
  const run = await ended(client, `/v1/push-runs/${started.data.run_id}`)
  const { created_at, finished_at, ...rest } = run
  assert.ok(created_at < finished_at)
  assert.deepEqual(rest, {
    id: started.data.run_id,
    channel: 'webhook',
    record_type: 'accounts',
    status: 'completed',
    destination: { id: destination.id, name: destination.name },
    providers: [],
    total: 252,
    sent: 250,
    failed: 0,
    skipped: 2,
    error_sample: [],
    skipped_sample: [
      { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', message: 'It names no record that you can see.' },
      { id: 'malformed', message: 'It is not an id.' },
    ],
  })
  assert.deepEqual(new Set(arrived().map(({ body }) => JSON.parse(body).id)), new Set(ids))
  assert.equal(arrived().length, 250)
  assert.deepEqual(
    (await client.get('/v1/push-runs')).data.map(({ id }: { id: string }) => id),
    [run.id],
  )
  assert.equal((await client.get('/v1/push-runs?status=failed')).body.pagination.total, 0)
})

test('more than 100 ids are a run although some come twice, for accounts and people alike; 100 are not', async () => {
  const { client, ids, save, push, arrived, destination } = await fresh(2)
  const twice = [...ids, ...Array.from({ length: 99 }, () => ids[0] as string)]
  const inline = await push(twice.slice(1))
  assert.deepEqual([inline.status, inline.data.pushed, inline.data.skipped], [200, 2, 98])
  const [person] = await save([{ account_id: ids[0] as string, full_name: 'Mara Lind' }])
  const started = [
    await push(twice),
    await client.post('/v1/people/webhook-push', {
      destination_id: destination.id,
      contact_ids: Array.from({ length: 101 }, () => person?.id),
    }),
  ]
  for (const [at, sent] of [2, 1].entries()) {
    const { status, data } = started[at] as (typeof started)[number]
    assert.deepEqual([status, data.total], [202, 101])
    const run = await ended(client, `/v1/push-runs/${data.run_id}`)
    assert.deepEqual([run.total, run.sent, run.failed, run.skipped], [101, sent, 0, 101 - sent])
  }
  assert.equal(arrived().length, 5, 'nothing is delivered twice in one push')
})

test('rows that fail are tried again, then counted; a retry sends only them, under the same ids', async () => {
  const { client, ids, push, arrived, path, destination } = await fresh(120)
  const body = 'No "room" \\ {left},NULL\n\tnow'
  receiver.behave({ do: 'answer', status: 500, body }, path)
  const { data } = await push(ids)
  const run = await ended(client, `/v1/push-runs/${data.run_id}`)
  assert.deepEqual([run.status, run.sent, run.failed], ['failed', 0, 120])
  assert.equal(run.error_sample.length, 10)
  assert.deepEqual([run.error_sample[0].status, run.error_sample[0].message], [500, 'The receiver answered 500.'])
  assert.equal(arrived().length, 120 * 4, 'one attempt and one for each pause')
  const [logged] = (await client.get(`/v1/webhook-destinations/${destination.id}/deliveries`)).data
  assert.deepEqual([logged.answer, logged.attempt], [body, 4])
  const before = new Set(arrived().map(({ id }) => id))
  assert.equal(before.size, 120)
  receiver.behave({ do: 'answer' }, path)
  await client.expect(200, 'POST', `/v1/push-runs/${run.id}/retry`)
  const again = await ended(client, `/v1/push-runs/${run.id}`)
  assert.deepEqual([again.status, again.sent, again.failed, again.error_sample], ['completed', 120, 0, []])
  assert.deepEqual(
    new Set(
      arrived()
        .slice(480)
        .map(({ id }) => id),
    ),
    before,
  )
  assert.equal((await client.expect(200, 'POST', `/v1/push-runs/${run.id}/retry`)).status, 'completed')
})

test('a receiver that responds with 410 ends the run as failed, its rows counted', async () => {
  const { client, ids, push, path } = await fresh(150)
  receiver.behave({ do: 'answer', status: 410 }, path)
  const run = await ended(client, `/v1/push-runs/${(await push(ids)).data.run_id}`)
  assert.deepEqual([run.status, run.sent + run.failed + run.skipped], ['failed', 150])
  assert.match(run.error_sample[0].message, /410/)
})

test('a destination deleted in mid-run ends the run as failed, its rows counted', async () => {
  const { client, ids, push, path, destination } = await fresh(150)
  receiver.behave({ do: 'stall' }, path)
  const at = receiver.deliveries.length
  const { data } = await push(ids)
  await receiver.received(at + 1)
  await client.expect(200, 'DELETE', `/v1/webhook-destinations/${destination.id}`)
  receiver.behave({ do: 'answer', status: 500 }, path)
  const run = await ended(client, `/v1/push-runs/${data.run_id}`)
  assert.deepEqual([run.status, run.sent + run.failed + run.skipped], ['failed', 150])
  assert.equal(run.error_sample[0].message, 'The destination was deleted.')
  refused(await client.post(`/v1/push-runs/${run.id}/retry`), 422, 'unknown_destination')
})

test('an account deleted in mid-run is skipped', async () => {
  const { client, ids, push, workspaceId } = await fresh(130)
  const { data } = await push(ids)
  await db
    .deleteFrom('accounts')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', ids[129] as string)
    .execute()
  const run = await ended(client, `/v1/push-runs/${data.run_id}`)
  assert.deepEqual([run.status, run.sent + run.skipped, run.failed], ['completed', 130, 0])
})

test('a scoped member pushes only the people they may see', async () => {
  const { client, save, destination, ids, arrived } = await fresh(1)
  const [mine, other] = await save(['Mine', 'Other'].map((full_name) => ({ account_id: ids[0] as string, full_name })))
  const member = await client.expect(201, 'POST', '/v1/members', {
    name: 'S',
    email: 's@x.example',
    visibility: 'scoped',
  })
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'S', member_id: member.id })
  await client.expect(200, 'PUT', `/v1/people/${mine?.id}/owner`, { owner_id: member.id })
  const answer = await service
    .as(key)
    .post('/v1/people/webhook-push', { destination_id: destination.id, contact_ids: [mine?.id, other?.id] })
  assert.deepEqual([answer.data.pushed, answer.data.skipped_records[0].id], [1, other?.id])
  const many = Array.from({ length: 101 }, () => crypto.randomUUID())
  const started = await service
    .as(key)
    .post('/v1/people/webhook-push', { destination_id: destination.id, contact_ids: [mine?.id, other?.id, ...many] })
  const run = await ended(client, `/v1/push-runs/${started.data.run_id}`)
  assert.deepEqual([run.record_type, run.sent, run.skipped], ['people', 1, 102])
  assert.ok(arrived().every(({ body }) => JSON.parse(body).full_name === 'Mine'))
})

test('a destination that is not there is refused, and so is a body without ids', async () => {
  const { client, ids, destination } = await fresh(1)
  for (const destination_id of ['x', '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87']) {
    refused(
      await client.post('/v1/accounts/webhook-push', { destination_id, account_ids: ids }),
      422,
      'unknown_destination',
    )
    refused(
      await client.post('/v1/people/webhook-push', { destination_id, contact_ids: ids }),
      422,
      'unknown_destination',
    )
  }
  refused(await client.post('/v1/accounts/webhook-push', { destination_id: destination.id }), 400, 'invalid_request')
  assert.deepEqual(
    (await client.post('/v1/accounts/webhook-push', { destination_id: destination.id, account_ids: [] })).data,
    { pushed: 0, failed: 0, skipped: 0, errors: [], skipped_records: [] },
  )
  const elsewhere = await fresh(0)
  refused(await elsewhere.client.get('/v1/push-runs/019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'), 404, 'not_found')
})

test('a push of the same request is accepted once with an Idempotency-Key', async () => {
  const { client, ids, destination } = await fresh(120)
  const body = { destination_id: destination.id, account_ids: ids }
  const key = { headers: { 'idempotency-key': 'push-1' } }
  const [one, two] = await Promise.all([
    client.post('/v1/accounts/webhook-push', body, key),
    client.post('/v1/accounts/webhook-push', body, key),
  ])
  assert.equal(one.data.run_id, two.data.run_id)
  await ended(client, `/v1/push-runs/${one.data.run_id}`)
  assert.equal((await client.get('/v1/push-runs')).body.pagination.total, 1)
})
