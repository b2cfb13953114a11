import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertClaims, describe } from '../../../test/support/claims.ts'
import { describeEvent } from './index.ts'

test('an acquirer is claimed with what it buys', () => {
  assertClaims(
    'acquisition',
    [
      ['Tessera', 'Tessera acquires Nolan Optics.', 'Tessera acquires Nolan Optics', { partners: ['Nolan Optics'] }],
      [
        'Tessera',
        'Tessera, a maker of lenses based in Jena, has acquired the Danish startup Lysning for €1.2bn.',
        'Tessera acquires Lysning for €1.2bn',
        { amount: '€1.2bn', partners: ['Lysning'] },
      ],
      [
        'Tessera',
        'Tessera Acquires Cloud Security Provider Nolan to Strengthen Its Platform',
        'Tessera acquires Nolan',
        { partners: ['Nolan'] },
      ],
      ['Tessera', 'Tessera Completes Acquisition of Nolan Optics', 'Tessera acquires Nolan Optics'],
      ['Tessera', 'Tessera Acquires Leading Software Company', 'Tessera makes an acquisition'],
      [
        'Tessera',
        'Tessera agreed on Monday to buy Żabka Polska in a deal worth $3 billion.',
        'Tessera agrees to acquire Żabka Polska for $3 billion',
        { amount: '$3 billion', date: 'on Monday', partners: ['Żabka Polska'] },
      ],
      ['Tessera', 'Tessera’s acquisition of Nolan, Inc. closed in June 2025.', 'Tessera acquires Nolan, Inc.'],
      [
        'Tessera',
        'Tessera buys three former Nolan plants in Ohio.',
        'Tessera acquires three former Nolan plants',
        { places: ['Ohio'] },
      ],
      [
        'Tessera',
        'Tessera takes a majority stake in Nolan Optics',
        'Tessera takes a stake in Nolan Optics',
        { partners: ['Nolan Optics'] },
      ],
      ['Tessera', 'We have acquired Nolan, and could not be happier.', 'Tessera acquires Nolan'],
      ['Tessera', 'The company also said that Globex has acquired Nolan.', 'Tessera makes an acquisition', {}],
      [
        'Tessera',
        'Analysts do not expect Tessera to acquire anybody soon.',
        'Tessera makes an acquisition',
        { partners: [] },
      ],
    ],
    'acquirer',
  )
})

test('an acquired company is claimed with its buyer', () => {
  assertClaims(
    'acquisition',
    [
      [
        'Nolan Optics',
        'Nolan Optics has been acquired by Tessera, the lens maker.',
        'Nolan Optics is acquired by Tessera',
        { partners: ['Tessera'] },
      ],
      ['Nolan', 'Tessera to Acquire Nolan for $40M', 'Nolan is to be acquired by Tessera for $40M', { amount: '$40M' }],
      [
        'Nolan',
        'Tessera Holdings, based in Jena, said it had bought Nolan in March 2024.',
        'Nolan is acquired by Tessera Holdings',
        { date: 'March 2024', partners: ['Tessera Holdings'] },
      ],
      ['Nolan', 'The acquisition of Nolan by Tessera was completed today.', 'Nolan is acquired by Tessera'],
      ['Nolan', 'Nolan was sold to Tessera last year.', 'Nolan is acquired by Tessera', { date: 'last year' }],
    ],
    'acquired',
  )
})

test('the other sides of a deal', () => {
  assertClaims(
    'acquisition',
    [
      [
        'Globex',
        'Globex sells its drone unit to Tessera for NOK 32m.',
        'Globex sells its drone unit to Tessera for NOK 32m',
      ],
    ],
    'seller',
  )
  assertClaims(
    'acquisition',
    [
      ['Globex', 'Globex and Tessera announced plans to merge.', 'Globex is to merge with Tessera'],
      ['Globex', 'Globex Merges With Tessera', 'Globex merges with Tessera', { partners: ['Tessera'] }],
      ['Globex', 'The merger was approved by shareholders.', 'Globex merges', { partners: [] }],
    ],
    'merging',
  )
})

test('a round is claimed with its sum, its kind and its lead investor', () => {
  assertClaims('funding', [
    [
      'Hark',
      'Hark raises $20 million in Series B led by Sable Ventures.',
      'Hark raises $20 million in Series B led by Sable Ventures',
      { amount: '$20 million', partners: ['Sable Ventures'] },
    ],
    [
      'Hark',
      'Hark, which makes hearing aids, has raised €4.5m in a seed round led by Sable Ventures and Oak & Sons, bringing its total to €9m.',
      'Hark raises €4.5m in a seed round led by Sable Ventures',
      { amount: '€4.5m', partners: ['Sable Ventures', 'Oak & Sons'] },
    ],
    [
      'Hark',
      'Hark Secures $12.5 Million Series A to Bring Better Hearing to All',
      'Hark raises $12.5 Million in Series A',
    ],
    [
      'Hark',
      'The round of 30 million euros was led by Sable Ventures.',
      'Hark raises 30 million euros led by Sable Ventures',
      { partners: ['Sable Ventures'] },
    ],
    ['Hark', 'Hark closed a $7M funding round in May 2025.', 'Hark raises $7M', { amount: '$7M', date: 'May 2025' }],
    ['Hark', 'The company raised a nine-figure sum from investors.', 'Hark raised capital', { amount: null }],
    ['Hark', 'It raised SEK 150 million from Norrsken Fonden.', 'Hark raises SEK 150 million from Norrsken Fonden'],
    [
      'Hark',
      'Hark was awarded a $2 million grant from the Ministry of Health.',
      'Hark receives a grant of $2 million from the Ministry of Health',
    ],
    [
      'Hark',
      'Hark has secured up to $50 million in debt financing.',
      'Hark secures up to $50 million in debt financing',
    ],
    [
      'Hark',
      'Sable Ventures, with $5 billion in assets under management, led the round.',
      'Hark raises capital from Sable Ventures',
      { amount: null },
    ],
    [
      'Hark',
      'The $300 billion hearing market is growing, and we have fresh capital.',
      'Hark raised capital',
      { amount: null },
    ],
  ])
})

test('a new executive is claimed with the position', () => {
  assertClaims('leadership_change', [
    ['Acme', 'Acme names Jane Doe CFO.', 'Acme names Jane Doe CFO', { people: ['Jane Doe'], position: 'CFO' }],
    [
      'Acme',
      'Acme has appointed Zoë van der Berg as its new Chief Financial Officer, effective June 30.',
      'Acme names Zoë van der Berg Chief Financial Officer',
      { people: ['Zoë van der Berg'], position: 'Chief Financial Officer', date: 'June 30' },
    ],
    [
      'Acme',
      'Acme Names Jane Doe Vice President of Business Development, Robotics',
      'Acme names Jane Doe Vice President of Business Development',
    ],
    [
      'Acme',
      'Jane Doe joins Acme as head of sales from Globex.',
      'Acme names Jane Doe head of sales',
      { position: 'head of sales' },
    ],
    ['Acme', 'Łukasz Żak Promoted to Chief Client Officer at Acme', 'Acme names Łukasz Żak Chief Client Officer'],
    [
      'Acme',
      'Acme Appoints Jane Doe to Board of Directors',
      'Acme names Jane Doe to its board',
      { position: 'Board of Directors' },
    ],
    [
      'Acme',
      'Acme announced the appointment of Dr. Jane Doe as chief executive officer.',
      'Acme names Jane Doe chief executive officer',
      { people: ['Jane Doe'] },
    ],
    [
      'Acme',
      'Acme hires former Globex executive Jane Doe as CTO',
      'Acme names Jane Doe CTO',
      { people: ['Jane Doe'], position: 'CTO' },
    ],
    ['Acme', 'Acme Appoints New CEO', 'Acme names a new CEO', { people: [], position: 'CEO' }],
    // The person who appoints is not the appointee.
    ['Acme', 'CEO Jane Doe of Acme named a new CFO.', 'Acme changes its leadership'],
    ['Acme', 'Jane Doe, CEO of Acme, has appointed a new CFO.', 'Acme changes its leadership'],
    ['Acme', 'Acme CEO Jane Doe named a new CFO.', 'Acme names a new CFO'],
    ['Acme', 'Acme CFO Jane Doe named CEO', 'Acme names Jane Doe CEO'],
    ['Acme', 'Acme CFO Jane Doe was named the new CEO.', 'Acme names Jane Doe CEO'],
    ['Acme', 'Jane Doe was named chief executive of Acme in May.', 'Acme names Jane Doe chief executive'],
    ['Acme', 'Jane Doe succeeds John Roe as CEO of Acme.', 'Acme names Jane Doe CEO'],
    ['Acme', 'Jane Doe was appointed CFO of Globex, a customer of Acme.', 'Acme changes its leadership'],
    [
      'Acme',
      'The new leadership team will guide us through the next phase.',
      'Acme changes its leadership',
      { people: [] },
    ],
  ])
})

test('a departing executive is claimed with the position', () => {
  assertClaims('leadership_change', [
    ['Acme', 'Acme CFO Jane Doe resigns', 'Acme loses its CFO Jane Doe', { people: ['Jane Doe'], position: 'CFO' }],
    [
      'Acme',
      'Acme today announced that its Chief Executive Officer, Jane Doe, will be stepping down from her role.',
      'Acme loses its Chief Executive Officer Jane Doe',
    ],
    ['Acme', 'Jane Doe steps down as chief executive of Acme.', 'Acme loses its chief executive Jane Doe'],
    ['Acme', 'Acme’s head of sales, Jane Doe, has left the company.', 'Acme loses its head of sales Jane Doe'],
    ['Acme', 'Jane Doe is leaving.', 'Acme changes its leadership'],
  ])
})

test('new jobs are claimed with their number', () => {
  assertClaims('hiring', [
    // The company's origin is not the location of the jobs.
    ['Acme', 'Acme, which went public in London in 2019, is hiring 300 engineers.', 'Acme is hiring 300 engineers'],
    ['Acme', 'Acme, based in London, is creating 300 jobs in Berlin.', 'Acme creates 300 jobs in Berlin'],
    [
      'Acme',
      'Acme is hiring 40 engineers in Porto.',
      'Acme is hiring 40 engineers in Porto',
      { amount: '40', places: ['Porto'] },
    ],
    [
      'Acme',
      'Acme plans to hire approximately 50 new employees next year.',
      'Acme is hiring 50 new employees',
      { amount: '50', date: 'next year' },
    ],
    [
      'Acme',
      'The plant will create 1,700 jobs in Ohio.',
      'Acme plans to create 1,700 jobs in Ohio',
      { amount: '1,700', places: ['Ohio'] },
    ],
    ['Acme', 'Acme to Add 200 New Jobs', 'Acme plans to create 200 New Jobs'],
    ['Acme', 'Acme has 12 open positions.', 'Acme has 12 open positions', { amount: '12' }],
    ['Acme', 'We are growing, so come and talk to us!', 'Acme is hiring', { amount: null }],
    ['Acme', 'Acme served 40 engineers lunch in 2024.', 'Acme is hiring', { amount: null }],
  ])
})

test('a launch is claimed with the name of the product', () => {
  assertClaims('product_launch', [
    ['Acme', 'Acme launches Acme Cloud 3.', 'Acme launches Acme Cloud 3', { product: 'Acme Cloud 3' }],
    [
      'Acme',
      'Acme today unveiled Zephyr, a new note-taking app.',
      'Acme launches Zephyr',
      { product: 'Zephyr', date: 'today' },
    ],
    ['Acme', 'Acme Launches New AI-Powered Platform for Dentists', 'Acme launches a platform', { product: null }],
    ['Acme', 'Acme Unveils Zephyr Pro to Help Teams Work Together', 'Acme launches Zephyr Pro'],
    ['Acme', 'Acme has introduced its new Zephyr X2 drone.', 'Acme launches Zephyr X2 drone', { product: 'Zephyr X2' }],
    [
      'Acme',
      'Acme announced the launch of Zephyr Notes in Brazil.',
      'Acme launches Zephyr Notes',
      { places: ['Brazil'] },
    ],
    ['Acme', 'It will release Zephyr 4.0 next month.', 'Acme plans to launch Zephyr 4.0', { date: 'next month' }],
    ['Acme', 'The new tool saves hours of work.', 'Acme launches a product', { product: null }],
    ['Acme', 'Globex launched Quill yesterday, says Acme.', 'Acme launches a product'],
  ])
})

test('an expansion is claimed with the site and the place', () => {
  assertClaims('expansion', [
    ['Acme', 'Acme opens a plant in Gdańsk.', 'Acme opens a plant in Gdańsk', { places: ['Gdańsk'] }],
    [
      'Acme',
      'Acme Opens New Headquarters in Austin, Texas',
      'Acme opens a headquarters in Austin, Texas',
      { places: ['Austin, Texas'] },
    ],
    [
      'Acme',
      'Acme has opened its second European office in Lisbon, Portugal.',
      'Acme opens an office in Lisbon, Portugal',
    ],
    ['Acme', 'Acme expands into Brazil and Chile.', 'Acme expands into Brazil', { places: ['Brazil', 'Chile'] }],
    ['Acme', 'Acme Expands to Southeast Asia', 'Acme expands to Southeast Asia'],
    [
      'Acme',
      'Acme announced its expansion into the United Kingdom.',
      'Acme expands into the United Kingdom',
      { places: ['United Kingdom'] },
    ],
    [
      'Acme',
      'The company will open three stores in Ohio this year.',
      'Acme plans to open stores in Ohio',
      { date: 'this year' },
    ],
    ['Acme', 'Acme breaks ground on a new factory in São Paulo', 'Acme builds a factory in São Paulo'],
    ['Acme', 'Acme Expands Its Reach With New Offerings', 'Acme expands', { places: [] }],
    ['Acme', 'We are excited to keep growing in January.', 'Acme expands', { places: [] }],
    ['Acme', 'Globex opens an office in Berlin next to Acme.', 'Acme expands'],
  ])
})

test('a partnership is claimed with the partner', () => {
  assertClaims('partnership', [
    ['Acme', 'Acme partners with Globex.', 'Acme partners with Globex', { partners: ['Globex'] }],
    ['Acme', 'Acme and Globex today announced a strategic partnership.', 'Acme partners with Globex'],
    ['Acme', 'Globex & Acme team up to recycle batteries', 'Acme partners with Globex'],
    [
      'Acme',
      'Globex, a bank from Oslo, has partnered with Acme.',
      'Acme partners with Globex',
      { partners: ['Globex'] },
    ],
    ['Acme', 'Acme Joins Forces with Globex to Elevate Dog Grooming Nationwide', 'Acme partners with Globex'],
    [
      'Acme',
      'Acme signed a memorandum of understanding with the University of Łódź.',
      'Acme partners with the University of Łódź',
      { partners: ['University of Łódź'] },
    ],
    ['Acme', 'A partnership between Globex and Acme brings cheaper power.', 'Acme partners with Globex'],
    ['Acme', 'Acme Partners With Leading Banks', 'Acme enters a partnership', { partners: [] }],
    [
      'Acme',
      'Acme has teamed up with logistics company Globex, Initech and Umbra Labs.',
      'Acme partners with Globex',
      { partners: ['Globex', 'Initech', 'Umbra Labs'] },
    ],
    ['Acme', 'Together they will serve the whole region.', 'Acme enters a partnership', { partners: [] }],
    ['Acme', 'Acme partners with Acme Foundation staff.', 'Acme enters a partnership', { partners: [] }],
  ])
})

test('job cuts are claimed with their number', () => {
  assertClaims('layoffs', [
    ['Acme', 'Acme cuts 120 jobs.', 'Acme cuts 120 jobs', { amount: '120' }],
    [
      'Acme',
      'Acme is laying off 15% of its workforce in Dublin.',
      'Acme cuts 15% of its workforce',
      { amount: '15%', places: ['Dublin'] },
    ],
    ['Acme', 'About 1,200 employees will lose their jobs.', 'Acme cuts 1,200 jobs', { amount: '1,200' }],
    ['Acme', 'Acme to Lay Off 300 Workers', 'Acme plans to cut 300 jobs', { amount: '300' }],
    ['Acme', 'Measures include eliminating nearly 40 staff positions.', 'Acme cuts 40 jobs', { amount: '40' }],
    ['Acme', 'Acme will close its plant in Genk.', 'Acme plans to close a plant in Genk', { places: ['Genk'] }],
    ['Acme', 'Acme is restructuring.', 'Acme cuts jobs', { amount: null }],
  ])
})

test('a listing is claimed with the exchange', () => {
  assertClaims('ipo', [
    ['Acme', 'Acme files to list on Nasdaq.', 'Acme files to list on Nasdaq'],
    ['Acme', 'Acme has filed for an initial public offering.', 'Acme files for an IPO'],
    [
      'Acme',
      'Acme went public on the New York Stock Exchange in February 2024, raising $8 million.',
      'Acme lists on the New York Stock Exchange',
      { amount: '$8 million', date: 'February 2024' },
    ],
    ['Acme', 'Acme Prices $250 Million IPO', 'Acme prices its IPO', { amount: '$250 Million' }],
    [
      'Acme',
      'Its shares began trading on Euronext Paris on Tuesday.',
      'Acme lists on Euronext Paris',
      { date: 'on Tuesday' },
    ],
    ['Acme', 'The proceeds are meant for research.', 'Acme goes public', { amount: null }],
  ])
})

test('a customer is claimed by name', () => {
  assertClaims('customer_win', [
    [
      'Acme',
      'Acme wins a contract from the City of Lyon.',
      'Acme wins a contract from the City of Lyon',
      { partners: ['City of Lyon'] },
    ],
    ['Acme', 'Globex Selects Acme for Its Payroll', 'Acme wins Globex as a customer', { partners: ['Globex'] }],
    [
      'Acme',
      'Globex has awarded Acme a $4 million contract.',
      'Acme wins a contract from Globex',
      { amount: '$4 million' },
    ],
    [
      'Acme',
      'Acme was selected by the Ministry of Justice to run its courts.',
      'Acme wins the Ministry of Justice as a customer',
    ],
    ['Acme', 'Acme Receives Follow-On Order from Globex', 'Acme wins an order from Globex'],
    [
      'Acme',
      'Acme Awarded $99M Contract to Support Hospitals',
      'Acme wins a contract worth $99M',
      { amount: '$99M', partners: [] },
    ],
    ['Acme', 'The customer remains unnamed.', 'Acme wins a customer', { partners: [] }],
  ])
})

test('a technology is claimed by name', () => {
  assertClaims('technology_adoption', [
    ['Acme', 'Acme adopts Workday.', 'Acme adopts Workday', { partners: ['Workday'] }],
    ['Acme', 'Acme has migrated to Snowflake from its own servers.', 'Acme adopts Snowflake'],
    ['Acme', 'Acme Selects Globex Cloud to Modernize Billing', 'Acme chooses Globex Cloud'],
    ['Acme', 'Workday chosen by Acme', 'Acme chooses Workday'],
    ['Acme', 'Acme goes live on SAP S/4HANA', 'Acme adopts SAP S/4HANA'],
    ['Acme', 'It now runs in the cloud.', 'Acme adopts a technology', { partners: [] }],
  ])
})

test('an incident is claimed by its kind', () => {
  assertClaims('security_incident', [
    ['Acme', 'Acme was hit by a ransomware attack on Friday.', 'Acme was hit by ransomware', { date: 'on Friday' }],
    ['Acme', 'Acme confirms data breach', 'Acme had a data breach'],
    ['Acme', 'A cyberattack took down the systems of Acme.', 'Acme was hit by a cyberattack'],
    ['Acme', 'Customers of Acme received letters.', 'Acme had a security incident'],
    ['Acme', 'Acme says it was not ransomware.', 'Acme had a security incident'],
  ])
})

test('a claim is never truncated and never repeats the sentence', () => {
  const long = 'Globex Consolidated International Holdings and Investment Partnership of Greater Manchester'
  const { claim } = describe('partnership', 'Acme', `Acme partners with ${long} ${long}.`)
  assert.ok(claim.length <= 120, claim)
  assert.equal(claim.endsWith('…'), false)
})

test('any input is processed within a time limit', () => {
  const nasty = [
    '',
    ' ',
    '.',
    '((((((((((',
    `Acme ${'acquires '.repeat(2000)}`,
    'Acme '.repeat(2500),
    `Acme raises ${'$1'.repeat(5000)}`,
    `Acme partners with ${'Globex and '.repeat(1000)}`,
    'a'.repeat(10_000),
    '('.repeat(10_000),
    '1,'.repeat(5000),
    '\u{1F600}'.repeat(3000),
    `\uD800 Acme \uDC00 acquires \u0000 Globex`,
    `Acme names ${'Jane '.repeat(2000)}`,
  ]
  for (const sentence of nasty) {
    for (const signal of [
      'acquisition',
      'funding',
      'leadership_change',
      'partnership',
      'expansion',
      'hiring',
    ] as const) {
      const started = process.threadCpuUsage()
      const { claim } = describe(signal, 'Acme', sentence)
      // CPU time instead of elapsed time: other processes may run at the same time.
      const { user, system } = process.threadCpuUsage(started)
      assert.ok(claim.startsWith('Acme ') && claim.length <= 120, claim)
      assert.ok((user + system) / 1000 < 250, `${signal}: ${sentence.slice(0, 40)}`)
    }
  }
})

test('a company is never its own partner, even where a mention was missed', () => {
  const sentence = 'Acme, a bank, announced that Acme partners with Acme and Globex.'
  const { details } = describeEvent({
    signal: 'partnership',
    company: 'Acme',
    sentence,
    mentions: [{ start: 0, end: 4 }],
  })
  assert.equal(
    details.partners.some(({ text }) => text.includes('Acme')),
    false,
  )
})

test('mentions outside the sentence are ignored', () => {
  const event = {
    signal: 'funding',
    company: 'Hark',
    sentence: 'Hark raises $2m.',
    mentions: [{ start: -4, end: 900 }],
  } as const
  assert.ok(describeEvent(event).claim.startsWith('Hark '))
})

test('a sentence that does not state who buys gives no role', () => {
  const sentence = 'The deal gives our shareholders a premium of 40 percent.'
  assertClaims('acquisition', [['Nolan', sentence, 'Nolan is part of an acquisition or merger', { partners: [] }]])
})
