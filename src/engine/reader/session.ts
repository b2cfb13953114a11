// The network behind one function: windows in, logits out, on a thread of its own that is started when it is first needed.
import { Worker } from 'node:worker_threads'
import type { Pieces } from './judge.ts'
import type { Answer, Task, WindowScores, WorkerOptions } from './protocol.ts'

/** The native runtime cannot be loaded on this machine. */
export class RuntimeMissing extends Error {}

type Pending = { resolve: (scores: WindowScores) => void; reject: (error: Error) => void }

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

  /**
   * Judges windows, one after another: in batches they are slower and take more memory, because their numbers leave the
   * cache. Answers in the order of the windows.
   */
  async judge(windows: readonly Pieces[]): Promise<WindowScores[]> {
    return Promise.all(windows.map((window) => this.#run(window)))
  }

  async close(): Promise<void> {
    this.#closed = true
    const worker = await this.#worker?.catch(() => null)
    await worker?.terminate()
  }

  async #run(window: Pieces): Promise<WindowScores> {
    const worker = await this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<WindowScores>()
    const id = ++this.#last
    this.#pending.set(id, { resolve, reject })
    // An idle thread does not keep the process alive; one that computes does.
    worker.ref()
    worker.postMessage({ id, ids: Int32Array.from(window.ids), places: window.places } satisfies Task)
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
    let isOver = false
    const end = (error: Error) => {
      // A thread that fails ends, too: by then another may have taken its place.
      if (isOver) return
      isOver = true
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
        if (answer.kind === 'judged') waiting?.resolve(answer.scores)
        else waiting?.reject(new Error(answer.message))
      }
      if (this.#pending.size === 0) worker.unref()
    })
    worker.on('error', end)
    worker.on('exit', (code) => end(new Error(`The reader's thread ended with code ${code}.`)))
    return promise
  }
}
