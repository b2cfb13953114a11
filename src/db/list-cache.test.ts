import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Db } from './connect.ts'
import { type Counted, ListCache } from './list-cache.ts'

/** Not used: the tests send no query. */
const db = {} as Db
const pageAt = (version: number, text = 'x'.repeat(100)) => ({ version, etag: `W/"${version}"`, text })

test('the body of a page is cached from the second read at the same version', () => {
  const lists = new ListCache(db, 10_000)
  const kept = () => lists.page('first')?.body?.toString() ?? null
  lists.setPage('first', pageAt(1, 'é'))
  assert.equal(kept(), null)
  lists.setPage('first', pageAt(2, 'é'))
  assert.equal(kept(), null)
  lists.setPage('first', pageAt(2, 'é'))
  assert.equal(kept(), 'é')
  lists.setPage('first', pageAt(3, 'other'))
  assert.equal(kept(), null)
})

test('concurrent readers share a count that is not older than their page', async () => {
  const lists = new ListCache(db, 0)
  const pending: ReturnType<typeof Promise.withResolvers<Counted>>[] = []
  const count = () => {
    const next = Promise.withResolvers<Counted>()
    pending.push(next)
    return next.promise
  }
  const read = (version: number) => lists.count('all', version, count)
  const early = [read(1), read(1)]
  await setImmediate()
  const late = [read(2), read(2)]
  assert.equal(pending.length, 1)
  pending[0]?.resolve({ version: 1, total: 10 })
  assert.deepEqual(await Promise.all(early), Array(2).fill({ version: 1, total: 10 }))
  await setImmediate()
  assert.equal(pending.length, 2)
  pending[1]?.resolve({ version: 3, total: 30 })
  assert.deepEqual(await Promise.all(late), Array(2).fill({ version: 3, total: 30 }))
  assert.deepEqual([await read(3), pending.length], [{ version: 3, total: 30 }, 2])
  const failing = [read(4), read(4)]
  await setImmediate()
  pending[2]?.reject(new Error('cancelled'))
  for (const { status } of await Promise.allSettled(failing)) assert.equal(status, 'rejected')
  const again = read(4)
  await setImmediate()
  pending[3]?.resolve({ version: 4, total: 40 })
  assert.deepEqual(await again, { version: 4, total: 40 })
})

test('the least recently read pages are evicted, and large pages are not cached', () => {
  const lists = new ListCache(db, 1_000)
  const keep = (key: string, text?: string) => [1, 2].map(() => lists.setPage(key, pageAt(1, text)))
  for (let n = 0; n < 12; n++) keep(`page ${n}`)
  const kept = Array.from({ length: 12 }, (_, n) => n).filter((n) => lists.page(`page ${n}`)?.body)
  // The size includes the key.
  assert.deepEqual(kept, [3, 4, 5, 6, 7, 8, 9, 10, 11])
  keep('large', 'x'.repeat(126))
  assert.deepEqual([lists.page('large')?.body, lists.page('page 3')?.body?.length], [null, 100])
  const none = new ListCache(db, 0)
  for (const _ of [1, 2, 3]) none.setPage('first', pageAt(1))
  assert.equal(none.page('first'), undefined)
})
