import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWords } from '../scripts/check-words.ts'

const wordsIn = (file: string, text: string) => findWords(file, text).map(({ line, word }) => `${line} ${word}`)

test('a comment is checked in every source file', () => {
  const text = '/** Whoever waits is\n * told later. */\nconst told = 1 // nobody\n'
  assert.deepEqual(wordsIn('src/engine/a.ts', text), ['1 Whoever', '2 told', '3 nobody'])
  assert.deepEqual(wordsIn('test/a.test.ts', text), ['1 Whoever', '2 told', '3 nobody'])
})

test('a string is checked where users read it, and is data elsewhere', () => {
  const text = "throw new Error('Nobody answered.')\n"
  assert.deepEqual(wordsIn('src/http/a.ts', text), ['1 Nobody'])
  for (const file of ['src/engine/a.ts', 'src/http/a.test.ts', 'scripts/a.ts'])
    assert.deepEqual(wordsIn(file, text), [])
})

test('code between angle brackets is not taken for the text of an element', () => {
  const text =
    "const name = () => `a{1}`\ntype Row = { a: Json<{ b: 1 }[]>\n  tells: Json<{}> }\nconst text = '`// told`'\n"
  assert.deepEqual(wordsIn('src/db/a.ts', text), ['4 told'])
  assert.deepEqual(wordsIn('test/a.ts', text), [])
})

test('the text of an element is checked, and its code is not', () => {
  assert.deepEqual(wordsIn('console/src/a.tsx', 'const a = <p title={told}>It was told</p>\n'), ['1 told'])
})

test('Markdown is checked without its code', () => {
  const text = 'Nobody calls `told`.\n\n```ts\n// whoever\n```\n\nIt lies beside the file.\n'
  assert.deepEqual(wordsIn('docs/a.md', text), ['1 Nobody', '7 lies beside', '7 beside'])
})

test('a line is ignored when it, or the line before it, gives the reason', () => {
  const text =
    '// told, check-words-ignore: quoted text\n// told\n// told\n<!-- check-words-ignore: a title -->\nTold\n// told\n'
  assert.deepEqual(wordsIn('src/a.ts', text), ['3 told', '6 told'])
})

test('a finding names the term to use', () => {
  assert.deepEqual(findWords('docs/a.md', 'It starts anew.'), [
    { file: 'docs/a.md', line: 1, word: 'anew', use: 'again' },
  ])
})
