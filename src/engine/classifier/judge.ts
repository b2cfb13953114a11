// Turns a document into windows for the network, and the network's logits into verdicts about the company.
import type { CompanyMention } from '../companies/company-names.ts'
import { SIGNAL_IDS, type SignalId } from '../signals/index.ts'
import { LOGIT_STEPS, type WindowScores } from './protocol.ts'
import type { Calibration, ModelCard } from './weights.ts'
import { type SentenceDocument, type SentenceWindow, WindowBuilder } from './windows.ts'
import { WordPieceTokenizer } from './word-piece-tokenizer.ts'

/** Which signals to judge for one company in one document that names it. */
export type ClassifierQuestion = {
  document: SentenceDocument
  mentions: readonly CompanyMention[]
  /** Whether to judge built-in signals. */
  builtins: boolean
  /** Signals described in words. */
  descriptions: readonly string[]
  /** Read every sentence for built-in signals, also those far from a mention of the company. */
  readsAll?: boolean
}

/** `described` contains, for each description, a verdict on every sentence in a window. */
export type Judgement = { verdicts: SignalVerdict[]; described: DescribedVerdict[][] }

/**
 * The probability that a document reports a signal of the company, the sentences that report it, best first, and the
 * logits behind it.
 */
export type SignalVerdict = {
  signal: SignalId
  confidence: number
  sentences: readonly number[]
  logits: VerdictLogits
}

/** Clamped logits of the best window and of its best sentence. */
export type VerdictLogits = readonly [document: number, sentence: number]

/** The probability that a sentence reports a signal described in words. */
export type DescribedVerdict = { confidence: number; sentence: number; logit: number }

/** A window as the network takes it: token ids, and the positions of the [S] tokens among them. */
export type TokenWindow = { ids: readonly number[] | Int32Array; sentencePositions: readonly number[] }

/** Scores windows, possibly on another thread. Returns scores in the order of the windows. */
export type ScoreWindows = (windows: readonly TokenWindow[]) => Promise<WindowScores[]>

export class DocumentJudge {
  readonly #windows: WindowBuilder
  readonly #calibration: Calibration

  constructor({ vocabulary, calibration }: ModelCard) {
    this.#windows = new WindowBuilder(new WordPieceTokenizer(vocabulary))
    this.#calibration = calibration
  }

  /** Judges all questions together: their windows are scored in one call. */
  async judge(questions: readonly ClassifierQuestion[], score: ScoreWindows): Promise<Judgement[]> {
    const built = questions.map((question) => ({
      builtin: question.builtins ? this.#windows.build(question.document, question.mentions, question) : [],
      described: question.descriptions.map((description) =>
        this.#windows.build(question.document, question.mentions, { description, readsAll: true }),
      ),
    }))
    const windows = built.flatMap(({ builtin, described }) => [...builtin, ...described.flat()])
    const scores = windows.length > 0 ? await score(windows) : []
    const scoreOf = new Map(windows.map((window, i) => [window, scores[i] as WindowScores]))
    return built.map(({ builtin, described }) => ({
      verdicts: this.#verdicts(builtin, scoreOf),
      described: described.map((own) => this.#describedVerdicts(own, scoreOf)),
    }))
  }

  #verdicts(windows: readonly SentenceWindow[], scores: Scores): SignalVerdict[] {
    return SIGNAL_IDS.flatMap((signal, k) => {
      const best = findBestWindow(windows, scores, k)
      if (!best) return []
      const logits = [clampLogit(best.document), clampLogit(best.sentenceLogit)] as const
      const confidence = calibrate(this.#calibration, signal, logits)
      return [{ signal, confidence, sentences: best.sentences, logits }]
    })
  }

  /** One verdict per sentence: the title is in every window, and its highest logit counts. */
  #describedVerdicts(windows: readonly SentenceWindow[], scores: Scores): DescribedVerdict[] {
    const { weight, bias } = this.#calibration.described
    const bySentence = new Map<number, DescribedVerdict>()
    for (const window of windows) {
      const { described } = scores.get(window) as WindowScores
      window.sentences.forEach((sentence, i) => {
        const logit = (described[i] as number) / LOGIT_STEPS
        if (logit <= (bySentence.get(sentence)?.logit ?? Number.NEGATIVE_INFINITY)) return
        bySentence.set(sentence, { confidence: sigmoid(weight * logit + bias), sentence, logit })
      })
    }
    return [...bySentence.values()]
  }
}

type Scores = ReadonlyMap<SentenceWindow, WindowScores>
type Best = { document: number; sentenceLogit: number; sentences: readonly number[] }

/** The window that reports the signal best: the mean of its document score and its best sentence score. */
function findBestWindow(windows: readonly SentenceWindow[], scores: Scores, k: number): Best | null {
  let best: Best | null = null
  let highest = -1
  for (const window of windows) {
    const { document, sentences: logits } = scores.get(window) as WindowScores
    const whole = (document[k] as number) / LOGIT_STEPS
    const sentenceLogits = window.sentences.map((_, i) => (logits[i * SIGNAL_IDS.length + k] as number) / LOGIT_STEPS)
    const sentenceLogit = Math.max(...sentenceLogits)
    const score = sigmoid(whole) + sigmoid(sentenceLogit)
    if (score > highest) {
      highest = score
      best = { document: whole, sentenceLogit, sentences: reportingSentences(window, sentenceLogits) }
    }
  }
  return best
}

/**
 * The sentences that report the signal, best first; sentences of the body before the headline, which is less specific.
 */
function reportingSentences({ sentences, isTitled }: SentenceWindow, logits: readonly number[]): number[] {
  const order = logits.map((_, i) => i).sort((a, b) => (logits[b] as number) - (logits[a] as number) || b - a)
  const reporting = order.filter((i, rank) => rank === 0 || (logits[i] as number) > 0)
  const body = reporting.filter((i) => !(isTitled && i === 0))
  return [...body, ...reporting.filter((i) => !body.includes(i))].map((i) => sentences[i] as number)
}

/** Larger logits do not change a probability noticeably. */
const MAX_LOGIT = 6

function calibrate({ weights, bias }: Calibration, signal: SignalId, logits: VerdictLogits): number {
  return sigmoid(logits.reduce((sum, logit, i) => sum + logit * (weights[i] as number), bias[signal]))
}

const clampLogit = (logit: number) => Math.max(-MAX_LOGIT, Math.min(MAX_LOGIT, logit))
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit))
