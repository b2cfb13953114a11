import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChunks, sealChunks } from './chunks.ts'

const KEY = Buffer.alloc(32, 1)
const CHUNK = 16
const TAG = 16

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(source))
}

async function* piecesOf(data: Buffer, size: number) {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size)
}

/** The header of a sealed file, and its chunks with their tags. */
async function seal(text: string, size = CHUNK): Promise<[header: Buffer, ...chunks: Buffer[]]> {
  const [header, ...rest] = await Array.fromAsync(sealChunks(piecesOf(Buffer.from(text), 7), KEY, size))
  return [header as Buffer, ...(await Array.fromAsync(piecesOf(Buffer.concat(rest), size + TAG)))]
}

const open = (parts: Buffer[], key = KEY) => collect(openChunks(piecesOf(Buffer.concat(parts), 9), key, CHUNK))

test('a file of several chunks is opened, whatever the length of the last one', async () => {
  for (const length of [0, 1, CHUNK, CHUNK + 1, 3 * CHUNK]) {
    const text = 'x'.repeat(length)
    assert.equal((await open(await seal(text))).toString(), text)
  }
})

test('a moved, repeated, missing, foreign or changed chunk is refused', async () => {
  const text = `${'a'.repeat(CHUNK)}${'b'.repeat(CHUNK)}the end`
  const [header, one, two, last] = (await seal(text)) as [Buffer, Buffer, Buffer, Buffer]
  const [otherHeader, foreign] = (await seal(text)) as [Buffer, Buffer]
  const changed = Buffer.from(two)
  changed[0] = (changed[0] as number) ^ 1
  const wrong: Record<string, Buffer[]> = {
    moved: [header, two, one, last],
    repeated: [header, one, one, two, last],
    'missing in the middle': [header, one, last],
    'missing at the end': [header, one, two],
    'cut off': [header, one, two, last.subarray(0, -1)],
    'no chunk': [header],
    'followed by another': [header, one, two, last, last],
    foreign: [header, foreign, two, last],
    'with a foreign header': [otherHeader, one, two, last],
    changed: [header, one, changed, last],
  }
  for (const [name, parts] of Object.entries(wrong))
    await assert.rejects(open(parts), /^SetupError: The backup is damaged/, name)
  assert.equal((await open([header, one, two, last])).toString(), text)
})

test('another key, another file and a later format are named', async () => {
  const [header, chunk] = (await seal('text')) as [Buffer, Buffer]
  await assert.rejects(open([header, chunk], Buffer.alloc(32, 2)), /made with another BACKUP_KEY/)
  await assert.rejects(open([Buffer.from('PGDMP and more than fifty bytes of another program')]), /not a backup/)
  const later = Buffer.from(header)
  later[8] = 2
  await assert.rejects(open([later, chunk]), /A later version made this backup/)
})
