import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { vendorNet } from '../../test/support/vendors.ts'
import { readForeign } from './read-foreign.ts'

const net = await vendorNet({}, () => null)
after(() => net[Symbol.asyncDispose]())

const SIGNALS = [{ id: 'funding', name: 'Funding', description: 'The company raised money.', is_builtin: true }]
const QUOTE = 'Wexcombe hat in einer Finanzierungsrunde 20 Millionen Euro erhalten.'
const options = { today: '2026-11-16', windowDays: 90 }
const untold = (published_date: string | null, url = 'https://wexcombe.example/n/1', text = QUOTE) => ({
  document: { url, kind: 'article' as const, title: 'Neuigkeiten', text, published_date },
  language: 'German',
})
const read = (env: Record<string, string>, ...texts: ReturnType<typeof untold>[]) =>
  readForeign(net.deps(env), { name: 'Wexcombe', domain: 'wexcombe.example' }, texts, SIGNALS, options)

const MODEL = { LLM_BASE_URL: 'https://llm.example/v1', LLM_MODEL: 'honest' }

test('what the model reads in another language is a finding with its sentence, by whom it was judged, and its day', async () => {
  const { findings, foreign } = await read(MODEL, untold('2026-11-01'))
  assert.deepEqual(foreign, [])
  assert.deepEqual(
    findings.map(({ signal_id, quote, judged_by, date }) => [signal_id, quote, judged_by, date]),
    [['funding', QUOTE, 'language model honest', '2026-11-01']],
  )
})

test('without a model, when it fails, and for what is too old to count, the language is told', async () => {
  const told = { findings: [], foreign: [{ url: 'https://wexcombe.example/n/1', language: 'German' }] }
  assert.deepEqual(await read({}, untold('2026-11-01')), told)
  assert.deepEqual(await read({ ...MODEL, LLM_MODEL: 'broken' }, untold('2026-11-01')), told)
  net.asked()
  assert.deepEqual(await read(MODEL, untold('2025-11-01')), told)
  assert.deepEqual(await read(MODEL, untold(null)), told)
  assert.deepEqual(net.asked(), [])
})

test('one pass asks the model of so many texts and no more', async () => {
  net.asked()
  const many = Array.from({ length: 15 }, (_, n) => untold('2026-11-01', `https://wexcombe.example/n/${n}`, 'Nichts.'))
  const { foreign } = await read(MODEL, ...many)
  assert.equal(net.asked().length, 12)
  assert.equal(foreign.length, 3)
})
