// The threads that read what others wrote. A document that takes too long costs its thread, and nothing else.
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { ScoreWindows } from '../classifier/judge.ts'
import type { WindowScores } from '../classifier/protocol.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { FairQueue } from './fair-queue.ts'
import type { MessageFromThread, MessageToThread, ThreadData } from './protocol.ts'
import type { TaskInput, TaskName, TaskOutput } from './tasks.ts'

/** Instead of a result, for a document that could not be read to its end: why, in a sentence for a person. */
export class LimitExceeded {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

const TIMEOUT_REASON = 'It took too long to read.'
const MEMORY_REASON = 'It took too much memory to read.'
const BLOCKED_REASON = 'It was not read, because others from the same place took too long.'

/** So many times the limit pass by the clock before a document is given up whose thread hardly gets a core, or is silent. */
const WALL_CLOCK_FACTOR = 12

/** A thread that computes says how much within milliseconds; one that waits for a core, or is in a native call, does not. */
const CPU_USAGE_TIMEOUT_MS = 2_000

/**
 * Far more than the largest page takes, and little enough for several at once. A net with holes: beyond it many small objects
 * end the thread, but one huge map, array or text ends the process. What keeps the latter away are the limits on what goes in.
 */
const MEMORY_MB = 512

/** So many documents wait for scores in one thread: what they hold meanwhile is the memory of whatever it computes on. */
const MAX_AWAITING_SCORES = 4

export type ParserPoolOptions = {
  threads: number
  /** How long one document may be computed on; waiting, for a thread, a core or scores, does not count. */
  timeoutMs: number
  /** What a thread may hold before it is ended, as far as that can be had: see MEMORY_MB. */
  memoryMb?: number
}

export type TaskRunOptions = {
  /** Where the document is from: documents of one place are read one at a time, and places take turns. */
  from: string
  /**
   * Who is to blame when it takes too much, where that is narrower than whose turn it is: after a few such documents no
   * others of the same are tried. The place itself when not given.
   */
  blame?: string
  /** Handed over instead of copied: nobody else may hold on to them. */
  transfer?: ArrayBuffer[]
  score?: ScoreWindows
  signal?: AbortSignal
}

type Job = {
  name: TaskName
  input: unknown
  options: TaskRunOptions
  /** Milliseconds computed so far. */
  spent: number
  /** Whether it was computed on when the memory of a thread that held others, too, ran out. */
  isAgain: boolean
  resolve: (output: never) => void
  reject: (error: unknown) => void
}

type Scored = { id: number; job: Job } & ({ scores: WindowScores[] } | { error: unknown })

type Thread = {
  worker: Worker
  isReady: boolean
  /** What it computes on. */
  busy: { id: number; job: Job; timer: NodeJS.Timeout; until: number } | null
  /** Milliseconds it had computed when it last said something. */
  cpuMs: number
  /** What waits for scores. */
  asking: Map<number, Job>
  scored: Scored[]
}

export class ParserPool implements AsyncDisposable {
  readonly #options: ParserPoolOptions
  readonly #threads = new Set<Thread>()
  readonly #turns = new FairQueue<Job>()
  readonly #strikes = new CircuitBreaker()
  #last = 0
  #closed = false

  constructor(options: ParserPoolOptions) {
    this.#options = options
  }

  /** Has a thread do a task. Throws what the signal throws while it waits. */
  async run<N extends TaskName>(
    name: N,
    input: TaskInput<N>,
    options: TaskRunOptions,
  ): Promise<TaskOutput<N> | LimitExceeded> {
    if (this.#closed) throw new Error('The reading threads are closed.')
    const { promise, resolve, reject } = Promise.withResolvers<TaskOutput<N> | LimitExceeded>()
    this.#turns.add(options.from, { name, input, options, spent: 0, isAgain: false, resolve, reject })
    this.#dispatch()
    return promise
  }

  /** Has a thread start now, so that its start does not come on top of the first wait. */
  warmUp(): void {
    if (this.#closed || this.#threads.size > 0) return
    try {
      this.#start()
    } catch {
      // Whoever has something to read tries again, and is told.
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const over = new Error('The reading threads were closed.')
    for (const job of this.#turns.clear()) job.reject(over)
    const threads = [...this.#threads]
    this.#threads.clear()
    for (const { busy, asking } of threads) {
      clearTimeout(busy?.timer)
      for (const job of [...(busy ? [busy.job] : []), ...asking.values()]) job.reject(over)
    }
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Gives every idle thread something to do, and starts one where all are busy. */
  #dispatch(): void {
    for (const thread of this.#threads) {
      const scored = thread.isReady && !thread.busy ? thread.scored.shift() : undefined
      if (scored) this.#send(thread, scored.id, scored.job, scoresMessage(scored))
    }
    for (;;) {
      const threads = [...this.#threads].sort((a, b) => a.asking.size - b.asking.size)
      const idle = threads.find(({ isReady, busy }) => isReady && !busy)
      const canStart = threads.length < this.#options.threads && threads.every(({ isReady }) => isReady)
      if (!idle && !canStart) return
      // Only what asks for scores is held up by others that wait for theirs.
      const hasRoom = ({ options }: Job) => idle && (!options.score || idle.asking.size < MAX_AWAITING_SCORES)
      const job = this.#turns.next(this.#held(), (next) => canStart || hasRoom(next) === true)
      if (!job) return
      const { from, signal } = job.options
      if (signal?.aborted) job.reject(signal.reason)
      else if (this.#strikes.isOpen(breakerKey(job))) settleJob(job, new LimitExceeded(BLOCKED_REASON))
      else if (idle && hasRoom(job)) this.#begin(idle, job)
      else if (this.#couldStart(job)) {
        this.#turns.putBack(from, job)
        return
      }
    }
  }

  /** Whether there is a thread, now or soon, to do this; where none can be started and there is no other, it is told so. */
  #couldStart(job: Job): boolean {
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

  #held(): ReadonlySet<string> {
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
    thread.busy = { id, job, until, timer: this.#timer(thread, id, timeoutMs - job.spent) }
    thread.asking.delete(id)
    // An idle thread does not keep the process alive; one that computes does.
    thread.worker.ref()
    try {
      thread.worker.postMessage(message, transfer)
    } catch (error) {
      // What cannot be handed over ends this one alone. Where the thread waits for scores it is told that none come.
      if (message.kind !== 'task') {
        thread.worker.postMessage({ kind: 'no-scores', id, error: new Error(reasonFor(error, message)) })
        return
      }
      clearTimeout(thread.busy.timer)
      thread.busy = null
      if (thread.asking.size === 0) thread.worker.unref()
      job.reject(error)
    }
  }

  #timer(thread: Thread, id: number, ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#checkTime(thread, id), Math.max(1, ms))
  }

  /** Time is up by the clock; what counts is what was computed. The answer may also lie there already. */
  async #checkTime(thread: Thread, id: number): Promise<void> {
    const computed = await cpuMsOf(thread.worker)
    const { busy } = thread
    if (busy?.id !== id || !this.#threads.has(thread)) return
    const left = this.#options.timeoutMs - busy.job.spent - ((computed ?? thread.cpuMs) - thread.cpuMs)
    if (left <= 0 || performance.now() >= busy.until) this.#lose(thread, new LimitExceeded(TIMEOUT_REASON))
    else busy.timer = this.#timer(thread, id, left)
  }

  #start(): void {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { compileCache: getCompileCacheDir() } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMb ?? MEMORY_MB },
    })
    const thread: Thread = { worker, isReady: false, busy: null, cpuMs: 0, asking: new Map(), scored: [] }
    this.#threads.add(thread)
    worker.on('message', (message: MessageFromThread) => {
      if (this.#threads.has(thread)) this.#hear(thread, message)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      this.#lose(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new LimitExceeded(MEMORY_REASON) : error)
    })
    worker.on('exit', (code) => this.#lose(thread, new Error(`A reading thread ended with code ${code}.`)))
  }

  #hear(thread: Thread, message: MessageFromThread): void {
    if (message.kind === 'ready') thread.isReady = true
    else if (thread.busy?.id === message.id) {
      const { job, timer } = thread.busy
      clearTimeout(timer)
      job.spent += message.cpuMs - thread.cpuMs
      thread.busy = null
      if (message.kind === 'ask') this.#ask(thread, message, job)
      else if (message.kind === 'done') job.resolve(message.output as never)
      else job.reject(message.error)
    }
    thread.cpuMs = message.cpuMs
    this.#dispatch()
    if (!thread.busy && thread.asking.size === 0) thread.worker.unref()
  }

  #ask(thread: Thread, { id, windows }: MessageFromThread & { kind: 'ask' }, job: Job): void {
    thread.asking.set(id, job)
    const answer = (scored: { scores: WindowScores[] } | { error: unknown }) => {
      // Its thread may have been lost meanwhile; then it is done again.
      if (thread.asking.get(id) !== job) return
      thread.scored.push({ id, job, ...scored })
      this.#dispatch()
    }
    const score = job.options.score ?? (() => Promise.reject(new Error('Nobody scores windows here.')))
    score(windows).then(
      (scores) => answer({ scores }),
      (error: unknown) => answer({ error }),
    )
  }

  /**
   * Ends a thread. What it computed on is over; what only waited in it is done again elsewhere. Memory that runs out while
   * others wait in the thread need not be the fault of what was computed on: that is tried once more, before the others.
   */
  #lose(thread: Thread, why: Error | LimitExceeded): void {
    if (!this.#threads.delete(thread)) return
    void thread.worker.terminate()
    const { busy, asking, isReady } = thread
    const waited = [...asking.values()]
    for (const job of waited.reverse()) {
      job.spent = 0
      this.#turns.putBack(job.options.from, job)
    }
    asking.clear()
    if (busy) {
      const { job, timer } = busy
      clearTimeout(timer)
      const isBlamed =
        !(why instanceof LimitExceeded && why.reason === MEMORY_REASON && waited.length > 0) || job.isAgain
      if (why instanceof LimitExceeded && isBlamed) this.#strikes.recordFailure(breakerKey(job))
      // Bytes that were handed over are gone with the thread.
      if (isBlamed || job.options.transfer?.length) settleJob(job, why)
      else this.#turns.putBack(job.options.from, Object.assign(job, { spent: 0, isAgain: true }))
    } else if (!isReady) {
      // It could not even start, and neither would the next: whoever waits is told.
      for (const job of this.#turns.clear()) settleJob(job, why)
    }
    this.#dispatch()
  }
}

/** What a thread has computed, in milliseconds; null while it does not say. */
function cpuMsOf(worker: Worker): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  setTimeout(resolve, CPU_USAGE_TIMEOUT_MS, null).unref()
  worker.cpuUsage().then(
    ({ user, system }) => resolve((user + system) / 1000),
    // It has ended meanwhile, which its exit event reports.
    () => resolve(null),
  )
  return promise
}

function settleJob({ resolve, reject }: Job, why: Error | LimitExceeded): void {
  if (why instanceof LimitExceeded) resolve(why as never)
  else reject(why)
}

const breakerKey = ({ options: { from, blame } }: Job) => blame ?? from

/** Why scores do not come, where that itself cannot be handed over. */
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

/** Bytes for a task, and how they are handed over: those that share their memory with others are copied, as empty ones may. */
export function prepareTransfer(bytes: Uint8Array): { body: Uint8Array; transfer: ArrayBuffer[] } {
  const isAlone = bytes.byteLength > 0 && bytes.byteLength === bytes.buffer.byteLength
  const body = isAlone ? bytes : Uint8Array.from(bytes)
  return { body, transfer: [body.buffer as ArrayBuffer] }
}
