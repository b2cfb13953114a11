import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startReceiver } from '../../sandbox/receiver.ts'
import { Client } from '../support/client.ts'
import { commands } from '../support/commands.ts'
import { createDatabase, withConnection } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { address, beside, run, startWorker } from '../support/process.ts'
import { checkOut, RELEASES } from '../support/upgrades.ts'

const KEY = 'key-of-the-rolling-upgrade-0123'
const [version = '', commit = ''] = Object.entries(RELEASES).at(-1) ?? []

const receiver = await startReceiver()
const folder = mkdtempSync(join(tmpdir(), 'bellwether-release-'))
chmodSync(folder, 0o711)
after(async () => {
  await receiver[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

test(`a worker of ${version} works for a newer API, and beside a newer worker`, async (t) => {
  if (!checkOut(commit, folder)) return t.skip(`this clone lacks the commit ${commit} of ${version}: fetch the history`)
  const databaseUrl = await createDatabase(`t_${process.pid}_rolling`, 'template0')
  const env = {
    ...beside({ databaseUrl }),
    BELLWETHER_API_KEY: KEY,
    OUTBOUND_ALLOW: receiver.host,
    OUTBOUND_CONNECT_TO: '*:443=127.0.0.1:1',
    SOURCES: 'website',
  }
  const bin = join(folder, 'bin/bellwether.js')
  const oldWorker = run(['serve', '--only', 'worker'], { env, bin })
  await oldWorker.sees(/worker is ready/)

  const change = (text: string) => withConnection(databaseUrl, (client) => client.query(text))
  await change('alter table installation add column backed_up_at text')
  assert.equal((await commands(env).cli('migrate')).code, 1)
  await change('alter table installation drop column backed_up_at')
  const oldApi = run(['serve', '--only', 'api'], { env, bin })
  // Without the client of the tests, which compares answers with the newer documentation.
  const early = await fetch(`${await address(oldApi)}/v1/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ name: 'Early', domain: 'early.example' }]),
  })
  assert.equal(early.status, 201)

  const client = new Client(await address(run(['serve', '--only', 'api'], { env })), KEY)
  const { id: destination_id } = await client.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Receiver',
    url: `${receiver.url}/rolling`,
  })
  const delivered = (name: string) =>
    receiver.deliveries.filter(({ body, status }) => status === 200 && body.includes(`${name}-`)).length
  /** Pushes new accounts in the background and scans one, which a worker has to do. */
  const work = async (name: string) => {
    const body = Array.from({ length: 150 }, (_, at) => ({ name: `${name} ${at}`, domain: `${name}-${at}.example` }))
    const accounts = await client.expect(201, 'POST', '/v1/accounts', body)
    const account_ids = accounts.map(({ id }: { id: string }) => id)
    await client.post('/v1/accounts/webhook-push', { destination_id, account_ids })
    await client.expect(200, 'POST', `/v1/accounts/${account_ids[0]}/activate`)
    const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${account_ids[0]}/scan`)
    await eventually(`all are pushed (${name})`, async () => delivered(name) === 150)
    await eventually(`the scan ends (${name})`, async () =>
      ['completed', 'failed'].includes((await client.expect(200, 'GET', `/v1/runs/${run_id}`)).status),
    )
  }
  // There is no other worker yet.
  await work('first')

  const newWorker = await startWorker(env)
  await work('second')
  assert.deepEqual([oldWorker.child.exitCode, newWorker.child.exitCode, oldApi.child.exitCode], [null, null, null])

  const again = run(['serve', '--only', 'worker'], { env, bin })
  assert.equal(await again.exited, 1)
  assert.match(again.output(), /A later version has changed this database/)
})
