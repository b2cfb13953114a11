// Runs test files: `node test/run.ts` all but the nightly ones, `node test/run.ts unit` one group, or those that patterns name.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { checkLog } from './distribution/check-log.ts'
import { unpackBrowser } from './support/chromium.ts'
import { connection, TEMPLATE, withConnection } from './support/databases.ts'
import { globalSetup, globalTeardown } from './support/global-setup.ts'

/** Processes for test files, in addition to those of the console: more than a small machine has cores, because many tests wait. */
const LANES = 4
/** Four times the default: a garbage collection is rarer and finds less to copy. */
const SEMI_SPACE_MB = 64
/** For a file, and for each of its tests. */
const TIMEOUT_MS = 300_000
const FILES = ['src/**/*.test.ts', 'test/*.test.ts']
/** Each in its own process, and first: they take longest, and their parts share a browser that ends with the process. */
const isConsole = (file: string) => file.startsWith('test/console-')

/** Whether a test file imports, however indirectly, what starts a database or a process of the service. */
function needsService(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  if (/^test\/support\/(?:databases|process)\.ts$/.test(file)) return true
  const text = readFileSync(file, 'utf8')
  // The setup of the service writes this document.
  if (text.includes('process.env.TEST_OPENAPI')) return true
  const imports = text.matchAll(/\bfrom '(\.[^']+)'/g)
  return [...imports].some(([, path = '']) => needsService(join(dirname(file), path), seen))
}

const GROUPS: Record<string, () => string[]> = {
  unit: () => globSync(FILES).filter((file) => !isConsole(file) && !needsService(file)),
  service: () => globSync(FILES).filter((file) => !isConsole(file) && needsService(file)),
  console: () => globSync(FILES).filter(isConsole),
  nightly: () => globSync('test/nightly/*.test.ts'),
}

const [first = '', ...others] = process.argv.slice(2)
const found = (GROUPS[first]?.() ?? globSync(first ? [first, ...others] : FILES)).sort()
if (found.length === 0) throw new Error(`No test file matches ${[first, ...others].join(', ')}.`)
const alone = found.filter(isConsole)
/** The longest first, by their size: a long file that starts last would run alone. */
const files = found.filter((file) => !isConsole(file)).sort((a, b) => statSync(b).size - statSync(a).size)
const taken = mkdtempSync(join(tmpdir(), 'bellwether-lanes-'))
const statements = mkdtempSync(join(tmpdir(), 'bellwether-statements-'))
process.env.TEST_STATEMENTS = statements
process.env.TEST_LANES = JSON.stringify({ files, taken })
// Processes of tests run in other folders, where a path from here leads elsewhere.
if (process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = resolve(process.env.NODE_COMPILE_CACHE)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end().then(() => process.exit(130)))
await Promise.all([first !== 'unit' && globalSetup(), alone.length > 0 && unpackBrowser()])
// Otherwise written at exit: in a fresh checkout each process would compile the service once more.
flushCompileCache()

const lane = fileURLToPath(new URL('support/lane.ts', import.meta.url))
const results = run({
  files: [...alone, ...files.slice(0, LANES).map(() => lane)],
  concurrency: alone.length + LANES,
  execArgv: [
    `--test-timeout=${TIMEOUT_MS}`,
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
    `--import=${new URL('support/statement-log.ts', import.meta.url).href}`,
  ],
})
results.on('test:fail', () => {
  process.exitCode = 1
})
results.on('end', () => void checkStatements().then(end))
results.compose(spec).pipe(process.stdout)

/** Whether a database that is distributed by workspace would accept what the tests have had the service send. */
async function checkStatements(): Promise<void> {
  if (first === 'unit') return
  const { checked, report } = await withConnection(connection(TEMPLATE), (client) => checkLog(statements, client))
  for (const violation of report) process.stderr.write(`\n✖ ${violation}\n`)
  process.stdout.write(`${checked} statements checked for a distributed database, ${report.length} break a rule\n`)
  if (report.length > 0) process.exitCode = 1
}

async function end(): Promise<void> {
  for (const folder of [taken, statements]) rmSync(folder, { recursive: true, force: true })
  await globalTeardown()
}
