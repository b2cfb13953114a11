import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCustomSignal, isRuledOut } from './custom-signal.ts'
import { readDocument } from './document.ts'

test('what the description excludes rules a sentence out, in every form of the word', () => {
  const signal = compileCustomSignal('s', 'replaces its ERP software, not universities or acquired businesses')
  const isOut = (text: string) => isRuledOut(readDocument('', text), signal, 0)
  assert.equal(isOut('Orlova replaces its ERP software this year.'), false)
  assert.equal(isOut('Lyon University replaces its ERP software.'), true)
  assert.equal(isOut('Orlova replaces the ERP software of a company it is acquiring.'), true)
})

test('a description without any meaningful word is refused', () => {
  assert.throws(() => compileCustomSignal('s', 'when a company is about to'), /looked for/)
  assert.throws(() => compileCustomSignal('s', 'not universities'), /looked for/)
})
