import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitWords, tokenize } from './tokens.ts'

test('a possessive is the word itself, with either apostrophe', () => {
  assert.deepEqual(splitWords("Orlova's plan, Tessera’s plant, the workers' union"), [
    ...['orlova', 'plan', 'tessera', 'plant', 'the', 'workers', 'union'],
  ])
  assert.deepEqual(splitWords("it isn't o'clock, Acme's"), ['it', "isn't", "o'clock", 'acme'])
})

test('token offsets point into the text', () => {
  const text = 'Orlova’s “PickBot” costs $12.5M'
  const { start, end, count } = tokenize(text)
  const words = Array.from({ length: count }, (_, t) => text.slice(start[t], end[t]))
  assert.deepEqual(words, ['Orlova', 'PickBot', 'costs', '12', '5M'])
})

test('a text with more words than the initial buffer holds keeps them all', () => {
  assert.equal(tokenize('a '.repeat(1_000)).count, 1_000)
  assert.equal(splitWords('a '.repeat(1_000)).length, 1_000)
})
