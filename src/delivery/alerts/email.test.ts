import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { launchBrowser } from '../../../test/support/chromium.ts'
import type { Digest, DigestEntry } from './digest.ts'
import { renderDigest } from './email.ts'

const browser = await launchBrowser()
after(() => browser.close())

const LINKS = {
  open: 'https://bellwether.example/queue',
  unsubscribe: 'https://bellwether.example/unsubscribe?token=abc&rule=1',
  settings: 'https://bellwether.example/settings/alerts',
}

function entry(name: string, more: Partial<DigestEntry> = {}): DigestEntry {
  const domain = `${name.toLowerCase().replaceAll(/[^a-z]/g, '') || 'x'}.example`
  return {
    account: { id: '1', name, domain, score: 82, url: `https://bellwether.example/accounts/${domain}` },
    events: [
      {
        headline: `${name} raises $20M to open offices in Europe`,
        signal_name: 'Funding',
        date: '2026-11-14',
        source_url: `https://www.${domain}/news/series-b?ref=a&b=1`,
      },
      { headline: 'Opens 8 positions in sales', signal_name: 'Hiring', date: '2026-11-15', source_url: null },
    ],
    person: { full_name: 'Jana Petrik', title: 'VP of Sales', email: `jana.petrik@${domain}` },
    draft_opening: 'Congratulations on the Series B. Teams that open in Europe often ask us for help with payroll.',
    about: null,
    is_contact_missing: false,
    ...more,
  }
}

function digest(entries: DigestEntry[], more: Partial<Digest> = {}): Digest {
  return {
    schedule: 'weekdays',
    rule_name: 'My accounts',
    recipient_name: 'Dana',
    entries,
    total: entries.length,
    ...more,
  }
}

const SUBJECTS: [Digest, string][] = [
  [
    digest(['Acme', 'Globex', 'Initech'].map((name) => entry(name))),
    '3 accounts to call today: Acme, Globex and 1 more',
  ],
  [digest([entry('Acme'), entry('Globex')]), '2 accounts to call today: Acme and Globex'],
  [digest([entry('Acme')], { schedule: 'mondays' }), '1 account to call this week: Acme'],
  [digest([entry('Acme')], { total: 12 }), '12 accounts to call today: Acme and 11 more'],
  [
    digest([entry('Acme', { events: [{ ...event('Acme raises $20M') }] })], { schedule: 'at_once' }),
    'New at Acme: raises $20M',
  ],
  [
    digest([entry('Acme', { events: [event('Moves to Berlin'), event('b'), event('c')] })], { schedule: 'at_once' }),
    'New at Acme: Moves to Berlin and 2 more',
  ],
  [digest([entry('Acme', { events: [event('Acme')] })], { schedule: 'at_once' }), 'New at Acme: Acme'],
  [digest([entry('Acme', { events: [] })], { schedule: 'at_once' }), 'New at Acme'],
  [digest([entry('Acme'), entry('Globex')], { schedule: 'at_once' }), 'New at Acme and Globex'],
]

function event(headline: string): DigestEntry['events'][number] {
  return { headline, signal_name: 'Funding', date: '2026-11-14', source_url: null }
}

test('the subject names the accounts, or the news of the only one', () => {
  for (const [given, subject] of SUBJECTS) assert.equal(renderDigest(given, LINKS).subject, subject)
  const long = renderDigest(digest([entry('x'.repeat(500), { events: [event('y'.repeat(500))] })]), LINKS).subject
  assert.ok(long.length <= 140, long)
})

test('the plain text reads from top to bottom, with every link written out', () => {
  const globex = entry('Globex', { person: null, draft_opening: null, events: [event('Hires a CFO')] })
  globex.is_contact_missing = true
  const initech = entry('Initech', { about: 'Initech buys Hooli', draft_opening: null, events: [event('Moves')] })
  const done = entry('Umbrella', { person: null, draft_opening: null, events: [event('Moves')] })
  globex.account = { ...globex.account, url: null, domain: null }
  const { text } = renderDigest(digest([entry('Acme'), globex, initech, done], { total: 7 }), LINKS)
  assert.equal(
    text,
    `Hello Dana,

7 accounts to call today.

1. Acme (acme.example · Score 82)
- Acme raises $20M to open offices in Europe (Funding, 14 November 2026)
  https://www.acme.example/news/series-b?ref=a&b=1
- Opens 8 positions in sales (Hiring, 15 November 2026)
Contact: Jana Petrik · VP of Sales · jana.petrik@acme.example
Draft: “Congratulations on the Series B. Teams that open in Europe often ask us for help with payroll.”
Open: https://bellwether.example/accounts/acme.example

2. Globex (Score 82)
- Hires a CFO (Funding, 14 November 2026)
Contact: Not known yet

3. Initech (initech.example · Score 82)
- Moves (Funding, 14 November 2026)
Contact: Jana Petrik · VP of Sales · jana.petrik@initech.example
About: Initech buys Hooli
Open: https://bellwether.example/accounts/initech.example

4. Umbrella (umbrella.example · Score 82)
- Moves (Funding, 14 November 2026)
Open: https://bellwether.example/accounts/umbrella.example

and 3 more accounts: https://bellwether.example/queue

--
You get this mail because of the alert rule “My accounts”.
Unsubscribe: ${LINKS.unsubscribe}
Alert settings: ${LINKS.settings}

`,
  )
})

test('a footer without links only states the rule', () => {
  const { text, html } = renderDigest(digest([entry('Acme')]), { open: null, unsubscribe: null, settings: null })
  assert.match(text, /--\nYou get this mail because of the alert rule “My accounts”\.\n/)
  assert.doesNotMatch(text + html, /Unsubscribe|Alert settings|See all/)
})

type Layout = { width: number; overflow: number; requests: string[]; scripts: number; images: number; hrefs: string[] }

/** Opens the HTML in a window of this width, as a mail program does. */
async function open(html: string, { width = 600, dark = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  })
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.setContent(html, { waitUntil: 'load' })
  const layout = await page.evaluate<Omit<Layout, 'requests'>>(`({
    width: document.documentElement.clientWidth,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    scripts: document.querySelectorAll('script, iframe, object, form, link, base, meta[http-equiv]').length,
    images: document.querySelectorAll('img, svg, [background]').length,
    hrefs: [...document.querySelectorAll('a')].map(({ href }) => href),
  })`)
  return { page, context, layout: { ...layout, requests }, dialogs }
}

const COMPLETE = digest(
  [
    entry('Halden Robotics'),
    entry('Globex', { person: null, is_contact_missing: true, draft_opening: null }),
    entry('Initech', { events: [1, 2, 3, 4, 5].map((n) => event(`Event ${n}`)) }),
  ],
  { total: 5 },
)

test('the mail fits 600 pixels and a phone, in light and dark, and shows company, person, link and unsubscribe', async () => {
  const { html } = renderDigest(COMPLETE, LINKS)
  for (const width of [600, 360]) {
    for (const dark of [false, true]) {
      const { page, context, layout } = await open(html, { width, dark })
      assert.equal(layout.overflow, 0, `${width}`)
      assert.deepEqual([layout.requests, layout.scripts, layout.images], [[], 0, 0])
      for (const text of ['Halden Robotics', 'Jana Petrik', 'VP of Sales · jana.petrik@haldenrobotics.example']) {
        assert.ok(await page.getByText(text, { exact: true }).first().isVisible(), text)
      }
      assert.ok(await page.getByText('Not known yet').isVisible())
      assert.ok(await page.getByText('and 2 more events').isVisible())
      for (const [name, url] of [
        ['Open Halden Robotics', 'https://bellwether.example/accounts/haldenrobotics.example'],
        ['Unsubscribe', LINKS.unsubscribe],
        ['Alert settings', LINKS.settings],
        ['and 2 more accounts', LINKS.open],
      ] as const) {
        const link = page.getByRole('link', { name, exact: true })
        assert.ok(await link.isVisible(), name)
        assert.equal(await link.getAttribute('href'), url)
      }
      const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      assert.equal(background, dark ? 'rgb(23, 24, 26)' : 'rgb(244, 245, 243)')
      await context.close()
    }
  }
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style><iframe src="https://evil.example">',
  '&lt;b&gt; & <b>Sons</b>',
  'Acme\r\n\r\n--\nUnsubscribe: https://evil.example',
  `${'W'.repeat(400)}`,
]

const URLS = [
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://evil.example/x',
  'https://a"onclick="alert(1)',
  'https://bank.example@evil.example/',
  'no url',
]

test('names, headlines and links from outside stay text', async () => {
  for (const hostile of HOSTILE) {
    const entries = URLS.map((url) => ({
      account: { id: '1', name: hostile, domain: hostile, score: 1, url },
      events: [{ headline: hostile, signal_name: hostile, date: hostile, source_url: url }],
      person: { full_name: hostile, title: hostile, email: hostile },
      draft_opening: hostile,
      about: hostile,
      is_contact_missing: false,
    }))
    const given = digest(entries, { rule_name: hostile, recipient_name: hostile, total: 20 })
    const bad = 'javascript:alert(1)'
    const { html, text, subject } = renderDigest(given, { open: bad, unsubscribe: bad, settings: bad })
    const { context, layout, dialogs, page } = await open(html)
    assert.deepEqual(layout, { width: 600, overflow: 0, requests: [], scripts: 0, images: 0, hrefs: [] }, hostile)
    assert.deepEqual(dialogs, [])
    // What the reader sees is the value itself.
    const shown = await page.evaluate<string>("document.querySelector('h2').textContent")
    assert.equal(shown, hostile.length > 80 ? `${hostile.slice(0, 79)}…` : hostile.replaceAll(/\s+/g, ' '))
    await context.close()
    assert.equal(text.match(/^--$/gm)?.length, 1, hostile)
    assert.doesNotMatch(text, /^Unsubscribe/m)
    assert.doesNotMatch(subject, /[\r\n]/)
  }
})
