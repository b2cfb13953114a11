import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'bellwether-commits-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const script = fileURLToPath(new URL('../scripts/check-commits.ts', import.meta.url))
const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']

function git(cwd: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', [...author, ...args], { cwd, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout.trim()
}

/** A repository with one commit per subject; returns its folder and the hash of the first commit. */
function repository(name: string, subjects: string[]): { cwd: string; base: string } {
  const cwd = join(folder, name)
  git(folder, 'init', '--quiet', '--initial-branch=main', cwd)
  for (const subject of subjects) git(cwd, 'commit', '--quiet', '--allow-empty', '--message', subject)
  return { cwd, base: git(cwd, 'rev-list', '--max-parents=0', 'HEAD') }
}

function check(cwd: string, args: string[] = [], env: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd, env, encoding: 'utf8' })
  return { status, output: (stdout + stderr).trim() }
}

test('subjects of the format pass, whatever the commits up to the base are called', () => {
  const { cwd, base } = repository('good', [
    'The beginning, in a sentence of the old kind.',
    'feat: add a list of runs',
    'fix(people)!: refuse an email without a domain',
    `docs(api): ${'x'.repeat(61)}`,
  ])
  assert.deepEqual(check(cwd, ['--base', base]), { status: 0, output: 'commits: 3 checked' })
})

test('a wrong type, a missing subject, a long one and a trailing period are refused by name', () => {
  for (const [index, [subject, problem]] of (
    [
      ['Add a list of runs', /must be "type\(scope\): subject"/],
      ['feature: add a list of runs', /must be "type\(scope\): subject"/],
      ['feat(): add a list of runs', /must be "type\(scope\): subject"/],
      ['feat:add a list of runs', /must be "type\(scope\): subject"/],
      [`docs(api): ${'x'.repeat(62)}`, /has 73 characters, 72 are allowed/],
      ['feat: add a list of runs.', /must not end with a period/],
    ] as const
  ).entries()) {
    const { cwd, base } = repository(`bad-${index}`, ['chore: begin', 'feat: add a page', subject])
    const { status, output } = check(cwd, ['--base', base])
    assert.equal(status, 1, subject)
    assert.match(output, problem)
    assert.ok(output.includes(`"${subject}"`), output)
    assert.ok(!output.includes('add a page'), output)
  }
})

test('merge commits are skipped', () => {
  const { cwd, base } = repository('merged', ['chore: begin'])
  git(cwd, 'switch', '--quiet', '--create', 'side')
  git(cwd, 'commit', '--quiet', '--allow-empty', '--message', 'feat: add a page')
  git(cwd, 'switch', '--quiet', 'main')
  git(cwd, 'merge', '--quiet', '--no-ff', '--message', "Merge branch 'side'", 'side')
  assert.deepEqual(check(cwd, ['--base', base]), { status: 0, output: 'commits: 1 checked' })
})

test('a shallow clone, another history and a machine without git pass with the reason', () => {
  const { cwd, base } = repository('whole', ['chore: begin', 'feat: add a page', 'a bad one'])
  const shallow = join(folder, 'shallow')
  git(folder, 'clone', '--quiet', '--depth=1', `file://${cwd}`, shallow)
  const said = (text: string) => ({ status: 0, output: `commits: not checked: ${text}` })
  const short = base.slice(0, 8)
  assert.deepEqual(check(shallow, ['--base', base]), said(`this is a shallow clone without the base commit ${short}`))
  assert.deepEqual(check(cwd), said('the base commit 607a0218 is not in the history of HEAD'))
  const unavailable = said('git or its repository is not available')
  assert.deepEqual(check(cwd, [], { ...process.env, PATH: join(folder, 'empty') }), unavailable)
  assert.deepEqual(check(folder, [], { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() }), unavailable)
})
