// The gain of a second reader where the classifier is uncertain, with recorded answers.
//
//   node scripts/eval-second-reader.ts [--part test] [--answers <file>] [--from 0.08] [--to 0.85] [--lying] [--open <file>]
//     [<labelled folder or file> …]
//
// Without a folder it uses the texts written for the classifier. `--from` and `--to` narrow the uncertain range, to choose
// DOUBT in src/engine/detect/doubt.ts. `--lying` replaces the answers by two kinds of false ones, which must add nothing. `--open` writes
// the questions without a recorded answer.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Classifier } from '../src/engine/classifier/index.ts'
import { DOUBT_RANGE } from '../src/engine/detect/doubt.ts'
import { MIN_CONFIDENCE } from '../src/engine/detect/index.ts'
import { examplesOf, type Part, partOf, readRows } from './reader-data.ts'
import { groupsOf, type Judged, printTable } from './reader-figures.ts'
import {
  inventor,
  isDoubtful,
  misquoter,
  readAgain,
  readOnce,
  recordedIn,
  type SecondReader,
  silent,
} from './second-reader-data.ts'

const DATA = new URL('../training/data', import.meta.url).pathname
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: 'string', default: 'test' },
    answers: { type: 'string', default: `${DATA}/second-reader.ndjson.gz` },
    from: { type: 'string', default: `${DOUBT_RANGE.from}` },
    to: { type: 'string', default: `${DOUBT_RANGE.to}` },
    lying: { type: 'boolean', default: false },
    open: { type: 'string' },
  },
})
const [from, to] = [Number(values.from), Number(values.to)]
const rows = (positionals.length > 0 ? positionals : [`${DATA}/written.ndjson.gz`]).flatMap(readRows)
const classifier = new Classifier({ threads: 2 })
const reads = await readOnce(
  classifier,
  rows.filter((row) => partOf(row) === (values.part as Part)).flatMap((row) => examplesOf(row)),
)
await classifier.close()

const { answer: recorded } = recordedIn(values.answers)
const questions = reads.flatMap(({ example, result }) =>
  result.detections
    .filter(isDoubtful)
    .filter(({ confidence }) => confidence >= from && confidence < to)
    .map((doubted) => ({ example, doubted, answer: recorded(example, doubted) })),
)
const open = questions.filter(({ answer }) => answer === null)
console.log(`\n## ${values.part} part, ${reads.length} organisations, version ${classifier.version}\n`)
console.log(`in doubt from ${from} to ${to}: ${questions.length}, without a recorded answer: ${open.length}\n`)

report('the reader alone', silent)
if (values.lying) {
  report('with invented quotes', inventor)
  report('with quotes that do not name the company', misquoter)
} else report('with the second reader', recorded)
if (values.open !== undefined) writeFileSync(values.open, open.map(lineOf).join(''))

function report(title: string, second: SecondReader): void {
  const judged: Judged[] = readAgain(reads, (example, doubted) =>
    doubted.confidence >= from && doubted.confidence < to ? second(example, doubted) : null,
  )
  printTable(title, [...groupsOf(judged, ({ source }) => source), ['all', judged]], MIN_CONFIDENCE)
}

function lineOf({ example, doubted }: (typeof open)[number]): string {
  const { signal_id: signal, confidence, shown } = doubted
  return `${JSON.stringify({ id: example.row.id, company: example.input.company.name, signal, confidence, shown })}\n`
}
