// Sentences in the style of press releases and headlines: datelines, tickers, appositions, descriptions before names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertClaims, describe } from '../../../test/support/claims.ts'

test('datelines, tickers and appositions do not prevent a match', () => {
  assertClaims('partnership', [
    [
      'Orvane',
      'OSLO, NORWAY, March 06, 2025 /Wire-Release/ -- Orvane, a maker of pumps, valves, and seals, announces its collaboration with Tidewell.',
      'Orvane partners with Tidewell',
      { partners: ['Tidewell'], date: null },
    ],
    [
      'Orvane',
      'Orvane Inc. (NASDAQ: ORVN) (“Orvane”), a leader in pumps, has entered into a strategic partnership with Tidewell, one of the largest yards in Poland.',
      'Orvane partners with Tidewell',
    ],
    [
      'Orvane',
      'MarketBriefs – Orvane, Inc. (OTC: ORVN) Signs MOU With Tidewell to Build Pumps',
      'Orvane partners with Tidewell',
    ],
    [
      'Orvane',
      'Tidewell Group (TWG)*, the yard operator, is thrilled to announce a new strategic partnership with Orvane.',
      'Orvane partners with Tidewell Group',
    ],
    ['Orvane', 'Tidewell Partners with Orvane, the World’s First Pump Exchange', 'Orvane partners with Tidewell'],
    ['Orvane', 'Orvane, Tidewell Join Forces to Clean Rivers', 'Orvane partners with Tidewell'],
    ['Orvane', 'Orvane and Tidewell Labs Forge Alliance', 'Orvane partners with Tidewell Labs'],
    ['Orvane', 'Orvane has terminated its agreement with Tidewell.', 'Orvane enters a partnership', { partners: [] }],
    [
      'Orvane',
      'Orvane announced that its subsidiary Pumpex has signed an agreement with Tidewell.',
      'Orvane enters a partnership',
    ],
    ['Orvane', 'We’re excited to partner with Orvane.”', 'Orvane enters a partnership', { partners: [] }],
    ['Orvane', 'Orvane Partners with B&amp;A', 'Orvane enters a partnership', { partners: [] }],
    ['Orvane', 'Orvane Partners with Acclaimed Pianist Anton Weel', 'Orvane enters a partnership'],
  ])
})

test('the description before a name is not part of it', () => {
  assertClaims(
    'acquisition',
    [
      ['Orvane', 'Orvane Acquires Ohio-Based PEO, Lakeside Services', 'Orvane makes an acquisition', { partners: [] }],
      ['Orvane', 'Orvane Announces Acquisition of Trucking Company to Fuel Growth', 'Orvane makes an acquisition'],
      [
        'Orvane',
        'Orvane has agreed to acquire a UK-based fuel distributor for £50 million.',
        'Orvane agrees to acquire a UK-based fuel distributor for £50 million',
        { amount: '£50 million' },
      ],
      [
        'Orvane',
        'Orvane today announced its acquisition of Hartford, Conn.-based Lakeside Pumps, a family firm.',
        'Orvane acquires Lakeside Pumps',
      ],
      ['Orvane', 'Orvane Acquires Document Generation Leader Lakeside', 'Orvane acquires Lakeside'],
      ['Orvane', 'Orvane Signs LOI to Acquire Lakeside Pumps', 'Orvane plans to acquire Lakeside Pumps'],
      [
        'Orvane',
        'The company acquired Lakeside Pumps for approximately $600,000 in cash.',
        'Orvane acquires Lakeside Pumps for $600,000',
        { amount: '$600,000' },
      ],
      [
        'Orvane',
        'Orvane bought Lakeside®, a U.S. Food and Drug Administration approved valve.',
        'Orvane acquires Lakeside',
        { partners: ['Lakeside'] },
      ],
    ],
    'acquirer',
  )
  assertClaims(
    'acquisition',
    [
      ['Lakeside', 'Brenner’s acquisition of Lakeside proved to be a pivotal move.', 'Lakeside is acquired by Brenner'],
      [
        'Lakeside',
        'Brenner Inks $5 Million Deal To Buy Sorting Company Lakeside',
        'Lakeside is to be acquired by Brenner',
        { partners: ['Brenner'] },
      ],
      [
        'Lakeside',
        'Brenner to buy Lakeside for between $1.16 and $1.24 per share.',
        'Lakeside is to be acquired by Brenner',
        { amount: null },
      ],
      ['Lakeside', 'Brenner Strategically Acquires Lakeside', 'Lakeside is acquired by Brenner'],
      [
        'Lakeside',
        'Brenner Worldwide, PBC (Brenner) announces the purchase of Lakeside.',
        'Lakeside is acquired by Brenner Worldwide, PBC',
      ],
      ['Lakeside', 'Brenner Group purchased Lakeside, an old pump works.', 'Lakeside is acquired by Brenner Group'],
      ['Lakeside', 'Talent Startup Brenner acquires the platform Lakeside.', 'Lakeside is acquired by Brenner'],
      ['Lakeside', 'Brenner completed the purchase of two Lakeside plants.', 'Lakeside is acquired'],
    ],
    'acquired',
  )
})

test('without a role the sentence decides who buys', () => {
  assertClaims('acquisition', [
    ['Lakeside', 'Brenner Acquires Lakeside', 'Lakeside is acquired by Brenner'],
    ['Brenner', 'Brenner Acquires Lakeside', 'Brenner acquires Lakeside'],
    ['Brenner', 'Brenner Announces Merger With Lakeside', 'Brenner merges with Lakeside'],
  ])
})

test('investors and sums of a round', () => {
  assertClaims('funding', [
    [
      'Veylo',
      'Veylo, based in Ghent, closed a $5 million Series A funding round led by Stamford, Conn.-based Hilding Capital and other investors.',
      'Veylo raises $5 million in Series A led by Hilding Capital',
      { partners: ['Hilding Capital'] },
    ],
    [
      'Veylo',
      'Veylo Secures $66 Million in Private Placement from Institutional and Accredited Investors',
      'Veylo raises $66 Million',
      { partners: [] },
    ],
    [
      'Veylo',
      'Veylo raised $10 million in a round co-led by Rill Ventures and a debt facility from Sandbank Trust.',
      'Veylo raises $10 million led by Rill Ventures',
    ],
    ['Veylo', 'With $35M in Series B funding, Veylo is growing its team.', 'Veylo raises $35M in Series B'],
    [
      'Veylo',
      'Rill Ventures invested up to $15 million in Veylo.',
      'Veylo raises up to $15 million from Rill Ventures',
    ],
    [
      'Veylo',
      'Veylo secures $335 million credit facility from Blue Elk Capital.',
      'Veylo secures $335 million from Blue Elk Capital',
    ],
    [
      'Veylo',
      'Veylo Secures $18 Million in Strategic Investment from Crypto Category Leaders',
      'Veylo raises $18 Million',
      { partners: [] },
    ],
    [
      'Veylo',
      'This brings the total to over $12M, following a $2.7 million seed round in 2022.',
      'Veylo raised capital',
    ],
    ['Veylo', 'Veylo Prices $4 Million Public Offering', 'Veylo prices an offering of $4 Million'],
    [
      'Veylo',
      'Veylo announces that it enters a market expected to top $160 billion by 2030.',
      'Veylo raised capital',
      { amount: null },
    ],
    ['Veylo', 'Veylo raised CHF6.2M at a valuation of $40 million.', 'Veylo raises CHF6.2M', { amount: 'CHF6.2M' }],
  ])
})

test('job titles are claimed in full or not at all', () => {
  assertClaims('leadership_change', [
    ['Orvane', 'Orvane Names Ines Okafor VP Maintenance', 'Orvane appoints Ines Okafor', { position: null }],
    [
      'Orvane',
      'Orvane announced the appointment of Ines Okafor, Ph.D., as Chief Executive Officer and member of its Board of Directors.',
      'Orvane names Ines Okafor Chief Executive Officer',
    ],
    [
      'Orvane',
      'Ines Okafor, a former Navy Seal, has been named CEO, replacing the founder.',
      'Orvane names Ines Okafor CEO',
      { people: ['Ines Okafor'] },
    ],
    [
      'Orvane',
      'Ines Okafor has been appointed the company’s new Chief Technology Officer.',
      'Orvane names Ines Okafor Chief Technology Officer',
    ],
    [
      'Orvane',
      'Orvane Appoints Veteran Pinboard And Globex Leader Jon Weel As Chief Revenue Officer',
      'Orvane names Jon Weel Chief Revenue Officer',
    ],
    [
      'Orvane',
      'Orvane Appoints Two Veteran Tech Leaders to its Board of Directors',
      'Orvane changes its leadership',
      { people: [] },
    ],
    ['Orvane', 'Orvane Appoints Former Pear App Store Head Ines Okafor as Advisor', 'Orvane names Ines Okafor Advisor'],
    ['Orvane', 'Former CFO Ines Okafor left Globex in 2010.', 'Orvane changes its leadership'],
    ['Orvane', 'On Tuesday Globex CFO Ines Okafor resigned to advise Orvane.', 'Orvane changes its leadership'],
    ['Orvane', 'Ines Okafor has been appointed Company Secretary.', 'Orvane changes its leadership'],
    [
      'Orvane',
      'Orvane Taps Ines Okafor and Marc Weel to Lead Sales Efforts',
      'Orvane appoints Ines Okafor',
      { position: null },
    ],
    [
      'Orvane',
      'Orvane Appoints Ines Okafor as Chief AI and Growth Officer to Lead Expansion',
      'Orvane names Ines Okafor Chief AI and Growth Officer',
    ],
    [
      'Orvane',
      '“We welcome her,” said Marc Weel, Chairman of Orvane.',
      'Orvane changes its leadership',
      { people: ['Marc Weel'], position: 'Chairman' },
    ],
  ])
})

test('customers, sites, products and listings in press releases', () => {
  assertClaims('customer_win', [
    ['Orvane', 'City-Owned Utility Selects Orvane’s Budget-Friendly Pumps', 'Orvane wins a customer', { partners: [] }],
    ['Orvane', 'Orvane Wins Major Contract With London Transport Operator', 'Orvane wins a contract', { partners: [] }],
    [
      'Orvane',
      'The National Institute of Water has awarded Orvane a task order.',
      'Orvane wins an order from the National Institute of Water',
    ],
    [
      'Orvane',
      'Orvane today won a contract from The Home Depot to supply its depots.',
      'Orvane wins a contract from The Home Depot',
    ],
    [
      'Orvane',
      'Orvane has secured a contract valued at $37.9 million.',
      'Orvane wins a contract',
      { amount: '$37.9 million' },
    ],
  ])
  assertClaims('expansion', [
    [
      'Orvane',
      'Orvane opened new stores in Alabama, Alaska, and Indiana.',
      'Orvane opens stores in Alabama',
      { places: ['Alabama', 'Alaska', 'Indiana'] },
    ],
    [
      'Orvane',
      'Orvane has announced the grand opening of its newest office in Monterrey, Mexico.',
      'Orvane opens an office in Monterrey, Mexico',
    ],
    [
      'Orvane',
      'Orvane Expands Fiber Footprint to Greece, NY',
      'Orvane expands to Greece, NY',
      { places: ['Greece, NY'] },
    ],
    ['Orvane', 'Orvane Expands Into Lucrative Oil And Gas Industry', 'Orvane expands', { places: [] }],
    ['Orvane', 'Orvane announced its expansion into the Chicago restaurant market.', 'Orvane expands into Chicago'],
    ['Orvane', 'Orvane Opens in North Charlotte', 'Orvane opens in North Charlotte'],
    ['Orvane', 'Orvane Opens Data Center in La Marque, Texas', 'Orvane opens a data center in La Marque, Texas'],
  ])
  assertClaims('product_launch', [
    [
      'Orvane',
      'Orvane Introduces Updated High Density, Low Power Platform',
      'Orvane launches a product',
      { product: null },
    ],
    ['Orvane', 'Orvane Launches Game #55', 'Orvane launches a game', { product: null }],
    [
      'Orvane',
      'Orvane will unveil a Naughty and Nice Hot Chocolate Bar.',
      'Orvane plans to launch a Naughty and Nice Hot Chocolate Bar',
      { product: null },
    ],
    [
      'Orvane',
      'Orvane Launches Globally Leading Privacy Feature',
      'Orvane launches Globally Leading Privacy Feature',
      { product: null },
    ],
    [
      'Orvane',
      'Orvane announced the upcoming launch of PumpSense.',
      'Orvane plans to launch PumpSense',
      { product: 'PumpSense' },
    ],
    ['Orvane', 'Orvane announced the launch of its new 3G Countertop Filter.', 'Orvane launches 3G Countertop Filter'],
  ])
  assertClaims('ipo', [
    ['Orvane', 'The shares are expected to begin trading on Nasdaq after closing.', 'Orvane is to list on Nasdaq'],
    ['Orvane', 'Orvane debuts on AIM with big plans', 'Orvane lists on AIM'],
  ])
  assertClaims('technology_adoption', [
    [
      'Orvane',
      'Tidewell announced today that Orvane, a pump maker, has adopted the AquaSightⓇ1 Image System.',
      'Orvane adopts the AquaSightⓇ1 Image System',
    ],
    ['Orvane', 'Orvane has selected Tidewell as a strategic IT partner.', 'Orvane chooses Tidewell'],
  ])
  assertClaims('security_incident', [
    ['Orvane', 'Hackers hijacked cookies of users, who also use Orvane.', 'Orvane had a security incident'],
  ])
})

test('denied events are not claimed', () => {
  assertClaims('layoffs', [
    ['Orvane', 'Orvane will not cut 120 jobs.', 'Orvane cuts jobs', { amount: null }],
    ['Orvane', 'Orvane won’t lay off 40 workers this year.', 'Orvane cuts jobs'],
  ])
  assertClaims('security_incident', [
    ['Orvane', 'Orvane denies that a data breach took place.', 'Orvane had a security incident'],
  ])
  assertClaims(
    'acquisition',
    [['Orvane', 'Orvane may acquire Lakeside Pumps.', 'Orvane makes an acquisition', { partners: [] }]],
    'acquirer',
  )
})

test('a partnership needs a partner, and a customer a name or a contract', () => {
  const holds = (signal: 'partnership' | 'customer_win', sentence: string, expected: boolean) =>
    assert.equal(describe(signal, 'Orvane', sentence).isWhole, expected, sentence)
  for (const sentence of [
    'AUSTIN, Texas, October 3, 2026 -- Orvane today launched Negotiate, a shared workspace in which both parties to a contract can mark it up.',
    'Pump maker Orvane has launched Negotiate, which lets both parties to a contract edit one document together.',
  ])
    holds('partnership', sentence, false)
  for (const sentence of [
    'Orvane is among the first in a new alliance for clean water.',
    'A training academy with Metropol was planned for autumn.',
    'Orvane Deepens Its Ties',
  ])
    holds('partnership', sentence, true)
  for (const sentence of [
    'The company delivered its two-hundredth pump in September 2026 and expects to double its output.',
    'In June, Orvane delivered its two-hundredth pump.',
  ])
    holds('customer_win', sentence, false)
  for (const sentence of [
    'The contract is for three years and 4 million meals.',
    'The first eight pumps arrived in Windhoek yesterday.',
    'Some 700,000 electronic labels from Orvane now hang on the shelves of 52 stores.',
    'Two weeks ago we put Orvane in its place.',
    'Mintlify has used Orvane internally since launch.',
  ])
    holds('customer_win', sentence, true)
})
