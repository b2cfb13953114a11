import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../shared/errors.ts'
import { readOrNull, startedAt } from './processes.ts'

type Owner = { pid: number }

const lockFile = (dataDir: string) => join(dataDir, 'bellwether.pid')

/** The living process that holds the folder, if any. */
export function findDataDirOwner(dataDir: string): Owner | null {
  return living(lockFile(dataDir))
}

function living(file: string): Owner | null {
  // What is not a lock of ours, such as a file cut short by a crash, is nobody's.
  const [, pid, started] = readOrNull(file)?.match(/^(\d+) (\S+)$/) ?? []
  return pid && startedAt(Number(pid)) === started ? { pid: Number(pid) } : null
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
  const draft = `${file}.${process.pid}.new`
  const mine = `${process.pid} ${startedAt(process.pid)}`
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      // Written first and linked then: nobody ever reads half a lock, and the link is made once.
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
    // Moved aside by rename, so that of two processes which both found the lock stale only one removes it.
    const aside = `${file}.${process.pid}`
    try {
      renameSync(file, aside)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
      continue
    }
    if (living(aside)) renameSync(aside, file)
    else rmSync(aside, { force: true })
  }
  throw new SetupError(`DATA_DIR ${dataDir} could not be locked: another process is starting on it. Try again.`)
}
