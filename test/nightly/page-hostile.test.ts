import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWebPage } from '../../src/engine/page/index.ts'
import { HOSTILE_PAGES } from '../support/hostile.ts'

const N = 80_000

// bench/engine-pages.ts measures how time grows with length; here the test runner aborts a page that hangs.
for (const [name, make] of Object.entries(HOSTILE_PAGES)) {
  test(`a long page of ${name} is read`, () => {
    const page = readWebPage({ url: 'https://a.example', html: make(N) })
    assert.equal(typeof page.text, 'string')
    assert.ok(page.people.length <= 500, `${page.people.length} people`)
  })
}
