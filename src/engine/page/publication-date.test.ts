import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWebPage } from './index.ts'

const PROSE = `<p>${'Oakvane makes gauges for the water industry and has done so for a long time. '.repeat(8)}</p>`
const published = (
  body: string,
  { head = '', lang = 'en', url = 'https://oakvane.example/news/gauges', today = '' } = {},
) =>
  readWebPage({
    url,
    html: `<html lang="${lang}"><head>${head}</head><body>${body}</body></html>`,
    ...(today && { today }),
  }).published

test('a date has its source', () => {
  const found = published(`<article><h1>Gauges</h1><p class="byline">By Ada, 3 May 2026</p>${PROSE}</article>`)
  assert.equal(found?.date, '2026-05-03')
  assert.equal(found?.by, 'byline')
})

test('a publication date comes before a date of change, which is marked as one', () => {
  const both = '<div class="meta">Updated 9 June 2026. Published: 3 May 2026</div>'
  assert.deepEqual(pick(published(`<h1>Gauges</h1>${both}${PROSE}`)), ['2026-05-03', 'label'])
  const changed = '<div class="meta">Zuletzt aktualisiert: 9.6.2026</div>'
  assert.deepEqual(pick(published(`<h1>Gauges</h1>${changed}${PROSE}`, { lang: 'de' })), ['2026-06-09', 'last change'])
})

test('dates of other articles, comments, copyright and births are ignored', () => {
  for (const other of [
    '<aside><span class="date">1 May 2026</span></aside>',
    '<div class="related-posts"><span class="date">1 May 2026</span></div>',
    '<div id="comments"><span class="date">1 May 2026</span></div>',
    '<div class="meta">Copyright 1 May 2026</div>',
    '<div class="author">Ada Pike, born 1 May 1976</div>',
  ]) {
    assert.equal(published(`<h1>Gauges</h1>${PROSE}${PROSE}${other}`), null, other)
  }
})

test('of several dates the one at the heading is used', () => {
  const above = '<div class="date">1 January 2026</div>'
  const body = `${above}<div><div><h1>Gauges</h1><span class="date">2 May 2026</span>${PROSE}</div></div><span class="date">3 March 2026</span>`
  assert.equal(published(body)?.date, '2026-05-02')
})

test('the URL and the visible date take precedence over a timestamp of the next day', () => {
  const head = '<meta property="article:published_time" content="2026-05-03T01:30:00Z">'
  assert.deepEqual(pick(published(PROSE, { head, url: 'https://oakvane.example/2026/05/02/gauges' })), [
    '2026-05-02',
    'address',
  ])
  assert.equal(published(`<h1>Gauges</h1><p class="byline">May 2, 2026</p>${PROSE}`, { head })?.date, '2026-05-02')
  // A date weeks apart is that of an event or of a change.
  assert.equal(published(`<h1>Gauges</h1><p class="byline">March 2, 2026</p>${PROSE}`, { head })?.date, '2026-05-03')
})

test('a publication date is not in the future and not after the archive date', () => {
  const body = `<h1>Gauges</h1><p class="byline">Event on 3 May 2026</p>${PROSE}`
  assert.equal(published(body, { today: '2026-05-01' }), null)
  assert.equal(published(body, { today: '2026-05-03' })?.date, '2026-05-03')
  const url = 'https://web.archive.org/web/20260402120000/https://oakvane.example/2026/03/31/gauges'
  assert.deepEqual(pick(published(body, { url })), ['2026-03-31', 'address'])
})

test('a visible date must agree with the month in the URL', () => {
  const body = `<h1>Gauges</h1><span class="date">2 May 2019</span>${PROSE}<div class="post-footer">Posted on 7 March 2026</div>`
  assert.equal(published(body, { url: 'https://oakvane.example/2026/03/gauges.html' })?.date, '2026-03-07')
})

function pick(found: ReturnType<typeof published>) {
  return found && [found.date, found.by]
}

test('a date of change is recognised when the date is in a separate element', () => {
  for (const html of [
    '<p>Last updated: <time datetime="2026-05-03">3 May 2026</time></p>',
    '<p>Updated on <span class="date">3 May 2026</span></p>',
  ]) {
    assert.deepEqual(pick(published(`<h1>Gauges</h1>${html}${PROSE}`)), ['2026-05-03', 'last change'], html)
  }
})

test('a word that only looks like a label is ignored, and a date in the name of a page is what the page is about', () => {
  const body = `<h1>Gauges</h1><p>Data Summit, 3 March 2026</p><p class="byline">By Ada, 3 May 2026</p>${PROSE}`
  assert.deepEqual(pick(published(body)), ['2026-05-03', 'byline'])
  const url = 'https://oakvane.example/interim-report-2026-03-31'
  assert.equal(published(body, { url })?.date, '2026-05-03')
  assert.deepEqual(pick(published(PROSE, { url })), ['2026-03-31', 'address'])
  assert.equal(
    published(PROSE, { url: 'https://oakvane.example/news/11-05-2026-gauges', lang: 'en-US' })?.date,
    '2026-11-05',
  )
})

test('a date of tomorrow, from a time zone further east, counts as today', () => {
  const body = `<h1>Gauges</h1><p class="byline">3 May 2026</p>${PROSE}`
  assert.equal(published(body, { today: '2026-05-02' })?.date, '2026-05-02')
})

test('a short release with links to others is no listing and keeps its date', () => {
  const links = Array.from(
    { length: 6 },
    (_, n) => `<article><a href="/news/story-number-${n}">Oakvane tells story number ${n}</a></article>`,
  )
  const page = readWebPage({
    url: 'https://oakvane.example/news/oakvane-opens-a-plant-in-leeds',
    html: `<main><h1>Oakvane opens a plant</h1><p>Published: 3 May 2026</p>${PROSE}${links.join('')}</main>`,
  })
  assert.deepEqual([page.kind, page.published?.date], ['page', '2026-05-03'])
})
