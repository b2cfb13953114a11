import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModelCard } from '../classifier/weights.ts'
import { DOUBT_RANGE } from '../detect/doubt.ts'
import { checkDescription } from './check-description.ts'
import { createConfidenceAdjuster, type MarkedExample } from './examples.ts'
import { contentStems, stemSimilarity } from './words.ts'

const vocabulary = new Set(loadModelCard().vocabulary)
const check = (description: string) => checkDescription(description, (word) => vocabulary.has(word))

test('nonsense and descriptions that are too short are refused with advice', () => {
  for (const nonsense of ['asdf qwer zxcv', 'Asdf Qwer Zxcv', 'kubernets migraton planed']) {
    assert.match(check(nonsense).refusal ?? '', /Few of these are English words/, nonsense)
  }
  for (const little of ['?!', 'robots', 'Snowflake', 'any company', 'company news', 'the business and its accounts']) {
    assert.match(check(little).refusal ?? '', /says too little.*Say what happens/, little)
  }
  assert.match(check('They hire.').refusal ?? '', /The built-in signal “Hiring” may be what you mean/)
})

test('names and rare words are accepted within a sentence', () => {
  for (const fine of [
    'Unhappy with their CRM',
    'migrates from Zuora to Chargebee',
    'SAP S/4HANA rollout',
    'buys robots',
  ]) {
    assert.equal(check(fine).refusal, null, fine)
  }
})

test('a paraphrased built-in signal is suggested, and only its own words are the same', () => {
  const similar = (description: string) => [check(description).similar?.id ?? null, check(description).isSame]
  assert.deepEqual(similar('new round of funding from investors'), ['funding', false])
  assert.deepEqual(similar('A new CFO started'), ['leadership_change', false])
  assert.deepEqual(similar('The company goes public - or files to!'), ['ipo', true])
  assert.deepEqual(similar('customer win'), ['customer_win', true])
  assert.deepEqual(similar('The company is automating a warehouse or has ordered robots for one.'), [null, false])
})

const marked = (verdict: MarkedExample['verdict'], sentence: string, confidence: number | null = null) => ({
  verdict,
  sentence,
  confidence,
})

test('without examples the confidence does not change', () => {
  assert.equal(createConfidenceAdjuster([])('Acme orders robots for its warehouse.', 0.7), 0.7)
})

test('a sentence similar to a wrong one is rejected, and one similar to a right one is accepted', () => {
  const adjust = createConfidenceAdjuster([
    marked('wrong', 'Acme sells picking robots to operators of large warehouses.'),
    marked('right', 'Globex ordered forty picking robots for its depot in Graz.'),
  ])
  // Neither is in doubt: the second reader does not overrule a member.
  assert.ok(adjust('Initech sells picking robots to operators of warehouses.', 0.97) < DOUBT_RANGE.from)
  assert.ok(adjust('Initech ordered sixty picking robots for its depot in Linz.', 0.3) >= DOUBT_RANGE.to)
  assert.ok(
    adjust('Initech ordered sixty picking robots for its depot in Linz.', 0.1) < 0.5,
    'the classifier rules it out',
  )
  assert.equal(adjust('Initech opened an office in Berlin last week.', 0.6).toFixed(6), '0.600000')
})

test('a headline in capitals and a short sentence are matched exactly', () => {
  const headline = 'Acme Sells Picking Robots To Warehouse Operators'
  const long = `Acme ${'reports one more order of robots, '.repeat(25)}`
  const adjust = createConfidenceAdjuster([
    marked('wrong', headline),
    marked('wrong', 'Acme grows.'),
    marked('wrong', long.slice(0, 600)),
  ])
  for (const same of [headline, 'Acme\ngrows…', long]) assert.ok(adjust(same, 0.97) < 0.5, same)
  assert.ok(adjust('Acme Sells Picking Robots To Large Warehouse Operators', 0.97) < 0.5)
  for (const other of ['Globex Opens Office Near Berlin Airport', 'Globex grows.']) {
    assert.ok(adjust(other, 0.97) >= 0.5, other)
  }
})

test('the threshold moves between wrong and right examples, a little with every mark, and within its bounds', () => {
  const wrong = [0.6, 0.65, 0.7, 0.62, 0.68, 0.66].map((one, i) => marked('wrong', `w${i}`, one))
  const right = [0.8, 0.9, 0.85].map((one, i) => marked('right', `r${i}`, one))
  const one = createConfidenceAdjuster(wrong.slice(0, 1))('Something else was said about it.', 0.7)
  const all = createConfidenceAdjuster([...wrong, ...right])('Something else was said about it.', 0.62)
  assert.ok(one < 0.7 && one >= 0.5, `${one}: one mark may be a slip`)
  assert.ok(all < 0.5, `${all}`)
  assert.ok(createConfidenceAdjuster([...wrong, ...right])('Something else was said about it.', 0.85) >= 0.5)
  const extreme = Array.from({ length: 100 }, (_, i) => marked('wrong', `w${i}`, 0.99))
  assert.ok(createConfidenceAdjuster(extreme)('Something else was said about it.', 0.9) >= 0.5, 'at most to 0.88')
  const low = Array.from({ length: 100 }, (_, i) => marked('right', `r${i}`, 0.1))
  assert.ok(createConfidenceAdjuster(low)('Something else was said about it.', 0.3) < 0.5, 'at least to 0.35')
})

test('short sentences are similar to no others', () => {
  const alike = (a: string, b: string) => stemSimilarity(contentStems(a), contentStems(b))
  assert.equal(alike('Acme orders robots.', 'Acme ordered a robot.'), 1)
  assert.equal(alike('Acme grows.', 'Acme grows.'), 0)
})
