import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFeed } from './index.ts'

const url = 'https://pelham.example/blog/feed.xml'
const today = '2026-04-01'

test('an RSS item has its full content, its date and an absolute URL', () => {
  const body = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Pelham &amp; Sons</title>
    <item><title>We &lt;b&gt;moved&lt;/b&gt;</title><link>/blog/moved</link><pubDate>Mon, 02 Feb 2026 23:30:00 -0500</pubDate>
    <description>Short.</description><content:encoded><![CDATA[<p>Long &amp; whole.</p><p>Second.</p><script>x()</script>]]></content:encoded></item></channel></rss>`
  assert.deepEqual(readFeed({ url, body }, today), {
    title: 'Pelham & Sons',
    items: [
      {
        url: 'https://pelham.example/blog/moved',
        title: 'We moved',
        published_date: '2026-02-02',
        text: 'Long & whole.\nSecond.',
      },
    ],
  })
})

test('Atom, RDF and JSON Feed give the same fields', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>P</title><entry><title>One</title><link rel="self" href="/x"/><link href="https://pelham.example/1"/>
    <published>2026-03-04T05:06:07Z</published><updated>2026-05-05T00:00:00Z</updated><summary>Text</summary></entry></feed>`
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel rdf:about="x"><title>P</title></channel><item rdf:about="https://pelham.example/1"><title>One</title><link>https://pelham.example/1</link><dc:date>2026-03-04</dc:date><description>Text</description></item></rdf:RDF>`
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'P',
    items: [
      {
        id: '1',
        url: 'https://pelham.example/1',
        title: 'One',
        content_text: 'Text',
        date_published: '2026-03-04T00:00:00Z',
      },
    ],
  })
  for (const body of [atom, rdf, json]) {
    const { title, items } = readFeed({ url, body }, today)
    assert.equal(title, 'P')
    assert.deepEqual(items, [
      { url: 'https://pelham.example/1', title: 'One', published_date: '2026-03-04', text: 'Text' },
    ])
  }
})

test('a feed without items is empty, and a page that is no feed throws', () => {
  const empty = '<rss version="2.0"><channel><title>P</title></channel></rss>'
  assert.deepEqual(readFeed({ url, body: empty }, today).items, [])
  for (const body of ['', '<html><body>Hello</body></html>', '{"a":1}', 'not found']) {
    assert.throws(() => readFeed({ url, body }, today), /not a feed/, body)
  }
})

test('hostile feeds throw', () => {
  for (const body of [
    `<rss><channel><item>${'<a>'.repeat(300_000)}`,
    '<![CDATA['.repeat(500_000),
    '<a'.repeat(1_000_000),
    '{"a":'.repeat(200_000),
    'x'.repeat(10_000_000),
  ]) {
    assert.throws(() => readFeed({ url, body }, today), /not a feed/)
  }
})

test('the date of the last change replaces a missing publication date, unless it is in the future', () => {
  const atom = (dates: string) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>P</title><entry><title>One</title>${dates}</entry></feed>`
  const json = (dates: object) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'P',
      items: [{ id: '1', title: 'One', ...dates }],
    })
  const cases: [string, string | null][] = [
    [atom(`<published>2024-03-04T00:00:00Z</published><updated>2026-03-31T00:00:00Z</updated>`), '2024-03-04'],
    [atom('<updated>2024-03-05T00:00:00Z</updated>'), '2024-03-05'],
    [atom('<updated>2026-04-02T00:00:00Z</updated>'), null],
    [json({ date_published: '2024-03-04T00:00:00Z', date_modified: '2026-03-31T00:00:00Z' }), '2024-03-04'],
    [json({ date_modified: '2024-03-05T00:00:00Z' }), '2024-03-05'],
    [json({ date_modified: '2026-04-02T00:00:00Z' }), null],
  ]
  for (const [body, expected] of cases)
    assert.equal(readFeed({ url, body }, today).items[0]?.published_date, expected, body)
})
