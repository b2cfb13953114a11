import { once } from 'node:events'
import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { SetupError } from '../shared/errors.ts'

/** Tables pack ten to thirty times; what unpacks to far more than that is made to fill a disk or a day. */
const MAX_RATIO = 100
/** Not held against small files, which may be one line over and over. */
const FREE_BYTES = 16 * 1024 * 1024

export type ImportSource = {
  /** What to call it in a message. */
  name: string
  bytes: Readable
  /** How it begins, for guessing its format. Empty when it is. */
  head: string
  /** Part of it read so far, 0 to 1; null when its size is not known. */
  progress: () => number | null
}

/** Opens a file, or standard input for `-`; unpacks gzip. Throws SetupError when it cannot be read. */
export async function openImportFile(file: string): Promise<ImportSource> {
  const name = file === '-' ? 'Standard input' : file
  try {
    // Before the stream, whose own failure nobody would hear meanwhile.
    const size = file === '-' ? null : (await stat(file)).size
    const raw: Readable = file === '-' ? process.stdin : createReadStream(file)
    return await openImportStream(name, raw, () => (size ? (raw as ReadStream).bytesRead / size : null))
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw unreadable(name, error)
  }
}

/** A source of bytes that come from anywhere; unpacks gzip. Throws SetupError when it cannot be read. */
export async function openImportStream(
  name: string,
  raw: Readable,
  progress: ImportSource['progress'],
): Promise<ImportSource> {
  try {
    const first = await peek(raw)
    if (!(first[0] === 0x1f && first[1] === 0x8b)) return { name, bytes: raw, head: first.toString('utf8'), progress }
    const unpacking = createGunzip()
    const bytes = Readable.from(limitRatio(name, unpacking), { objectMode: false })
    // What goes wrong before somebody reads is met by whoever reads then.
    pipeline(raw, unpacking, () => {})
    bytes.on('error', () => {})
    return { name, bytes, head: (await peek(bytes)).toString('utf8'), progress }
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw unreadable(name, error)
  }
}

/** What comes out, as long as it is in proportion to what went in. Throws SetupError. */
async function* limitRatio(name: string, unpacking: Gunzip): AsyncGenerator<Buffer> {
  let unpacked = 0
  for await (const chunk of unpacking as AsyncIterable<Buffer>) {
    unpacked += chunk.length
    if (unpacked > FREE_BYTES && unpacked > unpacking.bytesWritten * MAX_RATIO) {
      throw new SetupError(`${name} unpacks to more than ${MAX_RATIO} times its size. Send it unpacked.`)
    }
    yield chunk
  }
}

function unreadable(name: string, error: unknown): SetupError {
  const { code, message } = error as NodeJS.ErrnoException
  return new SetupError(`${name} cannot be read: ${code ?? message}.`)
}

/** The first bytes of a stream, which stay in it. */
async function peek(stream: Readable): Promise<Buffer> {
  await once(stream, 'readable')
  const first = stream.read() as Buffer | null
  if (!first) return Buffer.alloc(0)
  stream.unshift(first)
  return first
}
