import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { vendorNet } from '../../../test/support/vendors.ts'
import { type DraftInput, draftSignal } from '../../engine/draft/index.ts'
import { findAddedFacts } from './added-facts.ts'
import { compileCascadeWithLlm } from './cascade.ts'
import { rewriteDraft } from './draft.ts'
import { requestCompletion } from './openai-compatible.ts'

/** The body of the last request, and a response to return instead of the emulator's. */
let sent: { headers: Record<string, string>; body: Record<string, unknown> } | null = null
let answered: unknown = null

const net = await vendorNet({}, ({ url, headers, body }) => {
  if (url.href !== 'https://model.example/v1/chat/completions') return null
  sent = { headers, body: JSON.parse(body) }
  const message = { role: 'assistant', content: JSON.stringify(answered) }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ choices }) }
})
after(() => net[Symbol.asyncDispose]())

const env = (model: string) => ({ LLM_BASE_URL: 'https://llm.example/v1', LLM_MODEL: model })
const OWN = { LLM_BASE_URL: 'https://model.example/v1/', LLM_MODEL: 'any', LLM_API_KEY: 'sk-secret' }

const input: DraftInput = {
  account: { name: 'Wexcombe' },
  signal: { signal_id: 'expansion' },
  evidence: [
    {
      claim: 'Wexcombe opened a second warehouse in Gdansk for $40 million.',
      source_url: 'https://www.wexcombe.example/n/1',
      published_date: '2026-05-04',
    },
  ],
  knowledge_base: [{ type: 'value_prop', content_md: 'Tallyho plans routes.\nCustomers save fuel.' }],
  seller: { name: 'Tallyho', products: [], proofs: [] },
  sender: {
    ...{ name: 'Ann Poe', job_title: null, signature: null, tone: 'brief', calendar_url: null },
    ...{ greeting: null, sign_off: null, body_words: null },
  },
  people: [{ id: 'p', full_name: 'Ewa Lis', title: 'COO', has_email: true, lacks_email: false, has_phone: false }],
}
const draft = draftSignal(input)
const composed = draft.draft.message as NonNullable<typeof draft.draft.message>

test('the model rewrites a draft from its evidence; facts and personas stay', async () => {
  for (const model of ['honest', 'plain']) {
    const worded = await rewriteDraft(net.deps(env(model)), input, draft)
    assert.equal(worded.narrative, `In short: ${input.evidence[0]?.claim}`, model)
    assert.notEqual(worded.drafted_message_md, draft.drafted_message_md)
    assert.deepEqual([worded.key_facts, worded.personas], [draft.key_facts, draft.personas])
  }
})

test('a response that adds facts, is nonsense, is missing or is an error leaves the draft unchanged', async () => {
  for (const model of ['inventive', 'broken', 'slow', 'busy']) {
    assert.equal(await rewriteDraft(net.deps(env(model), { timeoutMs: 300 }), input, draft), draft, model)
  }
})

test('without a model no request is sent', async () => {
  net.asked()
  assert.equal(await rewriteDraft(net.deps(), input, draft), draft)
  assert.equal(await compileCascadeWithLlm(net.deps(), 'CFO'), null)
  assert.deepEqual(net.asked(), [])
})

const wording = {
  headline: 'Wexcombe opens in Gdansk',
  narrative: 'Wexcombe opened a warehouse.',
  why_reach_out_md: 'Customers save fuel.',
  subject: 'The warehouse in Gdansk',
  body: composed.body.replace('\n\n', '\n\nA few lines: '),
  short_message: 'Hi Ewa, we read that Wexcombe opened a warehouse. Worth a call?',
  call_opener: 'Hi Ewa, we read that Wexcombe opened a warehouse.',
}

test('a request follows the chat completions protocol, with the API key', async () => {
  answered = wording
  const worded = await rewriteDraft(net.deps(OWN), input, draft)
  assert.equal(worded.headline, wording.headline)
  const { model, temperature, messages, response_format } = sent?.body ?? {}
  assert.deepEqual([model, temperature], ['any', 0])
  assert.deepEqual(
    (messages as { role: string }[]).map(({ role }) => role),
    ['system', 'user'],
  )
  assert.equal((response_format as { type: string }).type, 'json_schema')
  assert.equal(sent?.headers.authorization, 'Bearer sk-secret')
})

test('the model does not read the paragraph about the CRM, which stays', async () => {
  answered = wording
  const known = { ...input, account: { ...input.account, relationship: 'lost_deal', relationship_on: null } as const }
  const { why_reach_out_md, ...drafted } = draftSignal(known)
  // As an installation may have stored it.
  const paragraph = '**In your CRM:** lost deal (Bo Reed said no)'
  const stored = { ...drafted, why_reach_out_md: why_reach_out_md.replace('**In your CRM:** lost deal', paragraph) }
  const worded = await rewriteDraft(net.deps(OWN), known, { ...stored, draft: draft.draft })
  assert.equal(worded.why_reach_out_md, `Customers save fuel.\n\n${paragraph}`)
  assert.doesNotMatch(JSON.stringify(sent?.body), /In your CRM|Bo Reed/)
  answered = { ...wording, call_opener: `${wording.call_opener} Bo Reed said no.` }
  const refused = { ...stored, draft: draft.draft }
  assert.equal(await rewriteDraft(net.deps(OWN), known, refused), refused)
})

const REFUSED: [string, object | string][] = [
  ['an empty text', { ...wording, narrative: ' ' }],
  ['a missing text', { headline: 'Wexcombe', narrative: 'Wexcombe opened a warehouse.' }],
  ['a number', { ...wording, narrative: 'Wexcombe opened 3 warehouses.' }],
  ['a number in words', { ...wording, narrative: 'Wexcombe opened three warehouses.' }],
  ['a name', { ...wording, narrative: 'The warehouse was built by Larch.' }],
  ['a name at the beginning', { ...wording, narrative: 'Larch built the warehouse.' }],
  [
    'the recipient in a text that everyone reads',
    { ...wording, why_reach_out_md: 'Customers save fuel, says Ewa Lis.' },
  ],
  ['a placeholder', { ...wording, short_message: 'Hello [First Name], worth a call?' }],
  ['another greeting', { ...wording, body: wording.body.replace('Hi Ewa', 'Hello') }],
  ['another signature', { ...wording, body: wording.body.replace('Ann Poe', 'Tallyho') }],
  ['two questions', { ...wording, body: wording.body.replace('A few lines:', 'Is it new?') }],
  ['a long message', { ...wording, body: wording.body.replace('A few lines: ', 'It is new. '.repeat(25)) }],
  ['a phrase of mass mail', { ...wording, short_message: 'Hi Ewa, just checking in.' }],
  ['a link to elsewhere', { ...wording, why_reach_out_md: 'Customers save fuel, [they say](https://evil.example/x).' }],
  ['a picture', { ...wording, why_reach_out_md: '![Wexcombe](https://www.wexcombe.example/n/1)' }],
  ['markup', { ...wording, why_reach_out_md: 'Customers <b>save</b> fuel.' }],
  ['a long headline', { ...wording, headline: `Wexcombe ${'opened '.repeat(30)}` }],
  ['a headline of two lines', { ...wording, headline: 'Wexcombe\nopened' }],
  ['a longer answer than asked', { ...wording, more: 'of it' }],
  ['a text instead of an object', 'Wexcombe opened a warehouse.'],
]
for (const [what, answer] of REFUSED) {
  test(`a response with ${what} is rejected`, async () => {
    answered = answer
    assert.equal(await rewriteDraft(net.deps(OWN), input, draft), draft)
  })
}

test('links to the evidence, contractions and common first words are no added facts', () => {
  const sources = ['Wexcombe opened a second warehouse in Gdansk for $40M.']
  const text =
    "**Why now:** It's a new site.\n\n- [Wexcombe](https://w.example/1) opened it for 40 million.\n\nWe’d like to talk. Warehouses need routes. Expanding takes time. Worth a call?"
  assert.deepEqual(findAddedFacts(text, sources, ['https://w.example/1']), [])
})

test('the model compiles a request for people', async () => {
  const cascade = await compileCascadeWithLlm(net.deps(env('honest')), 'Head of Logistics at freight companies')
  assert.deepEqual(cascade?.tiers, [
    { tier: 1, label: 'ideal', titles: ['Head of Logistics'], job_levels: [], rules: [] },
  ])
})

test('an invalid cascade is rejected', async () => {
  for (const model of ['inventive', 'broken', 'slow', 'busy']) {
    assert.equal(await compileCascadeWithLlm(net.deps(env(model), { timeoutMs: 300 }), 'CFO'), null, model)
  }
  const rule = { job_levels: ['VP'], department: 'Sales', keywords: ['Field'] }
  const good = {
    tiers: [{ titles: ['VP Sales', 'VP Sales '], rules: [rule] }],
    geographies: ['Germany'],
    country_codes: ['DE'],
    exclude: { keywords: ['Intern'], job_levels: ['Staff'], country_codes: [] },
    company: { industries: [], employees_min: 10, employees_max: null },
  }
  const compile = (answer: object) => {
    answered = answer
    return compileCascadeWithLlm(net.deps(OWN), 'VP Sales in Germany')
  }
  assert.deepEqual(await compile(good), {
    ...good,
    tiers: [
      {
        tier: 1,
        label: 'ideal',
        titles: ['VP Sales'],
        job_levels: ['VP'],
        rules: [{ ...rule, keywords: ['field'] }],
      },
    ],
    exclude: { ...good.exclude, keywords: ['intern'] },
  })
  const [tier] = good.tiers
  for (const bad of [
    { ...good, tiers: [] },
    { ...good, tiers: [tier, tier, tier, tier] },
    { ...good, tiers: [{ titles: [], rules: [] }] },
    { ...good, tiers: [{ titles: Array.from({ length: 21 }, (_, i) => `T${i}`), rules: [] }] },
    { ...good, tiers: [{ titles: ['x'.repeat(81)], rules: [] }] },
    { ...good, tiers: [{ titles: ['VP'], rules: [{ ...rule, department: 'Wizardry' }] }] },
    { ...good, country_codes: ['XX'] },
    { ...good, company: { industries: [], employees_min: 10, employees_max: 5 } },
    { ...good, exclude: null },
  ]) {
    assert.equal(await compile(bad), null, JSON.stringify(bad))
  }
})

test('a model on a private address or without https is called only when that is allowed', async () => {
  const prompt = { system: 's', user: 'u', schema: { name: 'x', schema: {} } }
  for (const base of ['http://model.example/v1', 'https://127.0.0.1/v1', 'http://localhost:11434/v1']) {
    const asked = await requestCompletion(net.deps({ LLM_BASE_URL: base, LLM_MODEL: 'any' }), prompt)
    assert.match(asked.outcome === 'failed' ? asked.reason : '', /public internet|https|cannot be used/i, base)
  }
})

test('a base URL without a model is a failure with that reason', async () => {
  const deps = net.deps({ LLM_BASE_URL: 'https://llm.example/v1' })
  const asked = await requestCompletion(deps, { system: 's', user: 'u', schema: { name: 'x', schema: {} } })
  assert.match(asked.outcome === 'failed' ? asked.reason : '', /LLM_MODEL/)
})

test('a request to a busy model is retried once', async () => {
  net.asked()
  const asked = await requestCompletion(net.deps(env('busy')), {
    system: 's',
    user: 'u',
    schema: { name: 'x', schema: {} },
  })
  assert.equal(asked.outcome, 'failed')
  assert.equal(net.asked().length, 2)
})
