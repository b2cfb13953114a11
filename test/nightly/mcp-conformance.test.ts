import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { MCP_CONFORMANCE } from '../../tools/programs.ts'
import { conformanceServer } from '../support/mcp-fixtures.ts'
import { dataDir, run } from '../support/process.ts'
import { ADMIN_KEY, testService } from '../support/service.ts'

const service = await testService({ mcp: conformanceServer })

/** A proxy that adds an API key, which the suite does not support, and leaves Host and Origin unchanged. */
const withKey = createServer((incoming, reply) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${ADMIN_KEY}` }
  const onward = request(
    service.address + incoming.url,
    { method: incoming.method, headers, setHost: false },
    (response) => {
      reply.writeHead(response.statusCode as number, response.headers)
      response.pipe(reply)
    },
  )
  reply.once('close', () => onward.destroy())
  onward.once('error', () => reply.destroy())
  incoming.pipe(onward)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => withKey.once('listening', resolve))
after(() => withKey.close().closeAllConnections())
const url = `http://127.0.0.1:${(withKey.address() as AddressInfo).port}/mcp`

/** Scenarios of 2025 about what a server does in a session. There are none here, and nothing of ours needs one. */
const NEEDS_A_SESSION = [
  // The server sends a request to the client during a call; the response arrives in another request.
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  // The server sends updates without a subscription. Clients of revision 2026-07-28 subscribe instead.
  'resources-subscribe',
  'resources-unsubscribe',
  // Several streams of one session.
  'server-sse-multiple-streams',
]

async function conforms(...args: string[]): Promise<void> {
  const suite = run(['server', '--url', url, ...args], { bin: MCP_CONFORMANCE })
  assert.equal(await suite.exited, 0, suite.output())
}

test('the server suite of @modelcontextprotocol/conformance 0.2.0-alpha.12 passes with what 2026-07-28 requires', () =>
  conforms('--requirements', '2026-07-28'))

test('its suite for 2025-11-25 passes, but for what needs a session', async () => {
  const baseline = `${dataDir()}.yaml`
  writeFileSync(baseline, ['server:', ...NEEDS_A_SESSION.map((name) => `  - ${name}`)].join('\n'))
  await conforms('--requirements', '2025-11-25', '--expected-failures', baseline)
})
