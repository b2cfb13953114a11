import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { startMail } from '../../../sandbox/mail.ts'
import type { MailBehaviour, MailDomain } from '../../../sandbox/types.ts'
import { ZEROBOUNCE } from '../../../test/support/people.ts'
import { providerDeps } from '../../../test/support/provider-deps.ts'
import { testWorld } from '../../../test/support/world.ts'
import { smtp } from './smtp.ts'
import { zerobounce } from './zerobounce.ts'

const BEHAVIOURS: MailBehaviour[] = [
  'users',
  'catch_all',
  'greylist_once',
  'greylist_forever',
  'tarpit',
  'refusing',
  'no_mail',
  'blocking',
  'tls_only',
]
const hostOf = (behaviour: MailBehaviour) => `${behaviour.replaceAll('_', '-')}.example`
const mail: MailDomain[] = BEHAVIOURS.map((behaviour) => ({
  domain: hostOf(behaviour),
  behaviour,
  users: ['ada.pike'],
}))
const { env: world, mail: servers } = await testWorld({ mail })
const env = { ...world, ...ZEROBOUNCE }
const deps = providerDeps(env)
const ask = (behaviour: MailBehaviour, users: string[]) => {
  const domain = hostOf(behaviour)
  return smtp.verify(
    deps,
    domain,
    users.map((user) => `${user}@${domain}`),
  )
}

for (const behaviour of ['users', 'greylist_once', 'tls_only'] as const) {
  test(`an existing mailbox is verified and a missing one refused: ${behaviour}`, async () => {
    const found = await ask(behaviour, ['apike', 'ada.pike', 'ada'])
    assert.equal(found.verified, `ada.pike@${hostOf(behaviour)}`)
    assert.deepEqual(found.refused, [`apike@${hostOf(behaviour)}`])
    const none = await ask(behaviour, ['nobody', 'noone'])
    assert.deepEqual([none.verified, none.refused.length, none.undecided], [null, 2, null])
  })
}

const UNDECIDED: [MailBehaviour, RegExp][] = [
  ['catch_all', /^Catch-all domain: can't verify/],
  ['greylist_forever', /greylisting/],
  ['tarpit', /in time/],
  ['blocking', /does not verify recipients/],
]
for (const [behaviour, reason] of UNDECIDED) {
  test(`no address is verified or refused by a mail server that does not verify recipients: ${behaviour}`, async () => {
    const found = await ask(behaviour, ['ada.pike'])
    assert.deepEqual([found.verified, found.refused, found.whole_domain, found.failed], [null, [], true, false])
    assert.match(found.undecided ?? '', reason)
  })
}

test('a domain that accepts no mail, or does not exist, has no mailbox', async () => {
  for (const domain of [hostOf('no_mail'), 'unheard-of.example']) {
    const found = await smtp.verify(deps, domain, [`ada.pike@${domain}`])
    assert.deepEqual([found.verified, found.refused], [null, [`ada.pike@${domain}`]])
  }
})

test('an unreachable mail server leaves the address undecided', async () => {
  const found = await ask('refusing', ['ada.pike'])
  assert.deepEqual([found.verified, found.refused, found.whole_domain, found.failed], [null, [], true, false])
  assert.match(found.undecided ?? '', /could not be reached/)
})

/** A mail server that greets, accepts every sender, and replies to recipients as configured. */
async function verifyAt(recipient: (to: string) => string) {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.write('220 mx.told.example ESMTP\r\n')
    const lines = createInterface({ input: socket })
    lines.on('line', (line) => {
      const to = /^RCPT TO:<([^>]*)>/.exec(line)?.[1]
      socket.write(`${to ? recipient(to) : '250 Ok'}\r\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = (server.address() as AddressInfo).port
  const told = providerDeps({ ...env, OUTBOUND_CONNECT_TO: `*:25=127.0.0.1:${port}` })
  try {
    return await smtp.verify(told, hostOf('users'), [`ada.pike@${hostOf('users')}`])
  } finally {
    server.close()
  }
}

const CONTROLS: [string, boolean][] = [
  ['550 No such user', true],
  ['551 User not local', true],
  ['554 5.1.1 Unknown recipient', true],
  ['552 Mailbox full', false],
  ['554 Transaction failed', false],
  ['501 Bad address syntax', false],
  ['no such user', false],
  ['5500 No such user', false],
  ['550-No such user\r\n250 Ok', false],
]
for (const [reply, isRefusal] of CONTROLS) {
  test(`${JSON.stringify(reply)} for a nonexistent address is ${isRefusal ? 'a refusal' : 'undecided'}`, async () => {
    const found = await verifyAt((to) => (to.startsWith('ada.pike@') ? '250 Ok' : reply))
    assert.equal(found.verified, isRefusal ? 'ada.pike@users.example' : null)
    assert.deepEqual([found.undecided === null, found.refused], [isRefusal, []])
  })
}

test('a line that is not an SMTP reply refuses no address', async () => {
  const found = await verifyAt((to) => (to.startsWith('ada.pike@') ? 'what?' : '550 5.1.1 No such user'))
  assert.deepEqual([found.verified, found.refused, found.failed], [null, [], false])
  assert.match(found.undecided ?? '', /not valid SMTP/)
})

test('the control address differs for each set of addresses', async () => {
  servers.asked.length = 0
  await ask('users', ['ada.pike'])
  await ask('users', ['ben.moss'])
  const controls = servers.asked.map(({ to }) => to.split('@')[0] ?? '').filter((user) => /^[0-9a-f]{24}$/.test(user))
  assert.equal(new Set(controls).size, 2)
})

test('time in our queue does not count towards the time limit of a mail server', async () => {
  await using slow = await startMail([{ domain: 'slow.example', behaviour: 'users', users: ['ada.pike'] }], {
    latencyMs: 50,
  })
  const EMAIL_VERIFY_SECONDS = '2'
  const paced = providerDeps({
    ...env,
    OUTBOUND_CONNECT_TO: slow.connectTo,
    DNS_SERVER: slow.dns,
    EMAIL_VERIFY_SECONDS,
  })
  // Together they take longer than the limit for one.
  const checks = Array.from({ length: 10 }, () => smtp.verify(paced, 'slow.example', ['ada.pike@slow.example']))
  assert.ok((await Promise.all(checks)).every(({ verified }) => verified))
})

test('a DNS timeout is a failure of the verifier, not a result', async () => {
  const lost = providerDeps({ ...env, DNS_SERVER: '127.0.0.1:1' })
  const found = await smtp.verify(lost, 'users.example', ['ada.pike@users.example'])
  assert.deepEqual([found.verified, found.refused, found.failed], [null, [], true])
})

test('no mail is sent, and the dialogue ends with the first accepted address', async () => {
  servers.asked.length = 0
  await ask('users', ['ada.pike', 'ada'])
  const asked = servers.asked.map(({ from, to, code }) => [from, to.split('@')[0], code])
  assert.equal(asked.length, 2)
  assert.match(String(asked[0]?.[1]), /^[0-9a-f]{24}$/)
  assert.deepEqual(asked[1], ['check@sender.example', 'ada.pike', 250])
})

test('one dialogue at a time per domain', async () => {
  const domain = { domain: 'busy.example', behaviour: 'users', users: ['ada.pike'] } as const
  await using busy = await startMail([domain])
  const paced = providerDeps({ ...env, OUTBOUND_CONNECT_TO: busy.connectTo, DNS_SERVER: busy.dns })
  const checks = Array.from({ length: 5 }, () => smtp.verify(paced, 'busy.example', ['ada.pike@busy.example']))
  assert.ok((await Promise.all(checks)).every(({ verified }) => verified))
  assert.equal(busy.mostAtOnce(), 1)
})

test('a mail server on a private address is not contacted', async () => {
  const direct = providerDeps({ ...env, OUTBOUND_CONNECT_TO: '' })
  const talk = () => Promise.resolve('talked')
  const timeouts = { connect: 500, reply: 500, total: 500 }
  for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '::1']) {
    await assert.rejects(direct.outbound.converse({ host, port: 25, timeouts }, talk), { kind: 'not_allowed' }, host)
  }
})

test('an address cannot inject a second SMTP command', async () => {
  const options = { host: 'mx.users.example', port: 25, timeouts: { connect: 500, reply: 500, total: 500 } }
  const inject = deps.outbound.converse(options, async (lines) => lines.write('MAIL FROM:<a@b>\r\nDATA'))
  await assert.rejects(inject, { kind: 'protocol' })
})

test('an aborted check throws', async () => {
  const aborted = { ...deps, signal: AbortSignal.timeout(200) }
  await assert.rejects(smtp.verify(aborted, 'tarpit.example', ['ada.pike@tarpit.example']), { kind: 'aborted' })
})

test('ZeroBounce decides the addresses it has a status for, and no others', async () => {
  const vendor = (behaviour: MailBehaviour, users: string[]) => {
    const domain = hostOf(behaviour)
    return zerobounce.verify(
      deps,
      domain,
      users.map((user) => `${user}@${domain}`),
    )
  }
  const found = await vendor('users', ['apike', 'ada.pike'])
  assert.deepEqual([found.verified, found.refused], ['ada.pike@users.example', ['apike@users.example']])
  for (const behaviour of ['catch_all', 'refusing', 'greylist_forever'] as const) {
    const none = await vendor(behaviour, ['ada.pike'])
    assert.deepEqual([none.verified, none.refused, none.failed], [null, [], false], behaviour)
    assert.ok(none.undecided)
  }
  const wrongKey = providerDeps({ ...env, ZEROBOUNCE_API_KEY: 'wrong' })
  const refused = await zerobounce.verify(wrongKey, 'users.example', ['ada.pike@users.example'])
  assert.deepEqual([refused.verified, refused.failed], [null, true])
  assert.match(refused.undecided ?? '', /rejected the API key, or the account has no credits left/)
})
