import { once } from 'node:events'
import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { SetupError } from '../shared/errors.ts'

/** Maximum compression ratio. Tables compress ten to thirty times; a much higher ratio indicates a decompression bomb. */
const MAX_RATIO = 100
/** The ratio is not checked below this size, because a small file may repeat one line. */
const FREE_BYTES = 16 * 1024 * 1024

export type ImportSource = {
  /** Name for error messages. */
  name: string
  bytes: Readable
  /** The beginning of the content, for detecting the format. */
  head: string
  /** Fraction read so far, 0 to 1; null when the size is unknown. */
  progress: () => number | null
}

/** Opens a file, or standard input for `-`; unpacks gzip. Throws SetupError when it cannot be read. */
export async function openImportFile(file: string): Promise<ImportSource> {
  const name = file === '-' ? 'Standard input' : file
  try {
    // Before the stream is created, because an error event during the await would be unhandled.
    const size = file === '-' ? null : (await stat(file)).size
    const raw: Readable = file === '-' ? process.stdin : createReadStream(file)
    return await openImportStream(name, raw, () => (size ? (raw as ReadStream).bytesRead / size : null))
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw unreadable(name, error)
  }
}

/** Opens any stream; unpacks gzip. Throws SetupError when it cannot be read. */
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
    // Avoids unhandled errors before the stream is read; the reader gets them.
    pipeline(raw, unpacking, () => {})
    bytes.on('error', () => {})
    return { name, bytes, head: (await peek(bytes)).toString('utf8'), progress }
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw unreadable(name, error)
  }
}

/** Yields the unpacked chunks. Throws SetupError when the compression ratio is too high. */
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

/** Returns the first bytes of a stream without consuming them. */
async function peek(stream: Readable): Promise<Buffer> {
  await once(stream, 'readable')
  const first = stream.read() as Buffer | null
  if (!first) return Buffer.alloc(0)
  stream.unshift(first)
  return first
}
