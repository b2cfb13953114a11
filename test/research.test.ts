import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '../sandbox/start.ts'
import { sweepMonitors } from '../src/resources/monitor/sweep.job.ts'
import type { Answer } from './support/client.ts'
import { testService } from './support/service.ts'

// The whole way on the sandbox internet: activate, scan, watch, alert. Nothing of ours is replaced.
const sandbox = await startSandbox()
const service = await testService({
  env: {
    ...sandbox.env,
    SOURCES: 'website,job-boards,sec',
    WORKER_CONCURRENCY: '8',
    ALERT_DELAY_SECONDS: '0',
  },
})
after(() => service.stop())
after(() => sandbox[Symbol.asyncDispose]())
const { admin, deps } = service
type Data = Answer['data']

async function until<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(50)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`${what} did not happen`)
}

const present = async (id: string): Promise<Data[]> =>
  (await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)).filter((one: Data) => one.signal_present)

test('scans find what the manifest says is true, and fall for hardly a trap', async () => {
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
  for (const [index, { domain, signals, arguable, traps, readable }] of companies.entries()) {
    const run: Data = await until(`the end of the scan of ${domain}`, async () => {
      const run = await admin.expect(200, 'GET', `/v1/runs/${runs[index].run_id}`)
      return run.status === 'running' ? null : run
    })
    assert.equal(run.status, 'done', `${domain}: ${run.failure}`)
    const website = run.stats.sources.find(({ name }: Data) => name === 'website')
    assert.equal(website.outcome === 'failed', !readable, `${domain}: ${website.reason}`)
    const found = await present(accounts[index].id)
    const tells = (one: Data, truth: (typeof signals)[number]) =>
      one.signal_id === truth.signal_id && one.sources.some((url: string) => truth.urls.includes(url))
    for (const truth of signals) {
      const told = found.filter((one) => tells(one, truth))
      if (told.length > 0) right++
      else missed.push(`${domain} ${truth.signal_id} ${truth.event}`)
      assert.ok(told.length < 2, `${domain} ${truth.signal_id} ${truth.event} is one event, and was stored twice`)
    }
    for (const one of found) {
      if (signals.some((truth) => tells(one, truth)) || arguable.includes(one.signal_id)) continue
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
  if (process.env.SHOW_RESEARCH) console.log(report)
  assert.ok(precision >= 0.8, report)
  assert.ok(recall >= 0.6, report)
  assert.ok(trapped.length <= all * 0.05, report)
})
