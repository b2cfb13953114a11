import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../errors.ts'
import { readOrNull, startedAt } from './processes.ts'

type Owner = { pid: number; started: string | null }

const lockFile = (dataDir: string) => join(dataDir, 'bellwether.pid')

/** The living process that holds the folder, if any. */
export function findOwner(dataDir: string): Owner | null {
  const content = readOrNull(lockFile(dataDir))
  if (!content) return null
  const owner = JSON.parse(content) as Owner
  return startedAt(owner.pid) === owner.started ? owner : null
}

/**
 * Takes the data folder for this process and answers the function that gives it back. A lock left by a killed process
 * is taken over. Throws SetupError naming the pid of a living owner.
 */
export function lockDataDir(dataDir: string): () => void {
  try {
    // Open to pass through (not to list) when run as root: PostgreSQL then works in it as another user.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  } catch (cause) {
    throw new SetupError(`DATA_DIR ${dataDir} cannot be created: ${(cause as Error).message}`)
  }
  const file = lockFile(dataDir)
  const mine = JSON.stringify({ pid: process.pid, started: startedAt(process.pid) } satisfies Owner)
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new SetupError(`DATA_DIR ${dataDir} cannot be written: ${(cause as Error).message}`)
      }
    }
    const owner = findOwner(dataDir)
    if (owner) {
      throw new SetupError(
        `DATA_DIR ${dataDir} is in use by process ${owner.pid}. Stop it, choose another DATA_DIR, or set DATABASE_URL so that several processes share one PostgreSQL.`,
      )
    }
    // Moved aside by rename, so that of two processes which both found the lock stale only one removes it.
    const aside = `${file}.${process.pid}`
    try {
      renameSync(file, aside)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
      continue
    }
    const moved = JSON.parse(readFileSync(aside, 'utf8')) as Owner
    if (startedAt(moved.pid) === moved.started) renameSync(aside, file)
    else rmSync(aside, { force: true })
  }
  throw new SetupError(`DATA_DIR ${dataDir} could not be locked: another process is starting on it. Try again.`)
}
