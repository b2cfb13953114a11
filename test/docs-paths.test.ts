import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const PAGES = ['*.md', 'docs/**/*.md', 'training/*.md', 'weights/*.md']
const PATH = /`((?:src|test|scripts|bench|sandbox|console|packages|website)\/[\w./-]+\.(?:tsx?|json|yaml|py))`/g

test('every source file that the documentation names exists', () => {
  const pages = globSync(PAGES)
  assert.ok(pages.length > 30)
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(PATH)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(path))
      .map((path) => `${page}: ${path}`),
  )
  assert.deepEqual(missing, [])
})
