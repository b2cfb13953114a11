import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { promises as dns } from 'node:dns'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { isPublicAddress } from './addresses.ts'
import { createOutbound } from './client.ts'
import { cacheLookup, createCheckedLookup, type Lookup } from './lookup.ts'

const log = pino({ level: 'silent' })

/** An address of the public internet. No test connects to it. */
const PUBLIC = '93.184.215.14'

test('a name that is public when checked and loopback when called is rejected without a connection', async () => {
  await using inside = await listening(createServer())
  await using names = await nameServer([[PUBLIC], ['127.0.0.1']])
  await using outbound = createOutbound({ allow: new Set(), log, lookup: names.lookup })
  const url = `https://rebind.example.com:${inside.port}/`
  await outbound.policy.check(url)
  assert.deepEqual(names.answered, [[PUBLIC]])
  await assert.rejects(outbound.request(url, { redirects: 'refuse' }), { kind: 'not_allowed' })
  assert.deepEqual(names.answered, [[PUBLIC], ['127.0.0.1']])
  assert.equal(inside.connections(), 0)
})

test('a socket connects to the checked address; the next lookup is checked too', async () => {
  await using names = await nameServer([[PUBLIC], ['127.0.0.1']])
  const lookup = createCheckedLookup(names.lookup, isPublicAddress)
  const dial = () =>
    new Promise((resolve, reject) => {
      lookup('rebind.example.com', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
    })
  assert.deepEqual(await dial(), [{ address: PUBLIC, family: 4 }])
  await assert.rejects(dial(), { kind: 'not_allowed' })
})

test('a name is resolved once per connection', async () => {
  await using first = await listening(createServer((_request, response) => response.end('first')))
  await using names = await nameServer([['127.0.0.1'], ['127.0.0.2']])
  const allow = new Set([`hooks.test:${first.port}`])
  await using outbound = createOutbound({ allow, log, lookup: names.lookup })
  const answer = await outbound.request(`http://hooks.test:${first.port}/`, { redirects: 'refuse' })
  assert.equal(answer.text(), 'first')
  assert.deepEqual(names.answered, [['127.0.0.1']])
})

for (const [title, addresses] of Object.entries({
  'one public and one private address': [PUBLIC, '127.0.0.1'],
  'a private address first': ['10.0.0.1', PUBLIC],
  'the metadata service': ['169.254.169.254'],
  'the unspecified address': ['0.0.0.0'],
})) {
  test(`a name with ${title} is rejected`, async () => {
    await using inside = await listening(createServer())
    await using names = await nameServer([addresses])
    await using outbound = createOutbound({ allow: new Set(), log, lookup: names.lookup })
    const call = outbound.request(`https://mixed.example.com:${inside.port}/`, { redirects: 'refuse' })
    await assert.rejects(call, { kind: 'not_allowed' })
    assert.equal(names.answered.length, 1)
    assert.equal(inside.connections(), 0)
  })
}

for (const address of [
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1%lo',
  'fe80::1',
  'fc00::1',
]) {
  test(`a name with the IPv6 address ${address} is rejected`, async () => {
    const lookup: Lookup = async () => [{ address, family: 6 }]
    await using inside = await listening(createServer())
    await using outbound = createOutbound({ allow: new Set(), log, lookup })
    const call = outbound.request(`https://six.example.com:${inside.port}/`, { redirects: 'refuse' })
    await assert.rejects(call, { kind: 'not_allowed' })
    assert.equal(inside.connections(), 0)
  })
}

test('a name that does not resolve is a dns failure without further details', async () => {
  await using names = await nameServer([[]])
  await using outbound = createOutbound({ allow: new Set(), log, lookup: names.lookup })
  const call = outbound.request('https://nobody.example.com/', { redirects: 'refuse' })
  await assert.rejects(call, { kind: 'dns', message: 'The host name could not be resolved.' })
})

test('a lookup is cached for a short time, and a failure is not', async () => {
  let now = 0
  let asked = 0
  const answers = [[PUBLIC], [], [PUBLIC]]
  const lookup = cacheLookup(
    async () => (answers[asked++] ?? []).map((address) => ({ address, family: 4 })),
    () => now,
  )
  await Promise.all([lookup('a.example.com'), lookup('a.example.com')])
  now = 4_999
  await lookup('a.example.com')
  assert.equal(asked, 1)
  now = 5_000
  await assert.rejects(lookup('a.example.com'), { kind: 'dns' })
  await lookup('a.example.com')
  assert.equal(asked, 3)
})

const openssl = findOpenssl()

test('TLS checks the name, although the socket connects to an address', { skip: openssl ?? false }, async () => {
  const { key, cert } = certificateFor('good.test')
  const server = createSecureServer({ key, cert }, (_request, response) => response.end('secure'))
  await using secure = await listening(server)
  const { port } = secure
  const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const allow = new Set([`good.test:${port}`, `other.test:${port}`, `127.0.0.1:${port}`])
  await using outbound = createOutbound({ allow, log, lookup, ca: cert })
  const get = (host: string, headers = {}) =>
    outbound.request(`https://${host}:${port}/`, { redirects: 'refuse', headers })
  assert.equal((await get('good.test')).text(), 'secure')
  await assert.rejects(get('other.test'), { kind: 'tls' })
  await assert.rejects(get('127.0.0.1'), { kind: 'tls' })
  // A Host header does not change the name that is checked.
  await assert.rejects(get('other.test', { Host: 'good.test' }), { kind: 'tls' })
})

test('a certificate of an unknown authority is rejected', { skip: openssl ?? false }, async () => {
  const server = createSecureServer(certificateFor('self.test'), (_request, response) => response.end('secure'))
  await using secure = await listening(server)
  const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  await using outbound = createOutbound({ allow: new Set([`self.test:${secure.port}`]), log, lookup })
  const call = outbound.request(`https://self.test:${secure.port}/`, { redirects: 'refuse' })
  await assert.rejects(call, { kind: 'tls', message: 'The host could not prove its identity.' })
})

async function listening(server: Server) {
  let connections = 0
  server.on('connection', () => connections++)
  // On all addresses, so that an unintended connection is detected.
  await once(server.listen(0), 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { port, connections: () => connections, [Symbol.asyncDispose]: stop }
}

/** A DNS server on loopback that returns the lists of IPv4 addresses in order, then repeats the last. */
async function nameServer(answers: string[][]) {
  const answered: string[][] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const addresses = answers[Math.min(answered.length, answers.length - 1)] ?? []
    answered.push(addresses)
    socket.send(answerTo(query, addresses), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new dns.Resolver()
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  const lookup: Lookup = async (name) => (await resolver.resolve4(name)).map((address) => ({ address, family: 4 }))
  return { lookup, answered, [Symbol.asyncDispose]: async () => void socket.close() }
}

/** A DNS response (RFC 1035, section 4): the query's header and question, then one A record with TTL 0 per address. */
function answerTo(query: Buffer, addresses: string[]): Buffer {
  const endOfQuestion = query.indexOf(0, 12) + 5
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.fill(0, 8)
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([header, query.subarray(12, endOfQuestion), ...records])
}

/** Why no certificates can be created on this machine, or null. */
function findOpenssl(): string | null {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return null
  } catch {
    return 'needs the openssl command to make a certificate'
  }
}

function certificateFor(name: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-tls-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const named = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  execFileSync('openssl', ['req', ...kind, ...named, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}
