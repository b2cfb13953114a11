import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { startBucket } from '../../sandbox/s3.ts'

import { loadConfig } from '../config/config.ts'
import { createOutbound } from '../outbound/client.ts'
import { openLocation } from './locations.ts'
import { openS3, signRequest } from './s3.ts'

const bucket = await startBucket()
const config = loadConfig({ ...bucket.env('x') })
const outbound = createOutbound({ allow: config.OUTBOUND_ALLOW, log: pino({ level: 'silent' }) })
after(async () => {
  await outbound.close()
  await bucket[Symbol.asyncDispose]()
})

async function* once(data: Buffer) {
  for (let at = 0; at < data.length; at += 700) yield data.subarray(at, at + 700)
}

test('a file is written and read in several parts, in a folder with any characters', async () => {
  const PART = 1000
  for (const folder of ['50% of? #1/a&b é+c <"', 'plain/', '']) {
    const target = openS3(config, outbound, { bucket: 'sandbox', folder }, { partBytes: PART })
    const prefix = folder && `${folder.replace(/\/$/, '')}/`
    for (const length of [1, PART, 2 * PART + 1]) {
      const data = randomBytes(length)
      assert.equal(await target.write(`${length}.backup`, once(data)), length)
      assert.deepEqual(bucket.objects.get(`${prefix}${length}.backup`), data)
      assert.deepEqual(Buffer.concat(await Array.fromAsync(target.read(`${length}.backup`))), data)
    }
    const sizes = (await target.list()).filter(({ name }) => /^\d+\.backup$/.test(name)).map(({ bytes }) => bytes)
    assert.deepEqual(sizes, [1, PART, 2 * PART + 1])
    assert.equal(target.nameOf('1.backup'), `s3://sandbox/${prefix}1.backup`)
    for (const { name } of await target.list()) await target.remove(name)
    assert.deepEqual(await target.list(), [])
  }
})

test('an interrupted upload leaves nothing, and only own unfinished uploads are aborted', async () => {
  const target = openS3(config, outbound, { bucket: 'sandbox', folder: 'daily' }, { partBytes: 1000 })
  async function* broken() {
    yield randomBytes(1500)
    throw new Error('the source failed')
  }
  await assert.rejects(target.write('broken.backup', broken()), /the source failed/)
  assert.deepEqual([bucket.uploads.size, bucket.objects.size], [0, 0])
  for (const key of ['daily/own.backup', 'daily/foreign.tar', 'daily-other/own.backup', 'own.backup'])
    bucket.uploads.set(key, { key, parts: new Map() })
  await target.removeUnfinished((name) => name === 'own.backup')
  assert.deepEqual([...bucket.uploads.keys()], ['daily/foreign.tar', 'daily-other/own.backup', 'own.backup'])
})

test('a request is repeated after an error that may pass, and a completion whose response was lost counts', async () => {
  const waits: number[] = []
  const wait = async (ms: number) => void waits.push(ms)
  const target = openS3(config, outbound, { bucket: 'sandbox', folder: 'again' }, { wait })
  const completion = /^POST .*uploadId=/
  for (const kind of ['busy', 'lost', 'internal', 'lost-after'] as const) bucket.fail(kind, completion)
  await target.write('stored.backup', once(Buffer.from('the data')))
  assert.equal(bucket.objects.get('again/stored.backup')?.toString(), 'the data')
  assert.deepEqual(waits.splice(0), [1000, 2000, 4000, 8000])

  bucket.objects.set('again/other.backup', Buffer.from('an earlier file'))
  bucket.fail('lost', completion)
  const meanwhile = async () => bucket.uploads.clear()
  const aborted = openS3(config, outbound, { bucket: 'sandbox', folder: 'again' }, { wait: meanwhile })
  await assert.rejects(aborted.write('other.backup', once(Buffer.from('the data'))), /404 NoSuchUpload/)

  for (let n = 0; n < 8; n++) bucket.fail('busy', /^GET .*list-type/)
  await assert.rejects(
    target.list(),
    /^SetupError: The bucket sandbox responded to GET \/sandbox\/ list-type prefix: 503 Slow/,
  )
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

test('a location with another scheme, or that a URL would resolve to another one, is refused', () => {
  for (const folder of ['/a', 'a//b', '../a', 'a/./b', 'a/..'])
    assert.throws(() => openS3(config, outbound, { bucket: 'sandbox', folder }), /must have the form/)
  for (const location of ['gs://sandbox/a', 'S3://sandbox/a', 'https://host.example/a.backup', 'file:///a'])
    assert.throws(() => openLocation({ config, outbound }, location), /is not supported\. Name a folder or s3:/)
  assert.throws(() => openS3(config, outbound, { bucket: 'a?b', folder: '' }), /must have the form/)
})

test('requests are signed as in the examples of Amazon', () => {
  const credentials = {
    region: 'us-east-1',
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const get = (path: string, more = {}) =>
    signRequest(
      {
        method: 'GET',
        url: new URL(`https://examplebucket.s3.amazonaws.com${path}`),
        headers: { ...more, 'x-amz-content-sha256': empty, 'x-amz-date': '20130524T000000Z' },
        bodyHash: empty,
      },
      credentials,
    ).split('Signature=')[1]
  assert.equal(
    get('/test.txt', { range: 'bytes=0-9' }),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
  assert.equal(get('/?lifecycle'), 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543')
  assert.equal(get('/?max-keys=2&prefix=J'), '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7')
})
