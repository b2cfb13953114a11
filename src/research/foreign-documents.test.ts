import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { SandboxResponse } from '../../sandbox/types.ts'
import { llm } from '../../sandbox/vendors/llm.ts'
import { addCompanies } from '../../test/support/companies.ts'
import { rss, xml } from '../../test/support/crawler.ts'
import { scene } from '../../test/support/scene.ts'
import { page, watchedSites } from '../../test/support/watched-sites.ts'
import { html } from '../../test/support/world.ts'
import { readContext } from './context.ts'
import { discoverAccounts } from './discovery/discover.job.ts'
import { findSignals } from './find-signals.ts'
import { redetectSignal } from './redetect.ts'
import { scanAccount } from './scan/scan.ts'

/** The current behaviour of the model, and the requests since the last check. */
let behaviour = 'honest'
const asked: string[] = []
const questions = () => asked.splice(0)

// At a private address, as a self-hosted model: it is reachable only through the allow list.
const model = createServer(async (incoming, response) => {
  const request = JSON.parse(await text(incoming))
  asked.push(request.messages[1].content)
  const url = new URL(`https://llm.example${incoming.url}`)
  const body = JSON.stringify({ ...request, model: behaviour })
  const world = { today: '', companies: [], stories: [], filings: [] }
  const answer = (await llm.answer({ method: 'POST', url, headers: {}, body }, world)) as SandboxResponse
  response.writeHead(answer.status, answer.headers).end(answer.body)
})
await new Promise<void>((listening) => model.listen(0, '127.0.0.1', listening))
after(() => model.close())
const at = `127.0.0.1:${(model.address() as AddressInfo).port}`
const { service, watched, sites } = await watchedSites({
  LLM_BASE_URL: `http://${at}/v1`,
  LLM_MODEL: 'house-model',
  OUTBOUND_ALLOW: at,
  SOURCES: 'website',
})
const { admin, workspaceId } = service

const today = new Date().toISOString().slice(0, 10)
const QUOTE =
  'Halden Robotics hat am Dienstag in einer Finanzierungsrunde rund 20 Mio. Euro von Mira Solberg und der Bank erhalten.'
const NOTHING =
  'Die Firma baut mit viel Freude und Sorgfalt Roboter für die Lager der Stadt und ist mit der Arbeit zufrieden.'
const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10)
const article = (day: string, title: string, story: string) =>
  page(title, `<article><time datetime="${day}">${day}</time><p>${story}</p><p>${NOTHING}</p></article>`)
const round = article(today, 'Neues aus dem Haus', `${QUOTE} Das freut auch Ann Pike sehr.`)
const quiet = (n: number) =>
  article(lastWeek, `Eine ruhige Woche in der Werkstatt, Teil ${n}`, `Woche ${n}. ${NOTHING}`)

/** A site whose home page links to articles. */
const siteOf = (articles: Record<string, string>) => ({
  '/': page(
    'Halden Robotics',
    Object.keys(articles)
      .map((path) => `<h2><a href="${path}">Neuigkeiten aus der Werkstatt, Meldung ${path.slice(6)}</a></h2>`)
      .join(''),
  ),
  ...articles,
})

async function scan(id: string) {
  const { run_id } = await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  await service.run(scanAccount, { workspace_id: workspaceId, run_id, account_id: id })
  const run = await admin.expect(200, 'GET', `/v1/runs/${run_id}`)
  const site = run.stats.sources.find(({ name }: { name: string }) => name === 'website')
  const signals = await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  const present = signals.filter((one: { signal_present: boolean }) => one.signal_present)
  return { run, site, present, absent: signals.length - present.length }
}

async function erase(account_id: string, full_name: string) {
  const [person] = await (await scene(service, { owner: { client: admin, workspaceId } })).save([
    { account_id, full_name },
  ])
  await admin.expect(200, 'DELETE', `/v1/people/${person?.id}`)
}

test('the model reads a German site within its budget, once, and without erased people', async () => {
  const others = Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`/news/woche-${n}`, quiet(n)]))
  const { id } = await watched(() => siteOf({ '/news/runde': round, ...others }))
  await erase(id, 'Ann Pike')
  const first = await scan(id)
  assert.equal(first.run.status, 'done', first.run.failure)
  const [{ signal_id, evidence, detected_at }, ...more] = first.present
  assert.deepEqual([signal_id, detected_at, more.length], ['funding', today, 0])
  const [{ quote, claim, judged_by, source_url }] = evidence
  assert.deepEqual([quote, claim, judged_by], [QUOTE, 'Halden Robotics reports funding.', 'house-model'])
  assert.match(source_url, /\/news\/runde$/)
  const sent = questions()
  assert.equal(sent.length, 12)
  assert.match(first.site.reason, /2 of 14 documents were not searched for signals: German\./)
  assert.equal(first.absent, 0)
  for (const one of sent) assert.ok(one.startsWith('{"untrusted_document":{') && !one.includes('Pike'), one)
  assert.ok(sent.some((one) => one.includes('Das freut auch [erased] sehr.')))

  // Stored documents are searched without the model.
  await service.run(redetectSignal, { workspace_id: workspaceId, signal_id: null })
  assert.deepEqual(questions(), [])
  const second = await scan(id)
  assert.equal(questions().length, 2)
  assert.deepEqual([second.site.reason, second.present.length, second.absent], [null, 1, 11])
  assert.equal(second.run.stats.detections, 0)

  // The cached results about her are deleted as well.
  await erase(id, 'Mira Solberg')
  const kept = await service.deps.db.selectFrom('model_readings').select('events').execute()
  assert.ok(kept.length > 0 && !JSON.stringify(kept).includes('Solberg'))
  const third = await scan(id)
  const [repeated, ...rest] = questions()
  assert.deepEqual(
    [rest.length, repeated?.includes('von [erased] und der Bank'), repeated?.includes('Solberg')],
    [0, true, false],
  )
  assert.equal(third.present.length, 1)
  assert.ok(!JSON.stringify(third.present).includes('Solberg'))
})

test('findings of the model count less where members kept calling the signal wrong', async () => {
  const { signals } = await readContext(service.deps, workspaceId)
  const document = { url: 'https://halden.example/runde', kind: 'article' as const, title: 'Neues aus dem Haus' }
  const documents = [{ ...document, text: `${QUOTE} ${NOTHING}`, published_date: today }]
  const company = { name: 'Halden Robotics', domain: 'halden.example' }
  const find = async (wrong: number) => {
    const judged = signals.map((one) => ({ ...one, verdicts: { right: 0, wrong } }))
    const options = { today, windowDays: 90, model: { account_id: null } }
    const { findings } = await findSignals(service.deps, workspaceId, company, documents, [], judged, options)
    return findings.map(({ signal_id }) => signal_id)
  }
  assert.deepEqual(await find(0), ['funding'])
  assert.deepEqual(await find(100), [])
  questions()
})

test('invented events are neither findings nor proof of absence; a failing model is reported and retried later', async () => {
  const english = page(
    'A quiet week in the workshop',
    `<article><time datetime="${today}">${today}</time><p>We are happy with the work in our workshop, and the robots are happy with us.</p></article>`,
  )
  const articles = { '/news/runde': round, '/news/woche': quiet(1), '/news/week': english }
  const { id } = await watched(() => siteOf(articles))
  behaviour = 'busy'
  const failing = await scan(id)
  // A busy model is retried once, but not for the next document.
  assert.equal(new Set(questions()).size, 1)
  assert.equal(failing.run.status, 'done', failing.run.failure)
  assert.match(
    failing.site.reason,
    /^2 of 3 documents could not be searched for signals, such as \S+: The language model/,
  )
  assert.deepEqual([failing.present.length, failing.absent], [0, 0])
  const { providers } = await admin.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual(
    providers.problems.map(({ name }: { name: string }) => name),
    ['The language model'],
  )

  behaviour = 'inventive'
  const invented = await scan(id)
  assert.equal(questions().length, 2)
  assert.deepEqual([invented.run.status, invented.present.length, invented.absent], ['done', 0, 0])
  assert.match(invented.site.reason, /2 of 3 documents were not searched for signals: German\./)
})

test('a change that the model could not read is read at the next check', async () => {
  behaviour = 'busy'
  const news = [{ path: '/news/alt', title: 'Halden Robotics zieht um', date: '2026-01-05' }]
  const { id, check } = await watched((host) => ({
    '/': page(
      'Halden Robotics',
      '<p>Roboter.</p>',
      '<link rel="alternate" type="application/rss+xml" href="/feed.xml">',
    ),
    '/feed.xml': () => xml(rss(news, host)),
    '/news/runde': () => html(round),
  }))
  await check()
  news.unshift({ path: '/news/runde', title: 'Neues aus dem Haus', date: today })
  const failed = (await check()).get('/feed.xml')
  assert.equal(failed?.search_status, 'failed')
  assert.match(failed?.reason ?? '', /The language model/)
  behaviour = 'honest'
  const searched = (await check()).get('/feed.xml')
  assert.equal(searched?.search_status, 'searched', searched?.reason)
  const [detection] = await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  assert.deepEqual([detection.signal_id, detection.evidence[0].judged_by], ['funding', 'house-model'])
})

test('discovery has the model read companies that are not accounts yet, without people erased at a company of that name', async () => {
  sites.set('neu.example', siteOf({ '/news/runde': round }))
  await addCompanies(service.databaseUrl, workspaceId, [{ domain: 'neu.example', name: 'Halden Robotics' }])
  questions()
  const { run_id } = await admin.expect(202, 'POST', '/v1/runs', { signals: { any_of: ['funding'] } })
  await service.run(discoverAccounts, { workspace_id: workspaceId, run_id })
  const run = await admin.expect(200, 'GET', `/v1/runs/${run_id}`)
  assert.deepEqual([run.status, run.stats.matched], ['done', 1], run.failure)
  const [asking, ...more] = questions()
  assert.deepEqual([more.length, /Pike|Solberg/.test(asking ?? '')], [0, false])
  const [{ id }] = await admin.expect(200, 'GET', '/v1/accounts?status=suggested')
  const [detection] = await admin.expect(200, 'GET', `/v1/accounts/${id}/signals?signal_id=funding`)
  assert.equal(detection.evidence[0].judged_by, 'house-model')
})
