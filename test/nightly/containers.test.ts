import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { parse } from 'yaml'
import { allSteps, environmentOf, inForce, parseDockerfile, parseDockerignore } from '../../scripts/dockerfile.ts'
import { VARIABLES } from '../../src/config/variables.ts'
import { findBinaries, installBinaries, serverUser } from '../../src/db/embedded-binaries.ts'
import { type Compose, composeSchema } from '../../tools/schemas.ts'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json'))
const stages = parseDockerfile(read('Dockerfile'))
const isIgnored = parseDockerignore(read('.dockerignore'))
const compose = (file: string) => parse(read(file), { merge: true }) as Compose

test('the image uses the Node version that the repository pins, and only pinned base images', () => {
  const bases = stages.map(({ from }) => from).filter((from) => !stages.some(({ name }) => name === from))
  assert.ok(bases.length > 1, 'what builds is not what runs')
  for (const base of bases) assert.equal(base, `node:${manifest.dependencies.node}-bookworm-slim`)
  const { words } = inForce(stages.at(-1)?.steps ?? [], 'LABEL')
  assert.ok(words.includes(`org.opencontainers.image.version="${manifest.version}"`))
  assert.ok(words.includes(`org.opencontainers.image.base.name="docker.io/library/${bases[0]}"`))
})

test('the container does not run as root, installs nothing at run time, has a health check and receives signals', () => {
  for (const stage of [stages.at(-1), stages.find(({ name }) => name === 'demo')]) {
    assert.ok(stage)
    const steps = allSteps(stages, stage)
    assert.match(inForce(steps, 'USER').text, /^[1-9]\d*:[1-9]\d*$/)
    assert.ok(!steps.some(({ name }) => name === 'RUN'), 'RUN belongs to the stages that build')
    for (const name of ['ENTRYPOINT', 'CMD', 'HEALTHCHECK']) assert.ok(inForce(steps, name).isExec, name)
    assert.equal(inForce(steps, 'STOPSIGNAL').text, 'SIGTERM')
    const { DATA_DIR, HOST, WORKER_HEALTH, ...others } = environmentOf(steps)
    assert.deepEqual([DATA_DIR, HOST, WORKER_HEALTH], [inForce(steps, 'VOLUME').text, '0.0.0.0', 'true'])
    for (const name of Object.keys(others))
      assert.ok(name in VARIABLES || /^(NODE_ENV|DEMO_HOST)$/.test(name), `${name} is a setting`)
  }
})

test('the health check passes when /healthz responds and fails when there is no response', async () => {
  const [, ...args] = inForce(allSteps(stages, stages.at(-1) as (typeof stages)[0]), 'HEALTHCHECK').words
  // A server in another process, because this one waits for the check.
  const serve = (status: number) => `
    const server = require('node:http').createServer((request, answer) =>
      answer.writeHead(request.url === '/healthz' ? ${status} : 404).end())
    server.listen(0, '127.0.0.1', () => {
      const env = { ...process.env, PORT: String(server.address().port) }
      require('node:child_process').spawn(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' })
        .on('exit', (code) => process.exit(code))
    })`
  const check = (status: number) => spawnSync(process.execPath, ['-e', serve(status), '--', ...args]).status
  assert.equal(check(200), 0)
  assert.equal(check(503), 1)
  const env = { ...process.env, PORT: '1' }
  assert.equal(spawnSync(process.execPath, args, { env }).status, 1)
})

test('every copied path exists and is not ignored, and every workspace is copied before npm installs', () => {
  const steps = stages.flatMap((stage) => stage.steps)
  const copied = steps
    .filter(({ name, flags }) => name === 'COPY' && !flags.from)
    .flatMap(({ words }) => words.slice(0, -1))
  for (const path of copied) {
    assert.ok(existsSync(new URL(`../../${path}`, import.meta.url)), `${path} is there`)
    assert.ok(path === '.' || !isIgnored(path), `${path} is sent to the builder`)
  }
  const before = stages[0]?.steps.flatMap(({ words }) => words) ?? []
  for (const workspace of manifest.workspaces) assert.ok(before.includes(`${workspace}/package.json`), workspace)
})

test('neither data nor secrets nor local build output are copied into an image', () => {
  for (const path of [
    ...[
      'data/secrets.key',
      'data/postgres/cluster/PG_VERSION',
      '.env',
      '.env.production',
      'console/.env',
      '.git/config',
    ],
    ...['node_modules/pg/package.json', 'console/node_modules/vite/package.json', 'console/dist/index.html'],
    ...[
      'src/secrets.key',
      'src/cli/engine.test.ts',
      'test/support/service.ts',
      'docs/tour.md',
      'demo.log',
      'backup.dump',
    ],
  ])
    assert.ok(isIgnored(path), path)
  for (const path of [
    'src/app/service.ts',
    'weights/reader.onnx',
    'console/src/app/service.tsx',
    'sandbox/demo.ts',
    '.npmrc',
  ])
    assert.ok(!isIgnored(path), path)
})

test('the compose files conform to the Compose Specification', () => {
  // Older drafts used `id` instead of `$id`; the schema has it at every definition.
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (key, value) => (key === 'id' && typeof value === 'string' ? undefined : value)),
  )
  schema.$schema = 'https://json-schema.org/draft/2019-09/schema'
  // Added to the specification after the package was published.
  schema.properties.name = { type: 'string' }
  const formats = { duration: true, ports: true, expose: true, subnet_ip_address: true } as const
  const validate = new Ajv2019({ strict: false, formats }).compile(schema)
  const problems = (value: unknown) => (validate(value) ? [] : (validate.errors ?? []))
  for (const file of ['compose.yaml', 'compose.demo.yaml']) {
    const content = compose(file)
    assert.deepEqual(problems(content), [], file)
    const [first = ''] = Object.keys(content.services ?? {})
    const broken = { ...content, services: { [first]: { ...content.services?.[first], read_onyl: true } } }
    assert.notDeepEqual(problems(broken), [], 'the schema sees a wrong name')
  }
})

test('initdb accepts the arguments in compose.yaml, and the health check does not see the temporary server', () => {
  const { environment, healthcheck } = compose('compose.yaml').services?.database ?? {}
  const { POSTGRES_INITDB_ARGS = '' } = environment as Record<string, string>
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-initdb-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  if (user) chownSync(folder, user.uid, user.gid)
  const initdb = join(installBinaries(findBinaries(), folder), 'bin/initdb')
  const args = ['-D', join(folder, 'cluster'), '--username=bellwether', ...POSTGRES_INITDB_ARGS.split(' ')]
  const env = { LANG: 'en_US.utf8' }
  const { status, stderr } = spawnSync(initdb, args, { ...user, cwd: '/', env, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.ok(healthcheck?.test?.includes('--host=127.0.0.1'))
})

test('the folders that compose.yaml mounts for the service belong to the user of the image', () => {
  const steps = allSteps(stages, stages.at(-1) as (typeof stages)[0])
  const owned = steps
    .filter(({ flags }) => flags.chown === inForce(steps, 'USER').text)
    .map(({ words }) => words.at(-1))
  for (const name of ['api', 'worker'])
    for (const volume of compose('compose.yaml').services?.[name]?.volumes ?? [])
      assert.ok(owned.includes(`${String(volume).split(':')[1]}/`), String(volume))
})

test('every container is read-only, unprivileged and pinned, and no secret has a shared default', () => {
  for (const file of ['compose.yaml', 'compose.demo.yaml']) {
    for (const [name, service] of Object.entries(compose(file).services ?? {})) {
      const { read_only, cap_drop, security_opt, ports = [], image = '' } = service
      assert.deepEqual([read_only, cap_drop, security_opt], [true, ['ALL'], ['no-new-privileges:true']], name)
      assert.ok(
        image.replace(/^\$\{BELLWETHER_IMAGE:-(.+)\}$/, '$1').endsWith(`:${manifest.version}`) ||
          /^postgres:18\.\d+-bookworm$/.test(image),
        image,
      )
      for (const port of ports) assert.match(String(port), /^127\.0\.0\.1:/, 'published on this machine alone')
    }
  }
  const source = read('compose.yaml')
  // SECRETS_KEY may be empty when it is in a file.
  for (const [secret, required] of Object.entries({ SECRETS_KEY: '?', POSTGRES_PASSWORD: ':?' })) {
    const uses = source.match(new RegExp(`\\$\\{${secret}[^}]*\\}`, 'g')) ?? []
    assert.ok(uses.length > 0)
    for (const use of uses) assert.ok(use.startsWith(`\${${secret}${required}Put ${secret} into .env`), use)
  }
  const { services = {} } = compose('compose.yaml')
  const { SHUTDOWN_TIMEOUT_SECONDS = '' } = (services.api?.environment ?? {}) as Record<string, string>
  // src/cli/serve.ts also limits a stop to 15 seconds.
  for (const name of ['api', 'worker'])
    assert.ok(Number.parseInt(services[name]?.stop_grace_period ?? '', 10) >= Number(SHUTDOWN_TIMEOUT_SECONDS) + 15)
  assert.equal(services.worker?.deploy?.replicas, 2)
})
