// Runs the network on a worker thread that starts on first use: windows in, logits out. Checking availability loads the
// runtime only, because the network takes 60 MB more.
import { Worker } from 'node:worker_threads'
import type { TokenWindow } from './judge.ts'
import type { InferenceRequest, InferenceResponse, InferenceWorkerOptions, WindowScores } from './protocol.ts'

/** The native runtime, or the network in it, cannot be loaded on this machine. */
export class RuntimeUnavailable extends Error {}

type Pending = { resolve: (scores: WindowScores) => void; reject: (error: Error) => void }

/** The thread, and functions that load the network into it and end it. */
type Started = { worker: Worker; load: () => Promise<void>; end: () => Promise<unknown> }

export class InferenceThread {
  readonly #options: InferenceWorkerOptions
  #started: Promise<Started> | null = null
  #unavailable: RuntimeUnavailable | null = null
  readonly #pending = new Map<number, Pending>()
  #last = 0
  #closed = false
  /** Whether a caller has asked for the network. */
  #isNeeded = false

  constructor(options: InferenceWorkerOptions) {
    this.#options = options
  }

  /**
   * Throws a RuntimeUnavailable, on every call, where the runtime cannot be loaded. Ends the thread unless the network is
   * needed: an idle one takes 30 MB.
   */
  async check(): Promise<void> {
    const { end } = await this.#start()
    if (!this.#isNeeded) await end()
  }

  /** Starts the thread and loads the network. */
  async open(): Promise<void> {
    await this.#load()
  }

  /**
   * Scores windows sequentially, because batches are slower and take more memory: their tensors do not fit the CPU
   * cache. Returns scores in the order of the windows.
   */
  async score(windows: readonly TokenWindow[]): Promise<WindowScores[]> {
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
    // An idle thread does not keep the process alive; a running one does.
    worker.ref()
    worker.postMessage({
      id,
      ids: Int32Array.from(window.ids),
      sentencePositions: window.sentencePositions,
    } satisfies InferenceRequest)
    return promise
  }

  async #load(): Promise<Worker> {
    this.#isNeeded = true
    const { worker, load } = await this.#start()
    await load()
    return worker
  }

  #start(): Promise<Started> {
    if (this.#unavailable) return Promise.reject(this.#unavailable)
    if (this.#closed) return Promise.reject(new Error('The classifier is closed.'))
    this.#started ??= this.#launch()
    return this.#started
  }

  #launch(): Promise<Started> {
    const starting = Promise.withResolvers<Started>()
    const loading = Promise.withResolvers<void>()
    // Avoids an unhandled rejection when no caller awaits loading.
    loading.promise.catch(() => {})
    const worker = new Worker(new URL('./inference-worker.ts', import.meta.url), { workerData: this.#options })
    let isLoadRequested = false
    let isLoaded = false
    let hasEnded = false
    const end = (error: Error, isUnavailable: boolean) => {
      // A thread that fails also exits, and another one may have been started by then.
      if (hasEnded) return
      hasEnded = true
      this.#started = null
      if (isUnavailable && !isLoaded && !this.#closed) this.#unavailable = new RuntimeUnavailable(error.message)
      starting.reject(this.#unavailable ?? error)
      loading.reject(this.#unavailable ?? error)
      for (const { reject: fail } of this.#pending.values()) fail(error)
      this.#pending.clear()
    }
    const load = () => {
      if (!isLoadRequested) {
        isLoadRequested = true
        worker.ref()
        worker.postMessage('load' satisfies InferenceRequest)
      }
      return loading.promise
    }
    const stop = () => {
      // At once, so that the next caller starts another thread.
      end(new Error('The thread was ended after a check of the runtime.'), false)
      return worker.terminate()
    }
    worker.on('message', (response: InferenceResponse) => {
      if (response.kind === 'started') starting.resolve({ worker, load, end: stop })
      else if (response.kind === 'loaded') {
        isLoaded = true
        loading.resolve()
      } else {
        const waiting = this.#pending.get(response.id)
        this.#pending.delete(response.id)
        if (response.kind === 'judged') waiting?.resolve(response.scores)
        else waiting?.reject(new Error(response.message))
      }
      if (this.#pending.size === 0 && isLoadRequested === isLoaded) worker.unref()
    })
    // A thread that ran out of memory or was killed can be restarted; one that cannot load the runtime cannot.
    worker.on('error', (error: NodeJS.ErrnoException) => end(error, error.code !== 'ERR_WORKER_OUT_OF_MEMORY'))
    worker.on('exit', (code) => end(new Error(`The classifier's thread ended with code ${code}.`), false))
    return starting.promise
  }
}
