import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = new URL('..', import.meta.url)
type Lock = { packages: Record<string, { resolved?: string }> }
const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lock

test('every package comes from the registry', () => {
  // Of what does the address is left out; what comes from anywhere else has one, and so have our own folders.
  const elsewhere = Object.entries(lock.packages).filter(
    ([name, { resolved }]) => resolved !== undefined && !name.startsWith('node_modules/@bellwether/'),
  )
  assert.deepEqual(elsewhere, [])
})

test('the runtime of the reader fetches nothing when it is installed', async () => {
  const settings = readFileSync(new URL('.npmrc', root), 'utf8')
  const [, how] = /^onnxruntime-node-install=(.*)$/m.exec(settings) ?? []
  assert.equal(how, 'skip')
  // As npm runs it, with the way out closed: whatever it tried to fetch would fail.
  const env = {
    ...process.env,
    npm_config_onnxruntime_node_install: how,
    GLOBAL_AGENT_HTTPS_PROXY: 'http://127.0.0.1:1',
  }
  const script = new URL('node_modules/onnxruntime-node/script/install.js', root).pathname
  await run(process.execPath, [script], { env })
})
