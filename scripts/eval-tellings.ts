/**
 * How well two tellings of one event are told from a follow-up and from another event, over labelled pairs:
 * `node scripts/eval-tellings.ts [--kept] [--linear] [--errors]`. Two thirds of the pairs, by a hash of their ids, are for tuning; `--kept`
 * measures the other third, without showing which are wrong.
 */
import { parseArgs } from 'node:util'
import type { EventReport } from '../src/engine/events/index.ts'
import { Reader } from '../src/engine/reader/index.ts'
import { findIn, givenReport, isKept, type Judged, judge, readPairs, scoreOf } from '../test/support/tellings.ts'

const { values } = parseArgs({
  options: {
    kept: { type: 'boolean', default: false },
    linear: { type: 'boolean', default: false },
    errors: { type: 'boolean', default: false },
  },
})
const reader = values.linear ? null : new Reader({ threads: 2 })
const pairs = readPairs().filter((pair) => isKept(pair) === values.kept)
const found: Judged[] = []
const all: Judged[] = []
const given: Judged[] = []
const unsigned: Judged[] = []
let missed = 0
for (const pair of pairs) {
  const [a, b] = [await findIn(pair, pair.a, reader), await findIn(pair, pair.b, reader)]
  missed += Number(a === null) + Number(b === null)
  const told = judge(pair, a ?? givenReport(pair, pair.a), b ?? givenReport(pair, pair.b))
  if (a && b) found.push(told)
  all.push(told)
  const judged = judge(pair, givenReport(pair, pair.a), givenReport(pair, pair.b))
  given.push(judged)
  const hidden = (report: EventReport) => ({ ...report, source_url: null })
  unsigned.push(judge(pair, hidden(a ?? givenReport(pair, pair.a)), hidden(b ?? givenReport(pair, pair.b))))
  if (values.errors && !values.kept) {
    for (const [how, { isSame }] of [
      ['found', told],
      ['given', judged],
    ] as const) {
      if (isSame !== (pair.relation === 'same')) {
        console.log(`${how} ${pair.id} ${pair.signal_id} is ${pair.relation}: "${pair.a.title}" / "${pair.b.title}"`)
      }
    }
  }
}
await reader?.close()

function print(name: string, judged: readonly Judged[]): void {
  const { pairs, same, precision, recall, f1 } = scoreOf(judged)
  const figures = `precision ${precision.toFixed(3)} recall ${recall.toFixed(3)} F1 ${f1.toFixed(3)}`
  console.log(`  ${name.padEnd(36)} ${String(pairs).padStart(3)} pairs, ${same} the same: ${figures}`)
}

console.log(
  `tellings, ${values.kept ? 'kept third' : 'tuning part'}: ${missed} of ${2 * pairs.length} not found by detection`,
)
print('both found by detection', found)
print('all, the signal given where missed', all)
print('all, the signal given', given)
print('all, the publishers hidden', unsigned)
