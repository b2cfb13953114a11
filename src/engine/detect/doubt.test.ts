import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompanyMentions, contextLines, findMentionsInDocument, parseDocument } from './document.ts'
import { secondReaderVerdict } from './doubt.ts'

const COMPANY = 'Halden Robotics GmbH'

/** The verdict of an answer about a sentence; the headline is the first line. */
function verdict(index: number, answer: 'yes' | 'no', quote: string) {
  const document = parseDocument(
    'A hard year at Halden Robotics',
    'Lays off 300 workers, said Globex of itself. Halden Robotics will close its plant in Graz.',
  )
  const mentions = findMentionsInDocument(document, { name: COMPANY }) as CompanyMentions
  return secondReaderVerdict(COMPANY, contextLines(document, mentions, index), { answer, quote })
}

test('a yes must quote words, other than the name, of the sentence in doubt or of a line that names the company', () => {
  assert.equal(verdict(2, 'yes', 'Halden Robotics will close its plant'), true)
  assert.equal(verdict(2, 'yes', 'Halden Robotics'), null)
  assert.equal(verdict(2, 'yes', 'said Globex of itself. Halden Robotics'), null)
  assert.equal(verdict(2, 'yes', 'Lays off 300 workers'), null)
  assert.equal(verdict(2, 'no', ''), false)
  assert.equal(verdict(2, 'no', 'will open a plant'), null)
})

test('a quote never spans the headline and the text, even where the headline is in doubt', () => {
  assert.equal(verdict(0, 'yes', 'A hard year at Halden Robotics'), true)
  assert.equal(verdict(0, 'yes', 'Halden Robotics Lays off 300 workers'), null)
  assert.equal(verdict(2, 'yes', 'A hard year at Halden Robotics Lays off'), null)
})
