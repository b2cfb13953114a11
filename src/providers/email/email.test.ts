import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startInternet } from '../../../sandbox/internet.ts'
import { startMail } from '../../../sandbox/mail.ts'
import type { MailBehaviour, MailDomain, World } from '../../../sandbox/types.ts'
import { vendorAnswer } from '../../../sandbox/vendors/index.ts'
import { ZEROBOUNCE_KEY } from '../../../sandbox/vendors/zerobounce.ts'
import { providerDeps } from '../../../test/support/provider-deps.ts'
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
const servers = await startMail(mail)
after(() => servers[Symbol.asyncDispose]())
const world: World = { today: '2026-11-15', companies: [], stories: [], filings: [], mail }
const internet = await startInternet((request) => vendorAnswer(request, world))
after(() => internet[Symbol.asyncDispose]())

const env = {
  ...internet.env,
  OUTBOUND_CONNECT_TO: `${internet.env.OUTBOUND_CONNECT_TO},${servers.connectTo}`,
  DNS_SERVER: servers.dns,
  EMAIL_VERIFY_FROM: 'check@sender.example',
  EMAIL_VERIFY_SECONDS: '1',
  EMAIL_GREYLIST_SECONDS: '0,0',
  EMAIL_DELAY_MS: '0',
  ZEROBOUNCE_API_KEY: ZEROBOUNCE_KEY,
}
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
  test(`a mailbox that exists is verified and one that does not is refused: ${behaviour}`, async () => {
    const found = await ask(behaviour, ['apike', 'ada.pike', 'ada'])
    assert.equal(found.verified, `ada.pike@${hostOf(behaviour)}`)
    assert.deepEqual(found.refused, [`apike@${hostOf(behaviour)}`])
    const none = await ask(behaviour, ['nobody', 'noone'])
    assert.deepEqual([none.verified, none.refused.length, none.undecided], [null, 2, null])
  })
}

const UNDECIDED: [MailBehaviour, RegExp][] = [
  ['catch_all', /any address/],
  ['greylist_forever', /come back later/],
  ['tarpit', /in time/],
  ['refusing', /could not be reached/],
  ['blocking', /does not say/],
]
for (const [behaviour, reason] of UNDECIDED) {
  test(`nothing is verified, and nothing refused, by a mail server that does not tell: ${behaviour}`, async () => {
    const found = await ask(behaviour, ['ada.pike'])
    assert.deepEqual([found.verified, found.refused, found.whole_domain, found.failed], [null, [], true, false])
    assert.match(found.undecided ?? '', reason)
  })
}

test('a domain that takes no mail, or is not there, has no mailbox', async () => {
  for (const domain of [hostOf('no_mail'), 'unheard-of.example']) {
    const found = await smtp.verify(deps, domain, [`ada.pike@${domain}`])
    assert.deepEqual([found.verified, found.refused], [null, [`ada.pike@${domain}`]])
  }
})

test('a name server that does not answer is a failure of the check, not an answer', async () => {
  const lost = providerDeps({ ...env, DNS_SERVER: '127.0.0.1:1' })
  const found = await smtp.verify(lost, 'users.example', ['ada.pike@users.example'])
  assert.deepEqual([found.verified, found.refused, found.failed], [null, [], true])
})

test('no mail is sent, and the last question is the one that was answered with yes', async () => {
  servers.asked.length = 0
  await ask('users', ['ada.pike', 'ada'])
  const asked = servers.asked.map(({ from, to, code }) => [from, to.split('@')[0], code])
  assert.equal(asked.length, 2)
  assert.match(String(asked[0]?.[1]), /^[0-9a-f]{24}$/)
  assert.deepEqual(asked[1], ['check@sender.example', 'ada.pike', 250])
})

test('one conversation at a time with the mail server of a domain', async () => {
  const domain = { domain: 'busy.example', behaviour: 'users', users: ['ada.pike'] } as const
  await using busy = await startMail([domain])
  const paced = providerDeps({ ...env, OUTBOUND_CONNECT_TO: busy.connectTo, DNS_SERVER: busy.dns })
  const checks = Array.from({ length: 5 }, () => smtp.verify(paced, 'busy.example', ['ada.pike@busy.example']))
  assert.ok((await Promise.all(checks)).every(({ verified }) => verified))
  assert.equal(busy.mostAtOnce(), 1)
})

test('a private mail server is not dialled', async () => {
  const direct = providerDeps({ ...env, OUTBOUND_CONNECT_TO: '' })
  const talk = () => Promise.resolve('talked')
  const timeouts = { connect: 500, reply: 500, total: 500 }
  for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '::1']) {
    await assert.rejects(direct.outbound.converse({ host, port: 25, timeouts }, talk), { kind: 'not_allowed' }, host)
  }
})

test('a line cannot carry a second command', async () => {
  const options = { host: 'mx.users.example', port: 25, timeouts: { connect: 500, reply: 500, total: 500 } }
  const inject = deps.outbound.converse(options, async (lines) => lines.write('MAIL FROM:<a@b>\r\nDATA'))
  await assert.rejects(inject, { kind: 'protocol' })
})

test('a check that its caller gives up is no answer', async () => {
  const aborted = { ...deps, signal: AbortSignal.timeout(200) }
  await assert.rejects(smtp.verify(aborted, 'tarpit.example', ['ada.pike@tarpit.example']), { kind: 'aborted' })
})

test('the vendor answers for what it knows, and decides nothing else', async () => {
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
  assert.match(refused.undecided ?? '', /Invalid API key/)
})
