import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildIndustryFilter, industryKeys, matchesIndustry } from './industries.ts'

test('an industry is known by the names that people and directories give it', () => {
  for (const [text, keys] of Object.entries({
    'Computer Software': ['software'],
    'Software Development': ['software'],
    'B2B SaaS companies': ['saas'],
    'Hospital & Health Care': ['hospitals'],
    'hospitals and health care': ['hospitals'],
    'Information Technology & Services': ['technology'],
    'automotive industry': ['automotive'],
    FinTech: ['fintech'],
    'E-Commerce': ['ecommerce'],
    'Oil & Gas': ['oil_gas'],
    Maschinenbau: ['machinery'],
    'Banking, Insurance': ['banking', 'insurance'],
    'Banking and Insurance': ['banking', 'insurance'],
    'European logistics software': ['logistics_tech'],
    'Warehouse software': ['software'],
    'Candle making': [],
    '': [],
  })) {
    assert.deepEqual(industryKeys(text), keys, text)
  }
})

test('an industry includes its descendants and can have several parents', () => {
  const fits = (asked: string, industry: string | null) => matchesIndustry(buildIndustryFilter([asked]), industry)
  assert.ok(fits('Software', 'SaaS'))
  assert.ok(fits('Software', 'FinTech'))
  assert.ok(fits('Financial Services', 'FinTech'))
  assert.ok(fits('Technology', 'Cyber Security'))
  assert.ok(!fits('SaaS', 'Software'), 'the wider one does not fit the narrower')
  assert.ok(!fits('Software', 'Logistics'))
  assert.ok(!fits('Software', null), 'unknown fits nothing')
})

test('an industry outside the taxonomy is compared literally, ignoring case', () => {
  const filter = buildIndustryFilter(['Candle Making'])
  assert.deepEqual(filter, { keys: [], words: ['candle making'] })
  assert.ok(matchesIndustry(filter, 'candle making'))
  assert.ok(!matchesIndustry(filter, 'candles'))
})
