import { isAscii, isUtf8 } from 'node:buffer'
import type { StoredImportOptions } from '../db/company-tables.ts'

export type FileEncoding = NonNullable<StoredImportOptions['encoding']>

/** Number of bytes by which the encoding is detected. */
const HEAD_BYTES = 64 * 1024

export type DecodedText = {
  /** Returns the detected encoding; ASCII counts as UTF-8 until the first non-ASCII byte. */
  encoding: () => FileEncoding
  /** The beginning of the text. */
  head: string
  /** The whole text, in UTF-8. */
  bytes: AsyncGenerator<Buffer>
}

/**
 * Decodes bytes in the given or detected encoding. Detection uses the byte order mark, then NUL in every second byte, then
 * the first non-ASCII bytes anywhere in the file: UTF-8 if they are valid, otherwise windows-1252, which spreadsheets in
 * western Europe and America save.
 */
export async function decodeImportBytes(bytes: AsyncIterable<Buffer>, wanted?: FileEncoding): Promise<DecodedText> {
  const chunks = bytes[Symbol.asyncIterator]()
  const head = await readHead(chunks)
  let known = wanted ?? encodingByBom(head) ?? encodingByNuls(head)
  async function* decoded(): AsyncGenerator<Buffer> {
    const rest = concatenate(head, chunks)
    for await (const chunk of rest) {
      if (!known && isAscii(chunk)) {
        yield chunk
        continue
      }
      known ??= encodingByContent(chunk)
      yield* decode(concatenate(chunk, rest), known)
    }
  }
  const shown = new TextDecoder(known ?? encodingByContent(head)).decode(head)
  return { encoding: () => known ?? 'utf-8', head: shown, bytes: decoded() }
}

async function readHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let size = 0; size < HEAD_BYTES; ) {
    const { value, done } = await chunks.next()
    if (done) break
    pieces.push(value)
    size += value.length
  }
  return Buffer.concat(pieces)
}

/** Yields the first chunk, then the rest. Closes the source when the consumer stops early. */
async function* concatenate(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

function encodingByBom(head: Buffer): FileEncoding | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null
}

/** Tables are mostly ASCII, which has NUL in every second byte in UTF-16. */
function encodingByNuls(head: Buffer): FileEncoding | null {
  const nuls = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = nuls
  const most = head.length / 2 / 2
  if (Math.max(even, odd) <= most || Math.min(even, odd) > most / 4) return null
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** A few invalid characters among many valid ones still count as UTF-8. */
function encodingByContent(chunk: Buffer): FileEncoding {
  const whole = chunk.subarray(0, chunk.length - incompleteUtf8Length(chunk))
  if (isUtf8(whole)) return 'utf-8'
  let wrong = 0
  let right = 0
  for (const [letter] of whole.toString('utf8').matchAll(/[^\0-\x7f]/gu)) letter === '\ufffd' ? wrong++ : right++
  return right > wrong ? 'utf-8' : 'windows-1252'
}

async function* decode(bytes: AsyncIterable<Buffer>, encoding: FileEncoding): AsyncGenerator<Buffer> {
  if (encoding === 'utf-8') return yield* replaceInvalidUtf8(bytes)
  const decoder = new TextDecoder(encoding)
  // NUL instead of a replacement character, so that the line is rejected and not stored with a wrong character.
  const text = (chunk?: Buffer) =>
    Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }).replaceAll('\ufffd', '\0'))
  for await (const chunk of bytes) yield text(chunk)
  yield text()
}

/**
 * Replaces invalid UTF-8 with NUL, so that the lines that contain it are rejected like other text that cannot be stored.
 * Decoding would insert replacement characters, and a table in a legacy encoding would be stored with wrong names.
 */
export async function* replaceInvalidUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const next of bytes) {
    const chunk = rest.length > 0 ? Buffer.concat([rest, next]) : next
    const end = chunk.length - incompleteUtf8Length(chunk)
    rest = chunk.subarray(end)
    yield replaceInvalidLines(chunk.subarray(0, end))
  }
  if (rest.length > 0) yield replaceInvalidLines(rest)
}

const NEWLINE = 0x0a

/** Replaces all non-ASCII bytes of a line with invalid UTF-8, because none of them can be decoded reliably. */
function replaceInvalidLines(chunk: Buffer): Buffer {
  if (isUtf8(chunk)) return chunk
  const copy = Buffer.from(chunk)
  for (let from = 0; from < copy.length; ) {
    const at = copy.indexOf(NEWLINE, from)
    const line = copy.subarray(from, at < 0 ? copy.length : at)
    if (!isUtf8(line)) for (const [index, byte] of line.entries()) if (byte >= 0x80) line[index] = 0
    from += line.length + 1
  }
  return copy
}

/** Returns the number of bytes at the end that begin a character continued in the next chunk. */
export function incompleteUtf8Length(chunk: Buffer): number {
  for (let length = 1; length <= Math.min(3, chunk.length); length++) {
    const byte = chunk[chunk.length - length] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0
  }
  return 0
}
