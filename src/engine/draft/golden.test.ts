import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { DRAFT_CASES, type DraftCase } from '../../../test/fixtures/drafts/cases.ts'
import { SELLERS } from '../../../test/fixtures/drafts/knowledge-bases.ts'
import { describeEvent } from '../claim/index.ts'
import { findBuiltinSignal } from '../signals/index.ts'
import { countWords } from './compose.ts'
import { type DraftInput, draftSignal, findUnsupportedFacts } from './index.ts'
import { FORBIDDEN } from './wording.ts'

const GOLDEN = new URL('../../../test/fixtures/drafts/drafts.md', import.meta.url)

/** The input as research makes it: claim and details come from the sentence. */
function inputOf({
  account,
  domain,
  signal,
  role,
  sentence,
  claim,
  source,
  published,
  people = [],
  seller,
}: DraftCase) {
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
    people: people.map((person, at) => ({
      ...person,
      ...{ id: `person-${at}`, has_email: true, lacks_email: false, has_phone: false },
    })),
  }
  return input
}

const drafted = DRAFT_CASES.map((one) => ({ one, input: inputOf(one), draft: draftSignal(inputOf(one)) }))
const written = drafted.flatMap(({ one, input, draft }) => {
  const { message, to } = draft.draft
  return message && to ? [{ one, input, draft, message, to }] : []
})
/** Without greeting and signature. */
const bodyOf = ({ body }: { body: string }, isSigned: boolean) =>
  body
    .split('\n\n')
    .slice(1, isSigned ? -1 : undefined)
    .join('\n\n')

test('thirty drafts equal the versions that were last reviewed', () => {
  const head =
    '<!-- Thirty drafts, to be read from top to bottom. Written by src/engine/draft/golden.test.ts:\n' +
    '     UPDATE_GOLDEN=1 node --test src/engine/draft/golden.test.ts -->\n\n# Thirty drafts\n'
  const entries = drafted.map(({ one, draft }, at) => {
    const { message, note } = draft.draft
    const others = message
      ? `### Short message\n\n${message.short_message}\n\n### Call\n\n${message.call_opener}\n\n`
      : ''
    return (
      `## ${at + 1}. ${one.account}: ${one.signal} (seller: ${one.seller})\n\n${draft.drafted_message_md ?? note}\n\n${others}` +
      `### Why reach out\n\n${draft.why_reach_out_md}\n`
    )
  })
  const text = [head, ...entries].join('\n')
  if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text)
  assert.equal(text, readFileSync(GOLDEN, 'utf8'))
})

test('every fact of a draft is in the evidence, the profiles or the knowledge base', () => {
  for (const { one, input, draft, message } of written) {
    const texts = [...Object.values(message), draft.why_reach_out_md.replaceAll(/\]\([^)]*\)/g, ']')]
    const months = 'September October November August 2026'
    const sources = [
      JSON.stringify(input),
      JSON.stringify(draft.headline),
      months,
      'Series IPO Congratulations first 90 days',
    ]
    for (const text of texts) {
      // Days of the month come from dates.
      const facts = findUnsupportedFacts(text.replaceAll(/[[\]]/g, ''), sources).filter(
        (fact) => !/^[1-3]?\d$/.test(fact),
      )
      assert.deepEqual(facts, [], one.account)
    }
  }
})

test('a draft greets by name, asks one question, is signed, and has 60 to 110 words when there is an offer', () => {
  assert.ok(written.length >= 25, `${written.length}`)
  for (const { one, input, draft, message, to } of written) {
    const body = bodyOf(message, draft.draft.is_signed)
    const given = to.full_name.split(' ').find((word) => !word.endsWith('.')) ?? to.full_name
    assert.ok(
      message.body.startsWith(`Hi ${given},\n\n`) || message.body.startsWith(`Hi ${to.full_name},`),
      message.body,
    )
    assert.ok(message.subject.length >= 4 && message.subject.length <= 60, message.subject)
    assert.equal(body.match(/\?/g)?.length, 1, message.body)
    assert.equal(draft.draft.is_signed, input.sender !== null)
    if (input.sender) assert.match(message.body, new RegExp(`\n\nBest,\n${input.sender?.name}`))
    for (const text of Object.values(message)) {
      assert.doesNotMatch(text, /undefined|null|\[|\{|\.\.| {2}| ,/, one.account)
      assert.doesNotMatch(text, FORBIDDEN)
    }
    assert.ok(countWords(message.body) <= 110, message.body)
    assert.ok(countWords(message.short_message) <= 75, message.short_message)
    if (/tallyho|brightfold|larkspur/.test(one.seller) && !/layoffs|security/.test(one.signal))
      assert.ok(countWords(`${message.subject} ${message.body}`) >= 60, message.body)
  }
})

test('a draft about hard news contains no congratulations, no figures of customers and no number of people affected', () => {
  const hard = written.filter(({ one }) => /layoffs|security_incident/.test(one.signal))
  assert.ok(hard.length >= 4)
  for (const { draft, message } of hard) {
    assert.doesNotMatch(Object.values(message).join('\n'), /congratul|well done|great|excit|Osterley|17,000/i)
    assert.match(message.body, /sorry|coping/)
    assert.match(draft.why_reach_out_md, /Mind the tone/)
  }
})

test('no sentence is in more than a fifth of the drafts of a seller, and one draft is reproducible', () => {
  const names = 'Aldwick Brenta Corby Dunmore Elstree Farrow Gillam Hexby Ivelet Jarrow'.split(' ')
  const sentences: Record<string, string> = {
    funding: 'ACME raised $12 million.',
    product_launch: 'ACME launches Lumen 3.',
    expansion: 'ACME opens a warehouse in Gdansk.',
    customer_win: 'ACME wins a contract from the City of Leeds.',
  }
  const uses = new Map<string, number>()
  for (const [signal, template] of Object.entries(sentences)) {
    const bodies = names.map((account) => {
      const sentence = template.replace('ACME', account)
      const one: DraftCase = { account, signal, sentence, source: 'https://wire.example/1', seller: 'tallyho' }
      const input = inputOf({ ...one, people: [{ full_name: 'Ewa Lis', title: 'Head of Logistics' }] })
      assert.deepEqual(draftSignal(input), draftSignal(input))
      const { message } = draftSignal(input).draft
      assert.ok(message)
      return bodyOf(message, true).replaceAll(account, 'ACME')
    })
    assert.ok(new Set(bodies).size >= 9, `${signal}: ${new Set(bodies).size} of 10`)
    for (const body of bodies)
      for (const sentence of body.split(/(?<=[.?!])\s/)) uses.set(sentence, (uses.get(sentence) ?? 0) + 1)
  }
  const [most] = [...uses].toSorted((a, b) => b[1] - a[1])
  assert.ok(most && most[1] <= 8, `${most?.[1]} times: ${most?.[0]}`)
})

test('a customer and an open deal get no offer, a lost deal and a former customer are reminded of earlier talks', () => {
  const reminders: Record<string, RegExp> = {
    customer: /already works with|is a customer of|already have us on board/,
    open_deal: /with your team/,
    lost_deal: /with your team in June 2025/,
    former_customer: /has worked with .* before/,
  }
  for (const { one, input } of written) {
    for (const [relationship, reminder] of Object.entries(reminders)) {
      const known = {
        relationship: relationship as 'customer',
        relationship_on: '2025-06-02',
      }
      const { draft, why_reach_out_md } = draftSignal({ ...input, account: { ...input.account, ...known } })
      const { message } = draft
      assert.ok(message, one.account)
      const body = bodyOf(message, draft.is_signed)
      // A deal that failed is not brought up with hard news.
      const isHard = one.signal === 'layoffs' || one.signal === 'security_incident'
      const isReminded = !isHard || relationship !== 'lost_deal'
      assert.equal(reminder.test(body), isReminded, body)
      if (isHard) assert.doesNotMatch(body, /glad to do so again/)
      assert.equal(body.match(/\?/g)?.length, 1, body)
      assert.ok(countWords(message.body) <= 110, message.body)
      const isSold = relationship === 'customer' || relationship === 'open_deal'
      if (isSold) assert.ok(countWords(message.body) >= 60, message.body)
      if (isSold) assert.doesNotMatch(why_reach_out_md, /What we bring|Proof:/)
      assert.equal(why_reach_out_md.includes('lost deal, 2 June 2025'), relationship === 'lost_deal')
      for (const text of Object.values(message)) {
        assert.doesNotMatch(text, /price|I’m with|I work at|your company|undefined|null| {2}/, text)
        assert.doesNotMatch(text, FORBIDDEN)
        assert.deepEqual(
          findUnsupportedFacts(text.replaceAll(/[[\]]/g, ''), [
            ...[JSON.stringify(input), 'June 2025 August September October November 2026'],
            ...Object.values(written.find((other) => other.one === one)?.message ?? {}),
          ]).filter((fact) => !/^[1-3]?\d$/.test(fact)),
          [],
          text,
        )
      }
    }
  }
})
