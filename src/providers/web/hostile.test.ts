import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalUrl, contentParts, fingerprintContent } from '../../engine/content/index.ts'
import { readWebPage } from '../../engine/page/index.ts'
import { parseRobots } from '../../engine/robots/rules.ts'
import { mergeArticleCandidates } from './articles.ts'

/** Lines of about n characters that cause backtracking in patterns with unbounded repetition. */
const LINES: Record<string, (n: number) => string> = {
  'numbers and commas': (n) => `word ${'1,'.repeat(n / 2)}`,
  'letters and dashes': (n) => 'a-'.repeat(n / 2),
  'letters, digits and dashes': (n) => 'a-1-'.repeat(n / 4),
  'dashes and letters apart': (n) => `word ${'a '.repeat(n / 2)}`,
  commas: (n) => `word ${','.repeat(n)}`,
  stops: (n) => `word ${'.'.repeat(n)}1`,
  digits: (n) => `word ${'7'.repeat(n)}`,
  'digits apart': (n) => `word ${'7 '.repeat(n / 2)}`,
  'digits and stops': (n) => `word ${'7....'.repeat(n / 5)}`,
  letters: (n) => 'a'.repeat(n),
  underscores: (n) => `word ${'_'.repeat(n)}`,
  'copyright signs': (n) => `word ${'©1'.repeat(n / 2)}`,
  months: (n) => 'may '.repeat(n / 4),
  'numbers and months': (n) => '1 may '.repeat(n / 6),
  'beginnings of days': (n) => `word ${'2026-01-01t10:10:10.'.repeat(n / 20)}`,
  ages: (n) => '1 m ago'.repeat(n / 7),
}
/** So long that quadratic processing would exceed the time limit of the test runner. */
const N = 400_000

function isRead(run: (n: number) => unknown): void {
  assert.notEqual(run(N), undefined)
}

for (const [name, make] of Object.entries(LINES)) {
  test(`a line with ${name} is parsed in time`, () => {
    isRead((n) =>
      fingerprintContent(
        contentParts({ type: 'page', page: readWebPage({ url: 'https://a.example', html: `<p>${make(n)}</p>` }) }),
      ),
    )
  })
}

const RULES: Record<string, (n: number) => string> = {
  'line feeds': (n) => '\n'.repeat(n),
  'carriage returns': (n) => '\r'.repeat(n),
  'blank lines': (n) => ' \n'.repeat(n / 2),
  blanks: (n) => ' '.repeat(n),
  'rules without a colon': (n) => `${'allow '.repeat(n / 6)}`,
  rules: (n) => `User-agent: *\n${'Disallow: /a\n'.repeat(n / 13)}`,
  agents: (n) => `${'User-agent: a\n'.repeat(n / 14)}Disallow: /`,
  'agents and rules': (n) => `${'User-agent: *\n'.repeat(n / 28)}${'Disallow: /a\n'.repeat(n / 26)}`,
}
for (const [name, make] of Object.entries(RULES)) {
  test(`a robots.txt of ${name} is parsed in time`, () => {
    isRead((n) => parseRobots('https://a.example/robots.txt', make(n)))
  })
}

test('a rule with many wildcards is evaluated correctly', () => {
  const rules = (pattern: string) => parseRobots('https://a.example/robots.txt', `User-agent: *\nDisallow: ${pattern}`)
  const { robots } = rules(`/${'*a'.repeat(100_000)}`)
  isRead((n) => robots.known && robots.allows(`https://a.example/${'a'.repeat(n / 100)}b`))
  const plain = rules('/*/secret*.html$').robots
  assert.ok(
    plain.known && !plain.allows('https://a.example/x/secret1.html') && plain.allows('https://a.example/x.html'),
  )
})

test('the rules of our own group apply, otherwise those of the wildcard group', () => {
  const text = (ours: string) =>
    `User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nUser-agent: Other/2.0\nDisallow: /all # but not more\nSitemap: https://a.example/map.xml\n\n${ours}`
  const allowed = (ours: string) => {
    const { robots } = parseRobots('https://a.example/robots.txt', text(ours))
    return ['/', '/all', '/ours'].filter((path) => robots.known && robots.allows(`https://a.example${path}`))
  }
  assert.deepEqual(allowed(''), ['/', '/ours'])
  assert.deepEqual(allowed('User-agent: Bellwether/1.0\nDisallow: /ours'), ['/', '/all'])
  assert.deepEqual(allowed('User-agent: bellwether\nDisallow:'), ['/', '/all', '/ours'])
  assert.deepEqual(allowed('User-agent: somebody\nDisallow: /ours'), ['/', '/ours'])
  const { robots } = parseRobots('https://a.example/robots.txt', text(''))
  assert.deepEqual(robots.known && robots.sitemaps, ['https://a.example/map.xml'])
})

test('a URL with many slashes is normalised in time', () => {
  isRead((n) => canonicalUrl(`https://a.example${'/'.repeat(n)}x`))
})

test('a canonical URL lacks tracking parameters and keeps the rest', () => {
  const spelled = (query: string) => canonicalUrl(`https://a.example/x/?${query}`).slice('https://a.example/x'.length)
  assert.deepEqual(
    ['utm_a=1&ref=b&utm_a=2', "b='%20&a=%7E+~", "utm_a=1&b='%20&a=%7E+~&b", '%75tm_a=1&c', 'refs=1&Ref=2', '&&'].map(
      spelled,
    ),
    ['', '?b=%27%20&a=%7E+~', '?b=%27+&a=%7E+%7E&b=', '?c=', '?refs=1&Ref=2', '?&&'],
  )
})

test('merging long URLs of a sitemap yields to the event loop', async () => {
  const query = Array.from({ length: 300 }, (_, n) => `utm_${n}`).join('&')
  const pages = Array.from({ length: 2_000 }, (_, n) => ({
    url: `https://a.example/news/${n % 1_000}?${query}`,
    title: n < 1_000 ? null : 'Acme tells',
    published_date: '2026-01-01',
    text: '',
  }))
  let turns = 0
  const others = setInterval(() => turns++)
  const merged = await mergeArticleCandidates([pages], '2025-12-01')
  clearInterval(others)
  assert.deepEqual([merged.length, new Set(merged.map(({ title }) => title))], [1_000, new Set(['Acme tells'])])
  assert.ok(turns > 0)
})

test('numbers, tokens and counters of any length are no change', () => {
  const fingerprint = (html: string) =>
    fingerprintContent(contentParts({ type: 'page', page: readWebPage({ url: 'https://a.example', html }) }))
  const page = (count: string, token: string) =>
    `<p>Seen by ${count} readers.</p><p>Build ${token} of the site.</p><p>A well-known state-of-the-art-and-more thing.</p>`
  const before = fingerprint(page('1,204', 'a1b2c3d4e5f6a7b8c9d0'))
  const after = fingerprint(page('12,931', 'ffffffff-0000-4000-8000-1234567890ab'))
  assert.equal(after.content_hash, before.content_hash)
  const other = fingerprint(page('1,204', 'a1b2c3d4e5f6a7b8c9d0').replace('and-more', 'and-less'))
  assert.notEqual(other.content_hash, before.content_hash)
})
