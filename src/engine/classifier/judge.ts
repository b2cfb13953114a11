// From a document to the windows the network reads, and from its logits back to what is said of the company.
import type { Mention } from '../company-names.ts'
import { SIGNAL_IDS, type SignalId } from '../signals/index.ts'
import { LOGIT_STEPS, type WindowScores } from './protocol.ts'
import type { Calibration, ModelCard } from './weights.ts'
import { type SentenceDocument, type SentenceWindow, WindowBuilder } from './windows.ts'
import { WordPieceTokenizer } from './word-piece-tokenizer.ts'

/** What to judge of one company in one document that names it. */
export type ClassifierQuestion = {
  document: SentenceDocument
  mentions: readonly Mention[]
  /** Whether built-in signals are wanted. */
  builtins: boolean
  /** Signals described in words. */
  descriptions: readonly string[]
  /** Read every sentence for built-in signals, also those far from a mention of the company. */
  readsAll?: boolean
}

/** `described` holds, for each description, what is said of every sentence that was read. */
export type Judgement = { verdicts: SignalVerdict[]; described: DescribedVerdict[][] }

/** How likely a document tells a signal of the company, the sentences that tell it, best first, and what it rests on. */
export type SignalVerdict = {
  signal: SignalId
  confidence: number
  sentences: readonly number[]
  logits: VerdictLogits
}

/** Logits, bounded: of the window that tells the signal best, and of its best sentence. */
export type VerdictLogits = readonly [document: number, sentence: number]

/** How likely a sentence tells a signal described in words. */
export type DescribedVerdict = { confidence: number; sentence: number; logit: number }

/** What the network needs of a window. */
export type TokenWindow = { ids: readonly number[] | Int32Array; sentencePositions: readonly number[] }

/** Asks the network, which may be elsewhere. Answers in the order of the windows. */
export type ScoreWindows = (windows: readonly TokenWindow[]) => Promise<WindowScores[]>

export class DocumentJudge {
  readonly #windows: WindowBuilder
  readonly #calibration: Calibration

  constructor({ vocabulary, calibration }: ModelCard) {
    this.#windows = new WindowBuilder(new WordPieceTokenizer(vocabulary))
    this.#calibration = calibration
  }

  /** Answers questions together: all their windows are scored at once. */
  async judge(questions: readonly ClassifierQuestion[], score: ScoreWindows): Promise<Judgement[]> {
    const asked = questions.map((question) => ({
      builtin: question.builtins ? this.#windows.build(question.document, question.mentions, question) : [],
      described: question.descriptions.map((description) =>
        this.#windows.build(question.document, question.mentions, { description, readsAll: true }),
      ),
    }))
    const windows = asked.flatMap(({ builtin, described }) => [...builtin, ...described.flat()])
    const scores = windows.length > 0 ? await score(windows) : []
    const scoreOf = new Map(windows.map((window, i) => [window, scores[i] as WindowScores]))
    return asked.map(({ builtin, described }) => ({
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

  /** Of every sentence once: the title stands in all windows, and counts where it is surest. */
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

/** Of all windows the one that tells the signal best: half by its whole, half by its best sentence. */
function findBestWindow(windows: readonly SentenceWindow[], scores: Scores, k: number): Best | null {
  let best: Best | null = null
  let highest = -1
  for (const window of windows) {
    const { document, sentences: logits } = scores.get(window) as WindowScores
    const whole = (document[k] as number) / LOGIT_STEPS
    const told = window.sentences.map((_, i) => (logits[i * SIGNAL_IDS.length + k] as number) / LOGIT_STEPS)
    const sentenceLogit = Math.max(...told)
    const score = sigmoid(whole) + sigmoid(sentenceLogit)
    if (score > highest) {
      highest = score
      best = { document: whole, sentenceLogit, sentences: reportingSentences(window, told) }
    }
  }
  return best
}

/** The sentences that tell it, best first; a sentence of the text before the headline, which says less. */
function reportingSentences({ sentences, isTitled }: SentenceWindow, logits: readonly number[]): number[] {
  const order = logits.map((_, i) => i).sort((a, b) => (logits[b] as number) - (logits[a] as number) || b - a)
  const telling = order.filter((i, rank) => rank === 0 || (logits[i] as number) > 0)
  const body = telling.filter((i) => !(isTitled && i === 0))
  return [...body, ...telling.filter((i) => !body.includes(i))].map((i) => sentences[i] as number)
}

/** Beyond this a logit says nothing more. */
const MAX_LOGIT = 6

function calibrate({ weights, bias }: Calibration, signal: SignalId, logits: VerdictLogits): number {
  return sigmoid(logits.reduce((sum, logit, i) => sum + logit * (weights[i] as number), bias[signal]))
}

const clampLogit = (logit: number) => Math.max(-MAX_LOGIT, Math.min(MAX_LOGIT, logit))
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit))
