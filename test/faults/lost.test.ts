import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { type Host, startInternet } from '../../sandbox/internet.ts'
import { createGate } from '../../sandbox/waiters.ts'
import { Client } from '../support/client.ts'
import { ended, eventually } from '../support/eventually.ts'
import { address, beside, dataDir, loseJobs, run, startWorker, stop } from '../support/process.ts'
import { testService } from '../support/service.ts'

const KEY = 'key-of-the-fault-tests'
const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)

const article = createGate()
let reads = 0
const page = (title: string, body: string) => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: `<html><head><title>${title}</title></head><body><main>${body}</main></body></html>`,
})
const site: Host = async ({ url }) => {
  if (url.host !== 'halden.example') return null
  if (url.pathname === '/') return page('Halden', '<p>Halden builds robots.</p><a href="/news">News</a>')
  if (url.pathname === '/news')
    return page(
      'News',
      '<article><h2><a href="/news/round">Halden raises $40 million in Series B funding</a></h2></article>',
    )
  if (url.pathname !== '/news/round') return { status: 404 }
  reads++
  await article.pass()
  return page(
    'Halden raises $40 million in Series B funding',
    `<time datetime="${day}">${day}</time><p>Halden today announced that it has raised $40 million in Series B funding led by Vantor Capital.</p>`,
  )
}

const internet = await startInternet(site)
after(() => internet[Symbol.asyncDispose]())
const DATA_DIR = dataDir()
const start = () =>
  run(['serve'], {
    env: { ...internet.env, DATA_DIR, BELLWETHER_API_KEY: KEY, SOURCES: 'website', CRAWL_DELAY_MS: '0' },
  })

test('a scan whose service dies twice ends as failed with the reason; the next scan succeeds', async () => {
  let service = start()
  let client = new Client(await address(service), KEY)
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Halden', domain: 'halden.example' })
  const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  for (let kills = 0; kills < 2; kills++) {
    await article.untilHeld(1)
    await stop(service, 'SIGKILL')
    article.clear()
    service = start()
    client = new Client(await address(service), KEY)
    await loseJobs(DATA_DIR, 'scan-account')
  }
  const { status, failure, jobs } = await ended(client, `/v1/runs/${run_id}`)
  assert.deepEqual([status, reads], ['failed', 2])
  assert.match(failure, /died or stopped responding twice/)
  assert.ok(jobs.every(({ state }: { state: string }) => state === 'failed'))
  // The run fails a moment before the line is logged.
  await service.sees(/"level":"?(error|50)"?.*job abandoned: its worker was lost twice/)
  // A new scan is a new job.
  article.open()
  const again = await client.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  assert.equal((await ended(client, `/v1/runs/${again.run_id}`)).status, 'done')
  assert.equal(await stop(service), 0)
})

test('a scan that freezes its worker twice ends as failed, although the worker continues each time', async () => {
  article.close()
  const before = reads
  const env = { ...internet.env, SOURCES: 'website', CRAWL_DELAY_MS: '0' }
  const service = await testService({ env })
  const { admin: client } = service
  const { db } = service.deps
  const worker = await startWorker({ ...env, ...beside(service) })
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Halden', domain: 'halden.example' })
  const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  const scan = sql`name = 'scan-account' and data->>'run_id' = ${run_id}`
  for (let freezes = 0; freezes < 2; freezes++) {
    await article.untilHeld(1)
    // The next attempt starts when the frozen worker runs again, and not before.
    await sql`update pgboss.job set retry_delay = 3600 where ${scan}`.execute(db)
    worker.child.kill('SIGSTOP')
    const other = await startWorker({ ...env, ...beside(service) })
    await eventually('the missed heartbeat is noticed', async () => {
      const { rows } = await sql`select from pgboss.job where ${scan} and state = 'retry'`.execute(db)
      return rows.length > 0
    })
    assert.equal(await stop(other), 0)
    article.clear()
    worker.child.kill('SIGCONT')
    await eventually('the worker is alive', async () => {
      const alive = sql`select from worker_processes where seen_at > now() - interval '1 second'`
      return (await alive.execute(db)).rows.length > 0
    })
    await sql`update pgboss.job set start_after = now() where ${scan}`.execute(db)
  }
  const { status, failure } = await ended(client, `/v1/runs/${run_id}`)
  assert.deepEqual([status, reads - before], ['failed', 2])
  assert.match(failure, /died or stopped responding twice/)
  assert.equal(await stop(worker), 0)
})

test('a scheduled job whose sending worker is killed is sent by another one', async () => {
  const service = await testService({ env: internet.env })
  const { db } = service.deps
  const worker = await startWorker({ ...internet.env, ...beside(service) })
  const marker = 'sent-after-a-kill'
  const occurrence = JSON.stringify({ name: 'resume-deliveries', data: { idle: 5 }, options: { singletonKey: marker } })
  await sql`insert into pgboss.job (name, data, state, started_on, heartbeat_on, heartbeat_seconds)
    select name, ${occurrence}, 'active', now(), 'epoch', heartbeat_seconds
    from pgboss.queue where name = '__pgboss__send-it'`.execute(db)
  await eventually('the job is sent', async () => {
    const { rows } = await sql`select from pgboss.job
      where name = 'resume-deliveries' and singleton_key = ${marker} and state = 'completed'`.execute(db)
    return rows.length > 0
  })
  assert.equal(await stop(worker), 0)
})
