// A pool of worker threads that parse documents from outside. A document that exceeds a limit costs its thread only.
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { ScoreWindows } from '../classifier/judge.ts'
import type { WindowScores } from '../classifier/protocol.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { FairQueue } from './fair-queue.ts'
import type { MessageFromThread, MessageToThread, ThreadData } from './protocol.ts'
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts'

/** Returned instead of a result for a document that could not be parsed completely; `reason` is shown to users. */
export class LimitExceeded {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

const TIMEOUT_REASON = 'It took too long to read.'
const MEMORY_REASON = 'It took too much memory to read.'
const BLOCKED_REASON = 'It was not read, because others from the same source took too long.'

/**
 * Multiple of the CPU limit after which a document times out by the clock, when its thread gets no core or does not
 * respond.
 */
const WALL_CLOCK_FACTOR = 12

/**
 * A running thread reports its CPU usage within milliseconds; one that waits for a core or is in a native call does
 * not.
 */
const CPU_USAGE_TIMEOUT_MS = 2_000

/**
 * Far more than the largest page needs, and small enough for several threads. V8 ends the thread when many small
 * objects exceed it; a single huge map, array or string ends the process, which the input size limits prevent.
 */
const MEMORY_MB = 512

/** A larger young generation, as V8 would choose, needs 60 MB more and is not faster. */
const YOUNG_MB = 48

/** Documents that may wait for scores in one thread, because they occupy the memory of the document being parsed. */
const MAX_AWAITING_SCORES = 4

export type ParserPoolOptions = {
  threads: number
  /** CPU time per document; waiting for a thread, a core or scores does not count. */
  timeoutMs: number
  /** Heap limit of a thread, as far as V8 enforces it: see MEMORY_MB. */
  memoryMb?: number
}

export type TaskRunOptions = {
  /** Queue key, usually the site: documents of one key are parsed one at a time, and keys are served round-robin. */
  from: string
  /**
   * Key of the circuit breaker, where it is narrower than `from`: after a few documents that exceed a limit, documents
   * of the same key are no longer parsed. Defaults to `from`.
   */
  blame?: string
  /** Buffers that are transferred instead of copied: the caller may not use them afterwards. */
  transfer?: ArrayBuffer[]
  score?: ScoreWindows
  signal?: AbortSignal
}

type Job = {
  name: TaskName
  input: unknown
  options: TaskRunOptions
  /** CPU milliseconds used so far. */
  cpuMsUsed: number
  /** Whether it is a retry, after its thread ran out of memory while other documents waited in that thread. */
  isRetry: boolean
  resolve: (output: never) => void
  reject: (error: unknown) => void
}

type Scored = { id: number; job: Job } & ({ scores: WindowScores[] } | { error: unknown })

type Thread = {
  worker: Worker
  isReady: boolean
  /** The job that is running. */
  busy: { id: number; job: Job; timer: NodeJS.Timeout; until: number } | null
  /** CPU milliseconds at the last message of the thread. */
  cpuMs: number
  /** Jobs that wait for scores. */
  awaitingScores: Map<number, Job>
  scored: Scored[]
}

export class ParserPool implements AsyncDisposable {
  readonly #options: ParserPoolOptions
  readonly #threads = new Set<Thread>()
  readonly #queue = new FairQueue<Job>()
  readonly #breaker = new CircuitBreaker()
  #last = 0
  #closed = false

  constructor(options: ParserPoolOptions) {
    this.#options = options
  }

  /** Runs a task in a thread. Throws the signal's reason if it is aborted while the task is queued. */
  async run<N extends TaskName>(
    name: N,
    input: TaskInput<N>,
    options: TaskRunOptions,
  ): Promise<TaskOutput<N> | LimitExceeded> {
    if (this.#closed) throw new Error('The parser pool is closed.')
    const { promise, resolve, reject } = Promise.withResolvers<TaskOutput<N> | LimitExceeded>()
    this.#queue.add(options.from, { name, input, options, cpuMsUsed: 0, isRetry: false, resolve, reject })
    this.#dispatch()
    return promise
  }

  /** Starts a thread in advance, so that the first task does not wait for the start. */
  warmUp(): void {
    if (this.#closed || this.#threads.size > 0) return
    try {
      this.#start()
    } catch {
      // The first task tries again and reports the error.
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const over = new Error('The parser pool was closed.')
    for (const job of this.#queue.clear()) job.reject(over)
    const threads = [...this.#threads]
    this.#threads.clear()
    for (const { busy, awaitingScores } of threads) {
      clearTimeout(busy?.timer)
      for (const job of [...(busy ? [busy.job] : []), ...awaitingScores.values()]) job.reject(over)
    }
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Assigns a job to every idle thread, and starts a thread if all are busy. */
  #dispatch(): void {
    for (const thread of this.#threads) {
      const scored = thread.isReady && !thread.busy ? thread.scored.shift() : undefined
      if (scored) this.#send(thread, scored.id, scored.job, scoresMessage(scored))
    }
    for (;;) {
      const threads = [...this.#threads].sort((a, b) => a.awaitingScores.size - b.awaitingScores.size)
      const idle = threads.find(({ isReady, busy }) => isReady && !busy)
      const canStart = threads.length < this.#options.threads && threads.every(({ isReady }) => isReady)
      if (!idle && !canStart) return
      // Only jobs that request scores are limited by others that wait for theirs.
      const hasRoom = ({ options }: Job) => idle && (!options.score || idle.awaitingScores.size < MAX_AWAITING_SCORES)
      const job = this.#queue.next(this.#busyKeys(), (next) => canStart || hasRoom(next) === true)
      if (!job) return
      const { from, signal } = job.options
      if (signal?.aborted) job.reject(signal.reason)
      else if (this.#breaker.isOpen(breakerKey(job))) settleJob(job, new LimitExceeded(BLOCKED_REASON))
      else if (idle && hasRoom(job)) this.#begin(idle, job)
      else if (this.#ensureThread(job)) {
        this.#queue.putBack(from, job)
        return
      }
    }
  }

  /** Whether a thread is available, now or soon. Rejects the job if no thread runs and none can be started. */
  #ensureThread(job: Job): boolean {
    try {
      this.#start()
    } catch (error) {
      if (this.#threads.size === 0) {
        job.reject(error)
        return false
      }
    }
    return true
  }

  #busyKeys(): ReadonlySet<string> {
    return new Set([...this.#threads].flatMap(({ busy }) => (busy ? [busy.job.options.from] : [])))
  }

  #begin(thread: Thread, job: Job): void {
    const id = ++this.#last
    const { name, input, options } = job
    this.#send(thread, id, job, { kind: 'task', id, name, input }, options.transfer)
  }

  #send(thread: Thread, id: number, job: Job, message: MessageToThread, transfer: ArrayBuffer[] = []): void {
    const { timeoutMs } = this.#options
    const until = performance.now() + WALL_CLOCK_FACTOR * timeoutMs
    thread.busy = { id, job, until, timer: this.#timer(thread, id, timeoutMs - job.cpuMsUsed) }
    thread.awaitingScores.delete(id)
    // An idle thread does not keep the process alive; a running one does.
    thread.worker.ref()
    try {
      thread.worker.postMessage(message, transfer)
    } catch (error) {
      // A message that cannot be cloned fails this job only; a job that waits for scores receives the error instead.
      if (message.kind !== 'task') {
        thread.worker.postMessage({ kind: 'no-scores', id, error: new Error(reasonFor(error, message)) })
        return
      }
      clearTimeout(thread.busy.timer)
      thread.busy = null
      if (thread.awaitingScores.size === 0) thread.worker.unref()
      job.reject(error)
    }
  }

  #timer(thread: Thread, id: number, ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#checkTime(thread, id), Math.max(1, ms))
  }

  /**
   * The timeout counts CPU time, so the timer is restarted while CPU time is left. The result may already be queued.
   */
  async #checkTime(thread: Thread, id: number): Promise<void> {
    const cpuMs = await cpuMsOf(thread.worker)
    const { busy } = thread
    if (busy?.id !== id || !this.#threads.has(thread)) return
    const left = this.#options.timeoutMs - busy.job.cpuMsUsed - ((cpuMs ?? thread.cpuMs) - thread.cpuMs)
    if (left <= 0 || performance.now() >= busy.until) this.#terminate(thread, new LimitExceeded(TIMEOUT_REASON))
    else busy.timer = this.#timer(thread, id, left)
  }

  #start(): void {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { compileCache: getCompileCacheDir() } satisfies ThreadData,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#options.memoryMb ?? MEMORY_MB,
        maxYoungGenerationSizeMb: YOUNG_MB,
      },
    })
    const thread: Thread = { worker, isReady: false, busy: null, cpuMs: 0, awaitingScores: new Map(), scored: [] }
    this.#threads.add(thread)
    worker.on('message', (message: MessageFromThread) => {
      if (this.#threads.has(thread)) this.#receive(thread, message)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      this.#terminate(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new LimitExceeded(MEMORY_REASON) : error)
    })
    worker.on('exit', (code) => this.#terminate(thread, new Error(`A parser thread ended with code ${code}.`)))
  }

  #receive(thread: Thread, message: MessageFromThread): void {
    if (message.kind === 'ready') thread.isReady = true
    else if (thread.busy?.id === message.id) {
      const { job, timer } = thread.busy
      clearTimeout(timer)
      job.cpuMsUsed += message.cpuMs - thread.cpuMs
      thread.busy = null
      if (message.kind === 'score-request') this.#requestScores(thread, message, job)
      else if (message.kind === 'done') job.resolve(message.output as never)
      else job.reject(message.error)
    }
    thread.cpuMs = message.cpuMs
    this.#dispatch()
    if (!thread.busy && thread.awaitingScores.size === 0) thread.worker.unref()
  }

  #requestScores(thread: Thread, { id, windows }: MessageFromThread & { kind: 'score-request' }, job: Job): void {
    thread.awaitingScores.set(id, job)
    const answer = (scored: { scores: WindowScores[] } | { error: unknown }) => {
      // If the thread was terminated meanwhile, the job runs again elsewhere.
      if (thread.awaitingScores.get(id) !== job) return
      thread.scored.push({ id, job, ...scored })
      this.#dispatch()
    }
    const score = job.options.score ?? (() => Promise.reject(new Error('This task has no scorer for windows.')))
    score(windows).then(
      (scores) => answer({ scores }),
      (error: unknown) => answer({ error }),
    )
  }

  /**
   * Terminates a thread. Its running job fails; jobs that only waited in it run again elsewhere. If memory ran out
   * while others waited in the thread, the running job may not be the cause, so it is retried once, before the others.
   */
  #terminate(thread: Thread, why: Error | LimitExceeded): void {
    if (!this.#threads.delete(thread)) return
    void thread.worker.terminate()
    const { busy, awaitingScores, isReady } = thread
    const waited = [...awaitingScores.values()]
    for (const job of waited.reverse()) {
      job.cpuMsUsed = 0
      this.#queue.putBack(job.options.from, job)
    }
    awaitingScores.clear()
    if (busy) {
      const { job, timer } = busy
      clearTimeout(timer)
      const isCause =
        !(why instanceof LimitExceeded && why.reason === MEMORY_REASON && waited.length > 0) || job.isRetry
      if (why instanceof LimitExceeded && isCause) this.#breaker.recordFailure(breakerKey(job))
      // Transferred buffers are lost with the thread, so the job cannot run again.
      if (isCause || job.options.transfer?.length) settleJob(job, why)
      else this.#queue.putBack(job.options.from, Object.assign(job, { cpuMsUsed: 0, isRetry: true }))
    } else if (!isReady) {
      // The thread failed to start, as the next one would, so all queued jobs fail.
      for (const job of this.#queue.clear()) settleJob(job, why)
    }
    this.#dispatch()
  }
}

/** CPU milliseconds of a thread; null if it does not respond in time. */
function cpuMsOf(worker: Worker): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  setTimeout(resolve, CPU_USAGE_TIMEOUT_MS, null).unref()
  worker.cpuUsage().then(
    ({ user, system }) => resolve((user + system) / 1000),
    // The thread has ended; its exit event reports that.
    () => resolve(null),
  )
  return promise
}

function settleJob({ resolve, reject }: Job, why: Error | LimitExceeded): void {
  if (why instanceof LimitExceeded) resolve(why as never)
  else reject(why)
}

const breakerKey = ({ options: { from, blame } }: Job) => blame ?? from

/** Why scores are missing, as text, for an error that cannot be cloned. */
function reasonFor(error: unknown, message: MessageToThread): string {
  const why = message.kind === 'no-scores' ? message.error : error
  return why instanceof Error ? why.message : String(why)
}

function scoresMessage(scored: Scored): MessageToThread {
  const { id } = scored
  return 'scores' in scored
    ? { kind: 'scores', id, scores: scored.scores }
    : { kind: 'no-scores', id, error: scored.error }
}

/**
 * Bytes for a task with their transfer list; bytes that share their buffer with others are copied, as empty ones may.
 */
export function prepareTransfer(bytes: Uint8Array): { body: Uint8Array; transfer: ArrayBuffer[] } {
  const isAlone = bytes.byteLength > 0 && bytes.byteLength === bytes.buffer.byteLength
  const body = isAlone ? bytes : Uint8Array.from(bytes)
  return { body, transfer: [body.buffer as ArrayBuffer] }
}
