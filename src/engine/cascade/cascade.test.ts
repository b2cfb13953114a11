import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCascade, matchCascade } from './index.ts'

/** The tier number each title falls into, 0 for none. */
function tiersOf(query: string, people: Record<string, number>): void {
  const cascade = compileCascade(query)
  for (const [title, tier] of Object.entries(people)) {
    assert.equal(matchCascade(cascade, { title })?.tier ?? 0, tier, `${title} for "${query}"`)
  }
}

test('a role and whoever does it are ideal, the step beside is adjacent, the top is the fallback', () => {
  tiersOf('VP of Sales or whoever runs revenue at mid-size SaaS, no assistants', {
    'VP of Sales': 1,
    'Vice President, Sales': 1,
    'Chief Revenue Officer': 1,
    'Head of Revenue': 1,
    'Regional Sales Manager': 2,
    CEO: 3,
    'VP Marketing': 3,
    'Executive Assistant to the VP Sales': 0,
    'Sales Assistant': 0,
    'Software Engineer': 0,
  })
})

test('the request says what the companies are like, and that is no job', () => {
  const { company, tiers } = compileCascade(
    'procurement managers at manufacturing companies with 200-1,000 employees'.replace(',', ''),
  )
  assert.deepEqual(company, { industries: ['manufacturing'], employees_min: 200, employees_max: 1000 })
  assert.deepEqual(tiers[0]?.titles, ['Procurement Manager'])
  assert.deepEqual(tiers[0]?.job_levels, ['Manager'])
})

test('a second choice in the request comes before what the compiler would add', () => {
  tiersOf('Head of IT, otherwise the CIO', { 'Head of IT': 1, CIO: 2, 'IT Manager': 3, 'Chief Technology Officer': 3 })
  tiersOf('VP Engineering, then Director of Engineering, then CTO', {
    'SVP Engineering': 1,
    'Director, Software Engineering': 2,
    CTO: 3,
    CEO: 0,
  })
})

test('a field narrower than its department keeps its own people first', () => {
  tiersOf('someone in charge of demand generation', {
    'Director, Demand Generation': 1,
    'Director of Events': 2,
    'VP Marketing': 2,
    'VP Sales': 3,
  })
})

test('"or above" takes every level from there upwards, and funding stages are no part of a title', () => {
  tiersOf('marketing managers or above at Series B startups', {
    'Marketing Manager': 1,
    'VP Marketing': 1,
    CMO: 1,
    Copywriter: 0,
  })
})

test('people who do something are looked for in what they do', () => {
  tiersOf('people who manage cloud infrastructure', { 'Cloud Engineer': 1, 'HR Manager': 0 })
  tiersOf('CISO, or if there is none the Head of IT', { CISO: 1, 'Head of IT': 2 })
})

test('two people joined by "and" are two roles, a double title is one', () => {
  tiersOf('CTOs and CISOs', { CTO: 1, CISO: 1, 'VP Security': 2 })
  assert.equal(compileCascade('Sales and Marketing Director').tiers[0]?.titles[0], 'Sales and Marketing Director')
})

test('places restrict, exclusions refuse, and an unknown country is let through', () => {
  const cascade = compileCascade('HR leaders in EMEA but not in Germany, no recruiters')
  const at = (country_code: string | null, title = 'VP People') =>
    matchCascade(cascade, { title, country_code })?.tier ?? 0
  assert.deepEqual(cascade.geographies, ['EMEA'])
  assert.equal(at('SE'), 1)
  assert.equal(at('se'), 1)
  assert.equal(at('DE'), 0)
  assert.equal(at('US'), 0)
  assert.equal(at(null), 1)
  assert.equal(at('SE', 'Director and Senior Recruiter'), 0)
})

test('"us" is a place only when it is written as one', () => {
  assert.deepEqual(compileCascade('finance directors in the US').country_codes, ['US'])
  assert.deepEqual(compileCascade('anyone who can help us with finance').country_codes, [])
})

test('an excluded level leaves no tier that asks for it', () => {
  const { tiers } = compileCascade('Customer success managers, excluding directors')
  assert.ok(tiers.length >= 2)
  assert.ok(tiers.every(({ job_levels }) => !job_levels.includes('Director')))
  assert.deepEqual(
    tiers.map(({ tier }) => tier),
    tiers.map((_, i) => i + 1),
  )
})

test('matching refuses an excluded level also in a cascade that somebody else compiled', () => {
  const cascade = compileCascade('sales managers')
  assert.equal(matchCascade(cascade, { title: 'Sales Manager' })?.tier, 1)
  cascade.exclude.job_levels.push('Manager')
  assert.equal(matchCascade(cascade, { title: 'Sales Manager' }), null)
})

test('anybody of the top is asked for by level alone', () => {
  tiersOf('C-level executives', { 'Chief Legal Officer': 1, Founder: 1, 'VP Legal': 2, 'Legal Counsel': 0 })
})

test('an empty or hostile request compiles to something harmless', () => {
  assert.deepEqual(compileCascade('').tiers, [])
  for (const query of [
    ','.repeat(1_000_000),
    'no '.repeat(300_000),
    'or '.repeat(300_000),
    'a'.repeat(5_000_000),
    '((((((((',
  ])
    assert.ok(compileCascade(query).tiers.length <= 3, query.slice(0, 10))
})
