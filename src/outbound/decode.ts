import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type ZlibOptions,
} from 'node:zlib'
import { OutboundError } from './errors.ts'

export const ACCEPT_ENCODING = 'gzip, deflate, br'

// Decodes truncated data as far as possible.
const LENIENT: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH }

export function isEncoded(encoding: string): boolean {
  return encoding !== '' && encoding !== 'identity'
}

/** A decoder for one content coding; several codings are rejected, as only attacks use them. Throws protocol. */
export function decoderFor(encoding: string, firstByte?: number): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(LENIENT)
    case 'deflate':
      // Some servers omit the zlib header, whose low four bits are always 8.
      return firstByte === undefined || (firstByte & 0x0f) === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT)
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    default:
      throw new OutboundError('protocol', { cause: new Error('unknown content coding') })
  }
}

/** Decodes a body and stops at `maxBytes` of output, against decompression bombs. Throws protocol. */
export async function decode(
  raw: Buffer,
  encoding: string,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  if (raw.length === 0) return { body: raw, truncated: false }
  const decoder = decoderFor(encoding, raw[0])
  decoder.end(raw)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      // Leaving the loop destroys the decoder.
      if (size > maxBytes) break
    }
  } catch (cause) {
    throw new OutboundError('protocol', { cause })
  }
  const body = Buffer.concat(chunks, Math.min(size, maxBytes))
  return { body, truncated: size > maxBytes }
}
