import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSitemap } from './sitemap.ts'

const url = 'https://pelham.example/sitemap.xml'

test('a sitemap has pages with dates, an index has sitemaps', () => {
  const body = `<?xml version="1.0"?><urlset xmlns:news="x"><url><loc> /a?b=1&amp;c=2 </loc><lastmod>2026-03-04T05:06:07+01:00</lastmod></url>
    <url><loc><![CDATA[https://pelham.example/n]]></loc><news:news><news:publication_date>2026-05-06</news:publication_date><news:title>We &amp; you</news:title></news:news></url>
    <url><loc>mailto:x</loc></url><url><lastmod>2026-01-01</lastmod></url></urlset>`
  assert.deepEqual(readSitemap({ url, body }), {
    pages: [
      { url: 'https://pelham.example/a?b=1&c=2', title: null, modified: '2026-03-04', published_date: null },
      { url: 'https://pelham.example/n', title: 'We & you', modified: null, published_date: '2026-05-06' },
    ],
    sitemaps: [],
  })
  const index = '<sitemapindex><sitemap><loc>/2.xml</loc><lastmod>2026-01-02</lastmod></sitemap></sitemapindex>'
  assert.deepEqual(readSitemap({ url, body: index }).sitemaps, [
    { url: 'https://pelham.example/2.xml', title: null, modified: '2026-01-02', published_date: null },
  ])
  assert.equal(readSitemap({ url, body: 'https://pelham.example/1\nhttps://pelham.example/2\n' }).pages.length, 2)
})

test('a text that is no sitemap throws, and a hostile one is parsed quickly', () => {
  for (const body of ['', '<html><body>Not found</body></html>', '<rss></rss>']) {
    assert.throws(() => readSitemap({ url, body }), /not a sitemap/, body)
  }
  assert.deepEqual(readSitemap({ url, body: `<urlset>${'<url>'.repeat(1_000_000)}` }).pages, [])
  assert.equal(
    readSitemap({ url, body: `<urlset>${'<url><loc>/a</loc></url>'.repeat(60_000)}</urlset>` }).pages.length,
    50_000,
  )
})
