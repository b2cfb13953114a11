// node scripts/eval-engine.ts <press-releases.ndjson.gz> [tune | test | fresh]: how good is detection on the older labels
// and on plain sentences: the reader, the linear judgement and a plain keyword match on the same documents.
import { coreWords } from '../src/engine/company-names.ts'
import { publishedDate } from '../src/engine/detect/dates.ts'
import { type DetectInput, type DetectResult, detect, detectLinear } from '../src/engine/detect/index.ts'
import { Reader } from '../src/engine/reader/index.ts'
import { SIGNAL_IDS, type SignalId, signalName } from '../src/engine/signals/index.ts'
import { type Entry, type Half, pressReleasesPath, readEntries, readReleases, readTextbook } from './engine-data.ts'

type Finding = { signal: SignalId; confidence: number }
type Tally = { right: number; found: number; labelled: number }

/** The words of the baseline; a signal that is not here is looked for by its name. */
const KEYWORDS: Partial<Record<SignalId, RegExp>> = {
  funding: /\b(?:raised|raises|funding|financing|investment round|series [a-e]\b|private placement)/i,
  acquisition: /\b(?:acquires?|acquired|acquisition|merger|merges?)\b/i,
  leadership_change: /\b(?:appoint(?:s|ed|ment)|named|joins|promoted|steps down|resigns)\b/i,
  hiring: /\b(?:hiring|recruiting|new jobs|job openings)\b/i,
  product_launch: /\b(?:launch(?:es|ed)?|unveils?|introduc(?:es|ed)|releases?|now available)\b/i,
  expansion: /\b(?:expands?|expansion|opens|new (?:office|location|facility|market)|opening)\b/i,
  partnership: /\b(?:partner(?:s|ed|ship)?|collaborat(?:es|ion)|alliance|joint venture)\b/i,
  layoffs: /\b(?:layoffs?|laid off|job cuts|workforce reduction)\b/i,
  ipo: /\b(?:ipo|initial public offering|goes public|uplist\w{0,4})\b/i,
  customer_win: /\b(?:contract|selected by|chosen by|new customer|purchase order)\b/i,
  technology_adoption: /\b(?:adopts?|deploys?|implements?|selects|powered by)\b/i,
  security_incident: /\b(?:data breach|hacked|ransomware|cyber ?attack)\b/i,
}

/** The baseline: the name is in the document, and a word of the signal is. */
function keywordFindings({ input }: Entry): Finding[] {
  const text = `${input.title}\n${input.text}`
  if (!text.includes(input.company.name)) return []
  const isNamed = (signal: SignalId) =>
    KEYWORDS[signal]?.test(text) ?? text.toLowerCase().includes(signalName(signal).toLowerCase())
  return SIGNAL_IDS.filter(isNamed).map((signal) => ({ signal, confidence: 1 }))
}

const reader = new Reader({ threads: 2 })

async function read(input: DetectInput, minConfidence?: number): Promise<Finding[]> {
  const options = minConfidence === undefined ? { reader } : { reader, minConfidence }
  const [result] = await detect([input], options)
  return asFindings(result as DetectResult)
}

const asFindings = ({ detections }: DetectResult): Finding[] =>
  detections.map((d) => ({ signal: d.signal_id as SignalId, confidence: d.confidence }))

const linearFindings = ({ input }: Entry): Finding[] => asFindings(detectLinear(input))

function tallies(entries: Entry[], findings: Finding[][]): Map<SignalId | 'all', Tally> {
  const result = new Map<SignalId | 'all', Tally>()
  for (const signal of [...SIGNAL_IDS, 'all'] as const) result.set(signal, { right: 0, found: 0, labelled: 0 })
  const count = (signal: SignalId, what: keyof Tally) => {
    for (const key of [signal, 'all'] as const) (result.get(key) as Tally)[what]++
  }
  entries.forEach((entry, i) => {
    for (const signal of entry.signals.keys()) count(signal, 'labelled')
    for (const { signal } of findings[i] as Finding[]) {
      count(signal, 'found')
      if (entry.signals.has(signal)) count(signal, 'right')
    }
  })
  return result
}

function scores({ right, found, labelled }: Tally) {
  const precision = found === 0 ? 0 : right / found
  const recall = labelled === 0 ? 0 : right / labelled
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1 }
}

const show = (value: number) => value.toFixed(2)

async function readAll(entries: Entry[], minConfidence?: number): Promise<Finding[][]> {
  const findings: Finding[][] = []
  for (const { input } of entries) findings.push(await read(input, minConfidence))
  return findings
}

async function printSignals(entries: Entry[]): Promise<void> {
  const byReader = tallies(entries, await readAll(entries))
  const byLinear = tallies(entries, entries.map(linearFindings))
  const byKeyword = tallies(entries, entries.map(keywordFindings))
  console.log('\nsignal               labelled   precision recall F1     F1 linear   F1 keyword')
  for (const [signal, tally] of byReader) {
    const { precision, recall, f1 } = scores(tally)
    const [linear, keyword] = [byLinear, byKeyword].map((other) => show(scores(other.get(signal) as Tally).f1))
    const left = `${signal.padEnd(20)} ${String(tally.labelled).padStart(8)}`
    console.log(`${left}   ${show(precision).padEnd(9)} ${show(recall)}   ${show(f1)}   ${linear}        ${keyword}`)
  }
}

async function printCalibration(entries: Entry[]): Promise<void> {
  console.log('\nconfidence   findings   said   right')
  const bins = new Map<number, { said: number; right: number; count: number }>()
  for (const entry of entries) {
    for (const { signal, confidence } of await read(entry.input, 0.1)) {
      const key = Math.min(9, Math.floor(confidence * 10))
      const bin = bins.get(key) ?? { said: 0, right: 0, count: 0 }
      bin.count++
      bin.said += confidence
      if (entry.signals.has(signal)) bin.right++
      bins.set(key, bin)
    }
  }
  for (const key of [...bins.keys()].sort()) {
    const { said, right, count } = bins.get(key) as { said: number; right: number; count: number }
    console.log(
      `${(key / 10).toFixed(1)} - ${((key + 1) / 10).toFixed(1)}    ${String(count).padStart(8)}   ${show(said / count)}   ${show(right / count)}`,
    )
  }
}

const OTHER_TRADES = ['Bakery', 'Shipping', 'Textiles']

/** Companies that share a first word with the one in the document and are not in it: every finding is a false alarm. */
function namesakesOf({ input }: Entry): string[] {
  const words = input.company.name.split(/[\s,]+/)
  const first = words[0] === 'The' ? words[1] : words[0]
  if (!first || first.length < 3 || !/^[A-Z]/.test(first)) return []
  const text = `${input.title} ${input.text}`
  const names = OTHER_TRADES.map((trade) => `${first} ${trade}`)
  if (coreWords(input.company.name).length > 2) names.push(`${first} Inc.`)
  return names.filter((name) => !text.includes(name))
}

async function printNamesakes(entries: Entry[]): Promise<void> {
  let asked = 0
  let alarms = 0
  for (const entry of entries) {
    if (entry.signals.size === 0) continue
    for (const name of namesakesOf(entry)) {
      asked++
      if ((await read({ ...entry.input, company: { name } })).length > 0) alarms++
    }
  }
  console.log(`\nnamesakes: ${alarms} false alarms in ${asked} (${((100 * alarms) / Math.max(1, asked)).toFixed(1)} %)`)
}

function printDates(entries: Entry[]): void {
  const seen = new Set<string>()
  let read = 0
  let right = 0
  for (const { input, date } of entries) {
    if (seen.has(input.id)) continue
    seen.add(input.id)
    const found = publishedDate(null, input.text)
    if (!found) continue
    read++
    if (Math.abs(Date.parse(found) - Date.parse(date)) <= 2 * 86_400_000) right++
  }
  console.log(
    `datelines: ${read} of ${seen.size} documents carry one; ${right} (${((100 * right) / Math.max(1, read)).toFixed(0)} %) within two days of the metadata`,
  )
}

/** Single sentences and headlines with invented companies, other than those of the training. */
async function printPlain(): Promise<void> {
  const entries = readTextbook('plain')
  console.log(`\nplain sentences: ${entries.length} pairs of sentence and company`)
  for (const [name, findings] of [
    ['reader', await readAll(entries)],
    ['linear', entries.map(linearFindings)],
    ['keyword', entries.map(keywordFindings)],
  ] as const) {
    const { precision, recall, f1 } = scores(tallies(entries, findings).get('all') as Tally)
    console.log(`${name}: precision ${show(precision)} recall ${show(recall)} F1 ${show(f1)}`)
  }
}

const HALVES = ['tune', 'test', 'fresh'] as const
const asked = HALVES.filter((half) => process.argv.includes(half))
const releases = readReleases(pressReleasesPath())
for (const half of asked.length > 0 ? asked : (['test', 'fresh'] satisfies Half[])) {
  const entries = readEntries(releases, half)
  const documents = new Set(entries.map((entry) => entry.input.id)).size
  console.log(`\n${half} labels: ${documents} documents, ${entries.length} pairs of document and company`)
  await printSignals(entries)
  await printCalibration(entries)
  await printNamesakes(entries)
  printDates(entries)
}
await printPlain()
await reader.close()
