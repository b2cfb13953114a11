import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJsonResponse } from './json-response.ts'

const parse = (text: string, fields?: string[]) =>
  parseJsonResponse({
    url: 'https://api.example/',
    body: Buffer.from(text),
    contentType: 'application/json',
    ...(fields && { fields }),
  })

test('only the named fields of a response are returned, at any depth', () => {
  const text = '{"hits":[{"title":"A","url":null,"more":{"title":"B"}}],"more":[1,2],"__proto__":{"hits":[]}}'
  const read = parse(text, ['hits', 'title', 'url'])
  assert.deepEqual(structuredClone(read), { outcome: 'read', value: { hits: [{ title: 'A', url: null }] } })
  assert.deepEqual(structuredClone(parse('[{"a":1}]')), { outcome: 'read', value: [{ a: 1 }] })
})

test('a response with too many values, characters or levels is refused', () => {
  const long = [
    `[${'[],'.repeat(200_000)}[]]`,
    `{${Array.from({ length: 200_000 }, (_, n) => `"${n}":0`).join(',')}}`,
    JSON.stringify('x'.repeat(9_000_000)),
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  ]
  for (const text of long) assert.deepEqual(parse(text), { outcome: 'too-long' })
  assert.deepEqual(parse('[1'), { outcome: 'no-json' })
})
