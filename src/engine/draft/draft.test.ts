import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeEvent } from '../claim/index.ts'
import type { SignalId } from '../signals/index.ts'
import { countWords, type Sender } from './compose.ts'
import { type DraftInput, draftSignal, draftWhyNow, findUnsupportedFacts } from './index.ts'
import { learnStyle } from './style.ts'

const input: DraftInput = {
  account: { name: 'Wexcombe' },
  signal: { signal_id: 'expansion' },
  evidence: [
    {
      claim: 'Wexcombe opened a second warehouse in Gdansk.',
      source_url: 'https://www.wexcombe.example/n/1',
      published_date: '2026-05-04',
    },
    { claim: 'A new warehouse for Wexcombe', source_url: 'https://port.example/2' },
  ],
  knowledge_base: [
    {
      type: 'value_prop',
      content_md:
        '## Why us\n- Our software halves payroll errors in the first month.\n- Our scanners make a new warehouse productive within a week.',
    },
    { type: 'icp', content_md: 'Personas: Head of Logistics, COO' },
  ],
  people: [contact('Ewa Lis', 'COO')],
}

function contact(full_name: string, title: string | null) {
  return { id: full_name, full_name, title, has_email: true, lacks_email: false, has_phone: false }
}

/** The drafted email. */
function messageOf(draft: ReturnType<typeof draftSignal>): string {
  assert.ok(draft.drafted_message_md, draft.draft.note ?? '')
  return draft.drafted_message_md
}

const texts = (draft: ReturnType<typeof draftSignal>) => [
  draft.headline,
  draft.narrative,
  draft.why_reach_out_md,
  messageOf(draft),
]

test('the sentence of the knowledge base that fits the event is used', () => {
  const draft = draftSignal(input)
  assert.match(messageOf(draft), /productive within a week/)
  assert.doesNotMatch(messageOf(draft), /payroll/)
  assert.deepEqual(draft.personas, ['COO', 'Head of Logistics'], 'who runs the sites is closest to a new one')
})

test('the narrative quotes, dates and names its sources', () => {
  assert.equal(
    draftSignal(input).narrative,
    'On 4 May 2026, wexcombe.example published: “Wexcombe opened a second warehouse in Gdansk.” Also reported by port.example.',
  )
})

test('a draft has no placeholders: sentences with missing values are left out', () => {
  const bare = draftSignal({
    ...input,
    knowledge_base: [{ type: 'value_prop', content_md: 'Hello [Name], we at {{company}} sell very good things.' }],
  })
  for (const text of texts(bare)) assert.doesNotMatch(text, /\[Name\]|\{\{|undefined|null/)
})

test('content for internal use is never part of a message', () => {
  const draft = draftSignal({
    ...input,
    knowledge_base: [
      { type: 'value_prop', content_md: 'Mention the new warehouse first. Our margin there is confidential.' },
      { type: 'pricing', content_md: 'We charge 900 euros for each new warehouse in Gdansk.' },
      { type: 'competitor', content_md: 'Unlike Palisade, our customers include new warehouses.' },
    ],
  })
  assert.doesNotMatch(messageOf(draft), /Mention|margin|900|Palisade/)
})

test('a message names only customers that the knowledge base lists as customers', () => {
  const proofOf = (title: string, content_md: string, type = 'custom') =>
    /\*\*Proof:\*\* (.*)/.exec(
      draftSignal({ ...input, knowledge_base: [{ type, title, content_md }] }).why_reach_out_md,
    )?.[1]
  const list = '- Siemens\n- Bosch\n- Maersk'
  const sentence = 'Our customers include Siemens, Bosch and Maersk.'
  for (const title of ['Customers', 'Our clients', 'References', 'Who we work with'])
    assert.equal(proofOf(title, list), sentence)
  assert.equal(proofOf('Notes', 'Our customers include Siemens, Bosch and Maersk.'), sentence)
  const titles = ['Target customers', 'Ideal clients', 'Customer support', 'Client complaints', 'Customer segments']
  for (const title of [
    ...titles,
    'Prospects',
    'Customer personas',
    'Churned customers',
    'Wish list of customers',
    'Results',
  ]) {
    assert.equal(proofOf(title, list), undefined, title)
  }
  for (const title of titles) assert.equal(proofOf(title, 'Siemens saved 40 hours a week with us.'), undefined, title)
  const lost = 'Siemens left us after three outages in a row.'
  for (const type of ['custom', 'overview', 'value_prop']) {
    const draft = draftSignal({ ...input, knowledge_base: [{ type, title: 'Lost customers', content_md: lost }] })
    assert.doesNotMatch(messageOf(draft), /Siemens/, type)
  }
  const mixed = `- Globex\n\n## Target customers\n- Bosch\n\n## In Norway\n- Nordvik\n\nLost customers:\n- Siemens\n\nWish list: Maersk`
  assert.equal(proofOf('Customers', mixed), 'Our customers include Globex and Nordvik.')
  const rival = 'Our competitor Zeta is trusted by Siemens and Bosch. Zeta has more than 900 customers in Europe.'
  assert.equal(proofOf('Notes', rival), undefined)
  assert.equal(proofOf('Notes', 'Siemens uses an old system in 40 plants.'), undefined)
  assert.equal(proofOf('Notes', 'Siemens uses our scanners.'), 'Siemens uses our scanners.')
  assert.equal(proofOf('Customers', `${rival}\nGlobex saved 40 hours with us.`), 'Globex saved 40 hours with us.')
})

test('a knowledge base is prepared once for many drafts', () => {
  let reads = 0
  const knowledge_base = input.knowledge_base.map(({ content_md, ...section }) => ({
    ...section,
    get content_md() {
      reads++
      return content_md
    },
  }))
  const drafts = ['hiring', 'expansion', 'layoffs'].map((signal_id) => {
    draftSignal({ ...input, knowledge_base, signal: { signal_id } })
    return reads
  })
  assert.deepEqual(drafts, [drafts[0], drafts[0], drafts[0]])
  assert.deepEqual(draftSignal({ ...input, knowledge_base }), draftSignal(input))
})

/** A draft from a sentence, with the claim that detection makes of it. */
function draftFrom(
  signal: SignalId,
  ...sentences: { sentence: string; source_url?: string; published_date?: string }[]
) {
  const evidence = sentences.map(({ sentence, ...proof }) => {
    const { claim, details } = describeEvent({ signal, company: 'Acme', sentence, mentions: [] })
    return { claim, details, quote: sentence, ...proof }
  })
  const knowledge_base = [{ type: 'icp', content_md: 'Personas: Chief Financial Officer, CFO' }]
  const account = { name: 'Acme', domain: 'acme.example' }
  const people = [contact('Ewa Lis', 'CEO')]
  return messageOf(draftSignal({ account, signal: { signal_id: signal }, evidence, knowledge_base, people }))
}

test('the person who announces an appointment is not congratulated on it', () => {
  for (const sentence of [
    'Acme appoints new chief financial officer, said CEO Jane Doe.',
    'CEO Jane Doe of Acme named a new CFO.',
  ]) {
    assert.match(draftFrom('leadership_change', { sentence }), /\n\nHi Ewa,\n\n/)
    assert.doesNotMatch(draftFrom('leadership_change', { sentence }), /Jane,|your new role|appointment as/)
  }
})

test('a place is mentioned only where the claim connects it to the event', () => {
  for (const [signal, sentence] of [
    ['layoffs', 'Acme, which went public in London in 2019, cuts 300 jobs.'],
    ['hiring', 'Acme, which went public in London in 2019, is hiring 300 engineers.'],
  ] as const)
    assert.doesNotMatch(draftFrom(signal, { sentence }), /London/, signal)
  assert.match(draftFrom('expansion', { sentence: 'Acme opens a plant in London.' }), /plant in London/)
})

const details = {
  ...{ amount: null, places: [], partners: [], product: null, date: null },
  people: [{ text: 'Jane Doe', start: 15, end: 23 }],
  position: { text: 'COO', start: 24, end: 27 },
}
const APPOINTMENT = {
  signal: { signal_id: 'leadership_change' },
  evidence: [{ claim: 'Wexcombe names Jane Doe COO', details }],
}

test('a message goes to the new executive, to the head of the department that is concerned and buys, or to no one', () => {
  const to = (given: Partial<DraftInput>) => draftSignal({ ...input, ...given }).draft
  const logistics = contact('Ola Nordmann', 'Head of Logistics')
  const named = to({ ...APPOINTMENT, people: [logistics] })
  assert.deepEqual([named.to?.full_name, named.person_id], ['Jane Doe', null], 'not in People yet')
  assert.match(named.message?.body ?? '', /^Hi Jane,\n\n.*(?:your new role as|have joined|appointment as).*\bCOO\b/)
  assert.equal(to({ ...APPOINTMENT, people: [contact('Jane Doe', 'COO')] }).person_id, 'Jane Doe')
  assert.equal(to({ people: [logistics, contact('Ewa Lis', 'COO')] }).to?.full_name, 'Ewa Lis')

  const buyers = [{ type: 'icp', content_md: 'Personas: CFO' }]
  const unfit = to({ ...APPOINTMENT, knowledge_base: buyers, people: [contact('Ann Poe', 'CFO')] })
  assert.equal(unfit.message, null, 'a new COO is no reason to write to the CFO')
  assert.match(unfit.note ?? '', /Operations is not among your buyers\. Find people at Wexcombe/)
  assert.match(
    to({ people: [contact('Bo Ek', 'Warehouse worker')] }).note ?? '',
    /^No contact in \w+ yet\. Find people/,
  )
  assert.equal(to({ people: [contact('Bo Ek', 'Chair of the Board')] }).message, null)
})

test('the member who writes decides greeting, tone, sign-off and length; without one the draft is not signed', () => {
  const sender = {
    ...{ name: 'Dana Whit', job_title: 'Account Executive', signature: null, tone: 'brief' as const },
    ...{ calendar_url: null, greeting: null, sign_off: null, body_words: null },
  }
  const result = 'brought three new warehouses into full operation in one year'
  const proof = { customer: 'Osk Foods', result, industry: null, min_employees: null, max_employees: null }
  const seller = { name: 'Tallyho', products: [], proofs: [proof] }
  const drafted = (given: Partial<Sender> | null) =>
    draftSignal({ ...input, seller, sender: given && { ...sender, ...given } }).draft
  const bodyOf = (given: Partial<Sender> | null) => drafted(given).message?.body ?? ''
  assert.match(bodyOf({}), /^Hi Ewa,[\s\S]*\n\nBest,\nDana Whit\nAccount Executive, Tallyho$/)
  assert.match(bodyOf({ signature: 'Dana\n+44 20 7946 0000' }), /\n\nBest,\nDana\n\+44 20 7946 0000$/)
  assert.match(bodyOf({ tone: 'formal' }), /^Dear Ewa Lis,[\s\S]*\n\nKind regards,\n/)
  assert.doesNotMatch(bodyOf({ tone: 'formal' }), /I’m|don’t/)
  assert.match(bodyOf({ greeting: 'Hej {first}!', sign_off: 'Cheers,' }), /^Hej Ewa![\s\S]*\n\nCheers,\nDana/)
  assert.match(bodyOf({ calendar_url: 'https://cal.example/dana' }), /https:\/\/cal\.example\/dana\n\n/)
  assert.ok(countWords(bodyOf({ body_words: 98 })) > countWords(bodyOf({ body_words: 50 })))
  const { is_signed, message } = drafted(null)
  assert.equal(is_signed, false)
  assert.doesNotMatch(message?.body ?? '', /Dana|Best,/)
})

test('greeting, sign-off and length are learned from a message', () => {
  const text = 'Hej Ewa,\n\nOne two three.\nFour five.\n\nCheers,\nDana\nTallyho'
  const learned = { greeting: 'Hej {first},', sign_off: 'Cheers,', body_words: 5 }
  assert.deepEqual(learnStyle(text, { full_name: 'Ewa Lis' }), learned)
  assert.equal(learnStyle('Dear Ewa Lis,\n\nHow are you?', { full_name: 'Ewa Lis' }).greeting, 'Dear {full},')
  assert.deepEqual(learnStyle('Hello Tom,\n\nOne.\n\nBest regards\nDana', null), {
    ...{ greeting: 'Hello {first},', sign_off: 'Best regards', body_words: 1 },
  })
  assert.deepEqual(learnStyle('Just a line.', null), { greeting: null, sign_off: null, body_words: 3 })
  for (const line of ['Hello Tom,', 'Hi Ewa and Bo Berg,', 'Ewa, congratulations!', 'I met Ewa at the fair.'])
    assert.equal(learnStyle(`${line}\n\nOne.`, { full_name: 'Ewa Lis' }).greeting, null, line)
})

test('a contact of a won deal at another company is not introduced to the team', () => {
  const [person] = input.people ?? []
  assert.ok(person)
  const known = messageOf(draftSignal({ ...input, people: [{ ...person, known_from: 'Northwind' }] }))
  assert.match(known, /(?:from your time at Northwind|Northwind and .+ worked together)/)
  assert.doesNotMatch(messageOf(draftSignal({ ...input, people: [person] })), /Northwind/)
})

test('a play of the knowledge base replaces the default; a proof fits industry and size', () => {
  const content_md =
    'Problem: slow docks\nWhy now: A new dock is slow for a year.\nProof: Osk Foods halved it\nAsk: Is it slow?'
  const plays = [{ type: 'playbook', title: 'Expansion × Operations', content_md }]
  const edited = messageOf(draftSignal({ ...input, knowledge_base: [...input.knowledge_base, ...plays] }))
  assert.match(edited, /A new dock is slow for a year\.[\s\S]*Osk Foods halved it\.\n\nIs it slow\?/)
  const trouble = {
    ...{ account: { name: 'Wexcombe', relationship: 'customer' as const }, signal: { signal_id: 'security_incident' } },
    evidence: [{ claim: 'Wexcombe reports a data breach' }],
  }
  const own = [{ type: 'playbook', title: 'Security incident × Operations', content_md }]
  const customer = messageOf(draftSignal({ ...input, ...trouble, knowledge_base: [...input.knowledge_base, ...own] }))
  assert.match(customer, /slow for a year/)
  assert.doesNotMatch(customer, /Is it slow\?|Osk Foods/, 'no question that sells to a customer with hard news')
  const proof = (customer: string, industry: string | null, min_employees: number | null) => ({
    ...{ customer, result: 'saved an hour a day', industry, min_employees, max_employees: null },
  })
  const proofs = [proof('Ascot Foods', 'Food', 10), proof('Brae Steel', 'Metal', 10), proof('Cole Group', null, 9_000)]
  const seller = { name: 'Tallyho', products: [], proofs }
  const by = (industry: string, employees: number) =>
    messageOf(draftSignal({ ...input, seller, account: { name: 'Wexcombe', industry, employees } }))
  assert.match(by('Food production', 200), /Ascot Foods/)
  assert.match(by('Metal production', 200), /Brae Steel/)
  assert.match(by('Banking', 20_000), /Cole Group/)
})

test('names, products and rounds are worded as in spoken language', () => {
  const said = (name: string, signal_id: string, claim: string) =>
    messageOf(
      draftSignal({ ...input, account: { name }, signal: { signal_id }, evidence: [{ claim: `${name} ${claim}` }] }),
    )
  const contract = said('Wexcombe', 'customer_win', 'wins a contract from The Government of Nunavut')
  assert.match(contract, /(?:won|winning) a contract from the Government of Nunavut/)
  assert.match(
    said('Wexcombe AS', 'product_launch', 'launches sepsis panel'),
    /(?:launched its|launched your|launching your|the) sepsis panel/,
  )
  assert.match(
    said('Wexcombe, Inc.', 'acquisition', 'agrees to acquire Globex for $9m'),
    /(?:Wexcombe has|you have) agreed to acquire Globex/,
  )
  const board = said(
    'Wexcombe',
    'hiring',
    'is hiring: it lists 5 open positions, 1 of them in IT, among them Welder, Buyer.',
  )
  assert.match(board, /(?:you have|lists) 5 open positions, among them Welder and Buyer\./)
  const claim =
    'Wexcombe is hiring: it lists 6 open positions: 3 in Engineering (Senior Controls Engineer, Perception Engineer, Embedded Software Engineer), 2 in Operations (Field Technician, Planner), 1 in Sales (Account Executive Nordics).'
  const hiring = draftSignal({ ...input, signal: { signal_id: 'hiring' }, evidence: [{ claim }] })
  assert.equal(hiring.headline, 'Wexcombe lists 6 open positions, 3 in Engineering')
  assert.equal(hiring.narrative, claim)
  assert.deepEqual(hiring.key_facts, [claim])
  assert.equal(hiring.drafted_message_md, null, 'the new positions are in Engineering, which does not buy')
})

test('text from outside does not become markup', () => {
  const evil = draftSignal({
    ...input,
    evidence: [
      {
        claim: 'Wexcombe ![x](https://evil.example/p.png) <img src=x> [click](https://evil.example)',
        source_url: 'javascript:alert(1)',
      },
    ],
  })
  for (const text of [evil.why_reach_out_md, messageOf(evil)]) {
    assert.doesNotMatch(text, /(?<!\\)\[(?:x|click)(?<!\\)\]\(/)
    assert.doesNotMatch(text, /(?<!\\)<img/)
    assert.doesNotMatch(text, /javascript:/)
  }
})

test('an erased person is neither addressed nor congratulated, and the event is described without them', () => {
  const drafted = (signal_id: string, claim: string, quote: string) => {
    const position = { text: 'CFO', start: quote.indexOf('CFO'), end: quote.indexOf('CFO') + 3 }
    const none = { amount: null, places: [], partners: [], product: null, date: null }
    const named = [{ text: '[erased]', start: 0, end: 8 }]
    const evidence = [{ claim, quote, details: { ...none, people: named, position } }]
    const knowledge_base = [{ type: 'icp', content_md: 'Personas: CFO, Head of Logistics' }]
    const known = [contact('[erased]', 'CFO'), contact('Ann Poe', 'Head of Finance')]
    const draft = draftSignal({ ...input, signal: { signal_id }, evidence, knowledge_base, people: known })
    assert.doesNotMatch(messageOf(draft), /erased|ongratulations on your/)
    assert.match(messageOf(draft), /\n\nHi Ann,\n\n/)
    assert.doesNotMatch(draft.headline + draft.key_facts.join(), /erased/)
    const [recipients = ''] = /\*\*Whom to ask:.*/.exec(draft.why_reach_out_md) ?? []
    assert.doesNotMatch(recipients, /erased/)
    assert.doesNotMatch(JSON.stringify(draft), /\\[[]erased|erased\\+\]/, 'never an escaped marker')
    assert.ok(draft.narrative.includes(quote), 'the source is quoted as it is stored')
    return draft
  }
  const named = (claim: string) => drafted('leadership_change', claim, 'Wexcombe appointed [erased] as CFO')
  for (const claim of ['Wexcombe names [erased] CFO', 'Wexcombe appoints [erased] as its new CFO']) {
    const draft = named(claim)
    assert.equal(draft.headline, 'Wexcombe has a new CFO')
    assert.match(messageOf(draft), /(?:Wexcombe has|you have) a new CFO/)
  }
  assert.equal(named('Wexcombe names [erased] to its board').headline, 'Wexcombe has a new board member')
  assert.equal(named('Wexcombe plans to name [erased] CFO').headline, 'Wexcombe plans to name a new CFO')
  assert.match(messageOf(named('Wexcombe loses its CFO [erased]')), /the change of CFO at Wexcombe/)
  for (const claim of ['Wexcombe appoints [erased]', 'Wexcombe names [erased] CFO and [erased] COO'])
    assert.match(messageOf(named(claim)), /(?:Wexcombe is changing its|you are changing your) leadership/)
  drafted('acquisition', 'Wexcombe acquires Globex from [erased]', 'Wexcombe buys Globex from [erased], its CFO')
  const whyNow = (claim: string, quote: string) =>
    draftWhyNow('Wexcombe', [{ signal_id: 'leadership_change', evidence: [{ claim, quote }] }]) ?? ''
  assert.match(whyNow('Wexcombe names [erased] CFO', 'So it is.'), /: Wexcombe has a new CFO$/)
  const link = whyNow('Wexcombe appoints [erased]', '[erased](https://evil.example) and [x](y) joined')
  assert.ok(link.endsWith('“[erased]\\(https://evil.example) and \\[x\\](y) joined.”'), link)
})

test('without evidence there is no draft', () => {
  assert.throws(() => draftSignal({ ...input, evidence: [] }), /evidence/)
  assert.throws(() => draftSignal({ ...input, evidence: [{ claim: '  ' }] }), /evidence/)
})

test('why now lists the newest first, and is null when nothing happened', () => {
  const md = draftWhyNow('Wexcombe', [
    { signal_id: 'hiring', evidence: [{ claim: 'Older thing.', published_date: '2026-01-01' }] },
    { signal_id: 'expansion', evidence: input.evidence },
  ])
  assert.ok(md !== null && md.indexOf('Gdansk') < md.indexOf('Older thing'))
  assert.match(md, /^2 signals at Wexcombe/)
  assert.equal(draftWhyNow('Wexcombe', []), null)
})

test('a headline fits a line and names the account', () => {
  const { headline } = draftSignal({ ...input, evidence: [{ claim: `They ${'really '.repeat(100)}grew.` }] })
  assert.ok(headline.length <= 161)
  assert.match(headline, /^Wexcombe: expansion/)
  const ipo = draftSignal({
    ...input,
    signal: { signal_id: 'ipo', name: 'IPO' },
    evidence: [{ claim: 'They go public.' }],
  })
  assert.equal(ipo.headline, 'Wexcombe: IPO – They go public')
})

test('a headline is the informative claim, or the sentence of the source', () => {
  const headline = (signal_id: SignalId, ...quotes: string[]) => {
    const evidence = quotes.map((quote) => {
      const mentions = [{ start: quote.indexOf('Wexcombe'), end: quote.indexOf('Wexcombe') + 'Wexcombe'.length }]
      const { claim, details } = describeEvent({ signal: signal_id, company: 'Wexcombe', sentence: quote, mentions })
      return { claim, quote, details }
    })
    return draftSignal({ ...input, signal: { signal_id }, evidence }).headline
  }
  const vague = 'The new head of finance at Wexcombe is Ines Okafor, its third in two years.'
  assert.equal(headline('leadership_change', vague), vague.slice(0, -1))
  assert.equal(
    headline('leadership_change', vague, 'Wexcombe today appointed Ines Okafor as Chief Financial Officer.'),
    'Wexcombe names Ines Okafor Chief Financial Officer',
  )
  assert.equal(
    headline('technology_adoption', 'At Wexcombe, everything from payroll to planning now runs on Kestrel Cloud.'),
    'At Wexcombe, everything from payroll to planning now runs on Kestrel Cloud',
  )
})

test('numbers, names and placeholders that no source contains are reported', () => {
  const sources = ['Wexcombe raised $40,000,000 from Tern Capital in May.']
  assert.deepEqual(findUnsupportedFacts('In May, Wexcombe took 40000000 from Tern.', sources), [])
  assert.deepEqual(findUnsupportedFacts('Congratulations on the 45 million from Larch, [First Name]!', sources), [
    '[First Name]',
    '45',
    'Larch',
  ])
})

test('the drafts of the engine pass the check against their sources', () => {
  const sources = [JSON.stringify(input), '4 May 2026']
  for (const text of texts(draftSignal(input)))
    assert.deepEqual(findUnsupportedFacts(text.replaceAll(/\]\([^)]*\)/g, ''), sources), [])
})

test('a headline is the sentence of the source, without the beginning of the claim and the dateline', () => {
  const claim =
    'Wexcombe expands: GDAŃSK, 2 October 2026 – Wexcombe has opened its first production site outside Norway.'
  const { headline, narrative, key_facts } = draftSignal({ ...input, evidence: [{ claim }] })
  assert.equal(headline, 'Wexcombe has opened its first production site outside Norway')
  assert.equal(narrative, '“Wexcombe has opened its first production site outside Norway.”')
  assert.deepEqual(key_facts, ['Wexcombe has opened its first production site outside Norway.'])
  const long = `Wexcombe raised capital: BERLIN, March 3, 2025 (Wire) -- Wexcombe, ${'the maker of pumps, '.repeat(9)}raised money.`
  assert.match(
    draftSignal({ ...input, evidence: [{ claim: long }] }).headline,
    /^Wexcombe: expansion – Wexcombe, the maker/,
  )
})

test('an event that the source states as completed is worded as completed', () => {
  const draftOf = (claim: string, quote: string) =>
    messageOf(
      draftSignal({
        ...{ account: { name: 'Wexcombe' }, signal: { signal_id: 'acquisition' }, knowledge_base: [] },
        ...{ evidence: [{ claim: `Wexcombe ${claim}`, quote }], people: [contact('Ann Poe', 'CFO')] },
      }),
    )
  const sells = 'sells its frozen division to Gelidora'
  assert.match(
    draftOf(sells, 'Wexcombe has sold its frozen division to the group Gelidora.'),
    /(?:Wexcombe sold its|you sold your) frozen/,
  )
  assert.match(
    draftOf(sells, 'Wexcombe sold its frozen division to Gelidora in May.'),
    /(?:Wexcombe sold its|you sold your) frozen/,
  )
  assert.match(
    draftOf(sells, 'Wexcombe sells its frozen division to Gelidora'),
    /(?:Wexcombe is selling its|you are selling your) frozen/,
  )
  assert.match(
    draftOf(sells, 'Its frozen division is sold to Gelidora, says Wexcombe'),
    /(?:Wexcombe is selling its|you are selling your) frozen/,
  )
  const quoted = draftOf('merges', 'CHICAGO, October 2, 2026 -- Wexcombe and Tallgrass today agreed to merge.')
  assert.match(quoted, /“Wexcombe and Tallgrass today agreed to merge\.”/)
  const bought = 'is acquired by Tessera'
  // To the company that is bought, neither tense is worded.
  assert.match(draftOf(bought, 'Wexcombe has been acquired by Tessera.'), /about the deal with Tessera/)
})

test('a title is used in full', () => {
  const said = (text: string) => {
    const position = { text, start: 0, end: text.length }
    const draft = draftSignal({
      ...{ ...input, ...APPOINTMENT },
      evidence: [{ claim: `Wexcombe names Jane Doe ${text}`, details: { ...details, position } }],
      knowledge_base: [],
    })
    return / as (.*?)(?: at Wexcombe|, and I wish)/.exec(messageOf(draft))?.[1]
  }
  assert.equal(said('Co-founder and CEO'), 'Co-founder and CEO')
  assert.equal(said('Founder/CTO'), 'Founder and CTO')
  assert.equal(said('Vice President, Commercial'), 'Vice President, Commercial')
  assert.equal(said('Director of Logistics, Wexcombe'), 'Director of Logistics')
  assert.equal(said('Head of Logistics (Oslo) | Speaker'), 'Head of Logistics')
})
