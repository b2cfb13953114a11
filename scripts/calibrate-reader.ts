// Fits the mapping from the classifier's logits to probabilities on the validation part, and writes it into weights/reader.json.
//
//   node scripts/calibrate-reader.ts <labelled folder or file> [more …] [--described <file>]
//
// One line for all signals (the whole window, its best sentence), with an offset per signal that is weighted by its number
// of examples.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Classifier, type Judgement, type VerdictLogits } from '../src/engine/classifier/index.ts'
import { WEIGHTS_FOLDER } from '../src/engine/classifier/weights.ts'
import { compileCustomSignal } from '../src/engine/detect/custom-signal.ts'
import { detect } from '../src/engine/detect/index.ts'
import { SIGNAL_IDS, type SignalId } from '../src/engine/signals/index.ts'
import { describedSentences, isValidation, readDescribed } from './described-data.ts'
import { examplesOf, partOf, readRows } from './reader-data.ts'

type Seen = { signal: SignalId; logits: VerdictLogits; told: boolean }

/** Number of examples at which a signal's offset gets half its weight. */
const PRIOR = 8

/** Unrelated documents for each description. */
const UNRELATED = 20

const { values, positionals } = parseArgs({ allowPositionals: true, options: { described: { type: 'string' } } })
const file = `${WEIGHTS_FOLDER}/reader.json`
const card = JSON.parse(readFileSync(file, 'utf8'))
const rows = positionals.flatMap(readRows)
const classifier = new Classifier({ threads: 2 })
const seen: Seen[] = []
for (const row of rows.filter((row) => partOf(row) === 'validation')) {
  // The headline alone and the opening are texts that the service classifies too.
  const texts = [examplesOf(row), ...(row.sents.length > 0 && row.title ? [examplesOf(row, true)] : [])]
  for (const { input, signals } of texts.flat()) {
    await detect([input], {
      classifier,
      onJudgement: (_, { verdicts }) => {
        for (const { signal, logits } of verdicts) seen.push({ signal, logits, told: signals.has(signal) })
      },
    })
  }
}
const { weights, bias } = fit(seen)
const described = values.described ? await fitDescribed(values.described) : { weight: 1, bias: 0 }
await classifier.close()

card.calibration = { weights, bias, described }
writeFileSync(file, `${JSON.stringify(card, null, 2)}\n`)
console.log(seen.length, 'verdicts', JSON.stringify(card.calibration))

/** Logistic regression by gradient descent; there are few parameters. */
function fit(examples: readonly Seen[]): { weights: number[]; bias: Record<SignalId, number> } {
  const weights = [0.5, 0.5]
  const bias = Object.fromEntries(SIGNAL_IDS.map((id) => [id, 0])) as Record<SignalId, number>
  let shared = 0
  for (let round = 0; round < 4_000; round++) {
    const slope = [0, 0]
    const curve = [1, 1]
    const own = Object.fromEntries(SIGNAL_IDS.map((id) => [id, { slope: -bias[id] / PRIOR, curve: 1 / PRIOR }]))
    let sum = 0
    let sumCurve = 1e-3
    for (const { signal, logits, told } of examples) {
      const logit = logits.reduce((total, value, i) => total + value * (weights[i] as number), shared + bias[signal])
      const p = 1 / (1 + Math.exp(-logit))
      const miss = Number(told) - p
      const spread = p * (1 - p)
      logits.forEach((value, i) => {
        slope[i] = (slope[i] as number) + miss * value
        curve[i] = (curve[i] as number) + spread * value * value
      })
      const mine = own[signal] as { slope: number; curve: number }
      mine.slope += miss
      mine.curve += spread
      sum += miss
      sumCurve += spread
    }
    // A damped Newton step per parameter, because parameters are correlated.
    slope.forEach((value, i) => {
      weights[i] = (weights[i] as number) + (0.2 * value) / (curve[i] as number)
    })
    for (const id of SIGNAL_IDS) {
      const mine = own[id] as { slope: number; curve: number }
      bias[id] += (0.2 * mine.slope) / mine.curve
    }
    shared += (0.2 * sum) / sumCurve
  }
  const rounded = (value: number) => Math.round(value * 1000) / 1000
  return {
    weights: weights.map(rounded),
    bias: Object.fromEntries(SIGNAL_IDS.map((id) => [id, rounded(bias[id] + shared)])) as Record<SignalId, number>,
  }
}

/**
 * Half of the sentences written for a description are near misses, but nearly all texts that the service reads are
 * unrelated. So unrelated documents are added to the examples, scored by their most likely sentence.
 */
async function fitDescribed(path: string): Promise<{ weight: number; bias: number }> {
  const examples = (await describedSentences(classifier, path, 'validation')).map(({ logit, told }) => ({
    logit,
    told,
  }))
  const signals = readDescribed(path).filter(({ id }) => isValidation(id))
  const documents = rows.filter((row) => partOf(row) === 'validation')
  for (const [s, { id, description }] of signals.entries()) {
    const customSignals = [compileCustomSignal(id, description)]
    for (let n = 0; n < UNRELATED; n++) {
      const row = documents[(s * 7919 + n * 104_729) % documents.length] as (typeof documents)[number]
      const [example] = examplesOf(row)
      if (!example) continue
      const onJudgement = (_: unknown, { described }: Judgement) => {
        const logits = described.flat().map(({ logit }) => logit)
        if (logits.length > 0) examples.push({ logit: Math.max(...logits), told: false })
      }
      await detect([example.input], { classifier, builtins: false, customSignals, onJudgement })
    }
  }
  let weight = 1
  let bias = 0
  for (let round = 0; round < 2_000; round++) {
    let [slopeW, curveW, slopeB, curveB] = [0, 1, 0, 1]
    for (const { logit, told } of examples) {
      const p = 1 / (1 + Math.exp(-(weight * logit + bias)))
      slopeW += (Number(told) - p) * logit
      curveW += p * (1 - p) * logit * logit
      slopeB += Number(told) - p
      curveB += p * (1 - p)
    }
    weight += (0.3 * slopeW) / curveW
    bias += (0.3 * slopeB) / curveB
  }
  const share = (least: number) =>
    examples.filter(({ logit, told }) => !told && 1 / (1 + Math.exp(-(weight * logit + bias))) >= least).length
  console.log('described:', examples.length, 'examples,', share(0.5), 'false at 0.5')
  return { weight: Math.round(weight * 1000) / 1000, bias: Math.round(bias * 1000) / 1000 }
}
