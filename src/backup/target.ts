import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export type StoredFile = { name: string; bytes: number }

/** A folder that backups are stored in: of this machine, or of a bucket. */
export type Target = {
  /** The location of a backup, as a command takes it. */
  nameOf: (name: string) => string
  /** Stores a file, completely or not at all, and returns its size. */
  write: (name: string, chunks: AsyncIterable<Buffer>, signal?: AbortSignal) => Promise<number>
  read: (name: string) => AsyncIterable<Buffer>
  list: () => Promise<StoredFile[]>
  remove: (name: string) => Promise<void>
  /** Removes what a killed process has left of the backups with such names. */
  removeUnfinished: (isOwn: (name: string) => boolean) => Promise<void>
}

const PARTIAL = '.partial'

/** A folder of this machine. */
export function openFolder(folder: string): Target {
  return {
    nameOf: (name) => join(folder, name),
    async write(name, chunks) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, name + PARTIAL)
      try {
        const size = await writeDurably(draft, chunks)
        await rename(draft, join(folder, name))
        await syncFolder(folder)
        return size
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    read: (name) => createReadStream(join(folder, name), { highWaterMark: 256 * 1024 }),
    async list() {
      return Promise.all(
        (await listNames(folder))
          .filter((name) => name.endsWith('.backup'))
          .map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })),
      )
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    async removeUnfinished(isOwn) {
      for (const name of await listNames(folder))
        if (name.endsWith(PARTIAL) && isOwn(name.slice(0, -PARTIAL.length)))
          await rm(join(folder, name), { force: true })
    },
  }
}

/** The names in a folder, which the first backup creates. */
async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

/** Writes a file and flushes it to the disk. Returns its size. */
async function writeDurably(path: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  await using file = await open(path, 'w', 0o600)
  // Not `write`, which may write a part of its buffer.
  await file.writeFile(chunks)
  await file.sync()
  return (await file.stat()).size
}

/** Flushes the name of a new file: the backups before it may be removed next. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync().catch((error: NodeJS.ErrnoException) => {
    // Some network file systems cannot flush a folder.
    if (error.code !== 'EINVAL') throw error
  })
}
