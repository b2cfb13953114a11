/**
 * How well two reports of one event are distinguished from a follow-up and from another event, over labelled pairs:
 * `node scripts/eval-event-pairs.ts [--kept] [--errors]`. Two thirds of the hard pairs, by a hash of their ids, are for tuning;
 * `--kept` measures the other third, without showing which are wrong.
 */
import { parseArgs } from 'node:util'
import { Classifier } from '../src/engine/classifier/index.ts'
import type { EventReport } from '../src/engine/events/index.ts'
import * as eventPairs from '../test/support/event-pairs.ts'

const { values } = parseArgs({
  options: {
    kept: { type: 'boolean', default: false },
    errors: { type: 'boolean', default: false },
  },
})
const { findIn, givenReport, isKept, isPlain, judge, readPairs, scoreOf } = eventPairs

/** How the reports of a pair are obtained. */
const WAYS = ['found by detection', 'signal given if missed', 'signal given', 'publishers hidden'] as const
type Way = (typeof WAYS)[number]

async function measure(name: string, pairs: readonly eventPairs.Pair[], classifier: Classifier): Promise<void> {
  const judged: Record<Way, eventPairs.Judged[]> = Object.fromEntries(WAYS.map((way) => [way, []])) as never
  let missed = 0
  for (const pair of pairs) {
    const given = [givenReport(pair, pair.a), givenReport(pair, pair.b)] as const
    const found = [await findIn(pair, pair.a, classifier), await findIn(pair, pair.b, classifier)] as const
    missed += found.filter((one) => one === null).length
    const best = [found[0] ?? given[0], found[1] ?? given[1]] as const
    const add = (way: Way, a: EventReport, b: EventReport) => {
      const one = judge(pair, a, b)
      judged[way].push(one)
      if (values.errors && !values.kept && one.isSame !== (pair.relation === 'same')) {
        console.log(`${way}: ${pair.id} ${pair.signal_id} is ${pair.relation}: ${pair.a.title} / ${pair.b.title}`)
      }
    }
    if (found[0] && found[1]) add('found by detection', found[0], found[1])
    add('signal given if missed', ...best)
    add('signal given', ...given)
    add('publishers hidden', { ...best[0], source_url: null }, { ...best[1], source_url: null })
  }
  console.log(`event pairs, ${name}: detection misses ${missed} of ${2 * pairs.length}`)
  for (const way of WAYS) {
    const { pairs, same, precision, recall, f1 } = scoreOf(judged[way])
    const figures = `precision ${precision.toFixed(3)} recall ${recall.toFixed(3)} F1 ${f1.toFixed(3)}`
    console.log(
      `  ${way.padEnd(22)} ${String(pairs).padStart(3)} pairs, ${String(same).padStart(2)} the same: ${figures}`,
    )
  }
}

const classifier = new Classifier({ threads: 2 })
const all = readPairs()
if (values.kept) await measure('kept third', all.filter(isKept), classifier)
else {
  await measure(
    'tuning part',
    all.filter((pair) => !isKept(pair) && !isPlain(pair)),
    classifier,
  )
  await measure('plain', all.filter(isPlain), classifier)
}
await classifier.close()
