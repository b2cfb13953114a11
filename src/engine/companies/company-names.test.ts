import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenize } from '../text/tokens.ts'
import { type CompanyIdentity, companyKey, findCompanyMentions, mentionsDomain } from './company-names.ts'

function mentions(company: CompanyIdentity, text: string, title = ''): string[] {
  const full = title === '' ? text : `${title}\n\n${text}`
  const tokens = tokenize(full)
  const found = findCompanyMentions(tokens, full.toLowerCase(), company, title === '' ? 0 : title.length + 2)
  return found.mentions.map(({ from, to }) => full.slice(tokens.start[from], tokens.end[to - 1]))
}

test('legal forms do not change the identity of a company', () => {
  const names = ['Orlova Robotics, Inc.', 'ORLOVA ROBOTICS LLC', 'The Orlova Robotics Company', 'Orlova Robotics S.A.']
  assert.deepEqual([...new Set(names.map(companyKey))], ['orlova robotics'])
})

test('a document that gives the full name may use the short one', () => {
  const text = 'Orlova Robotics, Inc. grew. Orlova opened a plant.'
  assert.deepEqual(mentions({ name: 'Orlova Robotics' }, text), ['Orlova Robotics, Inc', 'Orlova'])
})

test('the short name alone identifies no company', () => {
  assert.deepEqual(mentions({ name: 'Orlova Robotics' }, 'Orlova opened a plant.'), [])
})

test('the domain confirms the short name', () => {
  assert.deepEqual(
    mentions({ name: 'Orlova Robotics', domain: 'orlova.example' }, 'Orlova opened a plant. See www.orlova.example.'),
    ['Orlova'],
  )
})

test('a company is mentioned by each of its names, and not by those of related companies', () => {
  const halden = {
    name: 'Halden',
    aliases: ['Kestrel Automation', 'Halden Pick'],
    others: ['Orrin Sensors GmbH', 'Halden Bank'],
  }
  const text = 'Halden Pick grew. Kestrel Automation grew. Halden Bank grew. Halden grew.'
  assert.deepEqual(mentions(halden, text), ['Halden Pick', 'Kestrel Automation', 'Halden'])
  const placed = [
    'Orrin Sensors, a subsidiary of Halden, grew.',
    'Orrin Sensors, which is owned by Halden, grew.',
    "Halden's parent company Orrin Sensors grew.",
    'Halden unit Orrin Sensors grew.',
  ]
  for (const sentence of placed) assert.deepEqual(mentions(halden, sentence), [], sentence)
  for (const sentence of ['Orrin Sensors acquires Halden.', 'Halden sells Orrin Sensors.']) {
    assert.deepEqual(mentions(halden, sentence), ['Halden'], sentence)
  }
})

test('a longer name is a namesake', () => {
  assert.deepEqual(mentions({ name: 'Hugo' }, 'Hugo Birch AG opened a plant. Hugo Birch grew.'), [])
  assert.deepEqual(mentions({ name: 'Hugo Technologies' }, 'Hugo Birch AG opened a plant.'), [])
  assert.deepEqual(mentions({ name: 'University' }, 'The University of Lyon grew.'), [])
  assert.deepEqual(mentions({ name: 'Texas' }, 'Texas Systems grew.'), [])
  assert.deepEqual(mentions({ name: 'Fifty' }, 'Fifty 1 Birch grew.'), [])
  assert.deepEqual(mentions({ name: 'Hugo' }, 'Many people still read Victor Hugo today.'), [])
})

test('a kind of business after a one-word name is the same company', () => {
  assert.deepEqual(mentions({ name: 'Hugo' }, 'Hugo Technologies opened a plant.'), ['Hugo'])
})

test('names given in brackets are names too', () => {
  const text = 'Orlova Robotics, Inc. (NYSE: ORL) (“ORX” or the “Company”) grew. ORX opened a plant.'
  assert.deepEqual(mentions({ name: 'Orlova Robotics' }, text), ['Orlova Robotics, Inc', 'ORX', 'ORX'])
})

test('an ampersand may be written out or escaped', () => {
  assert.deepEqual(mentions({ name: 'Birch & Sons' }, 'Birch and Sons met Birch &amp; Sons.').length, 2)
})

test('a common word in lower case is no company', () => {
  assert.deepEqual(mentions({ name: 'Target' }, 'They missed their target. Target opened a store.'), ['Target'])
})

test('a domain matches only as a whole word', () => {
  assert.equal(mentionsDomain('see https://www.orlova.example/news', 'orlova.example'), true)
  assert.equal(mentionsDomain('see https://notorlova.example/news', 'orlova.example'), false)
})
