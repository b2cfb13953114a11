// Texts as they come from outside: by grammar, and real ones that were damaged.
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'

/** Characters and pieces that have broken readers before. */
export const ODD = fc.constantFrom(
  ...[
    '\0',
    '\ud800',
    'x\udfff',
    '\u{1f411}',
    '\ufeff',
    '\u202e',
    '\u200b',
    '\u00ad',
    '\u0130',
    '\u1e9e',
    '\u2028',
    '\x85',
  ],
  ...['e\u0301\u0301\u0301', '\ufdfa', '\u0149', '\r', '\t', '\x1b[31m', '%', '%ED%A0%80', '\\', '\\u0000', '\\ud800'],
  // Names that every object of the language has.
  ...['constructor', '__proto__', 'hasOwnProperty', 'toString', 'valueOf', 'NaN', '-0', '1e999', 'null', 'undefined'],
  ...[
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '&',
    '&#0;',
    '&#xD800;',
    '&#x110000;',
    '&amp;amp;',
    '"',
    "'",
  ],
  ...[
    '9'.repeat(40),
    'a'.repeat(3_000),
    ' '.repeat(500),
    ',;'.repeat(300),
    '. '.repeat(300),
    '('.repeat(300),
    '\n'.repeat(99),
  ],
)

const WORDS = fc.constantFrom(
  ...[
    'Acme',
    'Acme Corp',
    'Acme Robotics, Inc.',
    'ACME',
    'Globex',
    'the Company',
    'Larch Capital',
    'Müller',
    "O'Brien",
  ],
  ...[
    'Ada Pike',
    'Dr. Jane Doe',
    'JANE DOE',
    'de la Cruz',
    'Xi',
    'Chief Executive Officer',
    'VP of Sales',
    'CFO',
    'Head',
  ],
  ...[
    'raises',
    'acquires',
    'appoints',
    'names',
    'has',
    'to',
    'of',
    'and',
    'in',
    'as',
    'will',
    'not',
    'formerly',
    'steps down',
  ],
  ...[
    '$20M',
    '€1.2 billion',
    'Series A',
    '40 jobs',
    '12%',
    'Berlin',
    'New York',
    'Germany',
    'warehouse',
    'robots',
    'layoffs',
  ],
  ...[
    'April 14, 2026',
    '14 Apr 2026',
    '2026-02-30',
    '29 February',
    '0000-00-00',
    'yesterday',
    'last quarter',
    '31/12/1999',
  ],
  ...['. ', ', ', '; ', '\n', '\n\n', ' – ', ': ', '“', '”', '!', '?'],
)

/** Sentences of a kind. */
export const PROSE: Arbitrary<string> = fc
  .array(fc.oneof({ arbitrary: WORDS, weight: 12 }, { arbitrary: ODD, weight: 1 }, fc.string({ maxLength: 8 })), {
    maxLength: 60,
  })
  .map((words) => words.join(' '))

const TAGS = fc.constantFrom(
  ...'html head body title main article section header footer nav aside div p span a b h1 h2 h3 ul ol li dl dt dd'.split(
    ' ',
  ),
  ...'table thead tbody tr td th figure figcaption img br hr meta link time svg script style template noscript'.split(
    ' ',
  ),
  ...'form select option textarea iframe base details summary address constructor x-card'.split(' '),
)
const ATTRIBUTES = fc.constantFrom(
  ...'class id href src rel type itemprop itemtype itemscope property content name role style datetime title alt'.split(
    ' ',
  ),
  ...'typeof vocab data-x aria-label __proto__ constructor'.split(' '),
)
const VALUES = fc.oneof(
  fc.constantFrom(
    ...[
      'team',
      'share',
      'vcard fn n',
      'person card',
      'nav',
      'main',
      'og:title',
      'article:published_time',
      'application/ld+json',
    ],
    ...[
      'https://schema.org/Person',
      'https://schema.org/Organization',
      'name',
      'jobTitle',
      'datePublished',
      'display:none',
    ],
    ...[
      '/news/2026/04/a-story-of-acme',
      '/careers/engineer',
      'https://www.linkedin.com/in/ada',
      'mailto:ada%zz@acme.com',
    ],
    ...[
      'tel:+49 30 123456',
      'https://boards.greenhouse.io/acme',
      'http://[::1',
      '//',
      '?',
      '#',
      'javascript:alert(1)',
      'data:,x',
    ],
    ...['https://', 'https://a.b/%', 'https://\ud800.example/', 'xn--', 'HTTPS://ACME.example:99999/'],
  ),
  PROSE,
  ODD,
)

/** Any JSON, with the names that structured data uses. */
export const JSON_LD: Arbitrary<unknown> = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'json' },
    PROSE,
    ODD,
    fc.constantFrom(null, true, 0, -1, 1e308, [], {}),
    fc.dictionary(
      fc.constantFrom(
        ...'@type @id @graph @value name url jobTitle worksFor employee member address addressLocality datePublished'.split(
          ' ',
        ),
        ...'title hiringOrganization validThrough description sameAs email telephone image __proto__ constructor'.split(
          ' ',
        ),
      ),
      fc.oneof(
        fc.constantFrom(
          'Person',
          'Organization',
          'NewsArticle',
          'JobPosting',
          ['Person', 1, null],
          'https://schema.org/Person',
        ),
        tie('node'),
      ),
      { maxKeys: 6 },
    ),
    fc.array(tie('node'), { maxLength: 4 }),
  ),
})).node

/** Markup that may be closed, or not, or the wrong way round. */
export const MARKUP: Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 8, depthIdentifier: 'markup' },
    PROSE,
    fc
      .tuple(
        TAGS,
        fc.array(fc.tuple(ATTRIBUTES, fc.option(VALUES), fc.constantFrom('"', "'", '')), { maxLength: 4 }),
        fc.array(tie('node'), { maxLength: 6 }),
        fc.oneof({ arbitrary: fc.constant(null), weight: 6 }, { arbitrary: TAGS, weight: 1 }, fc.constant('')),
      )
      .map(([tag, attributes, children, end]) => {
        const written = attributes.map(
          ([name, value, quote]) => ` ${name}${value === null ? '' : `=${quote}${value}${quote}`}`,
        )
        return `<${tag}${written.join('')}>${children.join('')}${end === '' ? '' : `</${end ?? tag}>`}`
      }),
    JSON_LD.map((value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`),
    ODD,
  ),
})).node

type Edit = {
  kind: 'cut' | 'double' | 'move' | 'insert' | 'replace' | 'end'
  at: number
  length: number
  piece: string
}

/** Damages a text: pieces are taken out, doubled, moved, put in; or it breaks off. */
export function damaged(text: string, edits: readonly Edit[]): string {
  let out = text
  for (const { kind, at, length, piece } of edits) {
    const from = Math.floor(at * out.length)
    const to = Math.min(out.length, from + Math.floor(length * length * Math.min(out.length, 20_000)))
    const [before, slice, after] = [out.slice(0, from), out.slice(from, to), out.slice(to)]
    if (kind === 'cut') out = before + after
    else if (kind === 'double') out = before + slice + slice + after
    else if (kind === 'move') out = after + slice + before
    else if (kind === 'insert') out = before + piece + slice + after
    else if (kind === 'replace') out = before + piece + after
    else out = before
  }
  return out
}

const PART = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

export const edits = (piece: Arbitrary<string> = ODD, maxLength = 6): Arbitrary<Edit[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom('cut', 'double', 'move', 'insert', 'replace', 'end'),
      at: PART,
      length: PART,
      piece: fc.oneof(piece, ODD),
    }),
    { maxLength },
  )

/** One of some texts, damaged. */
export function damagedOneOf(texts: readonly string[], piece?: Arbitrary<string>): Arbitrary<string> {
  return fc.tuple(fc.nat(texts.length - 1), edits(piece)).map(([which, all]) => damaged(texts[which] as string, all))
}

/** Pages as sites write them: ours, and those of a file (one JSON object with `html` a line, plain or gzip) if one is given. */
export function realPages(): string[] {
  const folder = new URL('../fixtures/pages/', import.meta.url)
  const ours = readdirSync(folder)
    .filter((name) => name.endsWith('.html'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  if (!process.env.FUZZ_PAGES) return ours
  const bytes = readFileSync(process.env.FUZZ_PAGES)
  const lines = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n')
  return [...ours, ...lines.map((line) => (JSON.parse(line) as { html: string }).html)]
}
