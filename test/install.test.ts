import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = new URL('..', import.meta.url)
type Lock = { packages: Record<string, { resolved?: string }> }
const lock = (file: string) => JSON.parse(readFileSync(new URL(file, root), 'utf8')) as Lock

test('every package comes from the registry', () => {
  // npm omits the URL of packages from the registry; packages from elsewhere and our workspaces have one.
  for (const file of ['package-lock.json', 'tools/package-lock.json', 'website/package-lock.json']) {
    const elsewhere = Object.entries(lock(file).packages).filter(
      ([name, { resolved }]) => resolved !== undefined && !name.startsWith('node_modules/@bellwether/'),
    )
    assert.deepEqual(elsewhere, [], file)
  }
})

test('the runtime of the classifier downloads nothing when it is installed', async () => {
  const settings = readFileSync(new URL('.npmrc', root), 'utf8')
  const [, how] = /^onnxruntime-node-install=(.*)$/m.exec(settings) ?? []
  assert.equal(how, 'skip')
  // As npm runs it, without network access, so that a download would fail.
  const env = {
    ...process.env,
    npm_config_onnxruntime_node_install: how,
    GLOBAL_AGENT_HTTPS_PROXY: 'http://127.0.0.1:1',
  }
  const script = new URL('node_modules/onnxruntime-node/script/install.js', root).pathname
  await run(process.execPath, [script], { env })
})
