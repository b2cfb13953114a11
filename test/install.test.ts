import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
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

test('the builds of the runtime of the classifier for other platforms are deleted, only from own packages', async () => {
  const script = fileURLToPath(new URL('scripts/prune-binaries.ts', root))
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-binaries-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const own = `${process.platform}/${process.arch}`
  const platforms = ['darwin/arm64', 'linux/arm64', 'linux/x64', 'win32/arm64', 'win32/x64', own]
  const builds = () => globSync('*/*/*/*', { cwd: bin }).sort()
  const bin = join(folder, 'own/node_modules/onnxruntime-node/bin')
  for (const platform of platforms) {
    mkdirSync(join(bin, 'napi-v6', platform), { recursive: true })
    writeFileSync(join(bin, 'napi-v6', platform, 'onnxruntime_binding.node'), '')
  }
  const all = builds()
  mkdirSync(join(folder, 'linked'))
  symlinkSync(join(folder, 'own/node_modules'), join(folder, 'linked/node_modules'))
  await run(process.execPath, [script, join(folder, 'linked')])
  assert.deepEqual(builds(), all)
  for (const _ of ['once', 'again']) {
    await run(process.execPath, [script, join(folder, 'own')])
    assert.deepEqual(builds(), [`napi-v6/${own}/onnxruntime_binding.node`])
  }
  // Where nothing is installed.
  await run(process.execPath, [script, folder])
})
