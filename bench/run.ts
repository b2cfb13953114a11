import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { tableOf } from './results.ts'

/**
 * `npm run bench` runs every benchmark sequentially, `npm run bench http start` only these, each `--rounds` times. With
 * `--quick` those that compare a hot path with its limit run in under five minutes, to check a change. `peers`
 * runs only when named: it downloads the products it compares with.
 */
const QUICK = ['http', 'lists', 'records', 'create', 'webhooks', 'monitor', 'discovery', 'scan', 'idle']

const folder = import.meta.dirname
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => !['run', 'results', 'support', 'measure', 'releases'].includes(name))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    'ten-million': { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '1' },
  },
})
const files: Record<string, string> = {
  ...Object.fromEntries(all.map((name) => [name, `${name}.ts`])),
  peers: 'peers/index.ts',
}
const unknown = positionals.filter((name) => !files[name])
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(files).join(', ')}.`)
  process.exit(1)
}
const names = positionals.length > 0 ? positionals : values.quick ? QUICK : all
const results = mkdtempSync(join(tmpdir(), 'bellwether-bench-'))
const file = join(results, 'results.ndjson')
writeFileSync(file, '')
console.log(`load average before the first: ${loadavg()[0]?.toFixed(2)}`)
for (let round = 1; round <= Number(values.rounds); round++) {
  for (const name of names) {
    console.log(`\n# ${name}${values.rounds === '1' ? '' : `, round ${round}`}`)
    const began = performance.now()
    const { status } = spawnSync(
      process.execPath,
      [
        join(folder, files[name] ?? `${name}.ts`),
        ...(['quick', 'ten-million', 'planted'] as const).filter((name) => values[name]).map((name) => `--${name}`),
      ],
      {
        stdio: 'inherit',
        env: { ...process.env, BENCH_RESULTS: file },
      },
    )
    console.log(`took ${((performance.now() - began) / 1000).toFixed(0)} s`)
    if (status !== 0) process.exitCode = 1
  }
}
console.log(`\n${tableOf(file)}`)
rmSync(results, { recursive: true, force: true })
