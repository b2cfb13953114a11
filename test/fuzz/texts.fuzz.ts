// Arbitrary pages, feeds and texts: nothing throws unexpectedly, limits are respected, results can be stored,
// quotes are at their stated positions, and the same text gives the same result twice.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import { compileCascade, matchCascade } from '../../src/engine/cascade/index.ts'
import { industryKeys } from '../../src/engine/companies/industries.ts'
import { contentParts, fingerprintContent } from '../../src/engine/content/index.ts'
import { findCountryCodes } from '../../src/engine/countries.ts'
import { compileCustomSignal } from '../../src/engine/detect/custom-signal.ts'
import { findDatelineDate, findEventDate, findPublishedDate } from '../../src/engine/detect/dates.ts'
import { type DetectOptions, detect } from '../../src/engine/detect/index.ts'
import { draftSignal } from '../../src/engine/draft/index.ts'
import { describeCompany, draftSections } from '../../src/engine/draft/profile.ts'
import { emailCandidates } from '../../src/engine/email-patterns/index.ts'
import { readFeed } from '../../src/engine/feed/index.ts'
import { readSitemap } from '../../src/engine/feed/sitemap.ts'
import { scoreIcpFit } from '../../src/engine/icp/index.ts'
import { findNamedPeople } from '../../src/engine/named-people/index.ts'
import { readWebPage, type WebPage } from '../../src/engine/page/index.ts'
import { readPersonName, splitFullName } from '../../src/engine/people/person-name.ts'
import { parseLocation } from '../../src/engine/places/index.ts'
import { parseRobots } from '../../src/engine/robots/rules.ts'
import { SIGNAL_IDS } from '../../src/engine/signals/index.ts'
import { isStorable } from '../../src/engine/text/storable.ts'
import { DEPARTMENTS, JOB_LEVELS, readTitle } from '../../src/engine/titles/index.ts'
import { fuzz } from './support.ts'
import { damagedOneOf, JSON_LD, MARKUP, ODD, PROSE, realPages } from './wild-texts.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const TODAY = '2026-11-15'

/** Every text in a value. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* textsIn(part)
}

function assertStorable(value: unknown): void {
  for (const text of textsIn(value)) assert.ok(isStorable(text), `not storable: ${JSON.stringify(text.slice(0, 200))}`)
}

function assertDay(day: string | null | undefined): void {
  if (day === null || day === undefined) return
  assert.match(day, DAY)
  assert.equal(new Date(day).toISOString().slice(0, 10), day, 'a day of the calendar')
}

/** Reads twice, because caches must not change the result. */
function twice<T>(read: () => T): T {
  const first = read()
  assert.deepEqual(read(), first)
  return first
}

function assertParts(content: Parameters<typeof contentParts>[0]): void {
  const parts = twice(() => contentParts(content))
  assert.ok(parts.length <= 3_000)
  const { content_hash, line_hashes } = twice(() => fingerprintContent(parts))
  assert.match(content_hash, /^[\w-]{43}$/)
  for (const hash of line_hashes) assert.match(hash, /^[0-9a-f]{16}$/)
  assertStorable(parts)
}

function assertPage(page: WebPage): void {
  assertStorable(page)
  assert.ok(page.text.length <= 400_000 && (page.title?.length ?? 0) <= 300, `title of ${page.title?.length}`)
  assertDay(page.published?.date ?? null)
  assert.ok(page.people.length <= 5_000 && page.openings.length <= 500 && page.articles.length <= 100)
  assert.ok(page.outside_links.length <= 200)
  for (const { full_name, title } of page.people) assert.ok(full_name.length <= 200 && title.length <= 140)
  for (const { published_date, valid_through } of page.openings) {
    assertDay(published_date)
    assertDay(valid_through)
  }
  for (const { url } of [...page.articles, ...page.openings]) assert.ok(url === null || /^https?:/.test(url), `${url}`)
  assertParts({ type: 'page', page })
}

const URLS = fc.constantFrom(
  ...[
    'https://acme.example/',
    'https://acme.example/team',
    'https://acme.example/careers/',
    'https://acme.example/news/2026/',
  ],
  ...['not an address', '', 'https://acme.example/%ED%A0%80?x=%', 'http://[::1]/jobs', 'mailto:x'],
)
const PAGES = realPages()

fuzz(
  'a page by grammar is read',
  { share: 0.16, least: 300 },
  fc.property(URLS, MARKUP, (url, html) => assertPage(twice(() => readWebPage({ url, html })))),
)

fuzz(
  'a real page that was damaged is read',
  { share: 0.2, least: 60 },
  fc.property(URLS, damagedOneOf(PAGES, MARKUP), (url, html) => assertPage(twice(() => readWebPage({ url, html })))),
)

/** Feeds and sitemaps by grammar: elements of several dialects, in any order, closed or not. */
const XML: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('<?xml version="1.0"?>', '', '\ufeff', '<!DOCTYPE x [<!ENTITY a "b">]>'),
    fc.constantFrom(
      ...[
        '<rss version="2.0"><channel>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        '<rdf:RDF><channel>',
        '<urlset>',
      ],
      ...['<sitemapindex>', '<urlset xmlns:news="x">', '<rss>', '<x:urlset >', ''],
    ),
    fc.array(
      fc.tuple(
        fc.constantFrom('item', 'entry', 'url', 'sitemap', 'channel', 'constructor', ''),
        fc.array(
          fc.tuple(
            fc.constantFrom(
              ...'title link guid pubDate description content:encoded dc:date dc:title updated published id summary'.split(
                ' ',
              ),
              ...'content loc lastmod news:title news:publication_date author category enclosure __proto__ link:x'.split(
                ' ',
              ),
            ),
            fc.oneof(
              PROSE,
              ODD,
              MARKUP.map((html) => `<![CDATA[${html}]]>`),
              fc.constantFrom('https://acme.example/a', '/a'),
            ),
            fc.constantFrom('', ' href="/x" rel="alternate"', ' type="html"', ' isPermaLink="false"', ' a=\'"'),
            fc.boolean(),
          ),
          { maxLength: 7 },
        ),
      ),
      { maxLength: 8 },
    ),
    fc.boolean(),
  )
  .map(([head, root, entries, isClosed]) => {
    const written = entries.map(([tag, fields]) => {
      const inner = fields
        .map(([name, text, more, ends]) => `<${name}${more}>${text}${ends ? `</${name}>` : ''}`)
        .join('')
      return tag ? `<${tag}>${inner}</${tag}>` : inner
    })
    const names = [...root.matchAll(/<([\w:]+)/g)].map(([, name]) => name).reverse()
    return `${head}${root}${written.join('\n')}${isClosed ? names.map((name) => `</${name}>`).join('') : ''}`
  })

const JSON_FEED = fc
  .record({
    version: fc.constant('https://jsonfeed.org/version/1.1'),
    title: JSON_LD,
    items: fc.oneof(
      JSON_LD,
      fc.array(
        fc.dictionary(
          fc.constantFrom(
            'id',
            'url',
            'external_url',
            'title',
            'date_published',
            'date_modified',
            'content_html',
            'content_text',
          ),
          JSON_LD,
        ),
        { maxLength: 4 },
      ),
    ),
  })
  .map((feed) => JSON.stringify(feed))

const SOME_FEED =
  '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>Acme raises $20M</title><link>https://acme.example/a</link><pubDate>Tue, 14 Apr 2026 09:00:00 GMT</pubDate><description>&lt;p&gt;In short.&lt;/p&gt;</description></item><item><title>Acme opens in Graz</title><link>/b</link></item></channel></rss>'
const SOME_MAP =
  '<urlset xmlns:news="x"><url><loc>https://acme.example/a</loc><lastmod>2026-04-14</lastmod><news:title>A &amp; B</news:title></url><url><loc>/b</loc></url></urlset>'
const FILES = fc.oneof(XML, JSON_FEED, damagedOneOf([SOME_FEED, SOME_MAP], PROSE))

/** A parser that may reject throws its own error class. */
function orRefused<T>(read: () => T, refusal: RegExp): T | null {
  try {
    return read()
  } catch (error) {
    assert.match((error as Error).message, refusal)
    return null
  }
}

fuzz(
  'a feed is read or refused as none',
  { share: 0.12, least: 300 },
  fc.property(URLS, FILES, (url, body) => {
    const feed = orRefused(() => twice(() => readFeed({ url, body }, TODAY)), /^not a feed/)
    if (!feed) return
    assertStorable(feed)
    assert.ok(feed.items.length <= 500 && (feed.title?.length ?? 0) <= 300)
    for (const item of feed.items) {
      assert.ok((item.title?.length ?? 0) <= 500 && item.text.length <= 100_000)
      assert.ok(item.url === null || /^https?:/.test(item.url))
      assertDay(item.published_date)
    }
    assertParts({ type: 'feed', feed })
  }),
)

fuzz(
  'a sitemap is read or refused as none',
  { share: 0.06, least: 300 },
  fc.property(URLS, FILES, (url, body) => {
    const map = orRefused(() => twice(() => readSitemap({ url, body })), /^not a sitemap$/)
    if (!map) return
    assertStorable(map)
    for (const entry of [...map.pages, ...map.sitemaps]) {
      assert.match(entry.url, /^https?:/)
      assertDay(entry.modified)
      assertDay(entry.published_date)
    }
  }),
)

fuzz(
  'a robots.txt is read, and says yes or no to any address',
  { share: 0.06, least: 300 },
  fc.property(
    fc.array(
      fc.tuple(
        fc.constantFrom(
          'User-agent',
          'user-agent ',
          'Disallow',
          'Allow',
          'Crawl-delay',
          'Sitemap',
          'Host',
          '#',
          '',
          'constructor',
        ),
        fc.oneof(
          fc.constantFrom('*', 'bellwether', '/', '/a*b$', '*'.repeat(99), '/%', '/%zz', '-1', '1e9', 'NaN', '$'),
          ODD,
          PROSE,
        ),
        fc.constantFrom('\n', '\r\n', '\r', '\n\n', ' '),
      ),
      { maxLength: 30 },
    ),
    fc.oneof(
      URLS,
      PROSE,
      ODD.map((odd) => `https://acme.example/${odd}`),
    ),
    (lines, page) => {
      const text = lines.map(([field, value, end]) => `${field}: ${value}${end}`).join('')
      const { robots } = parseRobots('https://acme.example/robots.txt', text)
      if (!robots.known) return
      assert.equal(typeof robots.allows(page), 'boolean')
      assert.ok(robots.delayMs >= 0 && robots.delayMs <= 10_000)
      assert.ok(robots.sitemaps.length <= 20)
    },
  ),
)

const NAMES = fc.oneof(
  fc.constantFrom(
    'Acme',
    'Acme Robotics, Inc.',
    'Norvane',
    'Pexora',
    'Fennick Robotics',
    'The Company',
    'X',
    '',
    '3M',
    'constructor',
  ),
  PROSE,
  ODD,
)
const WRITTEN = gunzipSync(readFileSync(new URL('../../training/data/written.ndjson.gz', import.meta.url)))
const STATEMENTS = WRITTEN.toString()
  .split('\n', 2_000)
  .flatMap((line) => (JSON.parse(line) as { sents: string[] }).sents.slice(0, 1))

/** Confirms every sentence: any text must pass through detection intact. */
const yesToAll: DetectOptions['classifier'] = {
  version: 'yes',
  judge: async (questions) =>
    questions.map(({ document: { sentences }, descriptions }) => {
      const all = sentences.map((_, index) => index)
      return {
        verdicts: SIGNAL_IDS.map((signal) => ({ signal, confidence: 0.9, sentences: all, logits: [6, 6] as const })),
        described: descriptions.map(() => all.map((sentence) => ({ confidence: 0.9, sentence, logit: 6 }))),
      }
    }),
}
const TEXTS = fc.oneof(
  PROSE,
  damagedOneOf(STATEMENTS, PROSE),
  fc.array(PROSE, { maxLength: 12 }).map((all) => all.join('. ')),
  fc
    .tuple(PROSE, ODD)
    .map(([prose, odd]) => `Acme Robotics today announced that it has acquired Globex. ${odd}${prose}`),
)

fuzz(
  'signals found in a text are quoted from it',
  { share: 0.2, least: 300 },
  fc.asyncProperty(
    NAMES,
    fc.option(PROSE),
    TEXTS,
    fc.option(fc.oneof(ODD, PROSE, fc.constantFrom(TODAY, '2026-02-30', '2026-11-15T00:00:00Z'))),
    fc.boolean(),
    fc.oneof(
      { arbitrary: fc.constant(null), weight: 20 },
      { arbitrary: fc.constantFrom('The company orders robots, not drones', 'opens a warehouse'), weight: 1 },
      { arbitrary: PROSE, weight: 1 },
    ),
    async (name, title, text, published_at, everything, description) => {
      const options: DetectOptions = { classifier: yesToAll, today: TODAY, ...(!everything && { windowDays: 90 }) }
      const matcher = description === null ? null : compileCustomSignal('own', description)
      if (matcher) options.customSignals = [matcher]
      const input = { id: '1', company: { name, domain: 'acme.example' }, title, text, published_at }
      const [result] = await detect([input], options)
      assert.deepEqual(await detect([input], options), [result])
      const detections = result?.detections ?? []
      for (const { signal_id, claim, details, sentence, span, confidence, event_date, published_date } of detections) {
        const field = span.field === 'title' ? (title ?? '') : text
        assert.equal(field.slice(span.start, span.end).replaceAll('\n', ' '), sentence)
        assert.ok(sentence.length <= 600 && confidence >= 0 && confidence <= 1)
        for (const detail of Object.values(details ?? {}).flat()) {
          if (detail) assert.equal(sentence.slice(detail.start, detail.end), detail.text)
        }
        assertDay(event_date)
        assertDay(published_date)
        if (isStorable(`${name}${title ?? ''}${text}`)) assertStorable([claim, sentence, details])
        const evidence = [
          { claim, quote: sentence, source_url: 'https://acme.example/a', published_date: published_date ?? null },
        ]
        const draft = draftSignal({
          account: { name },
          signal: { signal_id: everything ? signal_id : 'constructor' },
          evidence: evidence as Parameters<typeof draftSignal>[0]['evidence'],
          knowledge_base: [{ type: 'icp', title: 'Who', content_md: description ?? '- Railways' }] as never,
        })
        if (isStorable(`${name}${title ?? ''}${text}${description ?? ''}`)) assertStorable(draft)
      }
    },
  ),
)

fuzz(
  'people, titles, requests, places and dates are read out of anything',
  { share: 0.2, least: 300 },
  fc.property(fc.oneof(PROSE, ODD, fc.string({ maxLength: 40 })), PROSE, (text, more) => {
    const cascade = twice(() => compileCascade(text))
    const person = { full_name: 'Ada Pike', title: more, headline: text, location: text, country_code: 'DE' }
    const tier = matchCascade(cascade, person as Parameters<typeof matchCascade>[1])
    assert.ok(tier === null || cascade.tiers.includes(tier))
    const { job_level, department } = twice(() => readTitle(text))
    assert.ok(JOB_LEVELS.includes(job_level) && DEPARTMENTS.includes(department))
    const named = findNamedPeople(
      { title: text, text: `${more}. Acme appoints Ada Pike as CFO. ${text}`, own: text.length % 2 === 0 },
      { name: 'Acme' },
      new Set(['cfo', 'officer', 'sales']),
    )
    assertStorable(named)
    const name = readPersonName(text)
    if (name !== null) assert.ok(name.length > 0 && splitFullName(name).last_name.length > 0)
    splitFullName(more)
    assertDay(findDatelineDate(text))
    assertDay(findPublishedDate(text, more))
    const event = findEventDate(more, TODAY)
    if (event) assertDay(event.date)
    parseLocation(text, more)
    findCountryCodes(text)
    industryKeys(text)
    for (const { email } of emailCandidates(text, 'acme.example', [{ email: `${text}@acme.example`, full_name: more }]))
      assert.match(email, /^[^\s@]{1,64}@acme\.example$/)
    scoreIcpFit(
      [{ type: 'icp', title: more, content_md: text }] as never,
      { industry: text, location: more, employees: 5 } as never,
    )
    const pages = [{ url: 'https://acme.example/', kind: 'home', title: more, text }]
    draftSections({ name: 'Acme' }, pages)
    describeCompany({ name: more, description: text } as never, pages)
  }),
)
