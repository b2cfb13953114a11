/**
 * Precision and recall of the facts that are read from pages in other languages without a language model:
 * `node scripts/eval-languages.ts [--errors]`. The errors of the test half are never printed, so that nothing is tuned on it.
 */

import { classifyOpening } from '../src/engine/hiring/history.ts'
import { documentPublication, readWebPage } from '../src/engine/page/index.ts'
import { readTitle } from '../src/engine/titles/index.ts'
import {
  type Half,
  LANGUAGES,
  type LabelledPage,
  type Language,
  languagePages,
} from '../test/fixtures/languages/index.ts'
import { playRecordedAnswers } from '../test/support/recorded-answers.ts'

const FACTS = ['title', 'date', 'people', 'jobs', 'job department', 'job location', 'job date'] as const
type Fact = (typeof FACTS)[number]
type Sums = { right: number; found: number; wanted: number }

const TODAY = '2026-12-31'
const sums = new Map<string, Sums>()
const isShown = process.argv.includes('--errors')

function count({ language, half, layout, number }: LabelledPage, fact: Fact, found: string[], wanted: string[]): void {
  const right = found.filter((one) => wanted.includes(one)).length
  for (const group of [language, 'all']) {
    const key = `${half} ${group} ${fact}`
    const before = sums.get(key) ?? { right: 0, found: 0, wanted: 0 }
    sums.set(key, {
      right: before.right + right,
      found: before.found + found.length,
      wanted: before.wanted + wanted.length,
    })
  }
  if (!isShown || half === 'test') return
  for (const one of found)
    if (!wanted.includes(one)) console.log(`${language} ${number} ${layout}, ${fact} wrong:   ${one}`)
  for (const one of wanted)
    if (!found.includes(one)) console.log(`${language} ${number} ${layout}, ${fact} missing: ${one}`)
}

/** A person counts only with the right title, level and department. */
const personKey = (name: string, title: string) => {
  const { job_level, department } = readTitle(title)
  return `${name} | ${title} | ${job_level} | ${department}`
}

function measure(page: LabelledPage): void {
  const read = readWebPage({ url: page.url, html: page.html, today: TODAY })
  count(page, 'title', [read.title ?? ''], [page.title])
  const { published_date } = documentPublication(read)
  count(page, 'date', published_date ? [published_date] : [], page.date ? [page.date] : [])
  count(
    page,
    'people',
    read.people.map(({ full_name, title }) => personKey(full_name, title)),
    page.people.map((person) => person.join(' | ')),
  )
  const jobs = read.openings
  count(
    page,
    'jobs',
    jobs.map(({ title }) => title),
    page.jobs.map(({ title }) => title),
  )
  const facts = <T>(list: readonly T[], keyOf: (job: T) => string | null) => list.flatMap((job) => keyOf(job) ?? [])
  count(
    page,
    'job department',
    facts(jobs, ({ title, department }) => `${title}: ${classifyOpening(title, department).department}`),
    facts(page.jobs, ({ title, department }) => `${title}: ${department}`),
  )
  const located = ({ title, location }: { title: string; location: string | null }) =>
    location && `${title}: ${location}`
  count(page, 'job location', facts(jobs, located), facts(page.jobs, located))
  count(
    page,
    'job date',
    facts(jobs, ({ title, published_date }) => published_date && `${title}: ${published_date}`),
    facts(page.jobs, ({ title, date }) => date && `${title}: ${date}`),
  )
}

const share = (part: number, whole: number) => (whole === 0 ? '    -' : (part / whole).toFixed(3))
for (const half of ['tune', 'test'] as Half[]) {
  for (const language of LANGUAGES) for (const page of languagePages(language, half)) measure(page)
  console.log(`pages in other languages, ${half} half: 50 per language; precision and recall`)
  console.log(`  ${''.padEnd(15)}${[...LANGUAGES, 'all'].map((language) => language.padEnd(14)).join('')}n`)
  for (const fact of FACTS) {
    const cells = [...LANGUAGES, 'all' as Language].map((language) => sums.get(`${half} ${language} ${fact}`))
    const row = cells.map(
      (one) => `${share(one?.right ?? 0, one?.found ?? 0)} ${share(one?.right ?? 0, one?.wanted ?? 0)}`,
    )
    console.log(`  ${fact.padEnd(15)}${row.map((cell) => cell.padEnd(14)).join('')}${cells.at(-1)?.wanted}`)
  }
}

console.log('recorded answers of a language model about news pages: true events proven, false events accepted')
for (const { language, pages, proven, accepted, ...sum } of await playRecordedAnswers()) {
  console.log(
    `  ${language}  pages ${pages}  proven ${proven} of ${sum.true}  accepted ${accepted} of ${sum.false} false ones`,
  )
}
// Connections to the recorded model stay open.
process.exit()
