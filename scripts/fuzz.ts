// Runs the fuzz suite: `npm run test:fuzz`, longer with `-- --seconds 600`, and the tests that count the steps of hostile
// inputs. A run is determined by its seed, which is printed. A single failing input: `--only <name> --seed <seed> --path <path>`.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

const USAGE = 'npm run test:fuzz -- [--seconds N] [--seed N] [--only NAME] [--path PATH]'

/** Fixed by default, so that a change is tested with the same inputs every day; another seed searches for new failures. */
const SEED = process.env.CI ? 1909509380 : randomInt(2 ** 31)

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    seconds: { type: 'string', default: process.env.FUZZ_SECONDS ?? '60' },
    seed: { type: 'string', default: process.env.FUZZ_SEED ?? String(SEED) },
    path: { type: 'string', default: process.env.FUZZ_PATH ?? '' },
    only: { type: 'string', default: process.env.FUZZ_ONLY ?? '' },
  },
})
const seconds = Number(values.seconds)
const seed = Number(values.seed)
const isFit = seconds > 0 && Number.isInteger(seed)
if (values.help || !isFit) {
  console.log(isFit ? USAGE : `--seconds and --seed must be numbers: ${USAGE}`)
  process.exit(isFit ? 0 : 1)
}
console.log(`fuzzing for ${seconds} s with seed ${seed}`)

const child = spawn(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/support/global-setup.ts',
    '--test-concurrency=5',
    // A hanging test is killed, and counts as a failure.
    `--test-timeout=${(seconds * 2 + 180) * 1000}`,
    ...(values.only ? [`--test-name-pattern=${values.only}`] : []),
    'test/fuzz/*.fuzz.ts',
    'test/linear/*.test.ts',
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: 'node_modules/.cache/compile',
      FUZZ_SECONDS: String(seconds),
      FUZZ_SEED: String(seed),
      FUZZ_PATH: values.path,
    },
  },
)
child.on('exit', (code) => {
  if (code !== 0) console.log(`failed with seed ${seed}; the path of each failing input is above`)
  process.exitCode = code ?? 1
})
