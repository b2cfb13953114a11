import { isAscii, isUtf8 } from 'node:buffer'
import type { StoredImportOptions } from '../db/company-tables.ts'
import { markForeignBytes, unfinished } from './foreign-bytes.ts'

export type Encoding = NonNullable<StoredImportOptions['encoding']>

/** As much as tells how a file was saved, and its first lines. */
const HEAD_BYTES = 64 * 1024

export type Text = {
  /** What the file turned out to be saved as; ASCII is taken for UTF-8 until the first other letter. */
  encoding: () => Encoding
  /** How it begins. */
  head: string
  /** All of it, in UTF-8. */
  bytes: AsyncGenerator<Buffer>
}

/**
 * Reads bytes as text: as `wanted` says, or as what they look like. A mark at the beginning tells, and every second byte
 * being NUL; otherwise the first letters beyond ASCII do, wherever in the file they stand: UTF-8 where they are that, and
 * otherwise what spreadsheets of western Europe and America save.
 */
export async function openText(bytes: AsyncIterable<Buffer>, wanted?: Encoding): Promise<Text> {
  const chunks = bytes[Symbol.asyncIterator]()
  const head = await gather(chunks)
  let known = wanted ?? byMark(head) ?? byNul(head)
  async function* decoded(): AsyncGenerator<Buffer> {
    const rest = after(head, chunks)
    for await (const chunk of rest) {
      if (!known && isAscii(chunk)) {
        yield chunk
        continue
      }
      known ??= byLetters(chunk)
      yield* decode(after(chunk, rest), known)
    }
  }
  const shown = new TextDecoder(known ?? byLetters(head)).decode(head)
  return { encoding: () => known ?? 'utf-8', head: shown, bytes: decoded() }
}

async function gather(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (let size = 0; size < HEAD_BYTES; ) {
    const { value, done } = await chunks.next()
    if (done) break
    pieces.push(value)
    size += value.length
  }
  return Buffer.concat(pieces)
}

/** What was taken, then the rest. Whoever stops early ends the source, too. */
async function* after(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

function byMark(head: Buffer): Encoding | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null
}

/** Tables are mostly ASCII, of which UTF-16 makes every second byte NUL. */
function byNul(head: Buffer): Encoding | null {
  const nuls = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = nuls
  const most = head.length / 2 / 2
  if (Math.max(even, odd) <= most || Math.min(even, odd) > most / 4) return null
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** One damaged letter among many makes no other alphabet. */
function byLetters(chunk: Buffer): Encoding {
  const whole = chunk.subarray(0, chunk.length - unfinished(chunk))
  if (isUtf8(whole)) return 'utf-8'
  let wrong = 0
  let right = 0
  for (const [letter] of whole.toString('utf8').matchAll(/[^\0-\x7f]/gu)) letter === '\ufffd' ? wrong++ : right++
  return right > wrong ? 'utf-8' : 'windows-1252'
}

async function* decode(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  if (encoding === 'utf-8') return yield* markForeignBytes(bytes)
  const decoder = new TextDecoder(encoding)
  // A replacement character is not what anybody wrote: NUL in its place has the line refused.
  const text = (chunk?: Buffer) =>
    Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }).replaceAll('\ufffd', '\0'))
  for await (const chunk of bytes) yield text(chunk)
  yield text()
}
