import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  HELD_BACK_FRAGMENTS,
  PHONE_FRAGMENTS,
  type PhoneFragment,
  phonePage,
} from '../../../test/support/phone-fragments.ts'
import { parseSerializedList } from '../json/parse-list.ts'
import { serializeList } from '../json/serialized-list.ts'
import { buildRoster } from '../roster/index.ts'
import { mergePeoplePages } from '../roster/people-pages.ts'
import { readFormerTitle, readWebPage } from './index.ts'

const url = 'https://www.oakvane.example/about'
const read = (html: string) => readWebPage({ url, html })

test('the text is the article without menu, footer and banners', () => {
  const { title, text } = read(`<html><head><title>Oakvane &amp; Partners opens in Leeds</title></head><body>
    <nav><a href="/">Home</a></nav><div class="cookie-banner">We use cookies</div><header>Oakvane</header>
    <article><h1>Oakvane opens in Leeds</h1><p>The firm opened an office in Leeds today, its third in the north of England.</p><ul><li>Forty seats</li></ul>
    <script>track()</script><div class="share-buttons">Tweet</div></article><footer>© Oakvane</footer></body></html>`)
  assert.equal(title, 'Oakvane & Partners opens in Leeds')
  assert.equal(
    text,
    'Oakvane opens in Leeds\nThe firm opened an office in Leeds today, its third in the north of England.\nForty seats',
  )
})

test('a publication date is read from metadata, time elements, the dateline or the URL, in this order', () => {
  assert.equal(
    read(
      '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2026-03-02T23:00:00-08:00"}</script>',
    ).published?.date,
    '2026-03-02',
  )
  assert.equal(
    read('<meta property="article:published_time" content="2026-04-01"><time datetime="2020-01-01">x</time>').published
      ?.date,
    '2026-04-01',
  )
  assert.equal(read('<article><time datetime="2026-05-06">May 6</time></article>').published?.date, '2026-05-06')
  assert.equal(read('<p>LEEDS, England, 9 June 2026 – Oakvane said</p>').published?.date, '2026-06-09')
  assert.equal(read('<p>Sept. 3rd, 2026 (Wire)</p>').published?.date, '2026-09-03')
  assert.equal(readWebPage({ url: 'https://a.example/2026/02/17/x', html: '<p>x</p>' }).published?.date, '2026-02-17')
  for (const html of ['<p>Founded in 1998</p>', '<meta name="date" content="soon">', '<p>31 February 2026</p>'])
    assert.equal(read(html).published, null)
})

test('the organisation is read from JSON-LD even when its commas are wrong', () => {
  const { organization } =
    read(`<script type="application/ld+json">{"@context":"https://schema.org","@type":"Corporation","name":"Oakvane","url":"/",
    "numberOfEmployees":"250+","address":{"addressLocality":"Leeds","addressCountry":"GB",},"sameAs":["https://www.linkedin.com/company/oakvane"],}</script>`)
  assert.equal(organization?.name, 'Oakvane')
  assert.equal(organization?.url, 'https://www.oakvane.example/')
  assert.equal(organization?.employees, 250)
  assert.equal(organization?.country, 'GB')
  assert.equal(organization?.network_url, 'https://www.linkedin.com/company/oakvane')
  assert.equal(read('<p>No such thing</p>').organization, null)
})

test('links on the own site are sorted by their text or their path', () => {
  const { links } = read(`<head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head>
    <a href="/company/careers">Work here</a><a href="/x1">Newsroom</a><a href="/leadership/">Our people</a><a href="/pricing#top">Pricing</a>
    <a href="/o/direction">Route</a><a href="/products/entreprise">Larger</a><a href="/qui-sommes-nous">Us</a>
    <a href="https://elsewhere.example/team">Team</a><a href="/express-delivery">Express delivery</a><a href="javascript:alert(1)">Careers</a>`)
  assert.deepEqual(links.careers, ['https://www.oakvane.example/company/careers'])
  assert.deepEqual(links.press, ['https://www.oakvane.example/x1'])
  assert.deepEqual(links.team, ['https://www.oakvane.example/leadership/'])
  assert.deepEqual(links.about, ['https://www.oakvane.example/qui-sommes-nous'])
  assert.deepEqual(links.pricing, ['https://www.oakvane.example/pricing'])
  assert.deepEqual(links.feeds, ['https://www.oakvane.example/feed.xml'])
})

test('article links in the content are found once each, with the title of their card', () => {
  const { articles } = read(`<nav><a href="/news/in-the-menu">In the menu of the site</a></nav>
    <main><article><a href="/news/leeds"><img></a><h2>Oakvane opens in Leeds</h2><a href="/news/leeds#more">Read more</a></article>
    <a href="/blog/2026/05/how-we-work.html">How we work together</a><a href="/oakvane-named-best-insurer-of-the-year">Oakvane named best insurer</a>
    <a href="/news/page/2">Older</a><a href="/blog/tag/claims">Claims and more claims</a><a href="/news/report.pdf">The annual report</a><a href="/news">All of our news</a>
    <a href="/products/travel-cover">Travel cover for everyone</a><a href="https://elsewhere.example/news/oakvane">Elsewhere on Oakvane</a></main>`)
  assert.deepEqual(
    articles.map(({ url, title }) => `${new URL(url).pathname} ${title}`),
    [
      '/news/leeds Oakvane opens in Leeds',
      '/blog/2026/05/how-we-work.html How we work together',
      '/oakvane-named-best-insurer-of-the-year Oakvane named best insurer',
    ],
  )
})

test('linked and embedded job boards are found once each, with vendor and token', () => {
  const boards = (html: string) => read(html).links.job_boards.map(({ vendor, token }) => `${vendor} ${token}`)
  const forms: Record<string, string> = {
    '<a href="https://boards.greenhouse.io/oakvane/jobs/1">': 'greenhouse oakvane',
    '<script src="https://boards.greenhouse.io/embed/job_board/js?for=oakvane2"></script>': 'greenhouse oakvane2',
    '<a href="https://jobs.lever.co/oakvane/abc">': 'lever oakvane',
    '<iframe src="https://jobs.ashbyhq.com/oakvane?embed=js"></iframe>': 'ashby oakvane',
    '<a href="https://careers.smartrecruiters.com/Oakvane1">': 'smartrecruiters Oakvane1',
    '<a href="https://apply.workable.com/oakvane/">': 'workable oakvane',
    '<a href="https://oakvane.recruitee.com/o/clerk">': 'recruitee oakvane',
    '<a href="https://oakvane.jobs.personio.de/job/12?language=de">': 'personio oakvane',
    '<iframe src="https://oakvane.jobs.personio.com"></iframe>': 'personio oakvane.jobs.personio.com',
    '<a href="https://oakvane.teamtailor.com/jobs/7-clerk">': 'teamtailor oakvane',
    '<a href="https://oakvane.na.teamtailor.com/">': 'teamtailor oakvane.na.teamtailor.com',
    '<a href="https://oakvane.wd5.myworkdayjobs.com/en-US/Careers_1/job/Leeds/Clerk_R-1">':
      'workday oakvane.wd5/Careers_1',
    '<a href="https://oakvane.wd103.myworkdayjobs.com/wday/cxs/oakvane/External/jobs">':
      'workday oakvane.wd103/External',
    // A careers site on the company's domain is recognised by the vendor's scripts.
    '<script src="https://assets-aws.teamtailor-cdn.com/x.js"></script><link rel="alternate" href="https://jobs.oakvane.example/jobs.rss">':
      'teamtailor jobs.oakvane.example',
  }
  for (const [html, expected] of Object.entries(forms)) assert.deepEqual(boards(html + html), [expected])
  assert.deepEqual(
    boards('<a href="https://www.greenhouse.io/about"><a href="https://evil.example/boards.greenhouse.io/x">'),
    [],
  )
  const others =
    '<a href="/jobs.rss"><a href="https://career.teamtailor.com/jobs"><a href="https://oakvane.wd5.myworkdayjobs.com/en-US">' +
    '<script src="https://teamtailor-cdn.com.evil.example/x.js"></script>'
  assert.deepEqual(boards(others), [])
  const foreign = '<script src="https://x.teamtailor-cdn.com/x.js"></script><a href="https://evil.example/jobs.rss">'
  assert.deepEqual(boards(foreign), [])
})

test('a job board has its own URL, whichever posting or script linked to it', () => {
  const boards: Record<string, string> = {
    'https://job-boards.greenhouse.io/oakvane/jobs/1?gh_src=x': 'https://boards.greenhouse.io/oakvane',
    'https://boards.eu.greenhouse.io/embed/job_board?for=oakvane': 'https://boards.eu.greenhouse.io/oakvane',
    'https://jobs.lever.co/oakvane/abc/apply': 'https://jobs.lever.co/oakvane',
    'https://api.eu.lever.co/v0/postings/oakvane?mode=json': 'https://jobs.eu.lever.co/oakvane',
    'https://jobs.ashbyhq.com/oakvane/1?embed=js': 'https://jobs.ashbyhq.com/oakvane',
    'https://jobs.smartrecruiters.com/Oakvane1/74-clerk': 'https://careers.smartrecruiters.com/Oakvane1',
    'https://oakvane.workable.com/jobs/1': 'https://apply.workable.com/oakvane/',
    'https://oakvane.recruitee.com/o/clerk': 'https://oakvane.recruitee.com/',
    'https://oakvane.jobs.personio.com/job/12': 'https://oakvane.jobs.personio.com/',
    'https://oakvane.teamtailor.com/jobs/7-clerk': 'https://oakvane.teamtailor.com/',
    'https://oakvane.wd5.myworkdayjobs.com/de-DE/Careers/job/x': 'https://oakvane.wd5.myworkdayjobs.com/Careers',
  }
  for (const [link, url] of Object.entries(boards)) {
    assert.deepEqual(
      read(`<a href="${link}">Clerk</a>`).links.job_boards.map((board) => board.url),
      [url],
    )
  }
})

test('a person is a name next to a job title, with the contacts in the same card', () => {
  const { people } =
    read(`<ul><li><img src="/ann.jpg"><h3>Ann Le Roux</h3><p>Head of Claims</p><a href="https://uk.linkedin.com/in/annleroux?trk=x">in</a>
    <a href="mailto:Ann.LeRoux@oakvane.example?subject=Hi">mail</a></li><li><h3>Obi Eze</h3><p>Actuary</p><p>Tel: +44 113 496 0000</p></li></ul>`)
  assert.deepEqual(people, [
    {
      full_name: 'Ann Le Roux',
      title: 'Head of Claims',
      image: 'https://www.oakvane.example/ann.jpg',
      network_url: 'https://www.linkedin.com/in/annleroux',
      email: 'ann.leroux@oakvane.example',
    },
    { full_name: 'Obi Eze', title: 'Actuary', phone: '+44 113 496 0000' },
  ])
})

/** A team page with a switchboard in its header and footer. */
const teamPage = (body: string) =>
  read(`<header><a href="tel:+49301112222">+49 30 111 2222</a></header><main><h1>Our team</h1>${body}</main>
    <footer><p>Oakvane GmbH, Tel. +49 30 111 2222</p></footer>`).people

const card = (name: string, title: string, more = '') =>
  `<div class="card"><h3>${name}</h3><p>${title}</p>${more}</div>`

test('a number in a tel: link or in the own card, row, paragraph or list entry is found', () => {
  const shapes: Record<string, string> = {
    'a card with a tel: link':
      card('Ada Pike', 'CFO', '<a href="tel:+493055571001">Call</a>') + card('Ben Moss', 'CTO', ''),
    'a card with a labelled line':
      card('Ada Pike', 'CFO', '<p>Direct line: +49 30 5557 1001</p>') + card('Ben Moss', 'CTO', ''),
    'a label of its own':
      card('Ada Pike', 'CFO', '<p><span>Tel.</span> <span>+49 30 5557 1001</span></p>') + card('Ben Moss', 'CTO', ''),
    'a fax before it':
      card('Ada Pike', 'CFO', '<p>Fax +49 30 5557 9999 · Tel +49 30 5557 1001</p>') + card('Ben Moss', 'CTO', ''),
    'other dashes': card('Ada Pike', 'CFO', '<p>☎ +49 (0)30 5557–1001</p>') + card('Ben Moss', 'CTO', ''),
    'a definition list': '<dl><dt>Ada Pike</dt><dd>CFO</dd><dd>+49 30 5557 1001</dd><dt>Ben Moss</dt><dd>CTO</dd></dl>',
    'a paragraph': '<p>Ada Pike, CFO, +49 30 5557 1001</p><p>Ben Moss, CTO</p>',
    'a sentence':
      '<p><strong>Ada Pike</strong>, CFO. Call her on +49 30 5557 1001 or write to a@oakvane.example.</p><p><strong>Ben Moss</strong>, CTO. He is shy.</p>',
    'lines of a paragraph': '<p>Ada Pike<br>CFO<br>Mobile: +49 30 5557 1001</p><p>Ben Moss<br>CTO</p>',
    'a row':
      '<table><tr><th>Name</th><th>Position</th><th>Phone</th></tr><tr><td>Ada Pike</td><td>CFO</td><td>+49 30 5557 1001</td></tr><tr><td>Ben Moss</td><td>CTO</td><td></td></tr></table>',
    'a list entry like a card':
      '<ul><li>Ada Pike | CFO | T +49 30 5557 1001 | a@oakvane.example</li><li>Ben Moss | CTO</li></ul>',
    'blocks one after the other':
      '<h3>Ada Pike</h3><p>CFO</p><p>Phone: +49 30 5557 1001</p><h3>Ben Moss</h3><p>CTO</p><h2>Questions?</h2><p>+49 30 5557 0000</p>',
  }
  for (const [shape, html] of Object.entries(shapes)) {
    assert.deepEqual(
      teamPage(html).map(({ full_name, title, phone }) => [full_name, title, phone?.replaceAll(/[^+\d]/g, '')]),
      [
        ['Ada Pike', 'CFO', '+493055571001'],
        ['Ben Moss', 'CTO', undefined],
      ],
      shape,
    )
  }
})

test('a number after the title of a person is theirs, whatever the title names', () => {
  const [ada] = teamPage('<ul><li>Ada Pike, Head of Support, +49 30 5557 1001</li><li>Ben Moss, CTO</li></ul>')
  assert.equal(ada?.phone, '+49 30 5557 1001')
})

test('a phone number of the company, of several people or of a fax is not assigned to a person', () => {
  for (const html of [
    card('Ada Pike', 'CFO', '<a href="tel:+49301112222">Call</a>') + card('Ben Moss', 'CTO', ''),
    card('Ada Pike', 'CFO', '<p>030 5557 1001</p>') + card('Ben Moss', 'CTO', '<p>+49 30 5557 1001</p>'),
    card('Ada Pike', 'CFO', '<p>Fax</p><p>+49 30 5557 9999</p>') +
      card('Ben Moss', 'CTO', 'Fax: <a href="tel:+493055579999">9999</a>'),
    ...[
      'EA: (415) 555-2671',
      'Main Reception Desk (415) 555-2671',
      'Boston Branch: (415) 555-2671',
      'Contact Zyx Qwer for meetings: (415) 555-2671',
      'Assistant’s phone: (415) 555-2671',
      'My assistant <a href="tel:+14155552671">call</a>',
    ].map((line) => card('Ada Pike', 'CFO', `<p>${line}</p>`) + card('Ben Moss', 'CTO', '')),
    '<h1>Impressum</h1><dl><dt>Geschäftsführer</dt><dd>Ada Pike</dd><dt>Telefon</dt><dd>040 1234560</dd></dl>',
    '<h2>Impressum</h2><table><tr><td>Geschäftsführer</td><td>Ada Pike</td></tr><tr><td>Telefon</td><td><a href="tel:0401234560">040 1234560</a></td></tr></table>',
    card('Ada Pike', 'CFO', '<p>Here from 2019-2020, reference 12345678.</p>') + card('Ben Moss', 'CTO', ''),
    `${card('Ada Pike', 'CFO', '') + card('Ben Moss', 'CTO', '')}<p>Call us: +49 30 5557 0000</p>`,
    '<h3>Ada Pike</h3><p>CFO</p><h3>Ben Moss</h3><p>CTO</p><p>Call us: +49 30 5557 0000</p>',
    '<section><h2>Ada Pike</h2><p>CFO</p></section><section class="contact"><h2>Contact</h2><p>Tel: +49 30 5557 0000</p></section>',
  ]) {
    const people = teamPage(html)
    assert.ok(people.length > 0, html)
    assert.ok(
      people.every(({ phone }) => phone === undefined),
      html,
    )
  }
})

/** The numbers of the people of a page, in E.164. */
function rosterOf(fragment: PhoneFragment) {
  const shown = readWebPage({ url, html: phonePage(fragment) })
  const pages = [{ url, people: serializeList(shown.people) }]
  const { people } = buildRoster({
    brought: [{ source: 'company pages', own: true, people: mergePeoplePages({ pages, today: '2026-11-19' }) }],
    company: { domain: 'oakvane.example', country_code: fragment.country },
    known: serializeList([]),
    personas: [],
    pages: [url],
    only_unknown: false,
  })
  return new Map(parseSerializedList(people).map(({ person }) => [person.full_name, person.found_phone]))
}

test('published numbers of several countries and markups are the numbers of the right people', () => {
  for (const fragment of [...PHONE_FRAGMENTS, ...HELD_BACK_FRAGMENTS]) {
    const shown = rosterOf(fragment)
    const wanted = Object.entries(fragment.published).filter(([, number]) => number !== null)
    const found = [...shown].filter(([, number]) => number !== null)
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(wanted), fragment.shape)
    assert.ok(shown.has('Ada Pike'), fragment.shape)
  }
})

test('location and headline of a person come from their own card, row or list entry', () => {
  const shown = (html: string) => teamPage(html).map(({ location, headline }) => [location ?? null, headline ?? null])
  assert.deepEqual(
    shown(
      card('Ada Pike', 'CFO', '<p>Berlin, Germany</p><p>Ada has run finance teams for twenty years. She sails.</p>') +
        card('Ben Moss', 'CTO', '<p>Based in Austin</p><p>Mobile: +49 171 5557 1002</p>') +
        card('Cleo Hart', 'COO', '<p>London, UK</p>') +
        card('Dora Lund', 'CMO', '<p>📍 Oslo</p>'),
    ),
    [
      ['Berlin, Germany', 'Ada has run finance teams for twenty years.'],
      ['Austin', null],
      ['London, UK', null],
      ['Oslo', null],
    ],
  )
  assert.deepEqual(
    shown(
      card('Ada Pike', 'CFO', '<p>Ada is based in Austin, Texas, and leads finance.</p>') +
        card('Ben Moss', 'CTO', '<p>She lives in Hamburg, Germany, with two dogs.</p>') +
        card('Cleo Hart', 'COO', '<p>Cleo joined from a startup based in Boston.</p>') +
        card('Dora Lund', 'CMO', '<p>Fond of dogs.</p>'),
    ),
    [
      ['Austin, Texas', 'Ada is based in Austin, Texas, and leads finance.'],
      ['Hamburg, Germany', 'She lives in Hamburg, Germany, with two dogs.'],
      [null, 'Cleo joined from a startup based in Boston.'],
      [null, null],
    ],
  )
  const columns = '<tr><th>Name</th><th>Position</th><th>Location</th></tr>'
  assert.deepEqual(
    shown(
      `<table>${columns}<tr><td>Ada Pike</td><td>CFO</td><td>Austin</td></tr><tr><td>Ben Moss</td><td>CTO</td><td>-</td></tr></table>`,
    ),
    [
      ['Austin', null],
      [null, null],
    ],
  )
  const row = '<tr><td>Ada Pike</td><td>CFO</td><td>Bergvik</td></tr>'
  const headed = (job: string, place: string) =>
    shown(`<table><tr><th>Name</th><th>${job}</th><th>${place}</th></tr>${row}</table>`)
  assert.deepEqual(headed('Position', 'Site'), [[null, null]])
  assert.deepEqual(headed('Funktion / Bereich', 'Standort'), [['Bergvik', null]])
  assert.deepEqual(
    shown('<dl><dt>Ada Pike</dt><dd>CFO</dd><dd>Berlin, Germany</dd><dt>Ben Moss</dt><dd>CTO</dd></dl>'),
    [
      ['Berlin, Germany', null],
      [null, null],
    ],
  )
})

test('contact details are not part of a title, and initials in place of a picture are not part of a name', () => {
  const { people } = read(`<h1>Our team</h1><ul>
    <li>Mairi Sutherland – Managing Director <a href="mailto:m@a.example">m.sutherland@a.example</a></li>
    <li>Callum Reith – Chief Engineer <a href="https://www.linkedin.com/in/callum">LinkedIn</a></li></ul>
    <p><b>Priti Chauhan</b>, Finance Director, priti.chauhan [at] a.example</p>
    <dl><dt>Owen Lacey</dt><dd>Head of Customs (<a href="mailto:o@a.example">o@a.example</a> <a href="tel:+442079460153">+44 20 7946 0153</a>)</dd></dl>
    <a class="person" href="/p"><span>SD</span><span>Saoirse Dunleavy</span><span>Head of Sales</span></a>`)
  assert.deepEqual(people.map(({ full_name, title }) => `${full_name}: ${title}`).sort(), [
    'Callum Reith: Chief Engineer',
    'Mairi Sutherland: Managing Director',
    'Owen Lacey: Head of Customs',
    'Priti Chauhan: Finance Director',
    'Saoirse Dunleavy: Head of Sales',
  ])
})

test('quotes, vacancies, products, places and headings are not people', () => {
  for (const html of [
    '<blockquote><p>Great!</p><p>Jo Marlow</p><p>Chief Financial Officer</p></blockquote>',
    '<section><h2>What our customers say</h2><div><h4>Jo Marlow</h4><p>Head of IT</p></div></section>',
    '<ul><li><h3>Senior Engineer</h3><p>Tel Aviv</p></li><li><h3>Account Manager</h3><p>New York</p></li></ul>',
    '<h3>Customer Support</h3><p>Duty Manager</p>',
    '<h3>Jo Marlow</h3><p>Jo joined us in 2011 and never left the building since.</p>',
    '<p>Our Sales Director will call you.</p>',
    '<h3>Apollo</h3><p>Chief Canine Officer</p>',
    '<h2>Open roles</h2><p>Data Engineer</p><p>Cedar Falls</p>',
    '<div><h4>Blue Heron</h4><p>Channel Partner</p></div>',
  ]) {
    assert.deepEqual(read(html).people, [], html)
  }
})

test('a title belongs to the name it shares a block with, in either order', () => {
  const html = (name: string, title: string) => `<div class="x"><p>${title}</p><p>${name}</p></div>`
  const { people } = read(
    html('Ida Falk', 'Chief Actuary') + html('Per Moe', 'Claims Manager') + html('Uma Rao', 'Underwriter'),
  )
  assert.deepEqual(
    people.map(({ full_name, title }) => `${full_name}: ${title}`),
    ['Ida Falk: Chief Actuary', 'Per Moe: Claims Manager', 'Uma Rao: Underwriter'],
  )
})

test('people are found on the labelled pages as well as the documentation says', () => {
  const folder = new URL('../../../test/fixtures/pages/', import.meta.url)
  const expected = JSON.parse(readFileSync(new URL('people.json', folder), 'utf8')) as Record<
    string,
    [string, string][]
  >
  let [right, found, wanted] = [0, 0, 0]
  for (const [name, people] of Object.entries(expected)) {
    const got = readWebPage({ url, html: readFileSync(new URL(`${name}.html`, folder), 'utf8') }).people.map(
      ({ full_name }) => full_name,
    )
    found += got.length
    wanted += people.length
    right += got.filter((full) => people.some(([known]) => known === full)).length
  }
  assert.ok(right / found >= 0.95, `precision ${right / found}`)
  assert.ok(right / wanted >= 0.85, `recall ${right / wanted}`)
})

test('open positions are read from structured data, each once', () => {
  const posting = (title: string, more = {}) => ({
    '@type': 'JobPosting',
    title,
    datePosted: '2026-11-02T08:00:00Z',
    ...more,
  })
  const data = [
    posting('Welder', { url: '/jobs/1' }),
    posting('Welder', { url: '/jobs/1' }),
    posting('Buyer', { validThrough: '2026-12-01' }),
  ]
  const html = `<script type="application/ld+json">${JSON.stringify({ '@graph': data })}</script><h1>Jobs</h1>`
  assert.deepEqual(readWebPage({ url: 'https://acme.example/jobs', html }).openings, [
    {
      title: 'Welder',
      department: null,
      location: null,
      url: 'https://acme.example/jobs/1',
      published_date: '2026-11-02',
      valid_through: null,
    },
    {
      title: 'Buyer',
      department: null,
      location: null,
      url: null,
      published_date: '2026-11-02',
      valid_through: '2026-12-01',
    },
  ])
})

test('a careers page without structured data lists its positions as links below it', () => {
  const html = `<nav><a href="/careers">Careers</a></nav><ul><li><a href="/careers/12">Process Engineer</a> Lyon</li>
    <li><a href="/careers/13">Account Manager</a></li></ul><a href="/careers/life">Life at Acme</a><a href="/team/jo">Head of Sales</a>`
  const titles = (url: string) => readWebPage({ url, html }).openings.map(({ title }) => title)
  assert.deepEqual(titles('https://acme.example/careers'), ['Process Engineer', 'Account Manager'])
  assert.deepEqual(titles('https://acme.example/about'), [])
})

test('dates of open positions that do not exist are left out', () => {
  const job = '{"@type":"JobPosting","title":"Buyer","datePosted":"2026-13-01","validThrough":"2026-09-31T23:59"}'
  const { openings } = readWebPage({
    url: 'https://pelham.example/jobs/1',
    html: `<script type="application/ld+json">${job}</script>`,
  })
  assert.deepEqual(
    openings.map(({ published_date, valid_through }) => [published_date, valid_through]),
    [[null, null]],
  )
})

const team = (...cards: string[]) => read(`<h1>Our team</h1><div class="team">${cards.join('')}</div>`).people

test('two people with one name stay two, each with the contacts of their own card', () => {
  assert.deepEqual(
    team(
      card('John Smith', 'CEO'),
      card('John Smith', 'Software Engineer', '<a href="mailto:john.smith@x.com">Mail</a>'),
    ),
    [
      { full_name: 'John Smith', title: 'CEO' },
      { full_name: 'John Smith', title: 'Software Engineer', email: 'john.smith@x.com' },
    ],
  )
  const profile = (id: string) => `<a href="https://www.linkedin.com/in/${id}">Profile</a>`
  assert.deepEqual(
    team(
      card('John Smith', 'Account Executive', profile('js1')),
      card('John Smith', 'Account Executive', profile('js2')),
    ).map(({ network_url }) => network_url),
    ['https://www.linkedin.com/in/js1', 'https://www.linkedin.com/in/js2'],
  )
})

test('one person who is mentioned twice stays one', () => {
  const named = `<div class="card"><img src="/a.jpg" alt="Ada Pike, CEO"><h3>Ada Pike</h3><p>Chief Executive Officer</p>
    <a href="mailto:ada@x.com">Mail</a></div>`
  const people = team(named, card('Ben Cole', 'CTO'), card('Ada Pike', 'Founder & Board Member'))
  assert.deepEqual(people.map(({ full_name, email }) => [full_name, email]).sort(), [
    ['Ada Pike', 'ada@x.com'],
    ['Ben Cole', undefined],
  ])
})

test('a title replaces a line about an earlier job, and the line shows whether the job was at this company', () => {
  const people = team(card('Ada Pike', 'Former VP Sales at Oracle'), card('Ada Pike', 'Data Engineer'))
  assert.deepEqual(people, [{ full_name: 'Ada Pike', title: 'Data Engineer', headline: 'Former VP Sales at Oracle' }])
  for (const line of [
    'Former VP Sales at Oracle',
    'Ex-Google Engineer',
    'Former VP Sales, Oracle',
    'Former CEO of Acme',
  ])
    assert.deepEqual(readFormerTitle(line), { title: null }, line)
  for (const [line, title] of [
    ['Former Head of Sales', 'Head of Sales'],
    ['Ex-CEO', 'CEO'],
    ['Former Chief Financial Officer', 'Chief Financial Officer'],
    ['Retired Senior Engineer', 'Senior Engineer'],
    ['Former Chairman of the Board', 'Chairman of the Board'],
  ] as const)
    assert.deepEqual(readFormerTitle(line), { title }, line)
  for (const line of ['Executive Assistant', 'Formation Manager']) assert.equal(readFormerTitle(line), null)
})

test('an article is its lead and its text, without the elements in between', () => {
  const line = 'The plant in Leeds makes gauges, and will make more of them than ever before in its history. '
  const { text } = read(`<html><body><main>
    <h1>Oakvane grows</h1><div class="teaser-text"><p>Oakvane doubles its plant in Leeds, and hires two hundred people there.</p></div>
    <div class="article-body"><p>${line.repeat(4)}</p>
      <figure><img src="a.jpg"><figcaption>The plant at night</figcaption></figure>
      <div class="newsletter-box">Get our news every week</div>
      <p>Read also: <a href="/x">Why gauges matter</a></p>
      <table><tr><td>Seats</td><td>200</td></tr></table>
      <ul><li>Opens in May</li><li>Costs 20 million</li></ul>
      <ul class="links"><li><a href="/1">Gauges win a prize for their form</a></li><li><a href="/2">Gauges in the sea and what they tell us</a></li></ul>
      <p>${line.repeat(3)}</p><h3>More on this</h3></div>
    <div id="comments"><p>First! ${line}</p></div></main></body></html>`)
  const sentence = line.trim()
  assert.deepEqual(text.split('\n'), [
    'Oakvane doubles its plant in Leeds, and hires two hundred people there.',
    `${sentence} ${sentence} ${sentence} ${sentence}`,
    'Seats',
    '200',
    'Opens in May',
    'Costs 20 million',
    `${sentence} ${sentence} ${sentence}`,
  ])
})

test('the text of an article that is only in its structured data is read from there', () => {
  const body = 'Oakvane opened a plant in Leeds. '.repeat(20)
  const data = JSON.stringify({ '@type': 'NewsArticle', articleBody: `<p>${body}</p>` })
  const { text } = read(`<script type="application/ld+json">${data}</script><div id="app">Loading</div>`)
  assert.equal(text, body.trim())
})

test('soft hyphens and zero-width spaces do not split a word', () => {
  assert.equal(read('<p>Ent\u00adwick\u00adlung und Über\u200bleben</p>').text, 'Entwicklung und Überleben')
})

test('the language is detected from the text, or declared by the page', () => {
  const german =
    'Das Unternehmen hat am Montag ein neues Werk in der Stadt eröffnet und will dort mit den Partnern Roboter bauen.'
  assert.equal(read(`<html lang="en"><body><p>${german}</p></body></html>`).language, 'de')
  assert.equal(read('<html lang="pt-BR"><body><p>Olá</p></body></html>').language, 'pt')
  assert.equal(read('<p>Hm</p>').language, null)
})

test('positions and cards that are links are not part of the main text but of the visible text', () => {
  const { text, shown } =
    read(`<html><body><main><h1>Careers</h1><div class="content"><p>${'We make gauges for the water industry, in Leeds and at sea. '.repeat(8)}</p>
    <ul><li><a href="/jobs/1">Robotics Engineer</a></li><li><a href="/jobs/2">Account Executive</a></li></ul></div></main></body></html>`)
  assert.doesNotMatch(text, /Robotics Engineer/)
  assert.match(shown, /Robotics Engineer\nAccount Executive/)
})

test('a list of articles is recognised and has no publication date', () => {
  const cards = Array.from(
    { length: 6 },
    (_, n) =>
      `<article><h2><a href="/news/story-number-${n}">Oakvane tells story number ${n}</a></h2><time datetime="2026-05-0${n + 1}"></time></article>`,
  )
  const listing = read(`<html><body><main><h1>News</h1>${cards.join('')}</main></body></html>`)
  assert.deepEqual([listing.kind, listing.published, listing.articles.length], ['listing', null, 6])
  assert.equal(read('<meta property="og:type" content="article"><p>Oakvane grows</p>').kind, 'article')
  assert.equal(read('<p>Oakvane makes gauges</p>').kind, 'page')
})

test('a footer or menu with the class of an article is no article, and its teasers are no lead', () => {
  const story = `<p>${'The plant in Leeds makes gauges, and will make more of them. '.repeat(10)}</p>`
  const { text } =
    read(`<html><body><div class="mega-menu"><div class="excerpt">Globex lays off three hundred people in Leeds today.</div></div>
    <article><h1>Oakvane grows</h1>${story}</article>
    <footer><div class="footer-text-content"><p>${'Oakvane is a registered company with its seat in Leeds, England. '.repeat(7)}</p></div></footer></body></html>`)
  assert.match(text, /The plant in Leeds makes gauges/)
  assert.doesNotMatch(text, /Globex|registered company/)
})

test('elements that site builders class as widgets or as hidden on small screens are kept', () => {
  const part = (name: string, words: string) =>
    `<div class="${name}"><p>${`${words} makes gauges in Leeds for the water industry. `.repeat(8)}</p></div>`
  const { text } = read(
    `<article><h1>Oakvane</h1>${part('elementor-widget-wrap', 'Alder')}${part('hidden md:block', 'Birch')}</article>`,
  )
  assert.match(text, /Alder/)
  assert.match(text, /Birch/)
})

test('deeply nested articles in a menu are skipped', () => {
  const deep = `<nav>${'<article>'.repeat(150_000)}x${'</article>'.repeat(150_000)}</nav>`
  assert.equal(typeof read(`<html><body>${deep}</body></html>`).text, 'string')
})

test('people and vacancies are read in five languages', () => {
  const frame = (lang: string, heading: string, body: string) =>
    `<html lang="${lang}"><h1>${heading}</h1>${body}</html>`
  const teams: [lang: string, heading: string, name: string, title: string][] = [
    ['de', 'Geschäftsführung', 'Thekla Brömse', 'Kaufmännische Leiterin'],
    ['fr', 'Comité de direction', 'Maïté Roussel', 'Directeur des achats'],
    ['es', 'Equipo directivo', 'Iñaki Larrea', 'Jefe de almacén'],
    ['nl', 'Directie', 'Sjoukje van ’t Veld', 'Hoofd verkoop'],
    ['it', 'Le persone', 'Zeno Dall’Oca', 'Responsabile acquisti'],
  ]
  for (const [lang, heading, full_name, title] of teams) {
    const html = frame(
      lang,
      heading,
      `<h3>${full_name}</h3><p>${title}</p><section><h2>Kundenstimmen</h2><p>Uwe Kern<br>Leiter Einkauf</p></section>`,
    )
    assert.deepEqual(readWebPage({ url: 'https://acme.example/x', html }).people, [{ full_name, title }])
  }
  const vacancies: [lang: string, path: string, shown: string, place: string, written: string][] = [
    ['de', '/karriere', 'Lagerist (m/w/d)', 'Hannover', '12. März 2026'],
    ['fr', '/offres-emploi', 'Comptable H/F', 'Rennes', 'publié le 12 mars 2026'],
    ['es', '/trabaja-con-nosotros', 'Técnico de calidad (H/M)', 'Zaragoza', '12/03/2026'],
    ['nl', '/vacatures', 'Inkoper (m/v)', 'Tilburg', '12 maart 2026'],
    ['it', '/lavora-con-noi', 'Magazziniere (M/F)', 'Modena', '12 marzo 2026'],
  ]
  for (const [lang, path, shown, place, written] of vacancies) {
    const html = frame(
      lang,
      'Jobs',
      `<ul><li><a href="/x/1">${shown}</a> <span>${place}</span> <span>${written}</span></li></ul>`,
    )
    const { openings, published } = readWebPage({ url: `https://acme.example${path}`, html })
    const title = shown.replace(/ \(?[A-Za-z]\/.*$/, '')
    assert.deepEqual(
      openings,
      [
        {
          title,
          department: null,
          location: place,
          url: 'https://acme.example/x/1',
          published_date: '2026-03-12',
          valid_through: null,
        },
      ],
      lang,
    )
    assert.equal(published?.by, 'label')
  }
})
