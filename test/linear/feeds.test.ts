import '../support/steps.ts' // first: it counts only what is compiled after it

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import robotsParser from 'robots-parser'
import { readFeed } from '../../src/engine/feed/index.ts'
import { readSitemap } from '../../src/engine/feed/sitemap.ts'
import { parseRobots } from '../../src/engine/robots/rules.ts'
import { different, type Maker, many, testLinear } from '../support/linear.ts'
import { countSteps } from '../support/steps.ts'

const RSS = '<rss version="2.0"><channel><title>t</title>'
const END = '</channel></rss>'
const inItem = (unit: string, field: string) => many(unit, `${RSS}<item><${field}>`, `</${field}></item>${END}`)

const FEEDS: Record<string, Maker> = {
  items: many('<item><title>a</title><link>http://a.example/x</link><description>b</description></item>', RSS, END),
  'unclosed items': many('<item>', RSS),
  'empty siblings': many('<b></b>', RSS, END),
  'different tags': different((word) => `<t${word}>x</t${word}>`, RSS, END),
  'one text': inItem('a', 'description'),
  entities: inItem('&amp;&#65;', 'title'),
  'escaped markup': inItem('&lt;b&gt;x', 'description'),
  'raw texts': inItem('<![CDATA[x]]>', 'title'),
  categories: many('<category>x</category>', `${RSS}<item>`, `</item>${END}`),
  attributes: different((word) => `a${word}="1" `, '<rss version="2.0" ', '><channel></channel></rss>'),
  'a huge attribute': many('x', '<rss version="2.0" a="', '"><channel></channel></rss>'),
  namespaces: different((word) => `xmlns:${word}="http://${word}/" `, '<rss version="2.0" ', `><channel>${END}`),
  'namespaces of items': different(
    (word) => `<item xmlns:${word}="http://x/${word}"><${word}:a>b</${word}:a></item>`,
    RSS,
    END,
  ),
  'declared entities': different((word) => `<!ENTITY ${word} "x">`, '<!DOCTYPE rss [', `]>${RSS}${END}`),
  'entities that grow': many(
    '&a;',
    `<!DOCTYPE rss [<!ENTITY a "${'x'.repeat(500)}">]>${RSS}<item><title>`,
    `</title></item>${END}`,
  ),
  comments: many('<!-- -->', RSS, END),
  'an open comment': many('<!-- ', RSS),
  entries: many(
    '<entry><title>a</title><link href="/x"/><updated>2024-03-03</updated></entry>',
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>',
    '</feed>',
  ),
  'JSON items': many('{"id":"1","title":"a"},', '{"version":"https://jsonfeed.org/version/1.1","items":[', '{}]}'),
  'open angle brackets': many('<'),
  'plain words': many('rss '),
}
testLinear(FEEDS, (body) => orNothing(() => readFeed({ url: 'https://a.example/feed', body }, '2024-03-03')), {
  name: 'a feed',
  chars: 8_000,
  perChar: 150,
})

test('a feed with more markup than any real feed is rejected before it is parsed', () => {
  const tags = RSS + '<b/>'.repeat(200_001) + END
  const attributes = `${RSS}<b ${'a="" '.repeat(100_001)}/>${END}`
  for (const body of [tags, attributes]) {
    assert.throws(() => readFeed({ url: 'https://a.example/feed', body }, '2024-03-03'), /nothing but markup/)
  }
})

const SITEMAPS: Record<string, Maker> = {
  addresses: many('<url><loc>http://a.example/x</loc><lastmod>2024-03-03</lastmod></url>', '<urlset>'),
  'open entries': many('<url>', '<urlset>'),
  'open entries with an end': many('<url>', '<urlset>', '</url>'),
  'open fields': many('<url><loc></url>', '<urlset>'),
  'raw texts': many(`<url><loc><![CDATA[${'x'.repeat(2_900)}</loc></url>`, '<urlset>'),
  'blank fields': many(`<url><loc>${' '.repeat(2_900)}</loc></url>`, '<urlset>'),
  lines: many('http://a.example/x\n'),
  'one line': many('x', 'http://a'),
}
testLinear(SITEMAPS, (body) => orNothing(() => readSitemap({ url: 'https://a.example/s', body })), {
  name: 'a sitemap',
  chars: 16_000,
  perChar: 30,
})

const ALL = 'user-agent: *\n'
const page = `https://a.example/${'a'.repeat(1_900)}`
const ROBOTS: Record<string, Maker> = {
  rules: many('disallow: /x\n', ALL),
  names: many('user-agent: *\n', '', 'disallow: /\n'),
  groups: many('user-agent: *\nuser-agent: bellwether\ndisallow: /\n'),
  sitemaps: many('sitemap: http://x\n'),
  blanks: many(' a :'),
  'escaped letters': many('%4fé', `${ALL}disallow: /`),
}
testLinear(ROBOTS, (text) => parseRobots('https://a.example/robots.txt', text), {
  name: 'robots.txt',
  chars: 8_000,
  perChar: 40,
})

test('matching a page against robots.txt is linear in the number of rules, whatever their wildcards', async () => {
  const steps = async (count: number, wildcards: number) => {
    const text = ALL + `disallow: /${'*a'.repeat(wildcards)}b$\n`.repeat(count)
    const { robots } = parseRobots('https://a.example/robots.txt', text)
    assert.ok(robots.known)
    return countSteps(() => assert.equal(robots.allows(page), true))
  }
  const [few, many] = [await steps(200, 20), await steps(800, 20)]
  assert.ok(many < 5 * few, `${few} steps for 200 rules, ${many} for 800`)
  // A wildcard continues where the one before it ended, without rescanning the path.
  assert.ok(many < 800 * 2_000, `${many} steps for 800 rules`)
})

test('robots.txt with too many wildcards is not used, and a path that is too long is not read', () => {
  const wildcards = (count: number) => `${ALL}disallow: /${'*a'.repeat(200)}b\n`.repeat(count)
  const parse = (text: string) => parseRobots('https://a.example/robots.txt', text).robots
  assert.deepEqual(parse(wildcards(100)), { known: false, reason: 'The robots.txt of the site has too many rules.' })
  const robots = parse(wildcards(90))
  assert.ok(robots.known)
  assert.equal(robots.allows(`https://a.example/${'é'.repeat(600)}`), true)
  assert.equal(robots.allows(`https://a.example/${'é'.repeat(2_000)}`), false)
  assert.equal(robots.allows(`https://b.example/${'é'.repeat(2_000)}`), true)
})

test('robots.txt is interpreted as other implementations do', () => {
  // Its types describe an ES module, but it is a function.
  const parse = robotsParser as unknown as typeof robotsParser.default
  const word = fc.array(fc.constantFrom('a', 'B', '/', '*', '$', '%2f', '%', 'é', '?', '.'), { maxLength: 6 })
  const path = word.map((parts) => `/${parts.join('')}`)
  const line = fc.oneof(
    fc.constantFrom(
      'user-agent: *',
      'User-Agent: Bellwether/1.0',
      'user-agent: other',
      'crawl-delay: 2',
      'disallow:',
      '',
    ),
    fc.tuple(fc.constantFrom('allow', 'disallow'), path).map(([field, rule]) => `${field}: ${rule}`),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 10 }), fc.array(path, { maxLength: 4 }), (lines, paths) => {
      const text = lines.join('\n')
      const { robots } = parseRobots('https://a.example/robots.txt', text)
      const others = parse('https://a.example/robots.txt', text)
      assert.ok(robots.known)
      assert.equal(robots.delayMs, (others.getCrawlDelay('bellwether') ?? 0) * 1_000)
      for (const url of paths.map((path) => `https://a.example${path}`)) {
        assert.equal(robots.allows(url), others.isAllowed(url, 'bellwether') ?? true, `${text}\n${url}`)
      }
    }),
    { numRuns: 300 },
  )
})

/** Rejecting other documents is work too. */
function orNothing(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    assert.match((error as Error).message, /not a (?:feed|sitemap)/)
  }
}
