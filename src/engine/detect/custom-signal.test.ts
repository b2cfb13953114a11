import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCustomSignal, compileCustomSignals, isExcludedSentence } from './custom-signal.ts'
import { parseDocument } from './document.ts'

test('an excluded word rules out a sentence in every inflected form', () => {
  const signal = compileCustomSignal('s', 'replaces its ERP software, not universities or acquired businesses')
  const isOut = (text: string) => isExcludedSentence(parseDocument('', text), signal, 0)
  assert.equal(isOut('Orlova replaces its ERP software this year.'), false)
  assert.equal(isOut('Lyon University replaces its ERP software.'), true)
  assert.equal(isOut('Orlova replaces the ERP software of a company it is acquiring.'), true)
})

test('a description that begins with a negation excludes nothing', () => {
  for (const description of [
    'No longer uses Salesforce',
    'The company has no chief security officer',
    'Never had a CFO',
  ])
    assert.equal(compileCustomSignal('s', description).excluded.size, 0, description)
})

test('stored descriptions without content are skipped', () => {
  const signals = compileCustomSignals([
    { id: 'nothing', description: '?!' },
    { id: 'robots', description: 'Orders robots' },
  ])
  assert.deepEqual(
    signals.map(({ signal_id }) => signal_id),
    ['robots'],
  )
})
