import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Host, startInternet } from '../../sandbox/internet.ts'
import { createGate } from '../../sandbox/waiters.ts'
import { Client } from '../support/client.ts'
import { ended } from '../support/eventually.ts'
import { address, dataDir, loseJobs, run, stop } from '../support/process.ts'

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

test('a scan whose service dies twice over it ends failed and says why; the third one has its peace', async () => {
  let service = start()
  let client = new Client(await address(service), KEY)
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Halden', domain: 'halden.example' })
  const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  for (let kills = 0; kills < 2; kills++) {
    await article.holds(1)
    await stop(service, 'SIGKILL')
    article.forget()
    service = start()
    client = new Client(await address(service), KEY)
    await loseJobs(DATA_DIR, 'scan-account')
  }
  const { status, failure, jobs } = await ended(client, `/v1/runs/${run_id}`)
  assert.deepEqual([status, reads], ['failed', 2])
  assert.match(failure, /died twice/)
  assert.ok(jobs.every(({ state }: { state: string }) => state === 'failed'))
  assert.match(service.output(), /"level":"?(error|50)"?.*job given up: its worker was lost twice/)
  // A new scan is a new job.
  article.open()
  const again = await client.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  assert.equal((await ended(client, `/v1/runs/${again.run_id}`)).status, 'done')
  assert.equal(await stop(service), 0)
})
