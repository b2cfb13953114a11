// Runs install.sh without Docker on a copy of this checkout, as an ordinary user in a fresh root: /etc, /home and /tmp are
// new, and the programs of this machine are mounted read-only. Installs, checks that the service answers, runs the script
// again as an upgrade, and stops the service. Part of `npm run image:dry`.
//   node scripts/run-install.ts [--keep]
// Where mounting is not permitted, the root is this machine's, with an empty home and a short PATH. It does not show the
// mode with Docker, the downloads of a release, or another distribution: Node, npm and the C library are this machine's.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort, networkSettings } from './dry-run.ts'

const { keep } = parseArgs({ options: { keep: { type: 'boolean' } } }).values
const REPOSITORY = resolve(import.meta.dirname, '..')
const USER = 1000
const isRoot = process.getuid?.() === 0
const mounts = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0

const root = mkdtempSync(join(tmpdir(), 'bellwether-install-'))
chmodSync(root, 0o755)
const home = join(root, 'home/operator')
const checkout = join(home, 'bellwether')
process.on('exit', () => {
  if (keep) return console.log(`\nkept: ${root}`)
  rmSync(root, { recursive: true, force: true })
})

/** What git has or would add, so that neither node_modules nor data are there. */
function copyCheckout(): void {
  const list = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  for (const file of list.stdout.split('\0').filter((name) => name && existsSync(join(REPOSITORY, name)))) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    cpSync(join(REPOSITORY, file), join(checkout, file), { verbatimSymlinks: true })
  }
}

/** The files that a minimal installation of a system has for name lookups and certificates, and one user. */
function writeEtc(): void {
  for (const folder of ['etc', 'tmp', 'proc', 'dev', 'usr']) mkdirSync(join(root, folder))
  chmodSync(join(root, 'tmp'), 0o1777)
  for (const name of ['resolv.conf', 'hosts', 'nsswitch.conf', 'ld.so.cache', 'ssl', 'ca-certificates', 'alternatives'])
    if (existsSync(`/etc/${name}`))
      cpSync(`/etc/${name}`, join(root, 'etc', name), {
        recursive: true,
        dereference: name === 'resolv.conf',
        verbatimSymlinks: name !== 'resolv.conf',
      })
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0::/root:/bin/sh\noperator:x:${USER}:${USER}::/home/operator:/bin/sh\n`,
  )
  writeFileSync(join(root, 'etc/group'), `root:x:0:\noperator:x:${USER}:\n`)
}

const MOUNT = `set -e
root=$1; shift
for name in bin sbin lib lib64; do
  if [ -L /$name ]; then ln -sfn "$(readlink /$name)" "$root/$name"
  elif [ -d /$name ]; then mkdir -p "$root/$name"; mount --bind /$name "$root/$name"; mount -o remount,bind,ro "$root/$name"; fi
done
mount --bind /usr "$root/usr"
mount -o remount,bind,ro "$root/usr"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
exec chroot --userspec=${USER}:${USER} "$root" "$@"`

/** Runs the script as the user, and returns its output. */
function install(port: number, ...args: string[]): string {
  // A database of another program, which the shell of its developer exports.
  const settings = { PORT: String(port), DATABASE_URL: 'postgres://127.0.0.1:1/other' }
  const { status, stdout } = asUser(settings, 'sh', join(checkout, 'install.sh'), '--node', ...args)
  console.log(stdout.replaceAll(/token=\S+/g, 'token=…'))
  if (status !== 0) throw new Error(`install.sh ended with ${status}.`)
  return stdout
}

/** Runs a program as the user, inside the root where that is permitted. */
function asUser(settings: Record<string, string>, ...words: string[]) {
  const place = (path: string) => (mounts && path.startsWith(root) ? path.slice(root.length) : path)
  const env = {
    ...networkSettings(),
    HOME: place(home),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    ...settings,
  }
  const given = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const command = ['env', '-i', ...given, ...words.map(place)]
  console.log(`\n$ ${words.map(place).join(' ')}`)
  const [program = '', ...rest] = mounts ? ['unshare', '--mount', 'sh', '-c', MOUNT, 'sh', root, ...command] : command
  const own = isRoot && !mounts ? { uid: USER, gid: USER } : {}
  // The service that it starts keeps standard error of the script open, so that only its output is read.
  return spawnSync(program, rest, { cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...own })
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Check failed: ${what}`)
  console.log(`ok: ${what}`)
}

/** On a new connection: the service of an earlier request may have been replaced. */
const answers = async (path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })).ok

const readPid = () => Number(readFileSync(join(checkout, 'data/bellwether.pid'), 'utf8').split(' ')[0])

mkdirSync(home, { recursive: true })
copyCheckout()
writeEtc()
if (isRoot) spawnSync('chown', ['-R', `${USER}:${USER}`, home])
console.log(`root: ${mounts ? 'fresh' : 'this machine, with an empty home'}`)
const port = await freePort()
install(port, '--dry-run')
check(!existsSync(join(checkout, '.env')) && !existsSync(join(checkout, 'node_modules')), 'a dry run writes nothing')
let pid = 0
try {
  const first = install(port)
  pid = readPid()
  check(/^http:\/\/\S+\/sign-in#token=bwl_/m.test(first), 'it prints a link that signs a browser in')
  for (const file of ['.env', 'bellwether.log', 'data/secrets.key'])
    check((statSync(join(checkout, file)).mode & 0o077) === 0, `only its owner can read ${file}`)
  const wrapper = join(checkout, 'bellwether')
  // It fails where the machine has no internet access.
  const doctor = JSON.parse(asUser({}, wrapper, 'doctor', '--json').stdout) as { id: string; state: string }[]
  const states = Object.fromEntries(doctor.map(({ id, state }) => [id, state]))
  check(
    states.database === 'works' && states.workers === 'works' && states.database_key === 'works',
    'doctor, called by the wrapper in another folder, finds the installation',
  )
  const unit = readFileSync(`${wrapper}.service`, 'utf8')
  check(/^ExecStart="\/.*\/bellwether" serve$/m.test(unit) && !unit.includes('FOLDER'), 'the unit has the folder')
  for (const path of ['/readyz', '/', '/openapi.json']) check(await answers(path), `${path} is answered`)
  const settings = readFileSync(join(checkout, '.env'), 'utf8')
  const key = readFileSync(join(checkout, 'data/secrets.key'), 'utf8')
  const again = install(port)
  check(/^Upgrading Bellwether/m.test(again) && readPid() !== pid, 'a second run upgrades and restarts')
  check(!again.includes('token='), 'an upgrade prints no sign-in link')
  pid = readPid()
  check(readFileSync(join(checkout, '.env'), 'utf8') === settings, '.env is unchanged')
  check(readFileSync(join(checkout, 'data/secrets.key'), 'utf8') === key, 'the key is unchanged')
  check(await answers('/readyz'), '/readyz is answered')
} finally {
  if (pid > 0) process.kill(pid, 'SIGTERM')
  while (existsSync(join(checkout, 'data/bellwether.pid')) && existsSync(`/proc/${pid}`)) await sleep(200)
}
