// The classifier: a small network trained on labelled documents. It predicts which sentences report which signal of the
// company marked in them. docs/engine.md has the accuracy; training/ has the training code.

import { InferenceThread, RuntimeUnavailable } from './inference-thread.ts'
import { type ClassifierQuestion, DocumentJudge, type Judgement, type TokenWindow } from './judge.ts'
import type { WindowScores } from './protocol.ts'
import { type ScoreCache, scoreWithCache } from './score-cache.ts'
import { loadModelCard, loadWeights, type Weights } from './weights.ts'

export type { ClassifierQuestion, Judgement, VerdictLogits } from './judge.ts'
export type { ScoreCache } from './score-cache.ts'

export type ClassifierStatus = { ready: true; version: string } | { ready: false; version: string; reason: string }

type ClassifierOptions = {
  /** CPU cores it may use. */
  threads: number
  /** The folder with the weights; defaults to the bundled ones. */
  weights?: string
}

/** Shown by a run, `/integrations`, the log and the command line where the network cannot run. */
export const classifierUnavailableMessage = (reason: string) => `Bellwether cannot judge on this platform: ${reason}`

/** The part of the classifier that detection uses, whichever thread its network runs on. */
export type DocumentClassifier = Pick<Classifier, 'version' | 'judge'>

export class Classifier {
  readonly #weights: Weights
  readonly #folder: string | undefined
  readonly #inference: InferenceThread
  #judge: DocumentJudge | null = null
  #isReady: boolean | null = null

  /** Verifies the weights; the network is loaded on first use. Throws a WeightsError. */
  constructor({ threads, weights }: ClassifierOptions) {
    this.#weights = loadWeights(weights)
    this.#folder = weights
    this.#inference = new InferenceThread({ file: this.#weights.file, threads })
  }

  get version(): string {
    return this.#weights.version
  }

  /** The last result of `status` or `checkRuntime`; null before. Loads nothing. */
  get isReady(): boolean | null {
    return this.#isReady
  }

  /** Loads the network if needed and reports whether this machine can run it. */
  status(): Promise<ClassifierStatus> {
    return this.#checkStatus(() => this.#inference.open())
  }

  /** The same without loading the network: checks the runtime only, once, for processes that have nothing to judge. */
  async checkRuntime(): Promise<ClassifierStatus> {
    if (this.#isReady) return { ready: true, version: this.version }
    return this.#checkStatus(() => this.#inference.check())
  }

  async #checkStatus(open: () => Promise<void>): Promise<ClassifierStatus> {
    const { version } = this
    try {
      await open()
      this.#isReady = true
      return { ready: true, version }
    } catch (error) {
      if (!(error instanceof RuntimeUnavailable)) throw error
      this.#isReady = false
      return { ready: false, version, reason: error.message }
    }
  }

  /**
   * Judges all questions in one batch; windows in the cache are not scored again. Throws a RuntimeUnavailable where the
   * network cannot run.
   */
  judge(questions: readonly ClassifierQuestion[], cache: ScoreCache | null = null): Promise<Judgement[]> {
    this.#judge ??= new DocumentJudge(loadModelCard(this.#folder))
    return this.#judge.judge(questions, (windows) => this.score(windows, cache))
  }

  /** Scores windows that another thread built; windows in the cache are not scored again. */
  score(windows: readonly TokenWindow[], cache: ScoreCache | null = null): Promise<WindowScores[]> {
    return scoreWithCache(this.#inference, this.version, windows, cache)
  }

  async close(): Promise<void> {
    await this.#inference.close()
  }
}
