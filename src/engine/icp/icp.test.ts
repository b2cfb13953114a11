import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { draftIcp } from './from-customers.ts'
import { explainIcpFit, type IcpCompany, type IcpVerdict, scoreIcpFit } from './index.ts'
import { parseIcp } from './read.ts'
import { findSizes } from './sizes.ts'

const icp = (content_md: string) => [{ type: 'icp', content_md }]

type Case = { half: 'tuning' | 'test'; icp: string; company: IcpCompany; verdict: IcpVerdict }
const CASES = readFileSync(new URL('../../../test/fixtures/qualification.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case)

// Rules are tuned on the other half only; failures of the test half are never inspected.
for (const [half, least] of [
  ['tuning', 1],
  ['test', 0.94],
] as const) {
  test(`qualification agrees with a salesperson on the ${half} half`, (t) => {
    const cases = CASES.filter((one) => one.half === half)
    const wrong = cases.flatMap((one) => {
      const fit = scoreIcpFit(icp(one.icp), one.company)
      return fit.verdict === one.verdict ? [] : [`${one.icp}\n${explainIcpFit(fit)}\nnot ${one.verdict}`]
    })
    const agreed = (cases.length - wrong.length) / cases.length
    t.diagnostic(`${half}: ${cases.length - wrong.length} of ${cases.length} agree, ${agreed.toFixed(3)}`)
    assert.ok(agreed >= least, wrong.join('\n\n'))
  })
}

test('sizes are found in many spellings, and other numbers are ignored', () => {
  const sizes: Record<string, [number | null, number | null] | null> = {
    'Manufacturers in Europe, 50-5,000': [50, 5000],
    '50 to 5000 employees': [50, 5000],
    'between 50 and 5.000 staff': [50, 5000],
    'Headcount: 50 – 5k': [50, 5000],
    '51-200 or 201-500 employees': [51, 500],
    'up to 200 people': [null, 200],
    'more than 1k': [1000, null],
    '1,000+ FTEs': [1000, null],
    'No companies with fewer than 50 employees': [50, null],
    'Avoid companies with 1-10 employees': [11, null],
    '200-2000 employees. We avoid firms with 1-50 employees': [200, 2000],
    'We do not serve companies with 50-200 employees': null,
    '50+ employees, ideally fewer than 800': [50, 800],
    'mid-market': [50, 2000],
    SMB: [null, 500],
    'SMB to mid-market': [null, 2000],
    'Enterprise (5,000+ people)': [5000, null],
    'Enterprise software vendors': null,
    'Revenue €10-50M, 20-30 stores, founded 2010-2020': null,
    'at least 3 plants': null,
  }
  for (const [text, size] of Object.entries(sizes)) {
    const read = parseIcp(text).size
    assert.deepEqual(read && [read.min, read.max], size, text)
  }
})

test('finding sizes ends quickly for any text', () => {
  const unending = ['1000 to 1000 or ', '1,111,111-', '1 k 1 thousand ', 'size : 1 to 1 k and ', 'under 1 k ']
  for (const part of unending) assert.deepEqual(findSizes(part.repeat(2_000), () => false).words, [])
})

test('industries, places and exclusions are distinguished from buyers, products and ordinary words', () => {
  const read = parseIcp(`We sell HR software to hotels and restaurants. Not for casinos.
## Where
Bavaria, New Jersey or the Nordics, except Iceland
## Buyers
Head of Finance at the bank
## Not a fit
- Agencies`)
  assert.deepEqual(
    [read.industries, read.excluded.industries],
    [
      ['hotels', 'restaurants'],
      ['gambling', 'marketing'],
    ],
  )
  assert.deepEqual(
    [read.places.map(({ name }) => name), read.excluded.places.map(({ name }) => name)],
    [['Bavaria', 'New Jersey', 'the Nordics'], ['Iceland']],
  )
})

test('fit compares size, industry and place with the ICP, and explains each', () => {
  const sections = icp(
    'We sell to **logistics** and retail firms in the Nordics with 200-1,000 employees. Never government.',
  )
  const fit = (firm: Parameters<typeof scoreIcpFit>[1]) => scoreIcpFit(sections, firm)
  assert.equal(fit({ employees: 400, industry: 'Logistics', country: 'SE' }).score, 100)
  assert.equal(fit({ employees: 9, industry: 'Government', country: 'US' }).score, 0)
  const near = fit({ employees: 170, industry: 'Freight and Trucking', country: 'Norway' })
  assert.ok(near.score > 70 && near.score < 100)
  assert.deepEqual(
    near.components.map(({ name }) => name),
    ['employees', 'industry', 'geography'],
  )
})

test('an excluded industry does not fit, any other does', () => {
  const sections = icp('Avoid gaming.')
  assert.equal(scoreIcpFit(sections, { industry: 'Online Gaming' }).score, 0)
  assert.equal(scoreIcpFit(sections, { industry: 'Forestry' }).score, 100)
})

test('unknown criteria count half, and an empty ICP scores 50', () => {
  assert.equal(scoreIcpFit(icp('Over 500 employees, SaaS, in Germany'), {}).score, 50)
  assert.equal(scoreIcpFit(icp('Nice people.'), { employees: 10 }).score, 50)
  assert.equal(scoreIcpFit([{ type: 'pricing', content_md: '200-1000 employees' }], { employees: 1 }).score, 50)
})

test('a profile drafted from customers names what they share, and is read as that again', () => {
  const customer = (at: number) => ({
    employees: [240, 320, 410, 900, 1_400, 1_800, 40_000][at % 7] ?? null,
    industry: ['Logistics', 'Logistics and Supply Chain', 'Manufacturing', 'Manufacturing', 'Forestry'][at % 5] ?? null,
    country: at === 0 ? null : at % 4 === 0 ? 'Austria' : 'Germany',
    technologies: at % 2 ? ['Zendesk', 'Zendesk'] : ['SAP'],
  })
  const ten = Array.from({ length: 10 }, (_, at) => customer(at))
  const { content_md, industries, sizes } = draftIcp(ten)
  assert.equal(
    content_md,
    '- Company size: 200 to 2,000 employees\n- Industries: Logistics, Manufacturing, Forestry\n- Countries: Germany, Austria\n- Tech stack: SAP, Zendesk',
  )
  assert.deepEqual(industries[0], { name: 'Logistics', count: 4 })
  assert.equal(
    sizes.reduce((sum, { count }) => sum + count, 0),
    10,
  )
  const icp = parseIcp(content_md ?? '')
  assert.deepEqual(icp.size, { min: 200, max: 2_000 })
  assert.deepEqual(
    icp.places.map(({ name }) => name),
    ['Germany', 'Austria'],
  )
  assert.equal(icp.industries.length, 3)
  assert.equal(draftIcp(ten.slice(0, 4)).content_md, null)
  assert.equal(
    draftIcp(ten.map(() => ({ employees: null, industry: null, country: null, technologies: [] }))).content_md,
    null,
  )
})
