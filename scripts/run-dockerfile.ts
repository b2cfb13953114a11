// Runs the steps of the Dockerfile without Docker: each stage in a clean folder that represents its root, as an ordinary
// user; then starts the result on a read-only tree, runs its health check, and stops it. `npm run image:dry`
//   node scripts/run-dockerfile.ts [--target demo] [--keep]
// It shows that the steps work, not that the base images and Docker do: Node, npm and the C library are those of this machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findRunningServer } from '../src/db/embedded.ts'
import {
  allSteps,
  environmentOf,
  inForce,
  parseDockerfile,
  parseDockerignore,
  type Stage,
  type Step,
} from './dockerfile.ts'
import { freePort, networkSettings } from './dry-run.ts'

const { target, keep } = parseArgs({ options: { target: { type: 'string' }, keep: { type: 'boolean' } } }).values
const REPOSITORY = resolve(import.meta.dirname, '..')
const STARTS_WITHIN_MS = 180_000

const stages = parseDockerfile(readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8'))
const wanted = target ? stages.find(({ name }) => name === target) : stages.at(-1)
if (!wanted) throw new Error(`The Dockerfile has no stage ${target}.`)
const steps = allSteps(stages, wanted)
const [uid = 0, gid = 0] = inForce(steps, 'USER').text.split(':').map(Number)
// Root runs the steps as the user of the image; other users run them as themselves.
const user = process.getuid?.() === 0 ? { uid, gid } : {}

const work = mkdtempSync(join(tmpdir(), 'bellwether-image-'))
chmodSync(work, 0o755)
process.on('exit', () => {
  if (keep) return console.log(`\nkept: ${work}`)
  command('chmod', ['-R', 'u+w', work])
  rmSync(work, { recursive: true, force: true })
})
for (const folder of ['tools', 'home', 'tmp']) mkdirSync(join(work, folder))
// The Node that runs this script is used as the base image's.
copyFileSync(process.execPath, join(work, 'tools/node'))

const rootOf = (stage: string) => join(work, stage)
const inside = (root: string, path: string, at = '/') => join(root, resolve(at, path))
const DATA_DIR = inside(rootOf(wanted.name), environmentOf(steps).DATA_DIR ?? '/data')
const outside = {
  PATH: `${join(work, 'tools')}:${process.env.PATH}`,
  HOME: join(work, 'home'),
  TMPDIR: join(work, 'tmp'),
  LANG: 'C.UTF-8',
}

function command(name: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } & typeof user = {}) {
  const { status, error } = spawnSync(name, args, { stdio: 'inherit', ...options })
  if (status !== 0) throw error ?? new Error(`${name} ${args.join(' ')} ended with ${status}.`)
}

/** The build context. */
function copyContext(): string {
  const context = join(work, 'context')
  const isIgnored = parseDockerignore(readFileSync(join(REPOSITORY, '.dockerignore'), 'utf8'))
  cpSync(REPOSITORY, context, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => source === REPOSITORY || !isIgnored(relative(REPOSITORY, source)),
  })
  return context
}

function runStage({ name, from, steps: own }: Stage, context: string): void {
  const root = rootOf(name)
  if (existsSync(rootOf(from))) cpSync(rootOf(from), root, { recursive: true, verbatimSymlinks: true })
  else mkdirSync(root)
  if ('uid' in user) command('chown', ['-R', `${uid}:${gid}`, root, join(work, 'home'), join(work, 'tmp')])
  let cwd = workdirOf(from)
  for (const step of own) {
    if (step.name === 'WORKDIR') cwd = step.text
    if (step.name === 'WORKDIR') mkdirSync(inside(root, cwd), { recursive: true })
    if (step.name === 'COPY') copy(step, context, root, cwd)
    if (step.name === 'WORKDIR' || step.name === 'COPY') handOver(root)
    if (step.name === 'RUN') {
      console.log(`[${name}] RUN ${step.text}`)
      const env = { ...outside, ...networkSettings(), ...environmentOf(own) }
      command('sh', ['-c', step.text], { cwd: inside(root, cwd), env, ...user })
    }
  }
}

function workdirOf(stage: string): string {
  const found = stages.find(({ name }) => name === stage)
  return found ? inForce(allSteps(stages, found), 'WORKDIR').text : '/'
}

function copy({ flags, words }: Step, context: string, root: string, cwd: string): void {
  const to = words.at(-1) as string
  for (const from of words.slice(0, -1)) {
    const source = flags.from ? inside(rootOf(flags.from), from) : join(context, from)
    const isFolder = statSync(source).isDirectory()
    // As in Docker: the content of a folder, or a file into a folder whose name ends with a slash.
    const place = inside(root, !isFolder && /[/.]$/.test(to) ? join(to, basename(from)) : to, cwd)
    cpSync(source, place, { recursive: true, verbatimSymlinks: true })
  }
}

function handOver(root: string): void {
  if ('uid' in user) command('chown', ['-R', `${uid}:${gid}`, root])
}

/** Every file with its size and time, to check afterwards that none was written. */
function listing(root: string): string {
  const lines = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { size, mtimeMs } = lstatSync(join(root, name))
    return `${name} ${size} ${mtimeMs}`
  })
  return lines.sort().join('\n')
}

type Attempt = {
  args: string[]
  paths: readonly string[]
  given?: Record<string, string>
  beside?: () => Promise<void>
}

/** Starts the image with arguments, waits for its health check, requests paths, and stops it as Docker would. */
async function tryOut({ args, paths, given = {}, beside }: Attempt): Promise<void> {
  const root = rootOf((wanted as Stage).name)
  const cwd = inside(root, inForce(steps, 'WORKDIR').text)
  const port = await freePort()
  const env = { ...outside, ...environmentOf(steps), DATA_DIR, PORT: String(port), ...given }
  const [program = '', ...rest] = [...inForce(steps, 'ENTRYPOINT').words, ...args]
  console.log(`\n$ ${[program, ...rest].join(' ')}`)
  const began = performance.now()
  const child: ChildProcess = spawn(program, rest, { cwd, env, ...user, stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  try {
    const [probe = '', ...probing] = inForce(steps, 'HEALTHCHECK').words
    while (spawnSync(probe, probing, { cwd, env, ...user }).status !== 0) {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`)
      if (performance.now() - began > STARTS_WITHIN_MS) throw new Error('Its health check does not pass.')
      await sleep(200)
    }
    console.log(`health check: passed after ${Math.round(performance.now() - began)} ms`)
    for (const path of paths) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      console.log(`${path}: ${answer.status}, ${(await answer.text()).length} characters`)
      if (!answer.ok) throw new Error(`${path} is not answered.`)
    }
    await beside?.()
  } finally {
    child.kill(inForce(steps, 'STOPSIGNAL').text as NodeJS.Signals)
  }
  const code = await ended
  console.log(`stopped: exit code ${code}`)
  if (code !== 0) throw new Error('It did not stop well.')
}

/** A worker on the embedded database of the service that runs. */
async function tryOutWorker(): Promise<void> {
  const server = findRunningServer(DATA_DIR)
  if (!server) throw new Error('The embedded PostgreSQL does not run.')
  const { user, password, host = '', database } = server
  const DATABASE_URL = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}`
  const SECRETS_KEY = readFileSync(join(DATA_DIR, 'secrets.key'), 'utf8').trim()
  const paths = ['/readyz', '/metrics']
  await tryOut({ args: ['serve', '--only', 'worker'], paths, given: { DATABASE_URL, SECRETS_KEY } })
}

const context = copyContext()
for (const stage of stages) runStage(stage, context)
const root = rootOf(wanted.name)
console.log('\nwhat is in it')
command('du', ['-sh', root])
command('sh', [
  '-c',
  `cd '${root}/app' && du -sm * | sort -rn | head -4; du -sm node_modules/[!@]* node_modules/@*/* | sort -rn | head -8`,
])
// Only the data folder and the temporary folder stay writable.
command('chmod', ['-R', 'a-w', root])
command('chmod', ['u+w', inside(root, '/data')])
const before = listing(inside(root, '/app'))
if (target === 'demo') await tryOut({ args: [], paths: ['/readyz', '/'] })
else {
  await tryOut({
    args: inForce(steps, 'CMD').words,
    paths: ['/readyz', '/', '/openapi.json', '/metrics'],
    beside: tryOutWorker,
  })
}
if (listing(inside(root, '/app')) !== before) throw new Error('Something was written beside the data.')
console.log('\nnothing was written but to /data and /tmp')
