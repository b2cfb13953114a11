import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSandbox } from '../../sandbox/start.ts'
import type { Answer } from '../support/client.ts'
import { ended } from '../support/eventually.ts'
import { testService } from '../support/service.ts'

// Scans every company of the sandbox with the default number of parser and classifier threads, unlike other tests.
const sandbox = await startSandbox()
const { admin } = await testService({
  worker: true,
  env: {
    ...sandbox.env,
    SOURCES: 'website,job-boards,sec,github,status-pages',
    WORKER_CONCURRENCY: '8',
    READING_THREADS: '2',
    READER_THREADS: '2',
  },
})
after(() => sandbox[Symbol.asyncDispose]())
type Data = Answer['data']

const present = async (id: string): Promise<Data[]> =>
  (await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)).filter((one: Data) => one.signal_present)

test('scans find the true events of the manifest, and fall for no trap', async (t) => {
  const { companies } = sandbox.manifest()
  const accounts: Data[] = await admin.expect(
    201,
    'POST',
    '/v1/accounts',
    companies.map(({ name, domain }) => ({ name, domain })),
  )
  const runs: Data[] = await Promise.all(accounts.map(({ id }) => admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)))
  const wrong: string[] = []
  const missed: string[] = []
  const trapped: string[] = []
  let right = 0
  for (const [index, { domain, signals, streamed, arguable, traps, readable }] of companies.entries()) {
    const run: Data = await ended(admin, `/v1/runs/${runs[index].run_id}`)
    const website = run.stats.sources.find(({ name }: Data) => name === 'website')
    assert.equal(website.outcome === 'failed', !readable, `${domain}: ${website.reason}`)
    const found = await present(accounts[index].id)
    // Reports of others count although the company's own site could not be read.
    assert.equal(run.status, readable || found.length > 0 ? 'done' : 'failed', `${domain}: ${run.failure}`)
    assert.ok(run.jobs.every(({ state }: Data) => state !== 'pending'))
    const tells = (one: Data, truth: (typeof signals)[number]) =>
      one.signal_id === truth.signal_id && one.sources.some((url: string) => truth.urls.includes(url))
    for (const truth of signals) {
      const matching = found.filter((one) => tells(one, truth))
      if (matching.length > 0) right++
      else missed.push(`${domain} ${truth.signal_id} ${truth.event}`)
      assert.ok(matching.length < 2, `${domain} ${truth.signal_id} ${truth.event} is one event, and was stored twice`)
    }
    for (const one of found) {
      if ([...signals, ...streamed].some((truth) => tells(one, truth))) continue
      if (arguable.some(({ signal_id, url }) => one.signal_id === signal_id && one.sources.includes(url))) continue
      wrong.push(`${domain} ${one.signal_id}: ${one.evidence[0].claim}`)
      const trap = traps.find(({ url }) => one.sources.includes(url))
      if (trap) trapped.push(`${domain} ${one.signal_id} (${trap.kind})`)
    }
    for (const one of found) assert.ok(one.evidence.every((proof: Data) => proof.claim && proof.source_url))
  }
  const all = companies.flatMap(({ traps }) => traps).length
  const precision = right / (right + wrong.length)
  const recall = right / (right + missed.length)
  const report = JSON.stringify({ precision, recall, right, wrong, missed, trapped, traps: all }, null, 2)
  t.diagnostic(`precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}, ${trapped.length} of ${all} traps`)
  assert.ok(precision >= 0.95, report)
  assert.ok(recall >= 0.9, report)
  assert.deepEqual(trapped, [], report)
})
