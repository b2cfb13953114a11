import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileScanner, wordsOf } from './scan.ts'

function phrasesIn(phrases: string[], text: string): string[] {
  const scanner = compileScanner(phrases)
  const tokens = scanner.tokenize(text)
  const hits = scanner.find(tokens)
  return Array.from({ length: hits.count }, (_, i) => phrases[hits.phrase[i] as number] as string)
}

test('overlapping phrases are all found in one pass', () => {
  const found = phrasesIn(
    ['series a', 'series a round', 'a round', 'round of golf'],
    'They closed a Series A round of GOLF',
  )
  assert.deepEqual(found.sort(), ['a round', 'round of golf', 'series a', 'series a round'])
})

test('a phrase is found after a failed longer one', () => {
  assert.deepEqual(phrasesIn(['new york office', 'york harbour'], 'a new york harbour'), ['york harbour'])
})

test('phrases match whole words only', () => {
  assert.deepEqual(phrasesIn(['launch'], 'relaunch launchpad launch-day'), ['launch'])
})

test('a possessive is the word itself, with either apostrophe', () => {
  assert.deepEqual(wordsOf("Orlova's plan, Tessera’s plant"), ['orlova', 'plan', 'tessera', 'plant'])
})

test('token offsets point into the text', () => {
  const text = 'Orlova’s “PickBot” costs $12.5M'
  const { start, end, count } = compileScanner(['x']).tokenize(text)
  const words = Array.from({ length: count }, (_, t) => text.slice(start[t], end[t]))
  assert.deepEqual(words, ['Orlova', 'PickBot', 'costs', '12', '5M'])
})

test('a vocabulary of thousands of words still finds each of them', () => {
  const phrases = Array.from({ length: 5000 }, (_, i) => `word${i} tail`)
  assert.deepEqual(phrasesIn(phrases, 'word17 tail and WORD4999 tail, word5000 tail'), ['word17 tail', 'word4999 tail'])
})
