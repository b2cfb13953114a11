import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { parse } from 'yaml'
import { abortOnDisconnect } from '../src/http/abort-on-disconnect.ts'
import { Client, refused } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { beside, run, stop } from './support/process.ts'
import { ADMIN_KEY, testService } from './support/service.ts'

// With a separate classifier that is not loaded yet.
const service = await testService({ env: { READER_THREADS: '1' } })
const limited = await testService({ env: { RATE_LIMIT_PER_MINUTE: '5' } })

test('work is aborted when its caller disconnects before the response, and not after it', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signals: AbortSignal[] = []
  server.on('request', (_, raw) => {
    signals.push(abortOnDisconnect({ raw }))
    if (signals.length === 1) raw.end('done')
  })
  const first = await fetch(url, { headers: { connection: 'close' } })
  assert.equal(await first.text(), 'done')
  const leaving = new AbortController()
  const second = assert.rejects(fetch(url, { signal: leaving.signal }))
  await once(server, 'request')
  const gone = once(signals[1] as AbortSignal, 'abort')
  leaving.abort()
  await Promise.all([second, gone])
  assert.equal(signals[0]?.aborted, false)
  server.close()
})

test('an unknown route is a 404 with the error body', async () => {
  refused(await service.admin.get('/v1/nothing-here'), 404, 'not_found')
  refused(await service.as(null).get('/nothing-here?x=1'), 404, 'not_found')
})

test('the console page is served for every URL of the console, and loads no external resources', async () => {
  const person = { headers: { accept: 'text/html,*/*' } }
  const [home, deep] = [await fetch(service.address, person), await fetch(`${service.address}/nothing?a=b`, person)]
  const page = await home.text()
  const nonceOf = (answer: Response) => /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
  assert.ok(page.includes(`content="${nonceOf(home)}"`))
  assert.notEqual(nonceOf(home), nonceOf(deep))
  assert.match(
    home.headers.get('content-security-policy') ?? '',
    /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/,
  )
  assert.equal(home.headers.get('cache-control'), 'no-cache')
  assert.equal(
    await deep.text().then((text) => text.replace(nonceOf(deep) as string, '')),
    page.replace(nonceOf(home) as string, ''),
  )
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file as string)
  assert.ok(files.length >= 3 && files.every((file) => file.startsWith('/')))
  for (const file of files) {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await fetch(service.address + file, { headers: { 'accept-encoding': encoding } })
      assert.equal(answer.headers.get('content-encoding') ?? 'identity', encoding)
      assert.match(
        answer.headers.get('cache-control') ?? '',
        file.startsWith('/assets/') ? /immutable/ : /max-age=3600/,
      )
      assert.ok((await answer.arrayBuffer()).byteLength > 0)
    }
  }
  for (const path of ['/v1/nothing', '/assets/nothing.js', '/docs/nothing']) {
    assert.equal((await fetch(service.address + path, person)).status, 404)
  }
})

test('a known path with another method is a 405 with the allowed methods', async () => {
  const answer = await service.admin.put('/v1/knowledge-base', {})
  refused(answer, 405, 'method_not_allowed')
  assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD', 'POST'])
  const one = await service.admin.get('/v1/knowledge-base/019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87')
  refused(one, 405, 'method_not_allowed')
  assert.deepEqual(one.headers.get('allow')?.split(', ').sort(), ['DELETE', 'PATCH'])
})

test('a body that is too large is a 413', async () => {
  refused(
    await service.admin.post('/v1/knowledge-base', { title: 'x', content_md: 'x'.repeat(1_100_000) }),
    413,
    'payload_too_large',
  )
})

test('a URL that is too large is a 431, which every operation documents', async () => {
  refused(await service.admin.get(`/v1/accounts?search=${'a'.repeat(17_000)}`), 431, 'invalid_request')
})

test('a body that is not JSON is a 415, and malformed JSON a 400', async () => {
  const headers = { 'content-type': 'text/plain' }
  refused(
    await service.admin.post('/v1/knowledge-base', undefined, { body: 'hi', headers }),
    415,
    'unsupported_media_type',
  )
  refused(await service.admin.post('/v1/knowledge-base', undefined, { body: '{"title": ' }), 400, 'invalid_request')
  refused(
    await service.admin.post('/v1/knowledge-base', undefined, { body: '{"__proto__": {}}' }),
    400,
    'invalid_request',
  )
  refused(await service.admin.post('/v1/knowledge-base', undefined, { body: '[]' }), 400, 'invalid_request')
  refused(await service.admin.post('/v1/knowledge-base', undefined, { body: '' }), 400, 'invalid_request')
})

test('a text is returned as it was sent', async () => {
  const title = `%_\\ 'quotes' "and" 🐑 Ünïcödé \u202e`
  const { id } = await service.admin.expect(201, 'POST', '/v1/knowledge-base', { title, content_md: '' })
  const listed = await service.admin.expect(200, 'GET', '/v1/knowledge-base')
  assert.equal(listed.find((section: { id: string }) => section.id === id).title, title)
})

test('an escaped backslash before u0000 is ordinary text', async () => {
  const { title } = await service.admin.expect(201, 'POST', '/v1/knowledge-base', {
    title: 'a\\u0000b',
    content_md: '',
  })
  assert.equal(title, 'a\\u0000b')
})

test('a day that does not exist, or a time without a zone, is rejected', async () => {
  for (const expires_at of [
    '2099-02-30T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2099-01-01T00:00:00',
    '2099-01-01',
    '2099-01-01T00:00:00+23:00',
    '9999-12-31T23:59:59-14:00',
    'soon',
  ]) {
    const answer = await service.admin.post('/v1/api-keys', { name: 'k', expires_at })
    refused(answer, 400, 'invalid_request')
    assert.equal(answer.error.details[0].path, 'expires_at')
  }
})

test('an id that is far too long is not found', async () => {
  refused(await service.admin.get(`/v1/signals/${'x'.repeat(500)}`), 404, 'not_found')
  refused(await service.admin.delete(`/v1/knowledge-base/${'x'.repeat(150)}`), 404, 'not_found')
})

test('an internal error is sent without its cause', async () => {
  await sql`create function fail_on_write() returns trigger language plpgsql as $$ begin raise 'secret detail'; end $$`.execute(
    service.deps.db,
  )
  await sql`create trigger fail before insert on knowledge_sections for each row when (new.title = 'fail') execute function fail_on_write()`.execute(
    service.deps.db,
  )
  const key = { headers: { 'idempotency-key': 'fails' } }
  const answer = await service.admin.post('/v1/knowledge-base', { title: 'fail', content_md: '' }, key)
  refused(answer, 500, 'internal')
  assert.ok(!/secret|trigger|\bat \w|\.ts/.test(answer.text), answer.text)
  await sql`drop trigger fail on knowledge_sections`.execute(service.deps.db)
  const again = await service.admin.post('/v1/knowledge-base', { title: 'fail', content_md: '' }, key)
  assert.equal(again.status, 201, 'a failure is not kept for its Idempotency-Key')
})

test('unknown fields of a body are ignored', async () => {
  const sent = { title: 'a', content_md: 'b', id: 'mine', workspace_id: 'x', is_ai_generated: true }
  const created = await service.admin.expect(201, 'POST', '/v1/knowledge-base', sent)
  assert.notEqual(created.id, 'mine')
  assert.equal(created.is_ai_generated, false)
})

test('every response has a request id, the caller’s if it is valid', async () => {
  const own = await service.admin.get('/v1/members', { headers: { 'x-request-id': 'trace-42' } })
  assert.equal(own.headers.get('x-request-id'), 'trace-42')
  const foul = await service.admin.get('/v1/members', { headers: { 'x-request-id': 'a b"<' } })
  assert.match(foul.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
})

test('every response has the security headers', async () => {
  for (const answer of [
    await service.admin.get('/v1/members'),
    await service.as(null).get('/v1/members'),
    await service.as(null).get('/nothing'),
  ]) {
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('x-frame-options'), 'DENY')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  }
})

test('each key has a separate rate limit per minute', async () => {
  for (let left = 4; left >= 0; left--) {
    const answer = await limited.admin.get('/v1/members')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"default";r=${left};t=\\d+$`))
    assert.equal(answer.headers.get('ratelimit-policy'), '"default";q=5;w=60')
  }
  const answer = await limited.admin.get('/v1/members')
  refused(answer, 429, 'rate_limited')
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  const { client } = await limited.member()
  assert.equal((await client.get('/v1/members')).status, 200)
})

test('guessing keys is rate-limited too', async () => {
  const answers = []
  for (let n = 0; n < 7; n++) answers.push((await limited.as(`guess-${n}`).get('/v1/members')).status)
  assert.deepEqual(answers, [401, 401, 401, 401, 401, 429, 429])
})

test('health, readiness and metrics need no API key', async () => {
  const open = service.as(null)
  assert.deepEqual((await open.get('/healthz')).body, { status: 'ok' })
  assert.deepEqual((await open.get('/readyz')).body, { status: 'ok', checks: { database: 'ok', queue: 'ok' } })
  await service.admin.get('/v1/members')
  const text = await eventually('figures of jobs', async () => {
    const { text } = await open.get('/metrics')
    return text.includes('bellwether_jobs{') && text
  })
  assert.match(text, /bellwether_http_requests_total\{method="GET",route="\/v1\/members",status="200"\} \d+/)
  assert.match(
    text,
    /bellwether_http_request_duration_seconds_bucket\{le="0.005",method="GET",route="\/v1\/members"\} \d+/,
  )
  assert.match(text, /bellwether_jobs\{queue="purge-idempotency-keys",state="ready"\} \d+/)
  assert.match(text, /bellwether_db_pool_connections\{state="idle"\} \d+/)
})

test('metrics include waiting jobs, workers, providers, the classifier and the database', async () => {
  const { deps } = service
  const metrics = async () => (await service.as(null).get('/metrics')).text
  assert.ok(!/^bellwether_reader_ready\{/m.test(await metrics()), 'nobody has asked for it: it is not loaded')
  await deps.classifier.status()
  await deps.health.report('people-data', { kind: 'quota', message: 'The quota is used up.' })
  await deps.health.report('news', null)
  await sql`update installation set backed_up_at = now()`.execute(deps.db)
  await sql`insert into worker_processes (id) values (${crypto.randomUUID()})`.execute(deps.db)
  await sql`insert into pgboss.job (name, start_after) values ('purge-idempotency-keys', now() - interval '90 seconds')`.execute(
    deps.db,
  )
  // Samples that take the database longer than a second are omitted.
  const text = await eventually('all figures', async () => {
    const text = await metrics()
    return /^bellwether_workers /m.test(text) && text.includes('bellwether_jobs_wait_seconds{') && text
  })
  assert.match(text, /^bellwether_reader_ready\{version="\w+"\} 1$/m)
  assert.match(text, /^bellwether_provider_failing\{provider="people-data",kind="quota"\} 1$/m)
  assert.match(text, /^bellwether_provider_failing\{provider="news",kind=""\} 0$/m)
  assert.match(text, /^bellwether_workers 1$/m)
  assert.match(text, /^bellwether_jobs_wait_seconds\{queue="purge-idempotency-keys"\} 9\d(\.\d+)?$/m)
  assert.match(text, /^bellwether_jobs_wait_seconds\{queue="(?!purge-idempotency-keys)[a-z-]+"\} 0$/m)
  assert.match(text, /^bellwether_database_up 1$/m)
  assert.match(text, /^bellwether_info\{version="[\d.]+"\} 1$/m)
  await sql`delete from pgboss.job`.execute(deps.db)
})

test('a separate worker serves health and metrics if configured, and nothing else', async () => {
  const worker = run(['serve', '--only', 'worker'], { env: { ...beside(service), WORKER_HEALTH: 'true' } })
  const [, address = ''] = await worker.sees(/"address":"([^"]+)","msg":"serving health and metrics of this worker/)
  const ask = (path: string) => new Client(address, ADMIN_KEY).get(path)
  assert.deepEqual((await ask('/healthz')).body, { status: 'ok' })
  assert.deepEqual((await ask('/readyz')).body, { status: 'ok', checks: { database: 'ok', queue: 'ok' } })
  refused(await ask('/docs'), 404, 'not_found')
  if (process.platform === 'linux') {
    const api = run(['serve', '--only', 'api'], { env: beside(service) })
    await api.sees(/Bellwether is ready/)
    for (const { child } of [worker, api]) {
      assert.match(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'), /--max-semi-space-size=/, 'it keeps small')
    }
    assert.equal(await stop(api), 0)
  }
  await eventually('a job is done and counted', async () =>
    /^bellwether_job_attempts_total\{queue="[a-z-]+",outcome="completed"\} [1-9]/m.test((await ask('/metrics')).text),
  )
  assert.equal(await stop(worker), 0)
})

test('the dashboard and the alert rules use metrics and labels that /metrics has', async () => {
  const samples = new Map<string, Set<string>>()
  // Garbage collection metrics exist after the first collection.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const late = [
    'nodejs_gc_duration_seconds_sum{',
    'bellwether_jobs{',
    'bellwether_jobs_wait_seconds{',
    '\nbellwether_workers ',
  ]
  const text = await eventually('figures of garbage collection and of the queue', async () => {
    const { text } = await service.as(null).get('/metrics')
    return late.every((name) => text.includes(name)) && text
  })
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = samples.get(name) ?? new Set(['job', 'instance'])
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    samples.set(name, known)
  }
  // Prometheus adds this one.
  samples.set('up', new Set(['job', 'instance']))
  const page = (file: string) => readFileSync(new URL(`../docs/operating/${file}`, import.meta.url), 'utf8')
  const dashboard = JSON.parse(page('grafana.json')) as { panels: { targets: { expr: string }[] }[] }
  const { groups } = parse(page('alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const asked = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ]
  assert.ok(asked.length > 30)
  for (const expr of asked) {
    const plain = expr.replaceAll(/"[^"]*"/g, '""').replaceAll(/\[[^\]]*\]/g, '')
    const grouped = [...plain.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, ?/))
    const figures = [
      ...plain.replaceAll(/\bby \([^)]*\)/g, '').matchAll(/([a-z_]\w*)(\{[^}]*\})?(?!\w|\s*\()/g),
    ].filter(([, name]) => name !== 'or')
    assert.ok(figures.length > 0, expr)
    for (const [, name = '', matchers = ''] of figures) {
      const known = samples.get(name) ?? assert.fail(`/metrics has no ${name}: ${expr}`)
      const labels = [...grouped, ...[...matchers.matchAll(/(\w+)(?==|!)/g)].map(([, label = '']) => label)]
      for (const label of labels) assert.ok(known.has(label), `${name} has no label ${label}: ${expr}`)
    }
  }
})

test('the API reference page and its script are served by the service', async () => {
  const page = await service.as(null).get('/docs')
  assert.match(page.text, /<script src="\/docs\/scalar.js">/)
  assert.ok(!/https?:\/\//.test(page.text))
  const script = await service.as(null).get('/docs/scalar.js')
  assert.match(script.headers.get('content-type') ?? '', /javascript/)
  assert.ok(script.text.includes('createApiReference'))
})

test('a URL that cannot be decoded gets the error body', async () => {
  // Without fetch, which would normalize the URL.
  const { hostname, port } = new URL(service.address)
  const answer = await new Promise<{ status: number; text: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      request(
        { hostname, port, path: '/v1/signals/%zz', headers: { authorization: `Bearer ${ADMIN_KEY}` } },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
        },
      )
        .on('error', reject)
        .end()
    },
  )
  assert.equal(answer.status, 400)
  assert.equal(JSON.parse(answer.text).error.code, 'invalid_request')
  assert.equal(answer.headers['x-request-id'], JSON.parse(answer.text).error.request_id)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
})

test('settings of the environment are listed without secrets, for admins of the first workspace', async () => {
  const env = {
    ZEROBOUNCE_API_KEY: 'zb-secret',
    SOURCES: 'website',
    OUTBOUND_CONTACT: 'https://hidden-user:hidden-password@bots.example/crawler?token=hidden#hidden',
  }
  const { admin, stranger } = await testService({ env })
  const listed = await admin.get('/v1/settings/server')
  const setting = (name: string) => listed.data.find((one: { name: string }) => one.name === name)
  assert.deepEqual([setting('SOURCES').value, setting('SOURCES').is_secret], ['website', false])
  assert.deepEqual([setting('ZEROBOUNCE_API_KEY').value, setting('ZEROBOUNCE_API_KEY').is_secret], [null, true])
  assert.equal(setting('OUTBOUND_CONTACT').value, 'https://bots.example/crawler…')
  assert.ok(!/zb-secret|hidden/.test(listed.text), listed.text)
  assert.equal(setting('LLM_API_KEY'), undefined)
  const { client: other } = await stranger()
  refused(await other.get('/v1/settings/server'), 403, 'forbidden')
  const isFirst = async (client: typeof other) => (await client.expect(200, 'GET', '/v1/me')).workspace.is_first
  assert.deepEqual([await isFirst(admin), await isFirst(other)], [true, false])
})
