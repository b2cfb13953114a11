// `npm test`: runs every test file, or those that the patterns given name.
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { unpackBrowser } from './support/chromium.ts'
import { globalSetup, globalTeardown } from './support/global-setup.ts'

/** More than a small machine has cores: many tests wait, for a browser, another process or a pause. */
const AT_ONCE = 5
/** For a file, and for each of its tests. */
const TIMEOUT_MS = 300_000
const ALL = ['src/**/*.test.ts', 'test/*.test.ts']
/** Each in a process of its own, at first: they take longest, and their parts share a browser that ends with the process. */
const ALONE = ['test/console-accounts.test.ts', 'test/console-team.test.ts']

const patterns = process.argv.slice(2)
const found = globSync(patterns.length > 0 ? patterns : ALL).sort()
if (found.length === 0) throw new Error(`No test file matches ${patterns.join(', ')}.`)
const alone = found.filter((file) => ALONE.includes(file))
const files = found.filter((file) => !ALONE.includes(file))
const taken = mkdtempSync(join(tmpdir(), 'bellwether-lanes-'))
process.env.TEST_LANES = JSON.stringify({ files, taken })
// Processes of tests run in other folders, where a path from here leads elsewhere.
if (process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = resolve(process.env.NODE_COMPILE_CACHE)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end().then(() => process.exit(130)))
await Promise.all([globalSetup(), alone.length > 0 && unpackBrowser()])

const lane = fileURLToPath(new URL('support/lane.ts', import.meta.url))
const results = run({
  files: [...alone, ...files.slice(0, AT_ONCE).map(() => lane)],
  concurrency: AT_ONCE,
  execArgv: [`--test-timeout=${TIMEOUT_MS}`],
})
results.on('test:fail', () => {
  process.exitCode = 1
})
results.on('end', end)
results.compose(spec).pipe(process.stdout)

async function end(): Promise<void> {
  rmSync(taken, { recursive: true, force: true })
  await globalTeardown()
}
