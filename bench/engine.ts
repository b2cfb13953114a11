// Speed of the detector on one core: node bench/engine.ts [press-releases.ndjson.gz]. Without the file it runs on text
// made up here. Prints MB a second, the cost of 500 more signals, and how time grows on hostile inputs.
import { compileCustomSignal } from '../src/engine/detect/custom-signal.ts'
import { buildLexicon } from '../src/engine/detect/document.ts'
import { detectLinear } from '../src/engine/detect/index.ts'
import { releases } from './releases.ts'

/** The best of several runs, in seconds: the least disturbed one. */
function seconds(run: () => void, times = 5): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < times; i++) {
    const start = process.hrtime.bigint()
    run()
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e9)
  }
  return best
}

const NOUNS =
  'warehouse factory clinic bakery vineyard harbour reactor satellite tannery orchard quarry foundry airport museum stadium'.split(
    ' ',
  )
const ACTS = 'opens closes renovates certifies automates insures sponsors audits relocates electrifies'.split(' ')
const PLACES = 'Poland Chile Ghana Norway'.split(' ')
const customSignals = Array.from({ length: 500 }, (_, i) => {
  const noun = NOUNS[i % NOUNS.length]
  const act = ACTS[Math.floor(i / NOUNS.length) % ACTS.length]
  return compileCustomSignal(
    `custom_${i}`,
    `A company that ${act} a ${noun} in ${PLACES[i % PLACES.length]} number${i}`,
  )
})

const documents = releases(process.argv[2] ?? process.env.BELLWETHER_PRESS_RELEASES)
const megabytes =
  documents.reduce((sum, d) => sum + Buffer.byteLength(d.text) + Buffer.byteLength(d.title ?? ''), 0) / 1e6
const lexicon = buildLexicon()
const larger = buildLexicon(customSignals.map((signal) => signal.terms))
const scanAll = ({ scanner }: typeof lexicon) => {
  for (const { text } of documents) scanner.find(scanner.tokenize(text))
}
const detectAll = (options: Parameters<typeof detectLinear>[1]) => {
  for (const document of documents) detectLinear(document, options)
}

console.log(`${documents.length} documents, ${megabytes.toFixed(1)} MB`)
// The first runs pay for compilation; both lexicons are warmed before either is timed.
scanAll(lexicon)
scanAll(larger)
const scan = seconds(() => scanAll(lexicon))
const scanMore = seconds(() => scanAll(larger))
console.log(`scan, 12 signals            ${(megabytes / scan).toFixed(1)} MB/s   (aim 8)`)
console.log(
  `scan, 500 more              ${(megabytes / scanMore).toFixed(1)} MB/s   ratio ${(scanMore / scan).toFixed(2)} (aim 1.5)`,
)
const whole = seconds(() => detectAll({}), 3)
const wholeMore = seconds(() => detectAll({ customSignals }), 3)
console.log(`detection, 12 signals       ${(megabytes / whole).toFixed(1)} MB/s   (aim 2)`)
console.log(
  `detection, 500 more         ${(megabytes / wholeMore).toFixed(1)} MB/s   ratio ${(wholeMore / whole).toFixed(2)} (aim 1.5)`,
)

const hostile: [string, (size: number) => string][] = [
  ['one character', (size) => 'a'.repeat(size)],
  ['commas', (size) => ','.repeat(size)],
  ['no sentence end', (size) => 'raised growth funding by Acme with partners '.repeat(size / 44)],
  ['the name again and again', (size) => 'Acme '.repeat(size / 5)],
  ['triggers only', (size) => 'launch '.repeat(size / 7)],
  ['full stops', (size) => 'A. '.repeat(size / 3)],
  ['quotation marks', (size) => '"'.repeat(size)],
  ['line ends', (size) => '\n'.repeat(size)],
]
console.log('\nhostile text              5 MB      10 MB     ratio')
for (const [name, make] of hostile) {
  const times = [5e6, 10e6].map((size) => {
    const text = make(size)
    return seconds(() => detectLinear({ id: name, company: { name: 'Acme' }, title: 'Acme', text }), 2)
  }) as [number, number]
  console.log(
    `${name.padEnd(24)} ${times[0].toFixed(2)} s    ${times[1].toFixed(2)} s    ${(times[1] / times[0]).toFixed(1)}`,
  )
}
