import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Classifier } from '../classifier/index.ts'
import { compileCustomSignal } from './custom-signal.ts'
import { type DetectedSignal, type DetectOptions, detect } from './index.ts'

const classifier = new Classifier({ threads: 2 })
after(() => classifier.close())

type Case = { company: string; title?: string; text: string; domain?: string }

type Options = Omit<DetectOptions, 'classifier'>

async function find({ company, title, text, domain }: Case, options?: Options): Promise<DetectedSignal[]> {
  const input = {
    id: 'x',
    company: { name: company, domain },
    title,
    text,
    url: 'https://wire.example/1',
    published_at: '2025-06-10',
  }
  const [result] = await detect([input], { classifier, ...options })
  return result?.detections ?? []
}

const signals = async (example: Case, options?: Options) => (await find(example, options)).map((d) => d.signal_id)

const EVENTS: [string, Case][] = [
  [
    'funding',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics Raises $12 Million',
      text: 'LYON, June 10, 2025 -- Orlova Robotics, a maker of warehouse robots, today announced a $12 million Series A round led by Birch Ventures.',
    },
  ],
  [
    'acquisition',
    {
      company: 'Globex',
      title: 'Globex Acquires Tessera',
      text: 'Globex announced that it has acquired Tessera, a maker of scales, for $40 million.',
    },
  ],
  [
    'leadership_change',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics Names Jane Doe CFO',
      text: 'Orlova Robotics has appointed Jane Doe as chief financial officer, effective July 1.',
    },
  ],
  [
    'hiring',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics to Create 300 Jobs in Austin',
      text: 'Orlova Robotics plans to hire 300 engineers over the next year, creating new jobs in Austin.',
    },
  ],
  [
    'product_launch',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics Launches PickBot 3',
      text: 'Orlova Robotics today launched PickBot 3, a new robot platform for small warehouses.',
    },
  ],
  [
    'expansion',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics Opens Munich Office',
      text: 'Orlova Robotics opened a new office in Munich on Tuesday, its first location in Germany.',
    },
  ],
  [
    'partnership',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics Partners With Globex',
      text: 'Orlova Robotics and Globex today announced a strategic partnership.',
    },
  ],
  [
    'layoffs',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics to Cut 200 Jobs',
      text: 'Orlova Robotics will lay off 200 employees, about 12% of its workforce, the company said.',
    },
  ],
  [
    'ipo',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics Files for IPO',
      text: 'Orlova Robotics has filed for an initial public offering on the Nasdaq under the symbol ORL.',
    },
  ],
  [
    'customer_win',
    {
      company: 'Orlova Robotics',
      title: 'Tessera Foods Selects Orlova Robotics',
      text: 'Tessera Foods has selected Orlova Robotics to automate its warehouses with the PickBot platform.',
    },
  ],
  [
    'security_incident',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics Hit by Ransomware Attack',
      text: 'Orlova Robotics disclosed that hackers stole customer records in a ransomware attack last week.',
    },
  ],
]

for (const [signal, example] of EVENTS) {
  test(`${signal} is found, and first among the findings`, async () =>
    assert.equal((await signals(example))[0], signal))
}

test("a customer's event is not attributed to the vendor", async () => {
  const text = 'LYON, June 10, 2025 -- Orlova, a customer of Globex, raised $10 million in Series A funding.'
  assert.deepEqual(await signals({ company: 'Globex', title: 'Orlova Raises $10 Million', text }), [])
})

test('an investor is not credited with the round it leads', async () => {
  const text =
    'Orlova Robotics today announced a $12 million Series A round led by Umbrella Ventures, with participation from Birch Capital.'
  const title = 'Orlova Robotics Raises $12 Million'
  assert.deepEqual(await signals({ company: 'Umbrella Ventures', title, text }), [])
  assert.deepEqual(await signals({ company: 'Birch Capital', title, text }), [])
})

test('the claim distinguishes acquirer and acquired', async () => {
  const title = 'Globex Acquires Tessera'
  const text = 'Globex announced that it has acquired Tessera, a maker of scales, for $40 million.'
  const [globex] = await find({ company: 'Globex', title, text })
  const [tessera] = await find({ company: 'Tessera', title, text })
  assert.equal(globex?.role, 'acquirer')
  assert.match(globex?.claim ?? '', /^Globex acquires Tessera/)
  assert.equal(tessera?.role, 'acquired')
  assert.match(tessera?.claim ?? '', /^Tessera is acquired/)
})

test('the passive voice reverses the sides', async () => {
  const text = 'Tessera, a maker of scales, has been acquired by Globex for $40 million, the companies announced today.'
  const [tessera] = await find({ company: 'Tessera', title: 'Tessera Acquired by Globex', text })
  assert.equal(tessera?.role, 'acquired')
})

const NO_EVENTS: [string, Case][] = [
  [
    'a rumour',
    {
      company: 'Globex',
      title: 'Globex Said to Weigh Tessera Bid',
      text: 'Globex is reportedly in talks to acquire Tessera, according to people familiar with the matter.',
    },
  ],
  [
    'a denial',
    {
      company: 'Globex',
      title: 'Globex Denies Layoff Report',
      text: 'Globex denied that it plans to lay off staff. "We are not cutting jobs," the company said.',
    },
  ],
  [
    'an anniversary',
    {
      company: 'Globex',
      title: 'Globex Celebrates Ten Years With Tessera',
      text: 'Globex is celebrating the tenth anniversary of its acquisition of Tessera in 2015.',
    },
  ],
  [
    'the About block',
    {
      company: 'Globex',
      title: 'Globex Publishes Annual Report',
      text: 'Globex published its annual report.\n\nAbout Globex\nGlobex was founded in 2003. It raised $50 million in Series C funding and acquired Tessera.',
    },
  ],
  [
    'a forward-looking statement',
    {
      company: 'Globex',
      title: 'Globex Reports Results',
      text: 'Globex reported its results for the quarter.\n\nForward-Looking Statements\nGlobex may acquire companies, launch products and raise $10 million in funding.',
    },
  ],
  [
    'the name of a fund',
    {
      company: 'Globex',
      title: 'Fund Notes',
      text: 'Globex Growth Fund returned 4% in the quarter. Globex Growth Fund invests in technology shares.',
    },
  ],
  [
    'stock market talk',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics Shares Rise',
      text: 'Shares of Orlova Robotics rose 4% in heavy trading as analysts raised their price target.',
    },
  ],
  [
    'an award',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics Wins Best Workplace Award',
      text: 'Orlova Robotics was honored as one of the best workplaces of the year.',
    },
  ],
  [
    'a namesake',
    {
      company: 'Hugo Technologies',
      title: 'Hugo Birch Acquires Sportswear Maker',
      text: 'Hugo Birch AG has acquired a maker of sportswear. Hugo Birch said the deal closed in May.',
    },
  ],
  [
    'another language',
    {
      company: 'Orlova Robotics',
      title: 'Orlova Robotics recauda 12 millones',
      text: 'Orlova Robotics anunció que ha cerrado una ronda de inversión de 12 millones para abrir una oficina en la ciudad y contratar a más personas.',
    },
  ],
]

for (const [what, example] of NO_EVENTS) {
  test(`${what} is no event`, async () => assert.deepEqual(await signals(example), []))
}

test('an event outside the window is ignored', async () => {
  const example = {
    company: 'Orlova Robotics',
    title: 'Orlova Robotics Opens Munich Office',
    text: 'Orlova Robotics opened a new office in Munich on May 2, 2025, its first location in Germany.',
  }
  assert.deepEqual(await signals(example, { today: '2025-06-10', windowDays: 90 }), ['expansion'])
  assert.deepEqual(await signals(example, { today: '2025-06-10', windowDays: 30 }), [])
  assert.deepEqual(await signals(example, { today: '2026-06-10', windowDays: 90 }), [])
})

test('a finding has its sentence, span, date and URL', async () => {
  const text =
    'LYON, June 10, 2025 -- Much happened.\n\nOrlova Robotics has appointed Jane Doe as chief financial officer, effective July 1.'
  const [found] = await find({ company: 'Orlova Robotics', title: 'Orlova Robotics Names Jane Doe CFO', text })
  const field = found?.span.field === 'title' ? 'Orlova Robotics Names Jane Doe CFO' : text
  assert.equal(field.slice(found?.span.start, found?.span.end), found?.sentence)
  assert.equal(found?.published_date, '2025-06-10')
  assert.equal(found?.source_url, 'https://wire.example/1')
  assert.ok(found && found.confidence > 0 && found.confidence < 1)
})

test('custom signals are found together with the built-in ones', async () => {
  const customSignals = [compileCustomSignal('iso', 'The company achieves ISO 27001 certification')]
  const example = {
    company: 'Orlova Robotics',
    title: 'Orlova Robotics Certified',
    text: 'Orlova Robotics has obtained certification to ISO 27001 for its cloud.',
  }
  assert.deepEqual(await signals(example, { customSignals }), ['iso'])
  assert.deepEqual(await signals(example), [])
})

test('"it" and "the company" refer to the company the document is about', async () => {
  const text =
    'LYON, June 10, 2025 -- Orlova Robotics reported its results for the quarter.\n\nThe company also raised $12 million in Series A funding in June, it said.'
  const example = { company: 'Orlova Robotics', title: 'Orlova Robotics Raises $12 Million', text }
  assert.equal((await signals(example))[0], 'funding')
})

test('a headline alone, or one sentence without a headline, is enough', async () => {
  const signalsIn = (company: string, title: string, text = '') => signals({ company, title, text })
  assert.deepEqual(await signalsIn('Globex', 'Globex acquires Tessera'), ['acquisition'])
  assert.deepEqual(await signalsIn('Orlova Robotics', 'Orlova Robotics opens new office in Singapore'), ['expansion'])
  assert.deepEqual(await signalsIn('Globex', 'Orlova Robotics partners with Globex'), ['partnership'])
  assert.deepEqual(await signalsIn('Orlova Robotics', 'Orlova Robotics to cut 300 jobs'), ['layoffs'])
  assert.deepEqual(await signalsIn('Orlova Robotics', '', 'Orlova Robotics has raised $12 million in a seed round.'), [
    'funding',
  ])
  assert.deepEqual(await signalsIn('Orlova Robotics', 'Orlova Robotics to present at investor conference'), [])
  assert.deepEqual(await signalsIn('Globex', 'Orlova Robotics, a Globex customer, raises $25 million'), [])
})
