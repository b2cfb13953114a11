import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCascade } from '../cascade/index.ts'
import { draftSignal } from '../draft/index.ts'
import { emailCandidates } from '../email-patterns/index.ts'
import { lookupTable } from './lookup-table.ts'

test('a lookup table has only its own keys', () => {
  const rows = lookupTable({ one: 1 })
  assert.deepEqual([rows.one, rows.constructor, rows.toString], [1, undefined, undefined])
})

test('"constructor" is a word, a name and a signal like any other', () => {
  assert.ok(
    emailCandidates('Constructor Pike', 'acme.example').some(({ email }) => email === 'constructor.pike@acme.example'),
  )
  assert.doesNotMatch(JSON.stringify(compileCascade('constructor or constructor manager')), /native code/)
  const account = { name: 'Acme' }
  for (const claim of ['Acme constructor', 'Acme: constructor', 'Acme constructor 40 houses'])
    for (const signal_id of ['constructor', 'funding']) {
      const evidence = [{ claim, quote: claim, source_url: 'https://acme.example/a', published_date: '2026-11-01' }]
      const draft = draftSignal({ account, signal: { signal_id, name: 'Constructor' }, evidence, knowledge_base: [] })
      assert.doesNotMatch(JSON.stringify(draft), /native code|undefined/)
    }
})
