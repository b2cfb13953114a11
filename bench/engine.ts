// Speed of preparing documents for the classifier on one core: node bench/engine.ts [press-releases.ndjson.gz]. Without the file
// it runs on generated text. Prints MB per second of splitting, finding the company, building windows and describing
// findings (without the model), and how time grows on hostile inputs.

import { DocumentJudge } from '../src/engine/classifier/judge.ts'
import { loadModelCard } from '../src/engine/classifier/weights.ts'
import { type DetectInput, detect } from '../src/engine/detect/index.ts'
import { SIGNAL_IDS } from '../src/engine/signals/index.ts'
import { releases } from './releases.ts'

/** The best of several runs, in seconds, which is the least disturbed one. */
async function seconds(run: () => Promise<unknown>, times = 5): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    const start = process.hrtime.bigint()
    await run()
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e9)
  }
  return best
}

const judge = new DocumentJudge(loadModelCard())
/** Finds one signal in every document, without a model. */
const reader = {
  version: 'none',
  judge: (questions: Parameters<DocumentJudge['judge']>[0]) =>
    judge.judge(questions, async (windows) =>
      windows.map(({ sentencePositions: places }) => ({
        document: Int16Array.from(SIGNAL_IDS, (_, k) => (k === 0 ? 3_000 : -3_000)),
        sentences: new Int16Array(SIGNAL_IDS.length * places.length).fill(-3_000),
        described: new Int16Array(places.length),
      })),
    ),
}
const detectAll = (inputs: readonly DetectInput[]) => detect(inputs, { classifier: reader, minConfidence: 0.1 })

const documents = releases(process.argv[2] ?? process.env.BELLWETHER_PRESS_RELEASES)
const megabytes =
  documents.reduce((sum, d) => sum + Buffer.byteLength(d.text) + Buffer.byteLength(d.title ?? ''), 0) / 1e6
console.log(`${documents.length} documents, ${megabytes.toFixed(1)} MB`)
const whole = await seconds(() => detectAll(documents), 3)
console.log(`all but the network         ${(megabytes / whole).toFixed(1)} MB/s   (aim 2)`)

const hostile: [string, (size: number) => string][] = [
  ['one character', (size) => 'a'.repeat(size)],
  ['commas', (size) => ','.repeat(size)],
  ['no sentence end', (size) => 'raised growth funding by Acme with partners '.repeat(size / 44)],
  ['the name again and again', (size) => 'Acme '.repeat(size / 5)],
  ['one verb again and again', (size) => 'launch '.repeat(size / 7)],
  ['full stops', (size) => 'A. '.repeat(size / 3)],
  ['quotation marks', (size) => '"'.repeat(size)],
  ['line ends', (size) => '\n'.repeat(size)],
]
console.log('\nhostile text              5 MB      10 MB     ratio')
for (const [name, make] of hostile) {
  const times: number[] = []
  for (const size of [5e6, 10e6]) {
    const input = { id: name, company: { name: 'Acme' }, title: 'Acme', text: make(size) }
    times.push(await seconds(() => detectAll([input]), 2))
  }
  const [small = 0, large = 0] = times
  console.log(`${name.padEnd(24)} ${small.toFixed(2)} s    ${large.toFixed(2)} s    ${(large / small).toFixed(1)}`)
}
