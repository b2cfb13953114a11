import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createAuthority } from '../../sandbox/certificates.ts'
import { type SmtpOptions, startSmtp } from '../../sandbox/smtp.ts'
import { parseConnectTo, parseMailbox } from '../shared/config-values.ts'
import type { Clock } from './clock.ts'
import { createMailer, type Mail, type Mailer, sendMail } from './mail.ts'

const authority = createAuthority()
const NEVER = new AbortController().signal

type MailerOptions = Partial<Parameters<typeof createMailer>[0]>

/** A mail server, and mailers that send to it. */
async function mailServer(options: SmtpOptions = {}) {
  const server = await startSmtp({ authority, ...options })
  after(() => server[Symbol.asyncDispose]())
  return Object.assign(server, {
    mailer(more: MailerOptions = {}): Mailer {
      const mailer = createMailer({
        url: server.env.SMTP_URL,
        from: parseMailbox(server.env.MAIL_FROM),
        tls: 'required',
        perMinute: 100_000,
        connectTo: parseConnectTo(server.connectTo),
        ca: authority.pem,
        ...more,
      })
      after(() => mailer.close())
      return mailer
    },
  })
}

let sent = 0

function mailTo(address: string, more: Partial<Mail> = {}): Mail {
  return {
    message_id: `digest-${++sent}`,
    to: { name: 'Dana Whitfield', address },
    subject: 'New at Northwind',
    text: 'Northwind raised 20 million.\n.\n.. a line that starts with a dot',
    html: '<p>Northwind raised 20 million.</p>',
    unsubscribe_url: 'https://bellwether.example/u/abc',
    ...more,
  }
}

const server = await mailServer()
const mailer = server.mailer()

test('a mail arrives over TLS with both parts, the sender, and the headers for unsubscribing', async () => {
  const url = `https://bellwether.example/unsubscribe?token=${'a1B2'.repeat(60)}&rule=7`
  const mail = mailTo('dana@northwind.example', { unsubscribe_url: url, subject: 'Größer: “Åkerström” wächst' })
  const result = await sendMail({ mailer }, mail, NEVER)
  assert.deepEqual(result, { result: 'sent', status: 250, message: null, retryAfter: null })
  const [received] = server.find(`${mail.message_id}@bellwether.example`)
  assert.ok(received)
  const { headers, ...rest } = received
  assert.deepEqual(
    [rest.from, rest.to, rest.user, rest.is_encrypted],
    ['alerts@bellwether.example', ['dana@northwind.example'], 'bellwether', true],
  )
  assert.equal(rest.text?.replaceAll('\r\n', '\n').trimEnd(), mail.text)
  assert.equal(rest.html?.trimEnd(), mail.html)
  assert.deepEqual(
    [headers.from, headers.to, headers.subject],
    ['Bellwether <alerts@bellwether.example>', 'Dana Whitfield <dana@northwind.example>', mail.subject],
  )
  assert.equal(headers['list-unsubscribe'], `<${url}>`)
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  assert.equal(headers['auto-submitted'], 'auto-generated')
  assert.equal(headers['message-id'], `<${mail.message_id}@bellwether.example>`)
})

test('a mail without a link to unsubscribe has no header for it', async () => {
  const mail = mailTo('plain@northwind.example', { unsubscribe_url: null })
  await sendMail({ mailer }, mail, NEVER)
  const [received] = server.find(`${mail.message_id}@bellwether.example`)
  assert.ok(received && !Object.keys(received.headers).some((name) => name.startsWith('list-')))
})

const HOSTILE = [
  'Acme\r\nBcc: all@northwind.example',
  'Acme\nX-Injected: yes\n\n<p>body</p>',
  'Acme\r\n.\r\nMAIL FROM:<evil@northwind.example>',
  'Acme <evil@northwind.example>, "x" <two@northwind.example>',
  'Acme\u0000\u0007\u2028Subject: other',
  '=?utf-8?Q?Acme=0D=0ABcc:_all@northwind.example?=',
  `Acme ${'x'.repeat(2_000)}\r\nBcc: all@northwind.example`,
]

test('names of companies and recipients add neither headers nor recipients', async () => {
  const before = server.mails.length
  for (const name of HOSTILE) {
    const mail = mailTo('victim@northwind.example', {
      to: { name, address: 'victim@northwind.example' },
      subject: `New at ${name}`,
      text: `New at ${name}`,
    })
    assert.equal((await sendMail({ mailer }, mail, NEVER)).result, 'sent', name)
    const received = server.mails.at(-1)
    assert.ok(received)
    assert.deepEqual(received.to, ['victim@northwind.example'], name)
    assert.deepEqual(
      Object.keys(received.headers).sort(),
      [
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'list-unsubscribe',
        'list-unsubscribe-post',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ],
      name,
    )
    // Otherwise a header occurs twice.
    for (const value of Object.values(received.headers)) assert.doesNotMatch(value, /\n.*:/, name)
    assert.match(received.headers.to ?? '', /<victim@northwind\.example>$/, name)
    assert.match(received.headers.subject ?? '', /^New at /, name)
  }
  assert.equal(server.mails.length, before + HOSTILE.length)
})

test('an address that is not one mailbox is refused before the mail server sees it', async () => {
  const before = server.mails.length
  for (const address of [
    'a@x.example\r\nBcc: b@x.example',
    'a@x.example, b@x.example',
    'a@x.example> RCPT TO:<b@x.example',
    '"a b"@x.example',
    'a',
    '',
  ]) {
    const result = await sendMail({ mailer }, mailTo(address), NEVER)
    assert.deepEqual(result, {
      result: 'failed',
      status: null,
      message: 'The email address of the recipient is not valid.',
      retryAfter: null,
    })
  }
  assert.equal(server.mails.length, before)
})

test('a refused recipient fails with the reply of the mail server, cut and printable', async () => {
  server.behave('gone@northwind.example', { do: 'refuse' })
  assert.deepEqual(await sendMail({ mailer }, mailTo('gone@northwind.example'), NEVER), {
    result: 'failed',
    status: 550,
    message: 'The mail server refused the message: 5.1.1 No such user here.',
    retryAfter: null,
  })
  const reply = `554-5.7.1 Blocked\u0007\u001b[31m \r\n554 5.7.1 ${'see our policy '.repeat(60)}`
  server.behave('blocked@northwind.example', { do: 'refuse', reply })
  const { message } = await sendMail({ mailer }, mailTo('blocked@northwind.example'), NEVER)
  assert.match(message ?? '', /^The mail server refused the message: 5\.7\.1 Blocked \[31m 5\.7\.1 see our policy .*…$/)
  assert.ok((message ?? '').length < 350)
  // The connection is used for the next mail.
  assert.equal((await sendMail({ mailer }, mailTo('dana@northwind.example'), NEVER)).result, 'sent')
})

test('a deferred mail is retried with the same Message-ID', async () => {
  server.behave('grey@northwind.example', { do: 'greylist' })
  const mail = mailTo('grey@northwind.example')
  assert.deepEqual(await sendMail({ mailer }, mail, NEVER), {
    result: 'retry',
    status: 451,
    message: 'The mail server asks to try again later: 4.7.1 Greylisted, try again later.',
    retryAfter: null,
  })
  assert.equal((await sendMail({ mailer }, mail, NEVER)).result, 'sent')
  assert.equal(server.find(`${mail.message_id}@bellwether.example`).length, 1)
})

test('a connection that ends before the reply is a retry, and both copies have one Message-ID', async () => {
  server.behave('lost@northwind.example', { do: 'drop' })
  const mail = mailTo('lost@northwind.example')
  const result = await sendMail({ mailer }, mail, NEVER)
  assert.deepEqual([result.result, result.status], ['retry', null])
  assert.match(result.message ?? '', /could not be reached/)
  // One attempt sends the mail once.
  assert.equal(server.find(`${mail.message_id}@bellwether.example`).length, 1)
  await sendMail({ mailer }, mail, NEVER)
  assert.equal(server.find(`${mail.message_id}@bellwether.example`).length, 2)
})

test('a slow mail server is waited for, and a silent one is a retry', async () => {
  server.behave('slow@northwind.example', { do: 'slow', ms: 300 })
  assert.equal((await sendMail({ mailer }, mailTo('slow@northwind.example'), NEVER)).result, 'sent')
  server.behave('silent@northwind.example', { do: 'stall' })
  const impatient = server.mailer({ timeouts: { reply: 100 } })
  assert.equal((await sendMail({ mailer: impatient }, mailTo('silent@northwind.example'), NEVER)).result, 'retry')
})

test('an abort ends the wait for the rate limit, but not a mail that is being sent', async () => {
  const single = await mailServer()
  const abort = new AbortController()
  const waiting: number[] = []
  const clock: Clock = {
    now: () => 0,
    wait: (ms, signal) => {
      waiting.push(ms)
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  const paced = single.mailer({ perMinute: 60, clock })
  single.behave('slow@northwind.example', { do: 'slow', ms: 200 })
  const first = sendMail({ mailer: paced }, mailTo('slow@northwind.example'), abort.signal)
  const second = sendMail({ mailer: paced }, mailTo('dana@northwind.example'), abort.signal)
  await single.until(() => single.mails.length === 1)
  abort.abort()
  assert.equal((await first).result, 'sent')
  assert.equal((await second).result, 'retry')
  assert.equal(single.mails.length, 1)
  // 60 mails per minute are one per second.
  assert.deepEqual(waiting, [1_000])
})

test('a wrong password fails and names the setting, without the password', async () => {
  const strict = await mailServer()
  strict.changePassword('another')
  assert.deepEqual(await sendMail({ mailer: strict.mailer() }, mailTo('dana@northwind.example'), NEVER), {
    result: 'failed',
    status: 535,
    message: 'The mail server does not accept the user name or password: check SMTP_URL.',
    retryAfter: null,
  })
})

test('a mail server that is busy or not there is a retry', async () => {
  const busy = await mailServer({ greeting: '421 4.3.2 Too many connections' })
  const result = await sendMail({ mailer: busy.mailer() }, mailTo('dana@northwind.example'), NEVER)
  assert.equal(result.result, 'retry')
  const gone = await mailServer()
  const later = gone.mailer()
  await gone[Symbol.asyncDispose]()
  const unreachable = await sendMail({ mailer: later }, mailTo('dana@northwind.example'), NEVER)
  assert.deepEqual([unreachable.result, unreachable.status], ['retry', null])
})

test('with SMTP_TLS required nothing is sent without encryption, or to a server that another authority certifies', async () => {
  const plain = await mailServer({ encryption: 'none' })
  for (const one of [plain.mailer(), server.mailer({ ca: null }), server.mailer({ ca: createAuthority().pem })]) {
    const before = server.mails.length
    const result = await sendMail({ mailer: one }, mailTo('dana@northwind.example'), NEVER)
    assert.equal(result.result, 'retry')
    assert.match(result.message ?? '', /No encrypted connection .* SMTP_TLS, and OUTBOUND_CA/)
    assert.equal(plain.mails.length + server.mails.length, before)
  }
  for (const tls of ['opportunistic', 'none'] as const) {
    const result = await sendMail({ mailer: plain.mailer({ tls }) }, mailTo('dana@northwind.example'), NEVER)
    assert.equal(result.result, 'sent', tls)
  }
  const used = await sendMail(
    { mailer: server.mailer({ tls: 'opportunistic' }) },
    mailTo('opp@northwind.example'),
    NEVER,
  )
  assert.deepEqual([used.result, server.mails.at(-1)?.is_encrypted], ['sent', true])
})

test('smtps:// is encrypted from the first byte', async () => {
  const implicit = await mailServer({ encryption: 'implicit' })
  assert.match(implicit.env.SMTP_URL, /^smtps:/)
  for (const tls of ['required', 'none'] as const) {
    const result = await sendMail({ mailer: implicit.mailer({ tls }) }, mailTo('dana@northwind.example'), NEVER)
    assert.deepEqual([result.result, implicit.mails.at(-1)?.is_encrypted], ['sent', true])
  }
})

test('a mail above the size limit of the mail server fails', async () => {
  const small = await mailServer({ maxBytes: 2_000 })
  const mail = mailTo('dana@northwind.example', { html: `<p>${'x'.repeat(5_000)}</p>` })
  const result = await sendMail({ mailer: small.mailer() }, mail, NEVER)
  assert.deepEqual([result.result, result.status], ['failed', 552])
})

test('without a mail server the result names the variables to set', async () => {
  const { result, message } = await sendMail({ mailer: null }, mailTo('dana@northwind.example'), NEVER)
  assert.deepEqual([result, message], ['failed', 'No mail server is configured: set SMTP_URL and MAIL_FROM.'])
})

test('a connection is reused and replaced when the server closed it, and closing the mailer ends a mail that is being sent', async () => {
  const reused = await mailServer()
  const one = reused.mailer({ timeouts: { reply: 600_000 } })
  for (let n = 0; n < 5; n++) await sendMail({ mailer: one }, mailTo('dana@northwind.example'), NEVER)
  assert.equal(reused.connections(), 1)
  reused.disconnect()
  assert.equal((await sendMail({ mailer: one }, mailTo('dana@northwind.example'), NEVER)).result, 'sent')
  assert.deepEqual([reused.connections(), reused.mails.length], [2, 6])
  reused.behave('silent@northwind.example', { do: 'stall' })
  const pending = sendMail({ mailer: one }, mailTo('silent@northwind.example'), NEVER)
  await reused.until(() => reused.mails.length === 7)
  one.close()
  assert.equal((await pending).result, 'retry')
  assert.equal((await sendMail({ mailer: one }, mailTo('dana@northwind.example'), NEVER)).result, 'retry')
})
