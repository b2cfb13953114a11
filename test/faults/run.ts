import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const USAGE = 'npm run test:faults -- [--rounds N] [--seed N] [file…]'

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean' }, seed: { type: 'string' }, rounds: { type: 'string' } },
  allowPositionals: true,
})
const { help, ...numbers } = values
const wrong = Object.entries(numbers).find(([, value]) => !/^\d+$/.test(value))
if (help || wrong) {
  process.stdout.write(`${wrong ? `--${wrong[0]} takes a whole number: ` : ''}${USAGE}\n`)
  process.exit(wrong ? 1 : 0)
}
const env = { ...process.env, NODE_COMPILE_CACHE: 'node_modules/.cache/compile' } as NodeJS.ProcessEnv
for (const [name, value] of Object.entries(numbers)) env[`FAULT_${name.toUpperCase()}`] = value
const setup = '--test-global-setup=test/support/global-setup.ts'
const files = positionals.length > 0 ? positionals : ['test/faults/**/*.test.ts']
// Sequentially: each file starts many processes, and kills should hit work, not an overloaded machine.
// The limit is that of the simulated month on two busy cores, and longer for more rounds: a restore drill takes longest.
const limitMs = 400_000 + Number(values.rounds ?? 0) * 90_000
const args = ['--test', setup, '--test-concurrency=1', `--test-timeout=${limitMs}`, ...files]
process.exitCode = spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status ?? 1
