import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { DRAFT_CASES, type DraftCase } from '../../../test/fixtures/drafts/cases.ts'
import { SELLERS } from '../../../test/fixtures/drafts/knowledge-bases.ts'
import { describeEvent } from '../claim/index.ts'
import { findBuiltinSignal } from '../signals.ts'
import { type Draft, type DraftInput, draftSignal, unsupportedFacts } from './index.ts'

const GOLDEN = new URL('../../../test/fixtures/drafts/drafts.md', import.meta.url)

function inputOf(one: DraftCase): DraftInput {
  const { account, domain, signal, role, sentence, source, published, people } = one
  const id = findBuiltinSignal(signal)?.id
  const event = id && sentence ? describeEvent({ signal: id, ...(role && { role }), company: account, sentence, mentions: [] }) : null
  return {
    account: { name: account, domain: domain ?? null },
    signal: { signal_id: signal },
    evidence: [
      {
        claim: one.claim ?? event?.claim ?? '',
        quote: sentence || null,
        details: event?.details ?? null,
        source_url: source,
        published_date: published ?? null,
      },
    ],
    ...SELLERS[one.seller],
    ...(people && { people }),
  }
}

const drafted = DRAFT_CASES.map((one) => {
  const input = inputOf(one)
  return { one, input, draft: draftSignal(input) }
})

function written(): string {
  const head = `<!-- Thirty drafts, to be read from top to bottom. Written by src/engine/draft/golden.test.ts:
     UPDATE_GOLDEN=1 node --test src/engine/draft/golden.test.ts -->

# Drafts\n`
  const entry = ({ one, draft }: { one: DraftCase; draft: Draft }, at: number) =>
    `## ${at + 1}. ${one.account}: ${one.signal}, sold to by ${one.seller}

${draft.drafted_message_md}

### Why reach out

${draft.why_reach_out_md}
`
  return [head, ...drafted.map(entry)].join('\n')
}

test('thirty drafts read as they were last read by a person', () => {
  const text = written()
  if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text)
  assert.equal(text, readFileSync(GOLDEN, 'utf8'))
})
