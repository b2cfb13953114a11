// What a whole document says about one signal of one company, in numbers: the strength of its sentences, where they
// stand, what else the document tells and how much it is about the company. The trees of model.ts read these.
import type { Sentence } from '../sentences.ts'
import { SIGNAL_IDS, type SignalId } from '../signals/index.ts'
import { type Document, isShort } from './document.ts'
import type { SentenceEvidence } from './evidence.ts'
import type { Prominence } from './prominence.ts'

/** Stands for "no such sentence". */
const ABSENT = -8

const LEAD = 3

/** The best scores for one signal: of all sentences, in the title, in the lead, with the company's name, without it. */
type Tally = {
  best: number
  strongestEvidence: SentenceEvidence
  bySentence: Map<number, number>
  title: number
  lead: number
  byName: number
  byReference: number
}

/** `short`: a headline or a few sentences, which cannot say a thing twice. */
export type Summary = {
  signal: SignalId
  strongestEvidence: SentenceEvidence
  best: number
  values: Float64Array
  short: boolean
}

/** One summary for each signal with a candidate. `scores` are those of the sentences, in the order of `evidence`. */
export function summarize(
  document: Document,
  prominence: Prominence,
  evidence: readonly SentenceEvidence[],
  scores: readonly number[],
): Summary[] {
  const tallies = tally(document, evidence, scores)
  let body = 0
  for (const sentence of document.sentences) if (sentence.section === 'body') body++
  const short = isShort(document)
  const all = [...tallies]
  return all.map(([signal, own]) => {
    const others = all.filter(([other]) => other !== signal).map(([, other]) => other)
    const ranked = [...own.bySentence.values()].sort((a, b) => b - a)
    let together = 0
    for (const score of ranked) together += Math.exp(Math.max(-20, Math.min(20, score)))
    const values = [
      own.best,
      ranked[1] ?? ABSENT,
      own.title,
      own.lead,
      own.byName,
      own.byReference,
      Math.min(10, ranked.filter((score) => score > 0).length),
      Math.log(together),
      prominence.score,
      Number(prominence.leadsTitle),
      Number(prominence.inTitle),
      Number(prominence.inLead),
      Number(prominence.opens),
      Number(prominence.company.is_the_company),
      prominence.bySentence.size / Math.max(1, document.sentences.length),
      Math.min(100, body),
      own.strongestEvidence.candidate.sentence / Math.max(1, document.sentences.length),
      Math.max(ABSENT, ...others.map((other) => other.best)),
      Math.max(ABSENT, ...others.map((other) => other.title)),
      others.filter((other) => other.best > own.best).length,
      ...SIGNAL_IDS.map((id) => tallies.get(id)?.best ?? ABSENT),
      ...SIGNAL_IDS.map((id) => Number(id === signal)),
    ]
    return {
      signal,
      strongestEvidence: own.strongestEvidence,
      best: own.best,
      values: Float64Array.from(values),
      short,
    }
  })
}

function tally(
  document: Document,
  evidence: readonly SentenceEvidence[],
  scores: readonly number[],
): Map<SignalId, Tally> {
  let titles = 0
  while (document.sentences[titles]?.section === 'title') titles++
  const tallies = new Map<SignalId, Tally>()
  evidence.forEach((item, i) => {
    const { candidate } = item
    const score = scores[i] as number
    let own = tallies.get(candidate.group.signal)
    if (!own) {
      own = {
        best: Number.NEGATIVE_INFINITY,
        strongestEvidence: item,
        bySentence: new Map(),
        title: ABSENT,
        lead: ABSENT,
        byName: ABSENT,
        byReference: ABSENT,
      }
      tallies.set(candidate.group.signal, own)
    }
    if (score > own.best) {
      own.best = score
      own.strongestEvidence = item
    }
    const { section } = document.sentences[candidate.sentence] as Sentence
    if (section === 'title') own.title = Math.max(own.title, score)
    else if (candidate.sentence < titles + LEAD) own.lead = Math.max(own.lead, score)
    if (item.mention) own.byName = Math.max(own.byName, score)
    else own.byReference = Math.max(own.byReference, score)
    own.bySentence.set(candidate.sentence, Math.max(own.bySentence.get(candidate.sentence) ?? ABSENT, score))
  })
  return tallies
}
