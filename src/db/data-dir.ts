import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../shared/errors.ts'
import { readOrNull, readStartTime } from './processes.ts'

type Owner = { pid: number }

const lockFile = (dataDir: string) => join(dataDir, 'bellwether.pid')

/** The running process that holds the lock of the data folder, if any. */
export function findDataDirOwner(dataDir: string): Owner | null {
  return readLockOwner(lockFile(dataDir))
}

function readLockOwner(file: string): Owner | null {
  // A malformed lock file, such as one truncated by a crash, has no owner.
  const [, pid, started] = readOrNull(file)?.match(/^(\d+) (\S+)$/) ?? []
  return pid && readStartTime(Number(pid)) === started ? { pid: Number(pid) } : null
}

/**
 * Locks the data folder for this process and returns the function that unlocks it. A stale lock of a killed process is
 * replaced. Throws SetupError with the pid of the owner when a running process holds the lock.
 */
export function lockDataDir(dataDir: string): () => void {
  try {
    // As root the folder gets execute permission for all: PostgreSQL then runs as another user inside it.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  } catch (cause) {
    throw new SetupError(`DATA_DIR ${dataDir} cannot be created: ${(cause as Error).message}`)
  }
  const file = lockFile(dataDir)
  const draft = `${file}.${process.pid}.new`
  const mine = `${process.pid} ${readStartTime(process.pid)}`
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      // Written first, then linked: no process reads a partial lock, and link fails if the lock exists.
      writeFileSync(draft, mine, { mode: 0o600 })
      linkSync(draft, file)
      rmSync(draft)
      return () => rmSync(file, { force: true })
    } catch (cause) {
      rmSync(draft, { force: true })
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new SetupError(`DATA_DIR ${dataDir} cannot be written: ${(cause as Error).message}`)
      }
    }
    const owner = findDataDirOwner(dataDir)
    if (owner) {
      throw new SetupError(
        `DATA_DIR ${dataDir} is in use by process ${owner.pid}. Stop it, choose another DATA_DIR, or set DATABASE_URL so that several processes share one PostgreSQL.`,
      )
    }
    // Renamed first, so that of two processes that both found the lock stale only one removes it.
    const aside = `${file}.${process.pid}`
    try {
      renameSync(file, aside)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
      continue
    }
    if (readLockOwner(aside)) renameSync(aside, file)
    else rmSync(aside, { force: true })
  }
  throw new SetupError(`DATA_DIR ${dataDir} could not be locked: another process is starting on it. Try again.`)
}
