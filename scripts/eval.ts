// npm run eval [-- <press-releases.ndjson.gz> <labelled folder>]: every measurement of quality, in turn. What needs texts that
// are not part of the repository is left out when they are not given.
import { spawnSync } from 'node:child_process'

const [releases = process.env.BELLWETHER_PRESS_RELEASES, labelled] = process.argv.slice(2)
const steps: [string, ...string[]][] = [
  ['eval-titles'],
  ['eval-people'],
  ['eval-cascade'],
  ...(releases ? ([['eval-engine', releases]] satisfies [string, string][]) : []),
  labelled ? ['eval-reader', labelled] : ['eval-reader'],
]
for (const [name, ...args] of steps) {
  const { status } = spawnSync(process.execPath, [`${import.meta.dirname}/${name}.ts`, ...args], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
