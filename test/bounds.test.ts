import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertDeliveries } from '../src/resources/webhook-destinations/delivery-store.ts'
import { detect } from './support/alerts.ts'
import { refused } from './support/client.ts'
import { scene, unique } from './support/scene.ts'
import { testService } from './support/service.ts'

const service = await testService()
const { admin, deps, workspaceId } = service
const long = (chars: number) => 'x'.repeat(chars)
const columns = (count: number) => Array.from({ length: count }, () => 'column=name%3DName').join('&')

const REFUSED: Record<string, string[]> = {
  'GET /alerts': ['?state=lost', '?channel=pigeon', '?type=other', '?page=0'],
  'GET /detections': ['?status=lost', `?signal_id=${long(2_001)}`, `?search=${long(301)}`, '?since=yesterday'],
  'GET /detections/by-week': ['?weeks=0', '?weeks=many'],
  'GET /accounts/ids': ['?status=lost', '?sort=height'],
  'GET /accounts/export': ['?status=lost', '?sort=height'],
}
for (const [operation, queries] of Object.entries(REFUSED)) {
  test(`${operation} rejects filters that nothing can match`, async () => {
    const path = operation.replace('GET ', '/v1')
    for (const query of queries) refused(await admin.get(path + query), 400, 'invalid_request')
  })
}

test('values out of range in a body are rejected with the field', async () => {
  for (const [path, body, field] of [
    ['/people/find/preview', { query: long(2_001) }, 'query'],
    ['/people/find', { query: 'CFO', search_id: 'mine' }, 'search_id'],
    ['/signals/preview', { description: 'They hire.', days: 0 }, 'days'],
    ['/signals/preview', { description: 'They hire.', days: 366 }, 'days'],
    ['/settings/notifications/test', { channel: 'pigeon' }, 'channel'],
    ['/settings/notifications/test', {}, 'channel'],
    ['/accounts/bulk', { action: 'tag', ids: [long(101)], tags: ['x'] }, 'ids.0'],
  ] as const) {
    const answer = await admin.post(`/v1${path}`, body)
    refused(answer, 400, 'invalid_request')
    assert.equal(answer.error.details[0].path, field, path)
  }
})

test('a page size above the maximum returns the maximum', async () => {
  for (const path of ['/alerts', '/detections', '/accounts/imports', '/sessions']) {
    const { body } = await admin.get(`/v1${path}?per_page=100000`)
    assert.equal(body.pagination.per_page, 100, path)
  }
})

test('the options for reading a file are validated too', async () => {
  for (const path of ['/v1/accounts/import', '/v1/accounts/import/preview']) {
    for (const query of [columns(21), `column=name%3D${long(400)}`, 'tag=%20', `tag=${long(500)}`, 'encoding=ebcdic']) {
      const file = { headers: { 'content-type': 'text/csv' }, body: 'Name\nAcme\n' }
      refused(await admin.send('POST', `${path}?${query}`, undefined, file), 400, 'invalid_request')
    }
  }
})

test('a finding and a delivery are found only under their account and destination', async () => {
  const { ids } = await scene(service, { accounts: 2, owner: { client: admin, workspaceId } })
  const [mine, other] = ids as [string, string]
  const { ids: found } = await detect(deps, workspaceId, { account_id: mine, run_id: null }, [{ headline: 'Raised' }])
  await admin.expect(200, 'GET', `/v1/accounts/${mine}/signals/${found[0]}/evidence`)
  refused(await admin.get(`/v1/accounts/${other}/signals/${found[0]}/evidence`), 404, 'not_found')
  const verdict = { verdict: 'wrong' }
  refused(await admin.put(`/v1/accounts/${other}/signals/${found[0]}/feedback`, verdict), 404, 'not_found')

  const add = async () => {
    const url = `https://${unique('hooks')}.example.com/x`
    return (await admin.expect(201, 'POST', '/v1/webhook-destinations', { name: unique('D'), url })).id as string
  }
  const [first, second] = [await add(), await add()]
  const sent = { record_id: mine, webhook_id: crypto.randomUUID(), attempt: 1, status: 422 }
  const rest = { message: null, latency_ms: 1, answer: null, sent_at: Date.now(), body_digest: '00' }
  await insertDeliveries(deps.db, workspaceId, { destination_id: first, run_id: null }, [{ ...sent, ...rest }])
  const [delivery] = await admin.expect(200, 'GET', `/v1/webhook-destinations/${first}/deliveries`)
  const { client: stranger } = await service.stranger()
  for (const [client, destination] of [
    [admin, second],
    [stranger, first],
  ] as const) {
    const path = `/v1/webhook-destinations/${destination}/deliveries/${delivery.id}`
    refused(await client.get(path), 404, 'not_found')
    refused(await client.post(`${path}/replay`), 404, 'not_found')
  }
})
