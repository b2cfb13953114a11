import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const SRC = new URL('../src/', import.meta.url).href
const LOAD = `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({ resolve: (...call) => { const found = call[2](call[0], call[1]); loaded.add(found.url); return found } })
  for (const file of ['app/service.ts', 'app/api.ts']) await import('${SRC}' + file)
  console.log([...loaded].join(' '))
`

test('an API loads its HTTP client, its mail library and the parser of feeds only when it uses them', () => {
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', LOAD], { encoding: 'utf8' })
  assert.match(loaded, /node_modules\/fastify\//)
  assert.doesNotMatch(loaded, /node_modules\/(undici|nodemailer|feedsmith)\/|places\.json/)
})
