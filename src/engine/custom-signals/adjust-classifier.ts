// Adjusts the classifier to a workspace: its confidence in signals described in words changes with the marked examples.
import type { ClassifierQuestion, DocumentClassifier, Judgement } from '../classifier/index.ts'
import { type AdjustConfidence, createConfidenceAdjuster, type MarkedExample } from './examples.ts'

/** A signal described in words, with the sentences that members marked. */
export type DescribedSignal = { id: string; description: string; examples: readonly MarkedExample[] }

/** Wraps a classifier for these signals. Signals with the same description share their examples. */
export function adjustClassifier(
  classifier: DocumentClassifier,
  signals: readonly DescribedSignal[],
): DocumentClassifier {
  const byDescription = Map.groupBy(signals, ({ description }) => description)
  const adjusting = new Map(
    [...byDescription].map(([description, same]) => [
      description,
      createConfidenceAdjuster(same.flatMap(({ examples }) => examples)),
    ]),
  )
  return {
    version: classifier.version,
    async judge(questions, cache) {
      const judgements = await classifier.judge(questions, cache)
      return judgements.map((judgement, at) => {
        const { document, descriptions } = questions[at] as ClassifierQuestion
        const described = judgement.described.map((verdicts, i) => {
          const adjust = adjusting.get(descriptions[i] as string) ?? createConfidenceAdjuster([])
          return withoutLabels(verdicts.map((verdict) => adjustVerdict(document, verdict, adjust)))
        })
        return { ...judgement, described }
      })
    },
  }
}

type Verdict = Judgement['described'][number][number]
type Adjusted = Verdict & { isTitle: boolean; isLabel: boolean }

function adjustVerdict(document: ClassifierQuestion['document'], verdict: Verdict, adjust: AdjustConfidence): Adjusted {
  const { text, isTitle } = sentenceAt(document, verdict.sentence)
  return { ...verdict, isTitle, isLabel: !isTitle && isLabelLine(text), confidence: adjust(text, verdict.confidence) }
}

/**
 * The confidence of a headline is limited to that of the text below it, because a headline alone may be about anything.
 * Labels count as text, so that a page of labels supports little.
 */
function withoutLabels(verdicts: readonly Adjusted[]): Verdict[] {
  const inText = verdicts.filter(({ isTitle }) => !isTitle).map(({ confidence }) => confidence)
  const most = inText.length > 0 ? Math.max(...inText) : 1
  return verdicts
    .filter(({ isLabel }) => !isLabel)
    .map(({ isTitle, isLabel: _, confidence, ...verdict }) => ({
      ...verdict,
      confidence: isTitle ? Math.min(confidence, most) : confidence,
    }))
}

/** A sentence up to the next one, so that its closing punctuation is included. */
function sentenceAt(
  { tokens, sentences }: ClassifierQuestion['document'],
  index: number,
): { text: string; isTitle: boolean } {
  const sentence = sentences[index]
  if (!sentence) return { text: '', isTitle: false }
  const next = sentences[index + 1]
  const end = next ? tokens.start[next.from] : tokens.text.length
  return { text: tokens.text.slice(tokens.start[sentence.from], end).trim(), isTitle: sentence.section === 'title' }
}

const MIN_SENTENCE_WORDS = 6

/** Whether a line of a page is a label or a link ("On the web: Acme"), which reports nothing. */
const isLabelLine = (line: string) => !/[.!?…]["'”’»)\]]*$/.test(line) && line.split(/\s+/).length < MIN_SENTENCE_WORDS
