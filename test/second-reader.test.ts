import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { examplesOf, readRows } from '../scripts/reader-data.ts'
import {
  inventor,
  isDoubtful,
  misquoter,
  readAgain,
  readOnce,
  recordedIn,
  silent,
} from '../scripts/second-reader-data.ts'
import { Classifier } from '../src/engine/classifier/index.ts'

const DATA = new URL('../training/data/', import.meta.url).pathname
const recorded = recordedIn(`${DATA}second-reader.ndjson.gz`)
/** Number of replayed documents; `npm run eval` replays all. */
const MOST_EXAMPLES = 60

const classifier = new Classifier({ threads: 1 })
after(() => classifier.close())
const answered = new Set(recorded.documents)
const reads = await readOnce(
  classifier,
  readRows(`${DATA}written.ndjson.gz`)
    .filter(({ id }) => answered.has(id))
    .flatMap((row) => examplesOf(row))
    .slice(0, MOST_EXAMPLES),
)
const mistakes = (judged: ReturnType<typeof readAgain>) =>
  judged.reduce(
    (sum, { example: { signals }, found }) => sum + signals.symmetricDifference(new Set(found.keys())).size,
    0,
  )
const findings = (judged: ReturnType<typeof readAgain>) => judged.map(({ found }) => [...found])

test('recorded answers of a capable model correct the classifier', () => {
  const alone = mistakes(readAgain(reads, silent))
  const together = mistakes(readAgain(reads, recorded.answer))
  assert.ok(together < alone, `${together} mistakes instead of ${alone}`)
})

test('a model that confirms everything, with invented quotes or quotes about others, adds nothing', () => {
  const doubts = reads.flatMap(({ result }) => result.detections.filter(isDoubtful))
  assert.ok(doubts.length > 0)
  for (const liar of [inventor, misquoter]) {
    assert.deepEqual(findings(readAgain(reads, liar)), findings(readAgain(reads, silent)))
  }
})
