import assert from 'node:assert/strict'
import { Readable, Writable } from 'node:stream'
import { afterEach, test } from 'node:test'
import { runEngine } from './engine.ts'

afterEach(() => {
  process.exitCode = undefined
})

async function run(verb: string, chunks: Iterable<string | Buffer>): Promise<Record<string, unknown>[]> {
  let out = ''
  const output = new Writable({
    write(chunk, _encoding, done) {
      out += chunk
      done()
    },
  })
  await runEngine(verb, Readable.from(chunks), output)
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

test('lines are written in input order, independent of chunk boundaries', async () => {
  const lines = ['CEO', 'Plant Manager', 'Café Owner'].map((title, id) => JSON.stringify({ id, title })).join('\r\n')
  const bytes = Buffer.from(lines)
  const single = Array.from({ length: bytes.length }, (_, i) => bytes.subarray(i, i + 1))
  const found = await run('titles', single)
  assert.deepEqual(
    found.map(({ id, job_level }) => [id, job_level]),
    [
      [0, 'C-Team'],
      [1, 'Manager'],
      [2, 'C-Team'],
    ],
  )
  assert.equal(process.exitCode, undefined)
})

test('a malformed line becomes an error object and the exit code is 1', async () => {
  const found = await run('titles', [
    '{"id":"a","title":"CTO"}\n',
    '{oops\n',
    '{"id":"c"}\n',
    '[1]\n',
    '{"id":"e","title":"RN"}',
  ])
  assert.equal(found.length, 5)
  assert.equal(found[0]?.job_level, 'C-Team')
  assert.equal(found[1]?.id, null)
  assert.match(String(found[1]?.error), /^line 2: /)
  assert.deepEqual(found[2], { id: 'c', error: 'line 3: title must be a string' })
  assert.match(String(found[3]?.error), /^line 4: /)
  assert.equal(found[4]?.job_level, 'Staff')
  assert.equal(process.exitCode, 1)
})

test('an unknown verb is rejected, also one that every object inherits', async () => {
  await assert.rejects(run('telepathy', ['{}']), /Unknown verb/)
  await assert.rejects(run('constructor', ['{}']), /Unknown verb/)
})

test('a slow reader causes backpressure on the input', async () => {
  let produced = 0
  let consumed = 0
  let widest = 0
  function* source() {
    for (let id = 0; id < 1_000; id++) {
      produced++
      widest = Math.max(widest, produced - consumed)
      yield `${JSON.stringify({ id, title: 'Director of Sales' })}\n`
    }
  }
  const output = new Writable({
    highWaterMark: 1_024,
    write(_chunk, _encoding, done) {
      consumed++
      setImmediate(done)
    },
  })
  await runEngine('titles', Readable.from(source(), { highWaterMark: 4 }), output)
  assert.ok(widest < 100, `${widest} lines were waiting`)
})

test('every verb returns a result for its input', async () => {
  const lines: Record<string, object> = {
    page: { url: 'https://a.example', html: '<title>T</title>' },
    feed: { url: 'https://a.example', body: '{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[]}' },
    titles: { title: 'CFO' },
    cascade: { query: 'CFO' },
    emails: { full_name: 'Ada Pike', domain: 'a.example' },
    score: { today: '2026-01-01', signals: [] },
    draft: { account: { name: 'A' }, signal: { signal_id: 'ipo' }, evidence: [{ claim: 'A is listed.' }] },
  }
  for (const [verb, line] of Object.entries(lines)) {
    const [result] = await run(verb, [JSON.stringify({ id: verb, ...line })])
    assert.equal(result?.id, verb)
    assert.equal(result?.error, undefined, verb)
    assert.ok(Object.keys(result ?? {}).length > 1)
  }
})
