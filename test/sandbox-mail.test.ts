import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSandbox } from '../sandbox/start.ts'
import { sendMail } from '../src/outbound/mail.ts'
import { testService } from './support/service.ts'

test('the service sends mail to the mail server of the sandbox, whose control page shows it', async () => {
  const sandbox = await startSandbox()
  after(() => sandbox[Symbol.asyncDispose]())
  const service = await testService({ env: sandbox.env, api: false })
  const mail = {
    message_id: 'digest-1',
    to: { name: 'Dana Whitfield', address: 'dana@northwind.example' },
    subject: 'New at <b>Acme</b>',
    text: 'Acme raised money.',
    html: '<p class="x">Acme raised money.</p>',
    unsubscribe_url: null,
  }
  const result = await sendMail(service.deps, mail, AbortSignal.timeout(30_000))
  assert.equal(result.result, 'sent', result.message ?? '')
  const [received] = sandbox.smtp.find('digest-1@bellwether.example')
  assert.equal(received?.headers.subject, mail.subject)
  const page = await (await fetch(`${sandbox.control.url}/mail`)).text()
  assert.match(page, /<h2>New at &#60;b&#62;Acme&#60;\/b&#62;<\/h2>/)
  assert.match(page, /srcdoc="&#60;p class=&#34;x&#34;&#62;Acme raised money\./)
  // Closed with the service: the pool keeps a connection for the next mail.
  await service.stop()
  const later = await sendMail(service.deps, mail, AbortSignal.timeout(30_000))
  assert.equal(later.result, 'retry')
})
