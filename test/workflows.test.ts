import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseDocument } from 'yaml'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  version: string
  scripts: Record<string, string>
  dependencies: Record<string, string>
}

type Step = { uses?: string; run?: string; with?: Record<string, unknown> }
type Job = {
  uses?: string
  steps?: Step[]
  permissions?: Record<string, string>
  container?: string
  'timeout-minutes'?: number
}
type Workflow = { permissions?: Record<string, string>; jobs: Record<string, Job> }
type Form = { name: string; description: string; body: { type: string; id?: string }[] }

function parseYaml<T>(file: string): T {
  const document = parseDocument(read(file))
  assert.deepEqual([...document.errors, ...document.warnings], [], file)
  return document.toJS() as T
}

const workflows = globSync('.github/workflows/*.yml', { cwd: root })
const jobs = workflows.flatMap((file) =>
  Object.entries(parseYaml<Workflow>(file).jobs).map(([name, job]) => ({ name: `${file} ${name}`, job })),
)

test('every action is pinned by commit, every job has a timeout, and permissions default to read', () => {
  assert.ok(workflows.length >= 3)
  for (const file of workflows) assert.deepEqual(parseYaml<Workflow>(file).permissions, { contents: 'read' }, file)
  for (const { name, job } of jobs.filter(({ job }) => job.uses === undefined)) {
    assert.ok(job['timeout-minutes'], name)
    for (const { uses, with: inputs } of job.steps ?? []) {
      if (uses === undefined) continue
      assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, name)
      if (uses.startsWith('actions/checkout@')) assert.equal(inputs?.['persist-credentials'], false, name)
    }
  }
  const writing = jobs.filter(({ job }) => Object.values(job.permissions ?? {}).includes('write'))
  assert.deepEqual(
    writing.map(({ name }) => name.split(' ')[1]),
    ['image', 'manifest', 'release'],
  )
})

test('everything that the workflows and .ci/run call exists', () => {
  const commands = jobs.flatMap(({ job }) => job.steps?.flatMap(({ run }) => run ?? []) ?? [])
  const ci = read('.ci/run')
  for (const [, name] of [ci, ...commands].join('\n').matchAll(/npm run ([\w:]+)/g))
    assert.ok(manifest.scripts[name as string], `npm run ${name}`)
  const parts = new Set([...ci.matchAll(/^ {4}(\w+)\) /gm)].map(([, part]) => part))
  const called = commands.flatMap((command) => /^\.ci\/run (.+)$/.exec(command)?.[1]?.split(' ') ?? [])
  assert.deepEqual(new Set(called), parts)
  for (const { job } of jobs)
    if (job.container) assert.equal(job.container, `node:${manifest.dependencies.node}-bookworm`)
  // Otherwise the test of a rolling upgrade has no earlier code and is skipped.
  const tests = jobs.find(({ name }) => name === '.github/workflows/check.yml test')?.job
  assert.equal(tests?.steps?.[0]?.with?.['fetch-depth'], 0)
})

test('the issue forms have the fields that GitHub requires', () => {
  for (const file of ['bug', 'feature']) {
    const { name, description, body } = parseYaml<Form>(`.github/ISSUE_TEMPLATE/${file}.yml`)
    assert.ok(name && description)
    const ids = body.filter(({ type }) => type !== 'markdown').map(({ id }) => id)
    assert.ok(ids.every(Boolean))
    assert.equal(new Set(ids).size, ids.length)
    for (const { type } of body) assert.match(type, /^(markdown|textarea|input|dropdown|checkboxes)$/)
  }
})

test('release notes are the section of the version, and a version without one is rejected', () => {
  const notes = (version: string) => spawnSync(join(root, '.ci/release-notes'), [version], { encoding: 'utf8' })
  const { status, stdout } = notes(`v${manifest.version}`)
  assert.equal(status, 0)
  assert.match(stdout, /^### Added$/m)
  assert.doesNotMatch(stdout, /^## /m)
  const missing = notes('v99.0.0')
  assert.equal(missing.status, 1)
  assert.match(missing.stderr, /no section for 99\.0\.0/)
})

test('the files of a release name its image and repository, and build nothing', () => {
  const out = mkdtempSync(join(tmpdir(), 'bellwether-release-'))
  after(() => rmSync(out, { recursive: true, force: true }))
  const { version } = manifest
  const made = spawnSync(join(root, '.ci/release-files'), ['Acme/Bell', out], { encoding: 'utf8' })
  assert.equal(made.status, 0, made.stderr)
  const chart = `bellwether-chart-${version}.tgz`
  assert.deepEqual(readdirSync(out).sort(), [chart, 'compose.yaml', 'install.sh'])
  const compose = readFileSync(join(out, 'compose.yaml'), 'utf8')
  assert.match(compose, new RegExp(`image: \\$\\{BELLWETHER_IMAGE:-ghcr\\.io/acme/bell:${version}\\}`))
  assert.doesNotMatch(compose, /build/)
  const script = readFileSync(join(out, 'install.sh'), 'utf8')
  assert.match(script, new RegExp(`^VERSION=${version}\nREPOSITORY=Acme/Bell$`.replace('\n', '\n(?:#.*\n)*'), 'm'))
  const values = spawnSync('tar', ['-xzOf', join(out, chart), 'bellwether/values.yaml'], { encoding: 'utf8' }).stdout
  assert.match(values, /^ {2}repository: ghcr\.io\/acme\/bell$/m)
  const chartManifest = read('deploy/helm/bellwether/Chart.yaml')
  assert.match(chartManifest, new RegExp(`^version: ${version}\nappVersion: "${version}"$`, 'm'))
})

test('the install script reports what it would do with --dry-run, and refuses unknown options', () => {
  const install = (args: string[], env: NodeJS.ProcessEnv = process.env) =>
    spawnSync('sh', [join(root, 'install.sh'), ...args], { encoding: 'utf8', env })
  const dir = join(tmpdir(), `bellwether-none-${process.pid}`)
  const { status, stdout, stderr } = install(['--node', '--dry-run', '--dir', dir], { ...process.env, PORT: '1' })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^would write: .*\/\.env$/m)
  assert.match(stdout, /^would start: .*bin\/bellwether\.js serve/m)
  assert.equal(globSync(dir).length, 0)
  const made = mkdtempSync(join(tmpdir(), 'bellwether-installed-'))
  after(() => rmSync(made, { recursive: true, force: true }))
  const reported = (settings: string, ...args: string[]) => {
    writeFileSync(join(made, '.env'), settings)
    const { stdout, stderr } = install(['--dry-run', '--dir', made, ...args], { ...process.env, PORT: '1' })
    return (stdout.split('\n', 1)[0] || stderr).replace(/ 0\.1\.0 in .*? \(/, ' (')
  }
  // The mode is that of the installation: another one would start with a second, empty database.
  assert.equal(reported("PORT=1\nDATA_DIR='/x'\n"), 'Upgrading Bellwether (node).')
  assert.match(reported('PORT=1\n', '--docker'), /is an installation with --node/)
  assert.match(reported('POSTGRES_PASSWORD=a\n', '--node'), /is an installation with --docker/)
  assert.match(reported('POSTGRES_PASSWORD=a\n'), /Docker does not respond|--dir is for --node/)
  const unknown = install(['--upgrade'])
  assert.deepEqual([unknown.status, unknown.stderr], [1, 'install.sh: unknown option --upgrade; --help lists them.\n'])
})
