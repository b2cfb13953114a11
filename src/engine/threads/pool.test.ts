import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { after, test } from 'node:test'
import worker_threads, { type Worker } from 'node:worker_threads'
import { dearPage } from '../../../test/support/hostile.ts'
import type { WindowScores } from '../classifier/protocol.ts'
import { LimitExceeded, ParserPool, type ParserPoolOptions, type TaskRunOptions } from './pool.ts'

const DEAR = dearPage()
const PLAIN = '<html><head><title>Acme</title></head><body><main><p>Acme builds robots.</p></main></body></html>'
const TOO_LONG = 'It took too long to read.'

function poolOf(options: Partial<ParserPoolOptions> = {}): ParserPool {
  const pool = new ParserPool({ threads: 1, timeoutMs: 400, ...options })
  after(() => pool.close())
  return pool
}

async function page(pool: ParserPool, from: string, html: string, blame?: string): Promise<string | null> {
  const body = new TextEncoder().encode(html)
  const input = { url: `https://${from}/`, body, contentType: 'text/html', today: '2026-01-01', known: null }
  const read = await pool.run('page', input, { from, ...(blame && { blame }), transfer: [body.buffer] })
  if (read instanceof LimitExceeded) return read.reason
  return read.outcome === 'read' && read.type === 'page' ? read.page.title : read.outcome
}

/** Returns empty scores once it is released. */
function heldScorer() {
  const asked: number[] = []
  const held = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  const score = async (windows: readonly { sentencePositions: readonly number[] }[]): Promise<WindowScores[]> => {
    asked.push(windows.length)
    first.resolve()
    await held.promise
    return windows.map(({ sentencePositions }) => ({
      document: new Int16Array(12),
      sentences: new Int16Array(12 * sentencePositions.length),
      described: new Int16Array(sentencePositions.length),
    }))
  }
  return { asked, score, first: first.promise, release: held.resolve }
}

function detect(pool: ParserPool, from: string, score: TaskRunOptions['score']) {
  const text = 'Acme today announced that it has raised $40 million in Series B funding led by Vantor Capital.'
  const input = { id: from, company: { name: 'Acme' }, title: 'Acme raises $40 million', text }
  const options = { version: 'v', builtins: true, described: [] }
  return pool.run('detect', { input, options }, { from, score })
}

/** The threads that are started from now until the end of the test. */
function spiedWorkers(): Worker[] {
  const builtIn = worker_threads.Worker
  const workers: Worker[] = []
  worker_threads.Worker = class extends builtIn {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      workers.push(this)
    }
  }
  syncBuiltinESMExports()
  after(() => {
    worker_threads.Worker = builtIn
    syncBuiltinESMExports()
  })
  return workers
}

test('a document that takes too long costs its thread only, and its source is blocked after repeated timeouts', async () => {
  const pool = poolOf()
  const ended: string[] = []
  const note = (name: string, result: Promise<string | null>) => result.then((text) => ended.push(`${name}: ${text}`))
  await Promise.all([
    ...[1, 2, 3, 4].map((n) => note(`bad ${n}`, page(pool, 'bad.example', DEAR))),
    ...[1, 2].map((n) => note(`good ${n}`, page(pool, 'good.example', PLAIN))),
  ])
  // The queue key and the breaker key may differ.
  assert.equal(await page(pool, 'bad.example', PLAIN, 'another'), 'Acme')
  // Keys are served round-robin, and after the third failure nothing of the key is parsed.
  assert.deepEqual(ended, [
    `bad 1: ${TOO_LONG}`,
    'good 1: Acme',
    `bad 2: ${TOO_LONG}`,
    'good 2: Acme',
    `bad 3: ${TOO_LONG}`,
    'bad 4: It was not read, because others from the same source took too long.',
  ])
})

test('a document that waits for scores in a terminated thread runs again', async () => {
  const pool = poolOf()
  const scorer = heldScorer()
  const detecting = detect(pool, 'acme.example', scorer.score)
  await scorer.first
  // The thread waits, so it can parse another document, which then costs the thread.
  assert.equal(await page(pool, 'bad.example', DEAR), TOO_LONG)
  scorer.release()
  const found = await detecting
  assert.ok(!(found instanceof LimitExceeded))
  assert.deepEqual([found.id, found.judged_by, scorer.asked], ['acme.example', 'v', [1, 1]])
})

test('only a few documents wait for scores in one thread, which continues to parse those that need none', async () => {
  const pool = poolOf({ timeoutMs: 60_000 })
  const scorer = heldScorer()
  const detecting = [1, 2, 3, 4, 5, 6].map((n) => detect(pool, `${n}.example`, scorer.score))
  assert.equal(await page(pool, 'good.example', PLAIN), 'Acme')
  assert.equal(scorer.asked.length, 4)
  scorer.release()
  for (const found of await Promise.all(detecting)) assert.ok(!(found instanceof LimitExceeded))
  assert.equal(scorer.asked.length, 6)
})

test('memory that runs out while others wait in the thread is not attributed to the document being parsed', async () => {
  const workers = spiedWorkers()
  const pool = poolOf({ timeoutMs: 60_000 })
  const scorer = heldScorer()
  const detecting = detect(pool, 'acme.example', scorer.score)
  await scorer.first
  const runOut = () => workers.at(-1)?.emit('error', { code: 'ERR_WORKER_OUT_OF_MEMORY' })
  const second = heldScorer()
  second.release()
  const innocent = detect(pool, 'good.example', second.score)
  runOut()
  const read = await innocent
  assert.ok(!(read instanceof LimitExceeded))
  scorer.release()
  assert.ok(!((await detecting) instanceof LimitExceeded))
  assert.equal(workers.length, 2)
  // Alone in the thread it is the cause.
  const alone = detect(pool, 'bad.example', second.score)
  runOut()
  assert.ok((await alone) instanceof LimitExceeded)
})

test('a thread that waits for a core does not respond, and its document does not time out because of that', async (t) => {
  const workers = spiedWorkers()
  const pool = poolOf({ timeoutMs: 60_000 })
  assert.equal(await page(pool, 'warm.example', PLAIN), 'Acme')
  const [worker] = workers
  assert.ok(worker)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const asked = Promise.withResolvers<void>()
  worker.cpuUsage = () => {
    asked.resolve()
    return new Promise(() => {})
  }
  const reading = page(pool, 'good.example', PLAIN)
  t.mock.timers.tick(60_000)
  await asked.promise
  t.mock.timers.tick(60_000)
  assert.equal(await reading, 'Acme')
})

test('a message that cannot be cloned, and a thread that cannot be started, fail their own jobs only', async () => {
  const builtIn = worker_threads.Worker
  const pool = poolOf({ timeoutMs: 60_000 })
  worker_threads.Worker = class {
    constructor() {
      throw new Error('Too many threads.')
    }
  } as never
  syncBuiltinESMExports()
  await assert.rejects(page(pool, 'good.example', PLAIN), /Too many threads/)
  worker_threads.Worker = builtIn
  syncBuiltinESMExports()
  assert.equal(await page(pool, 'good.example', PLAIN), 'Acme')
  const robots = { url: 'https://a.example', body: (() => {}) as never, contentType: 'text/plain' }
  await assert.rejects(pool.run('robots', robots, { from: 'a.example' }), { name: 'DataCloneError' })
  const score = () => Promise.reject(new Error('The classifier is unavailable.', { cause: () => {} }))
  await assert.rejects(detect(pool, 'acme.example', score), /The classifier is unavailable/)
  assert.equal(await page(pool, 'good.example', PLAIN), 'Acme')
})

test('a document that takes too much memory is abandoned, and the process continues', async () => {
  const pool = poolOf({ timeoutMs: 60_000, memoryMb: 48 })
  assert.equal(await page(pool, 'bad.example', DEAR), 'It took too much memory to read.')
  assert.equal(await page(pool, 'good.example', PLAIN), 'Acme')
})

test('the thread that calls the pool uses almost no CPU time', async () => {
  const pool = poolOf({ timeoutMs: 60_000 })
  assert.equal(await page(pool, 'warm.example', PLAIN), 'Acme')
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
  assert.equal(await page(pool, 'dear.example', dearPage(3_000)), null)
  const spent = ({ user, system }: NodeJS.CpuUsage) => user + system
  assert.ok(spent(process.threadCpuUsage(own)) < spent(process.cpuUsage(all)) / 2)
})

test('a closed pool rejects queued jobs and new ones', async () => {
  const pool = poolOf()
  const waiting = page(pool, 'good.example', PLAIN)
  await Promise.all([assert.rejects(waiting, /closed/), pool.close()])
  await assert.rejects(page(pool, 'good.example', PLAIN), /closed/)
})
