import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from './connect.ts'
import { ListCache } from './list-cache.ts'

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
