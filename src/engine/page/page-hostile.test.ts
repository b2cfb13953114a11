import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOSTILE_PAGES } from '../../../test/support/hostile.ts'
import { readWebPage } from './index.ts'

/** So much that recursion overflows the stack. test/nightly/page-hostile.test.ts repeats it with so much that slow code hangs. */
const N = 20_000

for (const [name, make] of Object.entries(HOSTILE_PAGES)) {
  test(`a page of ${name} is read`, () => {
    const page = readWebPage({ url: 'https://a.example', html: make(N) })
    assert.equal(typeof page.text, 'string')
    assert.ok(page.people.length <= 500, `${page.people.length} people`)
  })
}
