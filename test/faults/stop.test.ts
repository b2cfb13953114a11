import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { startReceiver } from '../../sandbox/receiver.ts'
import { createGate } from '../../sandbox/waiters.ts'
import { address, beside, run } from '../support/process.ts'
import { scene } from '../support/scene.ts'
import { ADMIN_KEY, testService } from '../support/service.ts'

const gate = createGate()
const receiver = await startReceiver({ gate })
after(() => receiver[Symbol.asyncDispose]())
const service = await testService({ env: { OUTBOUND_ALLOW: receiver.host } })

test('a stop waits for the running request, and for nothing else', async () => {
  const { admin, workspaceId } = service
  const url = `${receiver.url}/hook`
  const { id: destination_id } = await admin.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Main', url })
  const { ids } = await scene(service, { accounts: 2, owner: { client: admin, workspaceId } })
  const api = run(['serve', '--only', 'api'], {
    // Waiting for the end of this time would make the test time out.
    env: {
      ...beside(service),
      OUTBOUND_ALLOW: receiver.host,
      PUSH_INLINE_SECONDS: '8',
      SHUTDOWN_TIMEOUT_SECONDS: '600',
    },
  })
  const base = await address(api)

  const agent = new Agent({ keepAlive: true })
  after(() => agent.destroy())
  const call = async (method: string, path: string, body = '') => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const sent = request(base + path, { method, agent, headers }).end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return answer
  }
  const push = call('POST', '/v1/accounts/webhook-push', JSON.stringify({ destination_id, account_ids: ids }))
  await gate.untilHeld(ids.length)
  const idle = await call('GET', '/healthz')
  const { socket } = idle
  const idleClosed = once(socket, 'close')
  await text(idle)
  const late = connect(Number(new URL(base).port), '127.0.0.1')
  late.write('GET /readyz HTTP/1.1\r\nhost: x\r\n')
  await text(await call('GET', '/healthz'))

  api.child.kill('SIGTERM')
  await idleClosed
  late.write('\r\n')
  const refusal = await text(late)
  assert.match(refusal, /^HTTP\/1\.1 503 /)
  assert.match(refusal, /connection: close/i)
  assert.match(refusal, /"code":"unavailable","message":"The service is stopping/)

  const answer = await push
  assert.deepEqual([answer.statusCode, answer.headers.connection], [200, 'close'])
  const { data } = (await json(answer)) as { data: { failed: number } }
  assert.equal(data.failed, ids.length)
  assert.equal(await api.exited, 0)
  const [ended] = await admin.expect(200, 'GET', '/v1/push-runs')
  assert.deepEqual([ended.status, ended.failed], ['failed', ids.length])
})
