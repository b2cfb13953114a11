// npm run eval [-- <press-releases.ndjson.gz> <labelled folder>]: every measurement of quality, in turn. What needs texts that
// are not part of the repository is left out when they are not given. A file of `bellwether export feedback` instead of them is
// measured alone: npm run eval -- <feedback.ndjson>.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync } from 'node:fs'

const [releases = process.env.BELLWETHER_PRESS_RELEASES, labelled] = process.argv.slice(2)
const measurements: [string, ...string[]][] = [
  ['eval-titles'],
  ['eval-people'],
  ['eval-cascade'],
  ['eval-tellings'],
  ...(releases ? ([['eval-engine', releases]] satisfies [string, string][]) : []),
  labelled ? ['eval-reader', labelled] : ['eval-reader'],
]
const steps = releases && isFeedback(releases) ? [['eval-feedback', releases] as const] : measurements
for (const [name, ...args] of steps) {
  const { status } = spawnSync(process.execPath, [`${import.meta.dirname}/${name}.ts`, ...args], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

function isFeedback(path: string): boolean {
  const file = openSync(path, 'r')
  const opening = Buffer.alloc(50)
  const length = readSync(file, opening)
  closeSync(file)
  // Nobody has judged anything yet.
  return length === 0 || opening.toString('utf8').startsWith('{"id":"feedback-')
}
