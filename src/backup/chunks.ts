import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { SetupError } from '../shared/errors.ts'
import { ByteReader } from './byte-reader.ts'

// The outer layer of a backup file: a header, then chunks of one size, the last one shorter, each followed by a tag
// (AES-256-GCM). The nonce of a chunk is its number and whether it is the last one, so a missing, repeated, moved or cut off
// chunk is detected.

const MAGIC = Buffer.from('BWBACKUP')
const FORMAT = 1
const SALT_BYTES = 32
const KEY_ID_BYTES = 8
const HEADER_BYTES = MAGIC.length + 1 + KEY_ID_BYTES + SALT_BYTES
const TAG_BYTES = 16
const CHUNK_BYTES = 256 * 1024

const DAMAGED = 'The backup is damaged: it was changed, or its end is missing. Use another one.'

/** The key of one file, so a chunk of one file does not fit into another. */
const fileKey = (key: Buffer, header: Buffer) =>
  Buffer.from(hkdfSync('sha256', key, header.subarray(-SALT_BYTES), 'bellwether backup', 32))

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Identifies a key without revealing it, so that a wrong key is not reported as damage. */
const keyId = (key: Buffer) =>
  createHmac('sha256', key).update('bellwether backup key').digest().subarray(0, KEY_ID_BYTES)

/** Encrypts a stream. The header is authenticated with every chunk. */
export async function* sealChunks(
  plain: AsyncIterable<Buffer>,
  key: Buffer,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<Buffer> {
  const header = Buffer.concat([MAGIC, Buffer.from([FORMAT]), keyId(key), randomBytes(SALT_BYTES)])
  yield header
  const sealingKey = fileKey(key, header)
  const reader = new ByteReader(plain)
  for (let number = 0; ; number++) {
    const chunk = await reader.readUpTo(chunkBytes)
    const isLast = await reader.isAtEnd()
    const cipher = createCipheriv('aes-256-gcm', sealingKey, nonceOf(number, isLast)).setAAD(header)
    yield cipher.update(chunk)
    cipher.final()
    yield cipher.getAuthTag()
    if (isLast) return
  }
}

/** Decrypts what `sealChunks` has written. Throws SetupError when the key is wrong or the file was changed or cut off. */
export async function* openChunks(
  sealed: AsyncIterable<Buffer>,
  key: Buffer,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(sealed)
  const header = await reader.readUpTo(HEADER_BYTES)
  if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC))
    throw new SetupError('This is not a backup of Bellwether.')
  if (header[MAGIC.length] !== FORMAT)
    throw new SetupError('A later version made this backup. Restore it with that version.')
  if (!keyId(key).equals(header.subarray(MAGIC.length + 1, -SALT_BYTES)))
    throw new SetupError('This backup was made with another BACKUP_KEY. Set BACKUP_KEY to that key.')
  const openingKey = fileKey(key, header)
  for (let number = 0; ; number++) {
    const chunk = await reader.readUpTo(chunkBytes + TAG_BYTES)
    if (chunk.length < TAG_BYTES) throw new SetupError(DAMAGED)
    const isLast = await reader.isAtEnd()
    const decipher = createDecipheriv('aes-256-gcm', openingKey, nonceOf(number, isLast)).setAAD(header)
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES))
    const plain = decipher.update(chunk.subarray(0, -TAG_BYTES))
    try {
      decipher.final()
    } catch (cause) {
      throw new SetupError(DAMAGED, { cause })
    }
    yield plain
    if (isLast) return
  }
}
