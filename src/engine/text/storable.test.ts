import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { trimClaim } from '../draft/quoting.ts'
import { readFeed } from '../feed/index.ts'
import { readSitemap } from '../feed/sitemap.ts'
import { readWebPage } from '../page/index.ts'
import { cutText, parseJson, toStorable } from './storable.ts'

/** True when PostgreSQL accepts every string in the value. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable)
}

const NUL = '\\u0000'
const HALF = '\\ud83d'

test('only characters that cannot be stored are removed', () => {
  assert.equal(toStorable('a\0b\ud83d c 😀'), 'ab\ufffd c 😀')
  assert.deepEqual(parseJson(`{"a":["x${NUL}y","${HALF}","\\ud83d\\ude00"],"b":"\\\\u0000"}`), {
    a: ['xy', '\ufffd', '😀'],
    b: '\\u0000',
  })
  assert.throws(() => parseJson('{'), SyntaxError)
})

/** The reference implementation: makes every string and key of the parsed value storable. */
function storableDeep(value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value)
  if (Array.isArray(value)) return value.map(storableDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [toStorable(key), storableDeep(part)]))
}

const outcome = (read: () => unknown) => {
  try {
    return { value: read() }
  } catch (error) {
    return { thrown: (error as Error).name }
  }
}

const PIECES = [
  '\\',
  '\\\\',
  '\\u',
  'u0000',
  '0000',
  NUL,
  HALF,
  '\\uD83D',
  '\\ude00',
  '\\uDE00',
  '\\ufffd',
  '\\n',
  '\\"',
  '"',
  'a',
]
const anything = fc.array(fc.constantFrom(...PIECES, '😀', '\0', '\ud83d', '{', '}', '[', ']', ':', ',', '1'), {
  maxLength: 12,
})

test('JSON with escapes of characters that cannot be stored parses to storable text, or throws as JSON.parse does', () => {
  const readsAlike = (source: string) => {
    const expected = outcome(() => storableDeep(JSON.parse(toStorable(source))))
    assert.deepEqual(
      outcome(() => parseJson(source)),
      expected,
      source,
    )
  }
  fc.assert(
    fc.property(anything, (pieces) => readsAlike(`["${pieces.join('')}"]`)),
    { numRuns: 3_000 },
  )
  fc.assert(
    fc.property(anything, (pieces) => readsAlike(`{"${pieces.join('')}":"${pieces.join('')}"}`)),
    { numRuns: 1_000 },
  )
  fc.assert(
    fc.property(anything, (pieces) => readsAlike(pieces.join(''))),
    { numRuns: 1_000 },
  )
  readsAlike(`[1,${NUL}2]`)
  readsAlike(`["${HALF}${NUL}\\ude00${HALF}${HALF}\\ude00"]`)
})

test('one escaped NUL does not slow down parsing of a large document', (t) => {
  const parse = t.mock.method(JSON, 'parse')
  assert.deepEqual(parseJson(`[1,"a${NUL}"]`), [1, 'a'])
  const revivers = parse.mock.calls.filter(({ arguments: [, reviver] }) => reviver !== undefined)
  assert.equal(revivers.length, 0)
})

test('a cut never splits a surrogate pair', () => {
  assert.equal(cutText('ab😀', 3), 'ab')
  assert.equal(cutText('ab😀', 4), 'ab😀')
  assert.equal(cutText('abc', 2), 'ab')
})

test('a page with NUL and unpaired surrogates yields storable texts', () => {
  const ld = `{"@type":"Organization","name":"Pel${NUL}ham","description":"${HALF} gauges","address":"Leeds${HALF}"}`
  const job = `{"@type":"JobPosting","title":"Buyer${NUL}","department":"${HALF}"}`
  const page = readWebPage({
    url: 'https://pelham.example/careers',
    html: `<title>Pel\0ham &#0; &#xD800;</title><script type="application/ld+json">[${ld},${job}]</script><h1 title="\0">${'😀'.repeat(200)}a</h1><p>x\0y</p>`,
  })
  assert.equal(page.organization?.name, 'Pelham')
  assert.equal(page.openings[0]?.title, 'Buyer')
  assert.ok(isStorable(page), JSON.stringify(page))
})

test('long texts of pages are cut between characters', () => {
  const long = (before: string) => `${before}${'😀'.repeat(300_000)}`
  for (const before of ['', 'a']) {
    const description = long(before).slice(0, before.length + 4_000)
    const page = readWebPage({
      url: 'https://pelham.example/news/a-story',
      html: `<title>${long(before)}</title><script type="application/ld+json">[{"@type":"Organization","name":"P","description":"${description}","address":"${description}"},{"@type":"JobPosting","title":"${description}","department":"${description}"}]</script>
        <main><p>${long(before)}</p><a href="/news/one-more-story-to-read" title="${description}">${description}</a></main>`,
    })
    assert.ok(isStorable(page))
  }
})

test('feeds and sitemaps yield storable texts', () => {
  const json = `{"version":"https://jsonfeed.org/version/1.1","title":"P${NUL}","items":[{"id":"1","title":"${HALF} one","content_text":"a${NUL}b${'😀'.repeat(60_000)}"},{"id":"2","title":"b${'😀'.repeat(600)}","content_text":"x"}]}`
  const rss = `<rss version="2.0"><channel><title>P\0</title><item><title>a\0b${'😀'.repeat(600)}</title><description>&#0;${'😀'.repeat(60_000)}</description></item></channel></rss>`
  for (const body of [json, rss]) {
    const feed = readFeed({ url: 'https://pelham.example/feed', body }, '2026-04-01')
    assert.ok(isStorable(feed))
    assert.ok(feed.items.length > 0 && feed.title === 'P')
  }
  const map = readSitemap({
    url: 'https://pelham.example/map.xml',
    body: `<urlset><url><loc>https://pelham.example/a</loc><news:title>a\0b${'😀'.repeat(2_000)}</news:title></url></urlset>`,
  })
  assert.equal(map.pages.length, 1)
  assert.ok(isStorable(map))
})

test('a quoted claim is cut between characters', () => {
  for (const before of ['', 'a']) assert.ok(isStorable(trimClaim(before + '😀'.repeat(500))))
})
