import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWebPage } from './index.ts'

/** Each function builds markup of about n pieces that is slow in naive parsers or patterns. */
const HOSTILE: Record<string, (n: number) => string> = {
  'one character': (n) => 'a'.repeat(n * 100),
  commas: (n) => ','.repeat(n * 10),
  blanks: (n) => `<p>${' '.repeat(n * 10)}x</p>`,
  'nested tags': (n) => '<div>'.repeat(n),
  'nested tags, closed wrongly': (n) => '<b>'.repeat(n) + '</i>'.repeat(n),
  'nested lists': (n) => '<ul><li>'.repeat(n / 2) + '<p>'.repeat(n / 2),
  'nested tables': (n) => '<table><tr><td>'.repeat(n / 3),
  'nested share boxes': (n) => '<div class="share">'.repeat(n),
  'open angle brackets': (n) => '<'.repeat(n * 10),
  attributes: (n) => `<a ${'x=1 '.repeat(n)}>`,
  entities: (n) => '&amp;&#0;&#x110000;&bogus;'.repeat(n / 4),
  headings: (n) => '<h2>What our customers say</h2>'.repeat(n / 4),
  'many names': (n) => '<p>Ada Pike</p>'.repeat(n / 2),
  'many cards': (n) =>
    Array.from(
      { length: n / 4 },
      (_, i) => `<div><h3>Ada Pike${'abcdefghij'[i % 10]}</h3><p>Sales Manager</p></div>`,
    ).join(''),
  'many links': (n) => '<a href="/careers">Careers</a>'.repeat(n / 2),
  'deep JSON-LD': (n) => `<script type="application/ld+json">${'{"a":'.repeat(n)}1${'}'.repeat(n)}</script>`,
  'broken JSON-LD': (n) => `<script type="application/ld+json">[${',   '.repeat(n)}`,
  'long name': (n) => `<h3>${'Ada-'.repeat(n)}</h3><p>CEO</p>`,
  'tags named like what every object has': () =>
    '<constructor><tostring><b __proto__=1 constructor=2>x</b></constructor>',
  'long class': (n) => `<div class="${'share-'.repeat(n)}">x</div>`.repeat(3),
}
const N = 80_000

// bench/engine-pages.ts measures how time grows with length; here the test runner aborts a page that hangs.
for (const [name, make] of Object.entries(HOSTILE)) {
  test(`a page of ${name} is read`, () => {
    const page = readWebPage({ url: 'https://a.example', html: make(N) })
    assert.equal(typeof page.text, 'string')
    assert.ok(page.people.length <= 500, `${page.people.length} people`)
  })
}
