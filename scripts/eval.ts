// npm run eval [-- <labelled folder>]: runs every quality measurement. Without the labelled texts, which are not part of the
// repository, the classifier is measured on those that are. A file of `bellwether export feedback` instead of them is
// measured alone: npm run eval -- <feedback.ndjson>.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync, statSync } from 'node:fs'

const [given] = process.argv.slice(2)
const measurements: [string, ...string[]][] = [
  ['eval-titles'],
  ['eval-people'],
  ['eval-cascade'],
  ['eval-languages'],
  ['eval-event-pairs'],
  given ? ['eval-reader', given] : ['eval-reader'],
  given ? ['eval-second-reader', given] : ['eval-second-reader'],
]
const steps = given && isFeedback(given) ? [['eval-feedback', given] as const] : measurements
for (const [name, ...args] of steps) {
  const { status } = spawnSync(process.execPath, [`${import.meta.dirname}/${name}.ts`, ...args], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

function isFeedback(path: string): boolean {
  if (statSync(path).isDirectory()) return false
  const file = openSync(path, 'r')
  const opening = Buffer.alloc(50)
  const length = readSync(file, opening)
  closeSync(file)
  // There is no feedback yet.
  return length === 0 || opening.toString('utf8').startsWith('{"id":"feedback-')
}
