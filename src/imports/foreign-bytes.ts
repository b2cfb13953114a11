import { isUtf8 } from 'node:buffer'

/**
 * Passes text on and puts NUL in place of what is not UTF-8, so that the lines that hold it are refused like any other text
 * that cannot be stored. Decoding would put a replacement character there and store what nobody wrote: a table saved
 * in the alphabet of an old spreadsheet is full of such names.
 */
export async function* markForeignBytes(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const next of bytes) {
    const chunk = rest.length > 0 ? Buffer.concat([rest, next]) : next
    const end = chunk.length - unfinished(chunk)
    rest = chunk.subarray(end)
    yield marked(chunk.subarray(0, end))
  }
  if (rest.length > 0) yield marked(rest)
}

const NEWLINE = 0x0a

/** In a line that is not UTF-8 nobody knows what any letter beyond ASCII is. */
function marked(chunk: Buffer): Buffer {
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

/** How many bytes at the end begin a letter whose other bytes come with the next chunk. */
export function unfinished(chunk: Buffer): number {
  for (let length = 1; length <= Math.min(3, chunk.length); length++) {
    const byte = chunk[chunk.length - length] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0
  }
  return 0
}
