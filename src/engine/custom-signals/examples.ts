// Sentences that members marked right or wrong sharpen a signal described in words, without training: they move its
// threshold, and decide about sentences much like them. docs/engine.md has the figures.
import { cutText } from '../text/storable.ts'
import { contentStems, LEAST_STEMS, likenessOf } from './words.ts'

/** A sentence that a member marked. */
export type MarkedExample = {
  sentence: string
  verdict: 'right' | 'wrong'
  /** What the reader said of it when it was marked; null when it was not asked, or judged by another description. */
  confidence: number | null
}

/** From this share of common words on, two sentences tell the same. */
const MUCH_ALIKE = 0.6
/** Outside of DOUBT (detect/doubt.ts): no second reader overrules a member. */
const REJECTED = 0.05
const TAKEN = 0.85
/** An example of what is right does not carry what the reader rules out: a denial has the words of what it denies. */
const LEAST_CARRIED = 0.25

/** So far the threshold moves at most, in logits: from one half up to 0.88, and down to 0.35. */
const HIGHEST = 2
const LOWEST = -0.6
/** So many marks move the threshold half of the way: one alone may be a slip. */
const HALF_WAY = 3

/** What the reader's confidence in a sentence is worth after the marked examples. Taken is what reaches one half. */
export type AdjustConfidence = (sentence: string, confidence: number) => number

/** Prepares the examples of a signal, so that adjusting many sentences reads them once. */
export function adjustWith(examples: readonly MarkedExample[]): AdjustConfidence {
  if (examples.length === 0) return (_, confidence) => confidence
  const read = examples.map(({ sentence, verdict }) => ({ ...readSentence(sentence), verdict }))
  const shift = thresholdOf(examples)
  return (sentence, confidence) => {
    const verdict = verdictOfNearest(read, readSentence(sentence))
    const moved = sigmoid(logitOf(confidence) - shift)
    if (verdict === 'wrong') return Math.min(moved, REJECTED)
    if (verdict === 'right' && confidence >= LEAST_CARRIED) return Math.max(moved, TAKEN)
    return moved
  }
}

type Sentence = { text: string; stems: ReadonlySet<string>; withoutNames: ReadonlySet<string> }
type Read = Sentence & Pick<MarkedExample, 'verdict'>

/** A finding shows no more of a sentence, and not all of the punctuation behind it. */
const SHOWN_CHARS = 600

function readSentence(sentence: string): Sentence {
  return {
    text: cutText(sentence, SHOWN_CHARS)
      .replaceAll(/\s+/g, ' ')
      .replace(/[^\p{L}\p{N}]+$/u, ''),
    stems: contentStems(sentence),
    withoutNames: contentStems(sentence.replaceAll(/(?<!\p{L})\p{Lu}[\p{L}\p{N}]*/gu, '')),
  }
}

/** Of two that are as near, what is wrong counts: precision comes first. */
function verdictOfNearest(examples: readonly Read[], sentence: Sentence): MarkedExample['verdict'] | null {
  const [nearest] = examples
    .map((example) => ({ verdict: example.verdict, likeness: likenessOfSentences(example, sentence) }))
    .filter(({ likeness }) => likeness >= MUCH_ALIKE)
    .sort((a, b) => b.likeness - a.likeness || Number(a.verdict === 'right') - Number(b.verdict === 'right'))
  return nearest?.verdict ?? null
}

/**
 * Names do not count: who orders robots, and for which place, is another matter in every text. They do where little is left
 * without them, as of a headline whose words all have capitals.
 */
function likenessOfSentences(a: Sentence, b: Sentence): number {
  if (a.text === b.text) return 1
  const isLittle = Math.min(a.withoutNames.size, b.withoutNames.size) < LEAST_STEMS
  return isLittle ? likenessOf(a.stems, b.stems) : likenessOf(a.withoutNames, b.withoutNames)
}

/** The logit that a sentence has to reach: the cut that parts the marked examples best, weighed by how many there are. */
function thresholdOf(examples: readonly MarkedExample[]): number {
  const judged = examples.flatMap(({ verdict, confidence }) =>
    confidence === null ? [] : [{ isRight: verdict === 'right', logit: logitOf(confidence) }],
  )
  if (judged.length === 0) return 0
  const logits = judged.map(({ logit }) => logit).sort((a, b) => a - b)
  const between = logits.slice(1).map((logit, i) => (logit + (logits[i] as number)) / 2)
  const cuts = [0, ...between, (logits.at(-1) as number) + MARGIN, (logits[0] as number) - MARGIN].map(bounded)
  const faultsOf = (cut: number) => judged.reduce((sum, { isRight, logit }) => sum + faultOf(isRight, logit >= cut), 0)
  // The default comes first, and of cuts that part as well the one next to it: nothing moves without a reason.
  const [best = 0] = cuts.toSorted((a, b) => faultsOf(a) - faultsOf(b) || Math.abs(a) - Math.abs(b))
  return (best * judged.length) / (judged.length + HALF_WAY)
}

const MARGIN = 0.2
/** A wrong finding costs more than one that is missed. */
const COST_OF_WRONG = 2

const faultOf = (isRight: boolean, isTaken: boolean) => (isRight ? Number(!isTaken) : Number(isTaken) * COST_OF_WRONG)
const bounded = (cut: number) => Math.max(LOWEST, Math.min(HIGHEST, cut))

/** Beyond this a probability says nothing more. */
const SUREST = 0.999
const logitOf = (confidence: number) => {
  const bound = Math.max(1 - SUREST, Math.min(SUREST, confidence))
  return Math.log(bound / (1 - bound))
}
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit))
