import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { DRAFT_CASES, type DraftCase } from '../../../test/fixtures/drafts/cases.ts'
import { SELLERS } from '../../../test/fixtures/drafts/knowledge-bases.ts'
import { describeEvent } from '../claim/index.ts'
import { findBuiltinSignal } from '../signals/index.ts'
import { type DraftInput, draftSignal, findUnsupportedFacts } from './index.ts'

const GOLDEN = new URL('../../../test/fixtures/drafts/drafts.md', import.meta.url)

/** The input as research makes it: claim and details come from the sentence. */
function inputOf({ account, domain, signal, role, sentence, claim, source, published, people, seller }: DraftCase) {
  const id = findBuiltinSignal(signal)?.id
  const event =
    id && sentence
      ? describeEvent({ signal: id, ...(role && { role }), company: account, sentence, mentions: [] })
      : null
  const proof = {
    claim: claim ?? event?.claim ?? '',
    quote: sentence || null,
    details: event?.details ?? null,
    source_url: source,
    published_date: published ?? null,
  }
  const input: DraftInput = {
    account: { name: account, domain: domain ?? null },
    signal: { signal_id: signal },
    evidence: [proof],
    ...SELLERS[seller],
    ...(people && { people }),
  }
  return input
}

const drafted = DRAFT_CASES.map((one) => ({ one, input: inputOf(one), draft: draftSignal(inputOf(one)) }))
const wordsIn = (text: string) => text.split(/\s+/).length
/** Without subject, greeting and signature. */
const bodyOf = (message: string) =>
  message
    .split('\n\n')
    .slice(2)
    .filter((paragraph) => !paragraph.startsWith('Best regards'))
    .join('\n\n')

test('thirty drafts equal the versions that were last reviewed', () => {
  const head =
    '<!-- Thirty drafts, to be read from top to bottom. Written by src/engine/draft/golden.test.ts:\n' +
    '     UPDATE_GOLDEN=1 node --test src/engine/draft/golden.test.ts -->\n\n# Thirty drafts\n'
  const entries = drafted.map(
    ({ one, draft }, at) =>
      `## ${at + 1}. ${one.account}: ${one.signal} (seller: ${one.seller})\n\n${draft.drafted_message_md}\n\n` +
      `### Why reach out\n\n${draft.why_reach_out_md}\n`,
  )
  const text = [head, ...entries].join('\n')
  if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text)
  assert.equal(text, readFileSync(GOLDEN, 'utf8'))
})

test('every fact of a draft is in the evidence or the knowledge base', () => {
  for (const { one, input, draft } of drafted) {
    const texts = [draft.drafted_message_md, draft.why_reach_out_md.replaceAll(/\]\([^)]*\)/g, ']')]
    const months = 'September October November August 2026'
    const sources = [JSON.stringify(input), JSON.stringify(draft.headline), months, 'Series Subject IPO']
    for (const text of texts) {
      // Days of the month come from dates.
      const facts = findUnsupportedFacts(text.replaceAll(/[[\]]/g, ''), sources).filter(
        (fact) => !/^[1-3]?\d$/.test(fact),
      )
      assert.deepEqual(facts, [], one.account)
    }
  }
})

test('a draft has a subject, one question, and 60 to 120 words when there is an offer', () => {
  for (const { one, input, draft } of drafted) {
    const message = draft.drafted_message_md
    const body = bodyOf(message)
    assert.match(message, /^\*\*Subject:\*\* .{4,70}\n\n(?:Hi \p{Lu}[\p{L}-]+|Hello),\n\n/u, one.account)
    assert.equal(body.match(/\?/g)?.length, 1, message)
    assert.doesNotMatch(message, /I read this about|undefined|null|\[|\{\{|\.\.| {2}| ,/, message)
    assert.ok(wordsIn(message) <= 130 && wordsIn(body) <= 120, message)
    const isFull =
      input.people && /tallyho|brightfold|larkspur/.test(one.seller) && !/layoffs|security/.test(one.signal)
    if (isFull) assert.ok(wordsIn(message) >= 60 && wordsIn(body) >= 45, message)
  }
})

test('a draft about hard news contains no congratulations, no figures of customers and no number of people affected', () => {
  const hard = drafted.filter(({ one }) => /layoffs|security_incident/.test(one.signal))
  assert.ok(hard.length >= 4)
  for (const { draft } of hard) {
    assert.doesNotMatch(draft.drafted_message_md, /congratul|well done|great|excit|Osterley|17,000/i)
    assert.match(draft.drafted_message_md, /sorry|not a time|coping/)
    assert.match(draft.why_reach_out_md, /Mind the tone/)
  }
})

test('ten consecutive drafts about one kind of event differ, and one draft is reproducible', () => {
  const names = 'Aldwick Brenta Corby Dunmore Elstree Farrow Gillam Hexby Ivelet Jarrow'.split(' ')
  for (const signal of ['funding', 'product_launch', 'leadership_change']) {
    const sentences: Record<string, string> = {
      funding: 'ACME raised $12 million.',
      product_launch: 'ACME launches Lumen 3.',
      leadership_change: 'ACME appoints Jane Miller as Chief Executive Officer.',
    }
    const bodies = names.map((account) => {
      const sentence = (sentences[signal] as string).replace('ACME', account)
      const one: DraftCase = { account, signal, sentence, source: 'https://wire.example/1', seller: 'tallyho' }
      const input = inputOf({ ...one, people: [{ full_name: 'Ewa Lis', title: 'Head of Logistics' }] })
      assert.deepEqual(draftSignal(input), draftSignal(input))
      return bodyOf(draftSignal(input).drafted_message_md).replaceAll(account, 'ACME')
    })
    assert.ok(new Set(bodies).size >= 9, `${signal}: ${new Set(bodies).size} of 10`)
    const openings = new Set(bodies.map((body) => body.split('. ', 1)[0]))
    assert.ok(openings.size >= 3, [...openings].join('\n'))
  }
})
