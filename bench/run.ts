import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

/** `npm run bench` runs every benchmark in turn; `npm run bench http start` only these. */
const folder = import.meta.dirname
const all = readdirSync(folder)
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => !['run', 'support', 'releases'].includes(name))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${all.join(', ')}.`)
  process.exit(1)
}
for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n# ${name}`)
  const { status } = spawnSync(process.execPath, [`${folder}/${name}.ts`], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
