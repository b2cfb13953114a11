import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Client } from '../support/client.ts'
import { ended, eventually } from '../support/eventually.ts'
import { address, run, stop } from '../support/process.ts'
import { newCompany } from './sites.ts'

const KEY = 'key-of-the-fault-tests'
const MEGABYTES = 224

/** A small separate file system, or why there is none. */
function smallDisk(): { folder: string } | { reason: string } {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=0711`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    return {
      reason: `a file system cannot be mounted here: ${(error as Error).message.split('\n')[1] ?? 'no right to'}`,
    }
  }
  after(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o711)
  return { folder }
}

const disk = smallDisk()

test('a full disk: acknowledged data stays, requests get 503, and the service recovers when there is space again', {
  skip: 'reason' in disk && disk.reason,
}, async () => {
  const { folder } = disk as { folder: string }
  const service = run(['serve'], { env: { DATA_DIR: join(folder, 'data'), BELLWETHER_API_KEY: KEY } })
  const client = new Client(await address(service), KEY)
  const acknowledged: string[] = []
  const add = async () => {
    const given = Array.from({ length: 500 }, newCompany)
    const answer = await client.post('/v1/accounts', given)
    if (answer.status === 201) acknowledged.push(...answer.data.map(({ id }: { id: string }) => id))
    return answer
  }
  assert.equal((await add()).status, 201)

  // All free space, less than a write needs.
  const ballast = join(folder, 'ballast')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 64 * 1024)))
  const refusal = await eventually('the disk is full', async () => {
    const answer = await add()
    return answer.status !== 201 && answer
  })
  assert.equal(refusal.status, 503, refusal.text)
  assert.doesNotMatch(refusal.text, /ENOSPC|No space|\bat \w+ \(/)
  const lines = given(2_000)
  const upload = await client.post('/v1/companies/import', undefined, lines)
  assert.equal(upload.status, 503, upload.text)
  assert.equal((await fetch(`${await address(service)}/healthz`)).status, 200, 'the process lives')

  rmSync(ballast)
  await eventually('writing works again', async () => (await add()).status === 201)
  for (const id of acknowledged.filter((_, at) => at % 50 === 0)) await client.expect(200, 'GET', `/v1/accounts/${id}`)
  const again = await client.post('/v1/companies/import', undefined, lines)
  assert.equal(again.status, 202, again.text)
  const done = await ended(client, `/v1/companies/imports/${again.data.id}`)
  assert.deepEqual([done.status, done.created], ['done', 2_000])
  assert.equal(await stop(service), 0)
})

function given(count: number) {
  const lines = Array.from({ length: count }, newCompany).map(({ domain, name }) => `${domain},${name}\n`)
  return { body: `domain,name\n${lines.join('')}`, headers: { 'content-type': 'text/csv' } }
}
