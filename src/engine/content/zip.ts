// Decompresses the only file of a zip archive, in chunks: an archive of ten megabytes may hold a hundred.
import { createHash } from 'node:crypto'
import { crc32, createInflateRaw } from 'node:zlib'

/** Why an archive cannot be read, as a sentence for users. */
export class ZipError extends Error {}

const [END, CENTRAL, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50]
const [END_BYTES, CENTRAL_BYTES, LOCAL_BYTES] = [22, 46, 30]
const MAX_COMMENT_BYTES = 65_535
const [STORED, DEFLATED] = [0, 8]
const ENCRYPTED = 1
const CHUNK_BYTES = 64 * 1024

/** An archive with the size and the checksum that its publisher states. */
export type ListedArchive = { body: Uint8Array; size: number; md5: string }

/**
 * The content of the only file in the archive. Throws ZipError for an archive that differs from the stated one, is damaged,
 * encrypted, holds several files, or decompresses to more than `maxBytes`.
 */
export async function* unzipOnlyFile(listed: ListedArchive, maxBytes: number): AsyncGenerator<Buffer> {
  const archive = Buffer.from(listed.body.buffer, listed.body.byteOffset, listed.body.byteLength)
  if (archive.length !== listed.size || createHash('md5').update(archive).digest('hex') !== listed.md5) {
    throw new ZipError('The file differs from its stated size or checksum.')
  }
  const { method, checksum, size, data } = findOnlyFile(archive)
  if (size > maxBytes) throw tooLarge()
  let [read, sum] = [0, 0]
  for await (const chunk of method === STORED ? [data] : inflated(data)) {
    read += chunk.length
    // The header may state less than the archive holds.
    if (read > size) throw damaged()
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (read !== size || sum !== checksum) throw damaged()
}

async function* inflated(data: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES })
  inflate.end(data)
  try {
    for await (const chunk of inflate) yield chunk as Buffer
  } catch (error) {
    if (String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw damaged()
    throw error
  } finally {
    inflate.destroy()
  }
}

/** By the directory at the end of the archive: the header before the data may lack the size. */
function findOnlyFile(archive: Buffer) {
  const end = findEnd(archive)
  if (archive.readUInt16LE(end + 10) !== 1) throw new ZipError('The archive does not hold exactly one file.')
  const entry = archive.readUInt32LE(end + 16)
  if (entry + CENTRAL_BYTES > end || archive.readUInt32LE(entry) !== CENTRAL) throw damaged()
  const method = archive.readUInt16LE(entry + 10)
  if ((archive.readUInt16LE(entry + 8) & ENCRYPTED) !== 0 || (method !== STORED && method !== DEFLATED)) {
    throw new ZipError('The archive is encrypted or compressed in an unknown way.')
  }
  const [checksum, packed, size, local] = [16, 20, 24, 42].map((at) => archive.readUInt32LE(entry + at)) as [
    number,
    number,
    number,
    number,
  ]
  if (local + LOCAL_BYTES > entry || archive.readUInt32LE(local) !== LOCAL) throw damaged()
  const from = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  if (from + packed > entry) throw damaged()
  return { method, checksum, size, data: archive.subarray(from, from + packed) }
}

function findEnd(archive: Buffer): number {
  const last = archive.length - END_BYTES
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--) {
    if (archive.readUInt32LE(at) === END) return at
  }
  throw damaged()
}

const damaged = () => new ZipError('The archive is damaged or incomplete.')
const tooLarge = () => new ZipError('The archive is too large.')
