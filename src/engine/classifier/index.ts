// The reader: a small network that has learned from labelled documents which sentences tell which signal of the company
// marked in them. docs/engine.md says how well; training/ how it was made.

import { InferenceThread, RuntimeUnavailable } from './inference-thread.ts'
import { type ClassifierQuestion, DocumentJudge, type Judgement, type TokenWindow } from './judge.ts'
import type { WindowScores } from './protocol.ts'
import { type ScoreCache, scoreWithCache } from './score-cache.ts'
import { loadModelCard, loadWeights, type Weights } from './weights.ts'

export type { ClassifierQuestion, Judgement, VerdictLogits } from './judge.ts'
export type { ScoreCache } from './score-cache.ts'

export type ClassifierStatus = { ready: true; version: string } | { ready: false; version: string; reason: string }

type ClassifierOptions = {
  /** Cores it may use at once. */
  threads: number
  /** The folder with the weights; those that come with the service when left out. */
  weights?: string
}

/** What a run, `/integrations`, the log and the command line say where the network cannot run. */
export const classifierUnavailableMessage = (reason: string) => `Bellwether cannot judge on this platform: ${reason}`

/** What detection needs of a reader, wherever its network runs. */
export type DocumentClassifier = Pick<Classifier, 'version' | 'judge'>

export class Classifier {
  readonly #weights: Weights
  readonly #folder: string | undefined
  readonly #session: InferenceThread
  #judge: DocumentJudge | null = null
  #isReady: boolean | null = null

  /** Checks the weights; the network itself is loaded when it is first needed. Throws a WeightsError. */
  constructor({ threads, weights }: ClassifierOptions) {
    this.#weights = loadWeights(weights)
    this.#folder = weights
    this.#session = new InferenceThread({ file: this.#weights.file, threads })
  }

  get version(): string {
    return this.#weights.version
  }

  /** What `status` or `outlook` last said; null before. Loads nothing. */
  get isReady(): boolean | null {
    return this.#isReady
  }

  /** Loads the network if need be, and says whether this machine can run it. */
  status(): Promise<ClassifierStatus> {
    return this.#tried(() => this.#session.open())
  }

  /** The same as far as the runtime alone can tell: for whoever has nothing to judge. */
  checkRuntime(): Promise<ClassifierStatus> {
    return this.#tried(() => this.#session.start())
  }

  async #tried(open: () => Promise<void>): Promise<ClassifierStatus> {
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
   * Answers questions together: all their windows go through the network, those that `memory` knows not at all. Throws a
   * RuntimeMissing where the network cannot run.
   */
  judge(questions: readonly ClassifierQuestion[], memory: ScoreCache | null = null): Promise<Judgement[]> {
    this.#judge ??= new DocumentJudge(loadModelCard(this.#folder))
    return this.#judge.judge(questions, (windows) => this.score(windows, memory))
  }

  /** What the network says of windows that were made elsewhere; those that `memory` knows are not read again. */
  score(windows: readonly TokenWindow[], memory: ScoreCache | null = null): Promise<WindowScores[]> {
    return scoreWithCache(this.#session, this.version, windows, memory)
  }

  async close(): Promise<void> {
    await this.#session.close()
  }
}
