import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitSentences } from './sentences.ts'
import { tokenize } from './tokens.ts'

function split(text: string, titleEnd = 0) {
  const tokens = tokenize(text)
  return splitSentences(tokens, titleEnd).map(({ from, to, section, quoted }) => ({
    text: text.slice(tokens.start[from], tokens.end[to - 1]),
    section,
    quoted,
  }))
}

test('abbreviations, initials, domains and numbers do not end a sentence', () => {
  const text = 'Orlova Inc. of St. Paul raised 3.5 million from Dr. J. Birch of birch.example last year. It will grow.'
  assert.deepEqual(
    split(text).map((s) => s.text),
    [text.slice(0, -15), 'It will grow'],
  )
})

test('a full stop without a space after it still ends the sentence', () => {
  assert.deepEqual(
    split('They grew production.The merger follows').map((s) => s.text),
    ['They grew production', 'The merger follows'],
  )
})

test('lines wrapped at a fixed width are one sentence', () => {
  const line = 'the maker of robots said on Monday that it would open a second'
  const text = Array.from({ length: 6 }, () => line).join('\n')
  assert.equal(split(text).length, 1)
})

test('short lines are separate', () => {
  assert.equal(split('Robots for all\nOrlova opens a plant\nMore next week').length, 3)
})

test('the sections of a press release are recognised', () => {
  const title = 'Orlova opens a plant'
  const text = `${title}\n\nOrlova opened a plant.\n\nAbout Orlova\nOrlova makes robots.\n\nForward-Looking Statements\nPlans may change.\n\nMedia Contact:\nAna Birch`
  assert.deepEqual(
    split(text, title.length + 2).map((s) => s.section),
    ['title', 'body', 'about', 'about', 'forward', 'forward', 'contact', 'contact'],
  )
})

test('a quotation is marked, and an unclosed one ends with its paragraph', () => {
  const sentences = split('“We grew a lot. We hired many people.” said Ana.\n\n“We never stop\n\nThe plant is open.')
  assert.deepEqual(
    sentences.map((s) => s.quoted),
    [true, true, true, false],
  )
})
