import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreAccount, scoreAlpha } from './index.ts'

const today = '2026-06-30'
const own = { source_url: 'https://news.dorrit.example/a', published_date: '2026-06-20' }
const other = { source_url: 'https://gazette.example/a', published_date: '2026-06-21' }
const alpha = (input: Partial<Parameters<typeof scoreAlpha>[0]>) =>
  scoreAlpha({ confidence: 0.8, evidence: [other], domain: 'dorrit.example', ...input }, today).score

test('alpha is the sum of its explained factors', () => {
  const { score, components } = scoreAlpha({ confidence: 0.8, evidence: [own, other], domain: 'dorrit.example' }, today)
  assert.equal(
    score,
    components.reduce((sum, { points }) => sum + points, 0),
  )
  assert.deepEqual(
    components.map(({ name }) => name),
    ['match', 'source', 'corroboration', 'recency'],
  )
  assert.ok(components.every(({ points, max, why }) => points >= 0 && points <= max && why !== ''))
})

test('alpha grows with confidence, a better source, more sources and recency', () => {
  assert.ok(alpha({ confidence: 0.9 }) > alpha({ confidence: 0.5 }))
  assert.ok(alpha({ evidence: [own] }) > alpha({ evidence: [other] }))
  assert.ok(alpha({ evidence: [own, other] }) > alpha({ evidence: [own] }))
  assert.ok(
    alpha({ evidence: [{ ...other, published_date: '2026-06-29' }] }) >
      alpha({ evidence: [{ ...other, published_date: '2026-01-01' }] }),
  )
})

test('five pages of one host are one source', () => {
  assert.equal(
    alpha({ evidence: [other, { ...other, source_url: 'https://gazette.example/b' }] }),
    alpha({ evidence: [other] }),
  )
})

test("a host that only ends like the domain is not the company's", () => {
  const fake = { ...other, source_url: 'https://notdorrit.example/a' }
  assert.equal(alpha({ evidence: [fake] }), alpha({ evidence: [other] }))
})

test('no evidence is alpha 0', () => {
  assert.equal(alpha({ evidence: [], confidence: 1 }), 0)
})

test('an account score decays with a half-life, and its factors add up', () => {
  const signal = (detected_at: string) => [{ signal_id: 'funding', alpha: 100, detected_at }]
  const fresh = scoreAccount(signal(today), 100, today)
  assert.equal(fresh.score, 100)
  assert.equal(fresh.components[1]?.why, 'strength 100 of 100, today')
  assert.equal(fresh.is_hot, true)
  const half = scoreAccount(signal('2026-05-16'), 0, today)
  assert.equal(half.score, 35)
  assert.equal(half.components[1]?.why, 'strength 100 of 100, 45 days ago')
  assert.equal(scoreAccount([], 80, today).score, 24)
  assert.equal(scoreAccount([], 0, today).score, 0)
})

test('many weak signals never equal a strong one', () => {
  const weak = Array.from({ length: 50 }, () => ({ signal_id: 'hiring', alpha: 20, detected_at: today }))
  const many = scoreAccount(weak, 50, today).score
  assert.ok(many <= 100)
  assert.ok(
    scoreAccount(weak.slice(0, 3), 50, today).score <
      scoreAccount([{ signal_id: 'ipo', alpha: 90, detected_at: today }], 50, today).score,
  )
})
