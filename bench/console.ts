import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { launchProfile } from '../test/support/chromium.ts'
import { median } from './results.ts'
import { makeFolder, startBenchService } from './support.ts'

/**
 * The console in Chromium: bytes of the first load, and the time until a page's rows are visible, opened from the menu and
 * reloaded with its files and their compiled code in the browser's cache, compared with the time of the same API request from the
 * same page. Then scrolling, with the tasks that block the page.
 */

const ROUNDS = 9
const FINDINGS = 10_000
const ACCOUNTS = 100_000
const [MAX_BYTES, MAX_BEYOND_MS, MAX_TASK_MS] = [250_000, 150, 100]

await using service = await startBenchService()
const { address, key, connection, workspaceId } = service
const pool = new pg.Pool({ ...connection, max: 2 })

console.log(`filling ${ACCOUNTS.toLocaleString('en')} accounts and ${FINDINGS.toLocaleString('en')} findings …`)
await pool.query(
  `insert into accounts (workspace_id, id, name, domain, status, source, score, tags, industry, country, employees, created_at, last_signal_at)
   select $1, gen_random_uuid(), (array['Nordic','Blue','Prime','Atlas','Vertex','Müller'])[1 + n % 6] || ' ' || left(md5(n::text), 8),
     'c' || n || '-' || left(md5(n::text), 6) || '.com', (array['suggested','active','suggested','rejected','new'])[1 + n % 5], 'api',
     (100 * power(random(), 3))::int, case when n % 5 = 0 then array['common'] else '{}'::text[] end,
     (array['Logistics','Software','Retail'])[1 + n % 3], 'DE', n % 5000, now() - n * interval '1 second', now() - n * interval '1 minute'
   from generate_series(1, $2::int) as n`,
  [workspaceId, ACCOUNTS],
)
const evidence = JSON.stringify([
  {
    claim: 'Raises $20 million',
    quote:
      'The company announced today that it has closed its Series B of $20 million to build a second plant in Rotterdam.',
    details: null,
    source_url: 'https://news.example/article',
    published_date: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    judged_by: 'f3a91c2b7d04',
  },
])
await pool.query(
  `insert into signal_detections (workspace_id, account_id, id, signal_id, signal_present, alpha, icp_fit, detected_at, headline, narrative,
     why_reach_out_md, drafted_message_md, evidence, key_facts, personas, sources, confidence, created_at)
   select $1, a.id, gen_random_uuid(), s.id, true, 60, 50, current_date - (n % 80)::int, a.name || ' raised a round', 'It announced new funding.',
     'New money, and a plant to equip.', 'Hi, congratulations on the round.', $3::jsonb, array['Series B'], array['VP Operations'],
     array['https://news.example/article'], 0.6 + (n % 40) / 100.0, now() - n * interval '7 minutes'
   from generate_series(1, $2::int) as n
   join (select id, name, row_number() over (order by id) as at from accounts where workspace_id = $1 and status = 'active' limit 4000) as a
     on a.at = 1 + n % 4000
   join (select id, row_number() over (order by id) as at from signals where workspace_id = $1 and is_builtin) as s
     on s.at = 1 + n % (select count(*) from signals where workspace_id = $1 and is_builtin)`,
  [workspaceId, FINDINGS, evidence],
)
// One open item for each account with a finding.
await pool.query(
  `insert into work_items (workspace_id, id, account_id, account_status, act_now, factors, lead_id)
   select distinct on (account_id) $1::uuid, gen_random_uuid(), account_id, 'active', 100 * random(), $2::jsonb, id
   from signal_detections where workspace_id = $1 order by account_id, id`,
  [workspaceId, JSON.stringify([{ name: 'event', points: 60, why: 'Raises $20 million, today' }])],
)
await pool.query(
  `insert into work_item_events (workspace_id, record_id, kind, work_item_id)
   select $1, d.id, 'detection', i.id
   from signal_detections as d join work_items as i on i.workspace_id = $1 and i.account_id = d.account_id where d.workspace_id = $1`,
  [workspaceId],
)
await pool.query('vacuum analyze')
await pool.query('checkpoint')
await pool.end()

type Case = { name: string; path: string; call: string; row: string }
const CASES: Case[] = [
  {
    name: `Today with ${FINDINGS.toLocaleString('en')} findings`,
    path: '/',
    call: '/v1/work-items',
    row: 'main article',
  },
  {
    name: `page 1 of ${ACCOUNTS.toLocaleString('en')} accounts`,
    path: '/accounts',
    call: '/v1/accounts',
    row: 'main tbody a',
  },
]

const profile = makeFolder()
const context = await launchProfile(profile, { baseURL: address, viewport: { width: 1440, height: 900 } })
await context.request.post('/v1/sessions', { data: { key }, headers: { origin: address } })
const page = await context.newPage()
// In every page from its start: records long tasks.
await page.addInitScript(`
  window.longTasks = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })
  // Since the page was opened, until an element exists and has been drawn.
  window.shown = (selector) => drawn[selector] ?? performance.now()
  window.drawn = {}
  const wanted = ${JSON.stringify(CASES.map(({ row }) => row))}
  new MutationObserver(() => {
    for (const selector of wanted) {
      if (selector in drawn || !document.querySelector(selector)) continue
      drawn[selector] = performance.now()
      requestAnimationFrame(() => requestAnimationFrame(() => (drawn[selector] = performance.now())))
    }
  }).observe(document, { childList: true, subtree: true })
  window.openByMenu = async (path, selector) => {
    const begun = performance.now()
    document.querySelector('nav a[href="' + path + '"]').click()
    while (!(selector in drawn)) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return performance.now() - begun
  }`)

let failed = false
const judge = (what: string, measured: number, aim: number, unit: string) => {
  const ok = measured <= aim
  failed ||= !ok
  console.log(
    `${what}: ${Math.round(measured).toLocaleString('en')} ${unit} (aim ${aim.toLocaleString('en')}, ratio ${(measured / aim).toFixed(2)})${ok ? '' : ' MISSED'}`,
  )
}

// The files of the first page, compressed with gzip as in the target; the service sends brotli, which is smaller.
const files = new Set<string>()
page.on('response', (response) => {
  const { pathname } = new URL(response.url())
  if (/\.(js|css|svg)$/.test(pathname)) files.add(pathname)
})
await page.goto('/')
await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
await page.waitForLoadState('networkidle')
const dist = new URL('../console/dist/', import.meta.url)
const known = new Set(readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => `/${name}`))
const sizes = [...files].filter((file) => known.has(file)).map((file) => readFileSync(new URL(`.${file}`, dist)))
const packed = sizes.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0)
judge(`first load of Today, ${sizes.length} files, gzipped`, packed, MAX_BYTES, 'bytes')

for (const { name, path, call, row } of CASES) {
  const byMenu: number[] = []
  const afresh: number[] = []
  const answered: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // A full load, so that nothing on the page was read before.
    await page.goto('/settings/sessions')
    await page.locator('main h1').waitFor()
    await page.waitForLoadState('networkidle')
    const asked = page.waitForRequest(
      (request) => new URL(request.url()).pathname === call && !/suggested/.test(request.url()),
    )
    // Timed in the page, because the automation of the browser takes time.
    byMenu.push(await page.evaluate<number>(`openByMenu(${JSON.stringify(path)}, ${JSON.stringify(row)})`))
    const url = (await asked).url()
    await page.goto('about:blank')
    await page.goto(path, { waitUntil: 'commit' })
    await page.locator(row).first().waitFor()
    afresh.push(await page.evaluate<number>(`shown(${JSON.stringify(row)})`))
    await page.waitForLoadState('networkidle')
    const alone = await page.evaluate(async (url) => {
      const begun = performance.now()
      await (await fetch(url, { cache: 'no-store' })).json()
      return performance.now() - begun
    }, url)
    answered.push(alone)
  }
  // The first rounds fill the caches; the browser compiles a script ahead of its third use.
  const [opened, loaded, api] = [byMenu, afresh, answered].map((times) => median(times.slice(2))) as [
    number,
    number,
    number,
  ]
  console.log(
    `${name}: ${opened.toFixed(0)} ms from the menu, ${loaded.toFixed(0)} ms afresh, the API alone ${api.toFixed(0)} ms`,
  )
  judge('  beyond the API, from the menu', opened - api, MAX_BEYOND_MS, 'ms')
  judge('  beyond the API, afresh', loaded - api, MAX_BEYOND_MS, 'ms')
  await page.evaluate('longTasks.length = 0')
  await page.mouse.move(700, 500)
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, 400)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  await page.waitForLoadState('networkidle')
  const longest = await page.evaluate<number>('Math.max(0, ...longTasks)')
  judge('  longest task while scrolling', longest, MAX_TASK_MS, 'ms')
}
await context.close()
rmSync(profile, { recursive: true })
process.exitCode = failed ? 1 : 0
