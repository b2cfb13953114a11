/** Accuracy of the title parser over the labelled titles: `node scripts/eval-titles.ts [--errors]`. */
import { readFileSync } from 'node:fs'
import { JOB_LEVELS, readTitle } from '../src/engine/titles/index.ts'

type Label = { title: string; job_level: string; department: string; half: 'tune' | 'test' }

const labels = readFileSync(new URL('../test/fixtures/titles.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Label)

/** The result of a single keyword match: the baseline that the rules have to exceed. */
function baselineLevel(title: string): string {
  const text = title.toLowerCase()
  if (/\bc[a-z]o\b|chief|founder|owner|president/.test(text) && !text.includes('vice')) return 'C-Team'
  if (/\bvp\b|vice president/.test(text)) return 'VP'
  if (/director|head of/.test(text)) return 'Director'
  return text.includes('manager') ? 'Manager' : 'Staff'
}

const percent = (part: number, whole: number) => (whole === 0 ? '-' : (part / whole).toFixed(3))

for (const half of ['tune', 'test'] as const) {
  const rows = labels.filter((label) => label.half === half)
  let levels = 0
  let departments = 0
  let baseline = 0
  const perLevel = new Map(JOB_LEVELS.map((level) => [level as string, { right: 0, labelled: 0, said: 0 }]))
  for (const row of rows) {
    const reading = readTitle(row.title)
    const labelled = perLevel.get(row.job_level)
    const said = perLevel.get(reading.job_level)
    if (labelled) labelled.labelled++
    if (said) said.said++
    if (reading.job_level === row.job_level) {
      levels++
      if (labelled) labelled.right++
    }
    if (reading.department === row.department) departments++
    if (baselineLevel(row.title) === row.job_level) baseline++
    // the test half is never printed title by title, so that nothing is tuned on it
    if (half === 'tune' && process.argv.includes('--errors')) {
      if (reading.job_level !== row.job_level)
        console.log(`level ${row.title}: ${reading.job_level}, not ${row.job_level}`)
      if (reading.department !== row.department) {
        console.log(`department ${row.title}: ${reading.department}, not ${row.department}`)
      }
    }
  }
  console.log(`${half}: ${rows.length} titles`)
  console.log(`  job_level  ${percent(levels, rows.length)} (plain keyword baseline ${percent(baseline, rows.length)})`)
  console.log(`  department ${percent(departments, rows.length)}`)
  for (const [level, { right, labelled, said }] of perLevel) {
    console.log(
      `  ${level.padEnd(9)} precision ${percent(right, said)} recall ${percent(right, labelled)} n ${labelled}`,
    )
  }
}
