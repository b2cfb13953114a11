import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCustomSignal, previewCustomSignal } from './custom-signal.ts'

const preview = (description: string, text: string) =>
  previewCustomSignal(compileCustomSignal('s', description), '', text)

test('a description becomes its meaningful words', () => {
  const { terms, required } = compileCustomSignal('s', 'Tell me when a company opens a warehouse in Poland')
  assert.deepEqual(
    terms.map((phrases) => phrases[0]),
    ['opens', 'warehouse', 'poland'],
  )
  assert.equal(required, 2)
})

test('other forms and other words for the same thing match', () => {
  const [match] = preview('opens a warehouse in Poland', 'Orlova is opening a distribution center near Gdansk, Poland.')
  assert.deepEqual(match?.terms, ['opening', 'distribution center', 'Poland'])
})

test('a sentence with too few of the words does not match', () => {
  assert.deepEqual(preview('opens a warehouse in Poland', 'Orlova visited a warehouse in Spain.'), [])
})

test('what the description excludes is left out', () => {
  const description = 'replaces its ERP software, not universities'
  assert.equal(preview(description, 'Orlova replaces its ERP software this year.').length, 1)
  assert.equal(preview(description, 'Lyon University replaces its ERP software, like other universities.').length, 0)
})

test('a denial is less sure than a statement', () => {
  const description = 'rebrands under a new logo'
  const [said] = preview(description, 'Orlova rebrands with a logo in blue.')
  const [denied] = preview(description, 'Orlova never rebrands with a logo in blue.')
  assert.ok((said?.confidence ?? 0) > (denied?.confidence ?? 1))
})

test('a description without any meaningful word is refused', () => {
  assert.throws(() => compileCustomSignal('s', 'when a company is about to'), /looked for/)
})
