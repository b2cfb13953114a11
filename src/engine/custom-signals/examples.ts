// Sentences that members marked right or wrong refine a signal described in words without training: they move its
// threshold and decide similar sentences. docs/engine.md has the measurements.
import { cutText } from '../text/storable.ts'
import { contentStems, MIN_STEMS, stemSimilarity } from './words.ts'

/** A sentence that a member marked. */
export type MarkedExample = {
  sentence: string
  verdict: 'right' | 'wrong'
  /** The classifier's confidence when it was marked; null when it was not judged, or judged by another description. */
  confidence: number | null
}

/** Minimum share of common words of similar sentences. */
const MIN_SIMILARITY = 0.6
/** Outside DOUBT_RANGE (detect/doubt.ts), so that no second reader overrules a member. */
const REJECTED_CONFIDENCE = 0.05
const ACCEPTED_CONFIDENCE = 0.85
/**
 * A right example does not raise a sentence that the classifier rules out: a denial has the words of what it denies.
 */
const MIN_CONFIDENCE_TO_ACCEPT = 0.25

/** Bounds of the threshold in logits: as a probability, from 0.35 to 0.88. */
const MAX_THRESHOLD = 2
const MIN_THRESHOLD = -0.6
/** This many marks move the threshold half way, because a single mark may be a mistake. */
const HALF_WEIGHT_EXAMPLES = 3

/** Adjusts the classifier's confidence in a sentence by the marked examples. One half or more is accepted. */
export type AdjustConfidence = (sentence: string, confidence: number) => number

/** Parses the examples of a signal once for many sentences. */
export function createConfidenceAdjuster(examples: readonly MarkedExample[]): AdjustConfidence {
  if (examples.length === 0) return (_, confidence) => confidence
  const read = examples.map(({ sentence, verdict }) => ({ ...parseSentence(sentence), verdict }))
  const shift = thresholdOf(examples)
  return (sentence, confidence) => {
    const verdict = nearestVerdict(read, parseSentence(sentence))
    const moved = sigmoid(logitOf(confidence) - shift)
    if (verdict === 'wrong') return Math.min(moved, REJECTED_CONFIDENCE)
    if (verdict === 'right' && confidence >= MIN_CONFIDENCE_TO_ACCEPT) return Math.max(moved, ACCEPTED_CONFIDENCE)
    return moved
  }
}

type ParsedSentence = { text: string; stems: ReadonlySet<string>; withoutNames: ReadonlySet<string> }
type ParsedExample = ParsedSentence & Pick<MarkedExample, 'verdict'>

/** Findings truncate a sentence to this length and drop some of its closing punctuation. */
const SHOWN_CHARS = 600

function parseSentence(sentence: string): ParsedSentence {
  return {
    text: cutText(sentence, SHOWN_CHARS)
      .replaceAll(/\s+/g, ' ')
      .replace(/[^\p{L}\p{N}]+$/u, ''),
    stems: contentStems(sentence),
    withoutNames: contentStems(sentence.replaceAll(/(?<!\p{L})\p{Lu}[\p{L}\p{N}]*/gu, '')),
  }
}

/** Of two equally similar examples the wrong one counts, because precision has priority. */
function nearestVerdict(examples: readonly ParsedExample[], sentence: ParsedSentence): MarkedExample['verdict'] | null {
  const [nearest] = examples
    .map((example) => ({ verdict: example.verdict, likeness: sentenceSimilarity(example, sentence) }))
    .filter(({ likeness }) => likeness >= MIN_SIMILARITY)
    .sort((a, b) => b.likeness - a.likeness || Number(a.verdict === 'right') - Number(b.verdict === 'right'))
  return nearest?.verdict ?? null
}

/**
 * Ignores names, because who orders robots, and for which place, differs in every text. Names count where little is
 * left without them, as in a headline in capitals.
 */
function sentenceSimilarity(a: ParsedSentence, b: ParsedSentence): number {
  if (a.text === b.text) return 1
  const isLittle = Math.min(a.withoutNames.size, b.withoutNames.size) < MIN_STEMS
  return isLittle ? stemSimilarity(a.stems, b.stems) : stemSimilarity(a.withoutNames, b.withoutNames)
}

/** The logit that a sentence must reach: the cut that best separates the marked examples, weighted by their number. */
function thresholdOf(examples: readonly MarkedExample[]): number {
  const judged = examples.flatMap(({ verdict, confidence }) =>
    confidence === null ? [] : [{ isRight: verdict === 'right', logit: logitOf(confidence) }],
  )
  if (judged.length === 0) return 0
  const logits = judged.map(({ logit }) => logit).sort((a, b) => a - b)
  const between = logits.slice(1).map((logit, i) => (logit + (logits[i] as number)) / 2)
  const cuts = [0, ...between, (logits.at(-1) as number) + MARGIN, (logits[0] as number) - MARGIN].map(bounded)
  const faultsOf = (cut: number) => judged.reduce((sum, { isRight, logit }) => sum + costOf(isRight, logit >= cut), 0)
  // The default is first, and of equally good cuts the one nearest to it wins.
  const [best = 0] = cuts.toSorted((a, b) => faultsOf(a) - faultsOf(b) || Math.abs(a) - Math.abs(b))
  return (best * judged.length) / (judged.length + HALF_WEIGHT_EXAMPLES)
}

const MARGIN = 0.2
/** A wrong finding costs more than a missed one. */
const COST_OF_WRONG = 2

const costOf = (isRight: boolean, isTaken: boolean) => (isRight ? Number(!isTaken) : Number(isTaken) * COST_OF_WRONG)
const bounded = (cut: number) => Math.max(MIN_THRESHOLD, Math.min(MAX_THRESHOLD, cut))

/** Avoids infinite logits. */
const MAX_PROBABILITY = 0.999
const logitOf = (confidence: number) => {
  const bound = Math.max(1 - MAX_PROBABILITY, Math.min(MAX_PROBABILITY, confidence))
  return Math.log(bound / (1 - bound))
}
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit))
