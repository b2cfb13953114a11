// The network behind one function: windows in, logits out, on a thread of its own that is started when it is first needed.
import { Worker } from 'node:worker_threads'
import type { Answer, Batch, Judged, WorkerOptions } from './protocol.ts'
import type { Window } from './windows.ts'

/** The native runtime cannot be loaded on this machine. */
export class RuntimeMissing extends Error {}

/** Logits of one window: `document` by signal, `sentences` by place and signal, `described` by place. */
export type WindowScores = Judged

const MOST_IN_BATCH = 16

/** Lengths are rounded up, so that the runtime meets few shapes. */
const ROUND = 16

type Pending = { resolve: (judged: Judged) => void; reject: (error: Error) => void }

export class Session {
  readonly #options: WorkerOptions
  #worker: Promise<Worker> | null = null
  #missing: RuntimeMissing | null = null
  readonly #pending = new Map<number, Pending>()
  #last = 0
  #closed = false

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Starts the thread if need be. Throws a RuntimeMissing, now and ever after, where the runtime cannot be loaded. */
  async open(): Promise<void> {
    await this.#start()
  }

  /** Judges windows of any length; similar ones go together. Answers in the order of the windows. */
  async judge(windows: readonly Window[]): Promise<WindowScores[]> {
    const order = windows.map((_, i) => i).sort((a, b) => lengthOf(windows, a) - lengthOf(windows, b))
    const scores = new Array<WindowScores>(windows.length)
    for (let at = 0; at < order.length; at += MOST_IN_BATCH) {
      const numbers = order.slice(at, at + MOST_IN_BATCH)
      const part = numbers.map((i) => windows[i] as Window)
      const split = splitUp(part, await this.#run(part))
      numbers.forEach((number, i) => {
        scores[number] = split[i] as WindowScores
      })
    }
    return scores
  }

  async close(): Promise<void> {
    this.#closed = true
    const worker = await this.#worker?.catch(() => null)
    await worker?.terminate()
  }

  async #run(windows: readonly Window[]): Promise<Judged> {
    const worker = await this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<Judged>()
    const batch = batchOf(++this.#last, windows)
    this.#pending.set(batch.id, { resolve, reject })
    // An idle thread does not keep the process alive; one that computes does.
    worker.ref()
    worker.postMessage(batch, [batch.ids.buffer as ArrayBuffer, batch.places.buffer as ArrayBuffer])
    return promise
  }

  #start(): Promise<Worker> {
    if (this.#missing) return Promise.reject(this.#missing)
    if (this.#closed) return Promise.reject(new Error('The reader is closed.'))
    this.#worker ??= this.#launch()
    return this.#worker
  }

  #launch(): Promise<Worker> {
    const { promise, resolve, reject } = Promise.withResolvers<Worker>()
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: this.#options })
    let isReady = false
    const end = (error: Error) => {
      this.#worker = null
      if (!isReady && !this.#closed) this.#missing = new RuntimeMissing(error.message)
      reject(this.#missing ?? error)
      for (const { reject: fail } of this.#pending.values()) fail(error)
      this.#pending.clear()
    }
    worker.on('message', (answer: Answer) => {
      if (answer.kind === 'ready') {
        isReady = true
        resolve(worker)
      } else {
        const waiting = this.#pending.get(answer.id)
        this.#pending.delete(answer.id)
        if (answer.kind === 'judged') waiting?.resolve(answer.judged)
        else waiting?.reject(new Error(answer.message))
      }
      if (this.#pending.size === 0) worker.unref()
    })
    worker.on('error', end)
    worker.on('exit', (code) => end(new Error(`The reader's thread ended with code ${code}.`)))
    return promise
  }
}

const lengthOf = (windows: readonly Window[], i: number) => (windows[i] as Window).ids.length

function batchOf(id: number, windows: readonly Window[]): Batch {
  const longest = Math.max(...windows.map(({ ids }) => ids.length))
  const length = Math.ceil(longest / ROUND) * ROUND
  const ids = new Int32Array(windows.length * length)
  windows.forEach((window, i) => {
    ids.set(window.ids, i * length)
  })
  const places = Int32Array.from(windows.flatMap((window, i) => window.places.map((place) => i * length + place)))
  return { id, ids, windows: windows.length, length, places }
}

/** The scores of a batch, one entry for each window. */
function splitUp(windows: readonly Window[], { document, sentences, described }: Judged): WindowScores[] {
  const signals = document.length / windows.length
  let first = 0
  return windows.map(({ places }, i) => {
    const last = first + places.length
    const scores = {
      document: document.subarray(i * signals, (i + 1) * signals),
      sentences: sentences.subarray(first * signals, last * signals),
      described: described.subarray(first, last),
    }
    first = last
    return scores
  })
}
