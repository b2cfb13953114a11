// Generates the types of packages/client from the OpenAPI document.
//   node scripts/write-client.ts [--check]
// With --check nothing is written: it exits with 1 when the two differ.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OPENAPI_TYPESCRIPT } from '../tools/programs.ts'
import { openapiDocument } from './openapi-document.ts'

const SCHEMA = fileURLToPath(new URL('../packages/client/src/schema.ts', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'bellwether-types-'))
const [document, types] = [join(folder, 'openapi.json'), join(folder, 'schema.ts')]
writeFileSync(document, await openapiDocument())
const { status, stderr } = spawnSync(process.execPath, [OPENAPI_TYPESCRIPT, document, '--output', types], {
  encoding: 'utf8',
})
if (status !== 0) throw new Error(stderr)
const written = readFileSync(types, 'utf8')
rmSync(folder, { recursive: true })

if (!process.argv.includes('--check')) writeFileSync(SCHEMA, written)
else if (readFileSync(SCHEMA, 'utf8') !== written) {
  console.error('packages/client is not what the OpenAPI document says. Run "npm run types" and commit the result.')
  process.exit(1)
}
