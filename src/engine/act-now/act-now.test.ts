import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readOffering } from '../playbook/offering.ts'
import type { Department } from '../titles/index.ts'
import { type ActNowInput, scoreActNow } from './index.ts'

/** An invented morning, with the account that a sales lead would call first. */
type Morning = {
  name: string
  signals_named: string[]
  buyers: string[]
  accounts: {
    name: string
    status: 'active' | 'suggested'
    owner: 'me' | 'colleague' | 'none'
    fit: number | null
    events: {
      signal: string
      text: string
      amount_usd: number | null
      count: number | null
      days_ago: number
      confidence: number
      department: string | null
    }[]
    people: { title: string; email: 'verified' | 'unverified' | 'none'; phone: boolean; is_new_hire: boolean }[]
    snoozed_or_done: boolean
  }[]
  first: string
}

const morningsOf = (file: string): Morning[] =>
  readFileSync(new URL(`../../../test/fixtures/mornings-${file}.ndjson`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The department of an event; the mornings say HR. */
const departmentOf = (name: string | null) => (name === 'HR' ? 'People' : name) as Department | null

/** The place of the account that the sales lead would call first: own accounts come before those without an owner. */
function placeOfFirst({ accounts, signals_named, buyers, first }: Morning): number {
  const offering = {
    signals: new Set(signals_named),
    departments: new Set(buyers.map((buyer) => departmentOf(buyer) as Department)),
  }
  const queue = accounts
    .filter(({ snoozed_or_done, owner, status }) => !snoozed_or_done && owner !== 'colleague' && status === 'active')
    .map(({ name, owner, fit, events, people }) => {
      const input: ActNowInput = {
        fit,
        offering,
        events: events.map((event, at) => ({
          id: String(at),
          signal_id: event.signal,
          headline: event.text,
          amount: event.amount_usd,
          count: event.count,
          age_days: event.days_ago,
          confidence: event.confidence,
          department: departmentOf(event.department),
          earlier: 0,
          named: null,
        })),
        people: people.map(({ title, email, phone }, at) => ({
          id: String(at),
          full_name: `Person ${at}`,
          title,
          has_email: email === 'verified',
          lacks_email: false,
          has_phone: phone,
        })),
      }
      return { name, tier: owner === 'me' ? 0 : 1, ...scoreActNow(input) }
    })
    .sort((a, b) => a.tier - b.tier || b.score - a.score)
  const place = queue.findIndex(({ name }) => name === first)
  return place < 0 ? queue.length : place
}

for (const file of ['tuned', 'kept']) {
  test(`the account that a sales lead would call first leads the queue (${file} mornings)`, (t) => {
    const mornings = morningsOf(file)
    const places = mornings.map(placeOfFirst)
    const within = (limit: number) => places.filter((place) => place < limit).length / mornings.length
    t.diagnostic(`first: ${within(1)}, in the first three: ${within(3)}`)
    for (const [at, { name, first }] of mornings.entries())
      if ((places[at] as number) > 0) t.diagnostic(`${name}: ${first} is number ${(places[at] as number) + 1}`)
    assert.ok(within(1) >= 0.85)
    assert.ok(within(3) >= 0.97)
  })
}

const nothing = { signals: new Set<string>(), departments: new Set<Department>() }
const event = {
  ...{ id: 'e', signal_id: 'funding', headline: 'Raises money', amount: 38e6, count: null, age_days: 1 },
  ...{ confidence: 0.95, department: null, earlier: 0, named: null },
}
const cro = {
  id: 'p',
  full_name: 'Ada Stone',
  title: 'Chief Revenue Officer',
  has_email: true,
  lacks_email: false,
  has_phone: false,
}
const cfo = {
  id: 'f',
  full_name: 'Bo Reed',
  title: 'Chief Financial Officer',
  has_email: true,
  lacks_email: false,
  has_phone: false,
}

test('the points of the reasons add up to the score', () => {
  const { score, factors } = scoreActNow({
    events: [event, { ...event, id: 'x' }],
    fit: 60,
    people: [],
    offering: nothing,
  })
  const sum = factors.reduce((total, { points }) => total + points, 0)
  assert.ok(Math.abs(sum - score) < 0.5, `${sum} is not ${score}`)
  assert.deepEqual(new Set(factors.map(({ name }) => name)), new Set(['event', 'fit', 'contact']))
})

test('a round of 38 million outweighs two appointments', () => {
  const appointment = { ...event, signal_id: 'leadership_change', amount: null, department: 'Finance' as const }
  const money = scoreActNow({ events: [event], fit: 70, people: [], offering: nothing })
  const two = scoreActNow({
    events: [appointment, { ...appointment, id: 'x' }],
    fit: 70,
    people: [],
    offering: nothing,
  })
  assert.ok(money.score > two.score)
})

test('the news of a new CRO goes to the CRO, or to nobody, but not to the CFO', () => {
  const news = {
    ...event,
    signal_id: 'leadership_change',
    amount: null,
    department: 'Sales' as const,
    named: { full_name: 'Ada Stone', title: 'Chief Revenue Officer' },
  }
  const offering = { signals: new Set<string>(), departments: new Set<Department>(['Sales', 'Finance']) }
  const of = (people: (typeof cro)[]) => scoreActNow({ events: [news], fit: 70, people, offering }).person_id
  assert.equal(of([cfo, cro]), 'p')
  assert.equal(of([cfo]), null)
})

test('signals and departments are read from the knowledge base', () => {
  const { signals, departments } = readOffering([
    { type: 'icp', content_md: 'Buyers: VP Sales, CFO\n\nThey buy after a funding round or a data breach.' },
    { type: 'product', content_md: 'We had layoffs once.' },
  ])
  assert.deepEqual([...signals], ['funding', 'security_incident'])
  assert.deepEqual([...departments].sort(), ['Finance', 'Sales'])
})

test('a round of funding is a message to finance, unless no email was found there', () => {
  const cto = { ...cro, id: 't', title: 'Chief Technology Officer' }
  const offering = { ...nothing, departments: new Set<Department>(['Finance', 'Engineering']) }
  const of = (people: (typeof cro)[]) => scoreActNow({ events: [event], fit: 70, people, offering }).person_id
  assert.equal(of([cto, { ...cfo, has_email: false }]), 'f')
  assert.equal(of([cto, { ...cfo, has_email: false, lacks_email: true }]), 't')
})

const plain = { amount: null, count: null, confidence: 0.95, earlier: 0, department: null, named: null }

test('a contact of a won deal who has moved outranks every other event, whatever the fit', () => {
  const offering = readOffering([])
  const best = scoreActNow({
    events: [{ ...plain, id: 'round', signal_id: 'funding', headline: 'Acme raises money', amount: 1e8, age_days: 0 }],
    ...{ fit: 90, people: [], offering },
  })
  const champion = {
    full_name: 'Ada Pike',
    company: 'Northwind',
    won_on: '2025-03-14',
    title: 'VP Sales',
    joined: null,
    is_former: false,
  }
  const move = { ...plain, id: 'move', signal_id: 'job_change', headline: 'Ada Pike has moved', age_days: 10, champion }
  const moved = scoreActNow({ events: [move], fit: 10, people: [], offering })
  assert.ok(moved.score > best.score, `${moved.score} ${best.score}`)
  const why = ({ factors }: typeof moved) => factors.find(({ name }) => name === 'champion')?.why
  assert.equal(why(moved), 'Ada Pike, your contact at Northwind (customer, won March 2025), is now VP Sales here')
  const elsewhere = { ...champion, won_on: null, title: null, joined: 'Halden' }
  assert.equal(
    why(scoreActNow({ events: [{ ...move, champion: elsewhere }], fit: null, people: [], offering })),
    'Ada Pike, your contact at Northwind (customer), works at Halden now',
  )
  const former = { ...champion, is_former: true }
  assert.match(
    why(scoreActNow({ events: [{ ...move, champion: former }], fit: null, people: [], offering })) ?? '',
    /Northwind \(won March 2025\), is/,
  )
  const sum = moved.factors.reduce((total, { points }) => total + points, 0)
  assert.ok(Math.abs(sum - moved.score) < 0.5, `${sum} ${moved.score}`)
  // News of the appointment has a draft; it leads where that is addressed to the contact.
  const named = { full_name: 'Ada Pike', title: 'VP Sales' }
  const news = {
    ...plain,
    id: 'news',
    signal_id: 'leadership_change',
    headline: 'Acme names a VP Sales',
    age_days: 10,
    named,
  }
  const leads = (full_name: string) =>
    scoreActNow({
      ...{ events: [move, { ...news, named: { ...named, full_name } }], fit: 10, people: [], offering },
    }).lead_id
  assert.deepEqual([leads('Ada Pike'), leads('Bo Berg')], ['news', 'move'])
})

test('the move of a contact never costs other events points, and leads only while it is fresh', () => {
  const offering = readOffering([])
  const round = { ...plain, id: 'round', signal_id: 'funding', headline: 'Acme raises money', amount: 1e8, age_days: 0 }
  const champion = {
    ...{ full_name: 'Ada Pike', company: 'Northwind', won_on: null, title: 'VP Sales', joined: null, is_former: false },
  }
  const after = (age_days: number) => {
    const move = { ...plain, id: 'move', signal_id: 'job_change', headline: 'Ada Pike has moved', age_days, champion }
    return scoreActNow({ events: [move, round], fit: 90, people: [], offering })
  }
  const { score } = scoreActNow({ events: [round], fit: 90, people: [], offering })
  for (const age of [5, 110, 130, 700]) assert.ok(after(age).score >= score, `${age}: ${after(age).score} < ${score}`)
  assert.deepEqual([after(110).lead_id, after(130).lead_id], ['move', 'round'])
  assert.ok(after(130).factors.every(({ name }) => name !== 'champion'))
})

test('a lost deal counts with news since then that changes the decision, an open deal with any news', () => {
  const lost = { kind: 'lost_deal' as const, on: '2025-06-02', reason: 'price', age_days: 500, open_deal: null }
  const news = (signal_id: string, more: object = {}) => ({
    ...{ ...plain, id: signal_id, signal_id, headline: signal_id, age_days: 3 },
    ...more,
  })
  const said = (event: ReturnType<typeof news>, relation: ActNowInput['relation'], personas = '') => {
    const offering = readOffering(personas ? [{ type: 'icp', content_md: personas }] : [])
    return scoreActNow({ events: [event], fit: 50, people: [], offering, relation: relation ?? null })
      .factors.filter(({ name }) => name === 'lost_deal' || name === 'open_deal')
      .map(({ why }) => why)
  }
  assert.deepEqual(said(news('funding'), lost), ['Lost on 2 June 2025 (price): now they have raised money'])
  assert.deepEqual(said(news('expansion'), { ...lost, reason: null }), ['Lost on 2 June 2025: now they are expanding'])
  const cfo = { department: 'Finance' as const, named: { full_name: 'Bo Ek', title: 'CFO' } }
  assert.deepEqual(said(news('leadership_change', cfo), lost), ['Lost on 2 June 2025 (price): now they have a new CFO'])
  assert.deepEqual(said(news('leadership_change', cfo), lost, 'Personas: Head of Logistics'), [], 'who does not buy')
  const departure = { department: 'Finance' as const, named: null }
  assert.deepEqual(said(news('leadership_change', departure), lost), [], 'a departure')
  assert.deepEqual(said(news('partnership'), lost), [])
  assert.deepEqual(said(news('funding'), { ...lost, on: null, age_days: null }), [
    'Lost earlier (price): now they have raised money',
  ])
  assert.deepEqual(said(news('funding', { age_days: 600 }), lost), [], 'older than the loss')
  assert.deepEqual(said(news('funding'), { ...lost, kind: 'none' }), [])
  const open_deal = { stage: 'Negotiation', closes_on: null }
  assert.deepEqual(said(news('layoffs'), { ...lost, kind: 'open_deal', open_deal }), ['Open deal: Negotiation'])
})
