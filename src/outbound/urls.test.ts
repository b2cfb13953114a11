import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { createOutbound } from './client.ts'
import { OutboundError } from './errors.ts'

// Represents the internal network: it listens on every address of the machine, and every name resolves to it.
let connections = 0
const inside = createServer((_request, response) => void response.end('inside')).on('connection', () => connections++)
const port = await listen(inside)

let location = ''
const redirecting = createServer((_request, response) => void response.writeHead(302, { location }).end())
const redirectingPort = await listen(redirecting)

const outbound = createOutbound({
  allow: new Set([`hooks.test:${port}`, `hooks.test:${redirectingPort}`]),
  log: pino({ level: 'silent' }),
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
})
after(async () => {
  await outbound.close()
  inside.close()
  redirecting.close()
})
beforeEach(() => {
  connections = 0
})

const HOSTS = [
  // IPv4 as numbers: decimal, octal, hex, mixed, short, padded, full-width, trailing dot.
  ...['127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.1.', '127', '0', '0.0.0.0', '0.0', '127.127.127.127'],
  ...[
    '2130706433',
    '2130706433.',
    '017700000001',
    '0x7f000001',
    '0x7F000001',
    '0x7f.1',
    '0x7f.0.0.1',
    '0x7f.0x0.0x0.0x1',
  ],
  ...[
    '0177.0.0.1',
    '0177.0.0.01',
    '00000177.0.0.1',
    '0177.1',
    '127.0x1',
    '127.0.0.0x1',
    '127.00.00.01',
    '0x00000000007f.1',
  ],
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '①②⑦.⓪.⓪.①',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '２１３０７０６４３３',
    '０x7f.1',
  ],
  ...[
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '%30x7f.1',
    '127.0.0.%31',
    '127.0.0.1%2e',
    '%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1',
  ],
  // IPv4 that is not public.
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '100.127.255.254'],
  ...['169.254.169.254', '169.254.0.1', '2852039166', '0xA9FEA9FE', '0251.0376.0251.0376', '192.0.0.1', '192.0.0.192'],
  ...[
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '198.19.255.255',
    '192.88.99.1',
    '224.0.0.1',
    '239.1.1.1',
  ],
  ...['240.0.0.1', '255.255.255.255', '4294967295', '0.1.2.3', '192.52.193.1', '192.175.48.1', '192.31.196.1'],
  // IPv6: loopback and unspecified in many notations, and addresses with an embedded IPv4 address.
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:0]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::0001]',
    '[::01]',
  ],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:127.0.0.1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
  ],
  ...[
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:0.0.0.0]',
    '[::ffff:8.8.8.8]',
  ],
  ...[
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b:1::127.0.0.1]',
    '[64:ff9b:1:ffff::10.0.0.1]',
  ],
  ...[
    '[2002:7f00:1::]',
    '[2002:7f00:0001::1]',
    '[2002:0a00:0001::]',
    '[2001::1]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  ],
  ...[
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fd12:3456::1]',
    '[ff02::1]',
    '[ff0e::1]',
  ],
  ...[
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
  ],
  ...['[::1%25lo]', '[::1%lo]', '[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1%251]', '[::ffff:127.0.0.1%25lo]'],
  // Internal names, and names that resolve to internal addresses.
  ...['localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'foo.localhost', 'ｌocalhost', 'loc%61lhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ'],
  ...[
    'localhost.localdomain',
    'printer.local',
    'db.internal',
    'metadata.google.internal',
    'wiki.corp',
    'nas.lan',
    'router.home',
  ],
  ...[
    '1.0.0.127.in-addr.arpa',
    'intranet',
    'metadata',
    'kubernetes.default',
    'kubernetes.default.svc.cluster.local',
    'a..b.com',
  ],
  ...[
    'localtest.me',
    '127.0.0.1.nip.io',
    '7f000001.nip.io',
    'xn--bcher-kva.example',
    'bücher.example',
    'rebind.example.com',
  ],
  ...['rebind.example.com.', 'hooks.test.', 'HOOKS.test.', 'hooks.test.example', 'xhooks.test', 'hooks%2etest.'],
]

const WHOLE = [
  // User information, backslashes and other ways to make parsers disagree about the host.
  `https://user@127.0.0.1:${port}/`,
  `https://user:secret@rebind.example.com:${port}/`,
  `https://hooks.test:${port}@127.0.0.1:${port}/`,
  `http://hooks.test:${port}@127.0.0.1:${port}/`,
  `http://hooks.test:${port}@hooks.test:${port}/`,
  `http://user@hooks.test:${port}/`,
  `http://:secret@hooks.test:${port}/`,
  `https://hooks.test%3A${port}@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}\\@hooks.test:${port}/`,
  `https://rebind.example.com\\@hooks.test:${port}/`,
  `https:\\\\127.0.0.1:${port}\\`,
  `https:/127.0.0.1:${port}/`,
  `https:127.0.0.1:${port}/`,
  `https:////127.0.0.1:${port}/`,
  `https:///\\127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}#@hooks.test:${port}/`,
  `https://127.0.0.1:${port}?@hooks.test:${port}/`,
  `https://hooks.test#@127.0.0.1:${port}/`,
  `https://[::1]@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}:80/`,
  // Tabs, newlines, spaces and control characters, which parsers remove or keep.
  ` https://127.0.0.1:${port}/ `,
  `\thttps://127.0.0.1:${port}/`,
  `ht\ttps://127.0.0.1:${port}/`,
  `https://127.0\n.0.1:${port}/`,
  `https://127.0.0.1\r\n:${port}/`,
  `https://local\thost:${port}/`,
  `\u0000https://127.0.0.1:${port}/`,
  `https://127.0.0.1\u0000.example.com:${port}/`,
  `https://127.0.0.1 .example.com:${port}/`,
  `https://local\u00adhost:${port}/`,
  `https://127.0.0.1\u200b:${port}/`,
  // Ports.
  'https://127.0.0.1/',
  'https://127.0.0.1:443/',
  'https://127.0.0.1:0443/',
  `https://127.0.0.1:0${port}/`,
  `https://127.0.0.1:0000${port}/`,
  'https://127.0.0.1:0/',
  'https://127.0.0.1:65536/',
  'https://127.0.0.1:-1/',
  'https://127.0.0.1:/',
  'http://hooks.test/',
  'http://hooks.test:80/',
  'https://hooks.test/',
  'https://hooks.test:1/',
  // Other schemes.
  `HTTP://127.0.0.1:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `ftp://hooks.test:${port}/`,
  `ws://hooks.test:${port}/`,
  `wss://127.0.0.1:${port}/`,
  `wss://hooks.test:${port}/`,
  `gopher://127.0.0.1:${port}/_GET`,
  `dict://127.0.0.1:${port}/`,
  `ldap://127.0.0.1:${port}/`,
  `tftp://127.0.0.1:${port}/`,
  'file:///etc/passwd',
  `file://127.0.0.1:${port}/etc/passwd`,
  'data:text/plain,inside',
  `blob:http://hooks.test:${port}/1`,
  'javascript:alert(1)',
  'about:blank',
  'unix:/var/run/docker.sock',
  `http+unix://%2Fvar%2Frun%2Fdocker.sock/`,
  `jar:http://hooks.test:${port}!/`,
  `view-source:http://hooks.test:${port}/`,
  // Not URLs.
  '',
  '/',
  '//',
  `//127.0.0.1:${port}/`,
  `127.0.0.1:${port}`,
  `hooks.test:${port}`,
  'https://',
  'https://?',
  'https://[::1',
  'https://[::1]]/',
  'https://[127.0.0.1]/',
  'https://1.2.3.4.5/',
  'https://256.256.256.256/',
  'https://0x100000000/',
  `https://${'a'.repeat(3000)}.example.com/`,
]

const FORMS = [...HOSTS.flatMap((host) => [`https://${host}:${port}/`, `http://${host}:${port}/`]), ...WHOLE]

const refusal = (form: string) => (error: unknown) => {
  assert.ok(error instanceof OutboundError, `${JSON.stringify(form)}: ${error}`)
  assert.equal(error.kind, 'not_allowed', `${JSON.stringify(form)}: ${error.kind} ${error.cause}`)
  // Neither an address nor a system error.
  assert.doesNotMatch(error.message, /\d|ECONN|ENOT|EAI|private|loopback|internal/)
  return true
}

test('a URL that is not from the settings reaches no allowed host, over http or https, not even over an open connection', async () => {
  const options = { redirects: 'follow' } as const
  assert.equal((await outbound.request(`http://hooks.test:${port}/`, options)).text(), 'inside')
  const before = connections
  for (const scheme of ['http', 'https']) {
    const url = `${scheme}://hooks.test:${port}/`
    const refusal = { name: 'OutboundError', kind: 'not_allowed' }
    await assert.rejects(outbound.request(url, { ...options, trust: 'public' }), refusal, scheme)
    await assert.rejects(outbound.visit(url, { ...options, trust: 'settings' }), refusal, scheme)
  }
  assert.equal(connections, before)
})

test('there are at least 150 different forms', () => {
  assert.ok(new Set(FORMS).size >= 150, `${new Set(FORMS).size}`)
  assert.equal(new Set(FORMS).size, FORMS.length)
})

test('no form of URL reaches the internal network', async () => {
  for (const form of FORMS) {
    for (const redirects of ['refuse', 'follow'] as const) {
      await assert.rejects(outbound.request(form, { redirects }), refusal(form))
    }
  }
  assert.equal(connections, 0)
})

test('no form of URL reaches the internal network through fetch', async () => {
  for (const form of FORMS) await assert.rejects(outbound.fetch(form), form)
  assert.equal(connections, 0)
})

test('no form of URL is accepted when it is stored', async () => {
  for (const form of FORMS) await assert.rejects(outbound.policy.check(form), { code: 'url_not_allowed' }, form)
})

test('no form of URL is reached through a redirect', async () => {
  // Only those that a header can contain and that are not a path of the redirecting host.
  const elsewhere = FORMS.filter((form) => /^[!-~]+$/.test(form) && URL.canParse(form))
  assert.ok(elsewhere.length > 150)
  for (const form of elsewhere) {
    location = form
    const call = outbound.request(`http://hooks.test:${redirectingPort}/`, { redirects: 'follow' })
    await assert.rejects(call, refusal(form))
  }
  assert.equal(connections, 0)
})

test('the control: an allowed host and port is reached', async () => {
  for (const form of [`http://hooks.test:${port}/`, `http://HOOKS.test:${port}/`]) {
    const answer = await outbound.request(form, { redirects: 'refuse' })
    assert.equal(answer.text(), 'inside')
    assert.equal(await (await outbound.fetch(form)).text(), 'inside')
  }
  assert.ok(connections > 0)
})

async function listen(server: Server): Promise<number> {
  await once(server.listen(0), 'listening')
  return (server.address() as AddressInfo).port
}
