import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'bellwether-supply-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function script(name: string, args: string[] = [], path = process.env.PATH ?? '') {
  const env = { ...process.env, PATH: path }
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${name}.ts`, ...args], {
    encoding: 'utf8',
    env,
  })
  return { status, output: stdout + stderr }
}

test('a dependency whose licence is not on the list is rejected by name; one side of OR is enough', () => {
  const check = (license: string | undefined) => {
    const packages = {
      '': {},
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/@x/b': { version: '2.0.0', license },
    }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
    return script('check-licences', [folder])
  }
  for (const fine of ['ISC', '(MIT OR GPL-3.0-only)', '(MIT AND Zlib)', 'GPL-2.0-only OR (MIT AND (ISC OR X))'])
    assert.equal(check(fine).status, 0, fine)
  for (const refused of [
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    '(ISC OR MIT) AND AGPL-3.0-only',
    'SEE LICENSE IN x',
    undefined,
  ]) {
    const { status, output } = check(refused)
    assert.equal(status, 1, refused)
    assert.match(output, /@x\/b 2\.0\.0: /)
  }
})

test('invalid or missing signatures are an error; when none can be checked, that is reported', () => {
  // The output and the exit code of npm in each case.
  const checked = (verdict: object, code: number) => {
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho '${JSON.stringify(verdict)}'\nexit ${code}\n`)
    chmodSync(join(folder, 'npm'), 0o755)
    return script('check-signatures', [], `${folder}${delimiter}${process.env.PATH}`)
  }
  const one = [{ name: 'left-pad', version: '1.0.0', code: 'EINTEGRITYSIGNATURE' }]
  const said = ({ status, output }: ReturnType<typeof script>) => [status, output.trim()] as const
  assert.deepEqual(said(checked({ invalid: [], missing: [] }, 0)), [0, 'signatures: all verified'])
  assert.deepEqual(said(checked({ invalid: one, missing: [] }, 1)), [
    1,
    'signatures: 1 packages with an invalid signature:\n  left-pad 1.0.0',
  ])
  assert.equal(checked({ invalid: [], missing: one }, 1).status, 1)
  assert.equal(checked({ error: { code: 'EINTEGRITY', summary: 'no' } }, 1).status, 1)
  const nowhere = checked({ error: { code: 'ENOTFOUND', summary: 'request to somewhere failed' } }, 1)
  assert.deepEqual(said(nowhere), [
    0,
    'signatures: not checked: the registry or its keys cannot be reached (ENOTFOUND)',
  ])
  const unsigned = checked(
    { error: { summary: 'found no dependencies to audit that were installed from a supported registry' } },
    1,
  )
  assert.deepEqual(said(unsigned), [0, 'signatures: not checked: the registry offers no signatures'])
})

test('the SBOM contains every package that the service needs, and no development tool', () => {
  const file = join(folder, 'sbom.json')
  const { status, output } = script('write-sbom', [file])
  assert.equal(status, 0, output)
  const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8'))
  const names = new Set(components.map(({ name }: { name: string }) => name))
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.equal(bomFormat, 'CycloneDX')
  // Our workspaces are the service, not a component.
  const foreign = Object.keys(dependencies).filter((name) => !name.startsWith('@bellwether/'))
  for (const name of foreign) assert.ok(names.has(name), name)
  // The API reference page needs it too.
  const tools = Object.keys(devDependencies).filter((name) => name !== 'yaml')
  for (const name of tools) assert.ok(!names.has(name), name)
})
