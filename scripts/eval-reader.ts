// Quality of signal detection by the classifier.
//
//   node scripts/eval-reader.ts [--part test] [--described <file>] [<labelled folder or file> …]
//
// Without a folder it uses the texts in training/data, which were written for it; the others are not ours.
// `test` is the part that nothing was trained or tuned on; record in docs/engine.md how often it was scored.
import { parseArgs } from 'node:util'
import { Classifier } from '../src/engine/classifier/index.ts'
import { detect } from '../src/engine/detect/index.ts'
import { SIGNAL_IDS, type SignalId } from '../src/engine/signals/index.ts'
import { describedSentences } from './described-data.ts'
import { type Example, examplesOf, type Part, partOf, readRows } from './reader-data.ts'
import { groupsOf, type Judged, type Line, printTable, share } from './reader-figures.ts'

const DATA = new URL('../training/data', import.meta.url).pathname
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: 'string', default: 'test' },
    described: { type: 'string', default: `${DATA}/described-test.ndjson.gz` },
    threshold: { type: 'string', default: '0.5' },
  },
})
const threshold = Number(values.threshold)
const table = (title: string, lines: readonly Line[]) => printTable(title, lines, threshold)
const rows = (positionals.length > 0 ? positionals : [`${DATA}/written.ndjson.gz`]).flatMap(readRows)
const classifier = new Classifier({ threads: 2 })

const whole = await judgeAll(
  rows.filter((row) => partOf(row) === (values.part as Part)).flatMap((row) => examplesOf(row)),
)
const headlines = await judgeAll(
  rows.filter((row) => partOf(row) === (values.part as Part) && row.title).flatMap((row) => examplesOf(row, true)),
)
const unseen = await judgeAll(rows.filter((row) => partOf(row) === 'unseen').flatMap((row) => examplesOf(row)))

console.log(
  `\n## ${values.part} part, ${new Set(whole.map(({ example }) => example.row.id)).size} documents, version ${classifier.version}\n`,
)
table(
  'signal',
  [...SIGNAL_IDS, null].map((signal) => [signal ?? 'all', whole, signal]),
)
table('source', [...groupsOf(whole, ({ source }) => source), ['all', whole]])
table(
  'genre',
  groupsOf(
    whole.filter(({ example }) => example.source === 'written'),
    ({ genre }) => genre,
  ),
)
table(
  'length',
  groupsOf(whole, ({ words }) =>
    words <= 15 ? 'up to 15 words' : words <= 60 ? 'up to 60' : words <= 250 ? 'up to 250' : 'longer',
  ),
)
table('headline alone', [['all', headlines], ...groupsOf(headlines, ({ source }) => source)])
table('kinds never trained on', [['all', unseen], ...groupsOf(unseen, ({ genre }) => genre)])
calibration(whole)
await nearShare()
await described(values.described)
await classifier.close()

async function judgeAll(examples: readonly Example[]): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const example of examples) {
    const [result] = await detect([example.input], { classifier, minConfidence: 0 })
    judged.push({
      example,
      found: new Map(result?.detections.map((found) => [found.signal_id as SignalId, found.confidence])),
    })
  }
  return judged
}

/** The share of all findings that remains when only the text around the company is classified. */
async function nearShare(): Promise<void> {
  let all = 0
  let kept = 0
  for (const { example, found: near } of whole) {
    const [result] = await detect([example.input], { classifier, minConfidence: threshold, readsAll: true })
    for (const { signal_id } of result?.detections ?? []) {
      all++
      if ((near.get(signal_id as SignalId) ?? 0) >= threshold) kept++
    }
  }
  console.log(`reading on only near the company keeps ${share(kept, all)} of ${all} findings\n`)
}

function calibration(judged: readonly Judged[]): void {
  console.log('| confidence | findings | said | right |\n|---|---|---|---|')
  const all = judged.flatMap(({ example, found }) =>
    [...found].map(([id, confidence]) => ({ confidence, told: example.signals.has(id) })),
  )
  for (let low = 1; low < 10; low++) {
    const part = all.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === low)
    if (part.length === 0) continue
    const said = part.reduce((sum, { confidence }) => sum + confidence, 0)
    console.log(
      `| ${low / 10} - ${(low + 1) / 10} | ${part.length} | ${share(said, part.length)} | ${share(part.filter(({ told }) => told).length, part.length)} |`,
    )
  }
  console.log()
}

/** Described signals that nothing was trained on. */
async function described(path: string): Promise<void> {
  const sentences = await describedSentences(classifier, path, 'all')
  const descriptions = new Set(sentences.map(({ signal }) => signal)).size
  console.log(
    `| ${descriptions} described signals | precision | recall | F1 | near misses taken | others taken |\n|---|---|---|---|---|---|`,
  )
  const count = (kind: string, isFound = true) =>
    sentences.filter((one) => one.kind === kind && (!isFound || one.confidence >= threshold)).length
  const right = count('yes')
  const all = right + count('near') + count('no')
  console.log(
    `| reader | ${share(right, all)} | ${share(right, count('yes', false))} | ${share(2 * right, all + count('yes', false))} | ${share(count('near'), count('near', false))} | ${share(count('no'), count('no', false))} |`,
  )
}
