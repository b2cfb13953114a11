// The network behind one function: windows in, logits out, on a thread of its own that is started when it is first needed. The
// runtime alone is loaded to know whether it can be; the network takes 60 MB more, and waits for something to judge.
import { Worker } from 'node:worker_threads'
import type { TokenWindow } from './judge.ts'
import type { InferenceRequest, InferenceResponse, InferenceWorkerOptions, WindowScores } from './protocol.ts'

/** The native runtime, or the network in it, cannot be loaded on this machine. */
export class RuntimeUnavailable extends Error {}

type Pending = { resolve: (scores: WindowScores) => void; reject: (error: Error) => void }

/** The thread, and when the network is there. */
type Started = { worker: Worker; load: () => Promise<void> }

export class InferenceThread {
  readonly #options: InferenceWorkerOptions
  #started: Promise<Started> | null = null
  #missing: RuntimeUnavailable | null = null
  readonly #pending = new Map<number, Pending>()
  #last = 0
  #closed = false

  constructor(options: InferenceWorkerOptions) {
    this.#options = options
  }

  /** Starts the thread if need be. Throws a RuntimeMissing, now and ever after, where the runtime cannot be loaded. */
  async start(): Promise<void> {
    await this.#start()
  }

  /** The same with the network. */
  async open(): Promise<void> {
    await this.#load()
  }

  /**
   * Judges windows, one after another: in batches they are slower and take more memory, because their numbers leave the
   * cache. Answers in the order of the windows.
   */
  async judge(windows: readonly TokenWindow[]): Promise<WindowScores[]> {
    return Promise.all(windows.map((window) => this.#run(window)))
  }

  async close(): Promise<void> {
    this.#closed = true
    const started = await this.#started?.catch(() => null)
    await started?.worker.terminate()
  }

  async #run(window: TokenWindow): Promise<WindowScores> {
    const worker = await this.#load()
    const { promise, resolve, reject } = Promise.withResolvers<WindowScores>()
    const id = ++this.#last
    this.#pending.set(id, { resolve, reject })
    // An idle thread does not keep the process alive; one that computes does.
    worker.ref()
    worker.postMessage({
      id,
      ids: Int32Array.from(window.ids),
      sentencePositions: window.sentencePositions,
    } satisfies InferenceRequest)
    return promise
  }

  async #load(): Promise<Worker> {
    const { worker, load } = await this.#start()
    await load()
    return worker
  }

  #start(): Promise<Started> {
    if (this.#missing) return Promise.reject(this.#missing)
    if (this.#closed) return Promise.reject(new Error('The reader is closed.'))
    this.#started ??= this.#launch()
    return this.#started
  }

  #launch(): Promise<Started> {
    const starting = Promise.withResolvers<Started>()
    const loading = Promise.withResolvers<void>()
    // Whoever waits for it is told; nobody may be.
    loading.promise.catch(() => {})
    const worker = new Worker(new URL('./inference-worker.ts', import.meta.url), { workerData: this.#options })
    let isAsked = false
    let isLoaded = false
    let isOver = false
    const end = (error: Error, isMissing: boolean) => {
      // A thread that fails ends, too: by then another may have taken its place.
      if (isOver) return
      isOver = true
      this.#started = null
      if (isMissing && !isLoaded && !this.#closed) this.#missing = new RuntimeUnavailable(error.message)
      starting.reject(this.#missing ?? error)
      loading.reject(this.#missing ?? error)
      for (const { reject: fail } of this.#pending.values()) fail(error)
      this.#pending.clear()
    }
    const load = () => {
      if (!isAsked) {
        isAsked = true
        worker.ref()
        worker.postMessage('load' satisfies InferenceRequest)
      }
      return loading.promise
    }
    worker.on('message', (answer: InferenceResponse) => {
      if (answer.kind === 'started') starting.resolve({ worker, load })
      else if (answer.kind === 'loaded') {
        isLoaded = true
        loading.resolve()
      } else {
        const waiting = this.#pending.get(answer.id)
        this.#pending.delete(answer.id)
        if (answer.kind === 'judged') waiting?.resolve(answer.scores)
        else waiting?.reject(new Error(answer.message))
      }
      if (this.#pending.size === 0 && isAsked === isLoaded) worker.unref()
    })
    // A thread that ran out of memory or was killed may be started again; one that cannot load what it needs may not.
    worker.on('error', (error: NodeJS.ErrnoException) => end(error, error.code !== 'ERR_WORKER_OUT_OF_MEMORY'))
    worker.on('exit', (code) => end(new Error(`The reader's thread ended with code ${code}.`), false))
    return starting.promise
  }
}
