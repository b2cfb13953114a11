import '../support/steps.ts' // first: it counts only what is compiled after it

import { compileCascade } from '../../src/engine/cascade/index.ts'
import { describeEvent } from '../../src/engine/claim/index.ts'
import { WindowBuilder } from '../../src/engine/classifier/windows.ts'
import { WordPieceTokenizer } from '../../src/engine/classifier/word-piece-tokenizer.ts'
import { companyKey, findCompanyMentions } from '../../src/engine/companies/company-names.ts'
import { canonicalUrl, contentParts, fingerprintContent } from '../../src/engine/content/index.ts'
import { compileCustomSignal, isExcludedSentence } from '../../src/engine/detect/custom-signal.ts'
import { findEventDate, findPublishedDate } from '../../src/engine/detect/dates.ts'
import { deniesIncident } from '../../src/engine/detect/denial.ts'
import { findMentionsInDocument, parseDocument, sentenceText } from '../../src/engine/detect/document.ts'
import { findNamedPeople } from '../../src/engine/named-people/index.ts'
import { splitFullName } from '../../src/engine/people/person-name.ts'
import { SIGNAL_IDS } from '../../src/engine/signals/index.ts'
import { parseJson } from '../../src/engine/text/storable.ts'
import { tokenize } from '../../src/engine/text/tokens.ts'
import { readTitle, titlesAgree } from '../../src/engine/titles/index.ts'
import { findNamedSites } from '../../src/providers/web/own-site.ts'
import { different, type Maker, many, testLinear } from '../support/linear.ts'

const NAMES = Array.from({ length: 160 }, (_, i) => `Q${String.fromCharCode(97 + (i % 26), 97 + (i % 23))}`)
const definitions = Array.from(
  { length: 8 },
  (_, i) => `Acme (${NAMES.slice(i * 20, i * 20 + 20).map((name) => `"${name}"`)}) went. `,
).join('')

const TEXTS: Record<string, Maker> = {
  'names of the company': many('Acme '),
  events: many('Acme acquires Globex. '),
  'sentences without an end': many('Acme acquires Globex '),
  'triggers and cues': many('acquires announced today plans launch will may said '),
  'one word': many('Acme'),
  'open brackets': many('Acme ('),
  'lines of a letter': many('a\n'),
  dates: many('March 3, 2024 and 2024-03-03 '),
  sums: many('$5 million '),
  'names that the text defines': many(`${NAMES.join(' , ')} , `, definitions),
  'headings of sections': many('About Acme\n'),
  'notes of syndication': many('The post Acme said that it. '),
  'names of companies': different((word) => `${word} Inc. acquires ${word}x Ltd. `),
  'denied incidents': many('Acme data breach hit customers and Acme was not affected we and '),
  'letters that change their length': many('ﬁ é ß İ '),
  'a domain': many('acme.example.acme.example'),
  'people appointed': different((name) => `Acme appointed Ada ${name}, age 45, as Chief Financial Officer. `),
  'people quoted': different((name) => `"x," said Ada ${name}, CEO of Acme. `),
  'the company by its office': many('the Board of Directors of Acme '),
}
const company = { name: 'Acme', domain: 'acme.example' }
const customSignal = compileCustomSignal('x', 'companies that open a warehouse in Poland but not Germany')

/** The work of detection on a document except for the classifier, as if every sentence reported something. */
function detectIn(title: string, text: string): void {
  const document = parseDocument(title, text)
  const mentions = findMentionsInDocument(document, company)
  if (mentions) deniesIncident(document, mentions.bySentence)
  const published = findPublishedDate('2024-03-03', text)
  document.sentences.forEach((_, index) => {
    findEventDate(sentenceText(document, index).sentence, published)
    isExcludedSentence(document, customSignal, index)
  })
}

testLinear(TEXTS, (text) => detectIn('Acme acquires Globex', text), { name: 'a text', chars: 8_000, perChar: 150 })
testLinear(TEXTS, (text) => detectIn(text, 'Acme acquires'), { name: 'a headline', chars: 4_000, perChar: 500 })

const JOBS = new Set('ada ceo officer acme board a'.split(' '))
testLinear(TEXTS, (text) => findNamedPeople({ title: null, text, own: true }, company, JOBS), {
  name: 'people in a text',
  chars: 1_500,
  perChar: 4_000,
})

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const windows = new WindowBuilder(
  new WordPieceTokenizer([
    '[UNK]',
    '[CLS]',
    '[SEP]',
    '[S]',
    '[TGT]',
    ...letters,
    ...letters.map((letter) => `##${letter}`),
  ]),
)
testLinear(
  TEXTS,
  (text) => {
    const document = parseDocument('Acme', text)
    const { mentions } = findCompanyMentions(document.tokens, document.lower, company, document.titleEnd)
    windows.build(document, mentions)
    windows.build(document, mentions, { description: text })
  },
  { name: 'what the reader reads', chars: 4_000, perChar: 250 },
)

testLinear(
  { ...TEXTS, 'figures and marks': many('1,000.5-a_1§'), 'long tokens': many('abcdefghij-klmnopqrst_1\n') },
  (text) => {
    fingerprintContent(contentParts({ type: 'page', page: { shown: `ab${text}`, articles: [] } as never }))
    const item = { url: null, title: text, text, published_date: null }
    fingerprintContent(contentParts({ type: 'feed', feed: { title: null, items: [item] } }))
  },
  { name: 'a fingerprint', chars: 4_000, perChar: 250 },
)

const AT = 'https://a.example/'
testLinear(
  {
    'tracking parameters': different((word) => `utm_${word}&`, `${AT}?`),
    'one parameter again': many('ref=a&', `${AT}?`),
    'other parameters': different((word) => `${word}=a&`, `${AT}?`, 'utm_a=b'),
    'a long parameter': many('utm_', `${AT}?`),
    slashes: many('/', AT, 'x'),
    folders: many('a/', AT),
    'escaped letters': many('%75tm_é', `${AT}?`),
  },
  canonicalUrl,
  { name: 'an address', chars: 8_000, perChar: 40 },
)

// On the main thread: a long list of addresses must not be scanned to its end.
testLinear(
  {
    'one address': many('abc.io '),
    addresses: different((word) => `${word}.io `),
    'addresses after a word for sites': many('visit a.io '),
    dashes: many('a-'),
    dots: many('a.'),
  },
  (text) => findNamedSites('Acme Robotics', { text, outside_links: [] }),
  { name: 'the sites that a text names', chars: 50_000, perChar: 8 },
)

testLinear(
  {
    'legal forms': many('inc '),
    'single letters': many('s a '),
    'kinds of companies': many('group ', 'Acme '),
    articles: many('the '),
    'one word': many('x'),
  },
  (name) => {
    companyKey(name)
    findCompanyMentions(tokenize(name), name.toLowerCase(), { name }, 0)
  },
  { name: 'the name of a company', chars: 8_000, perChar: 200 },
)

const PEOPLE: Record<string, Maker> = {
  honorifics: many('dr '),
  credentials: many('PhD ', 'Ada Pike '),
  commas: many('a ,'),
  brackets: many('('),
  quotes: many('“x"'),
  'one word': many('x'),
}
testLinear(
  PEOPLE,
  (name) => {
    splitFullName(name)
    readTitle(name)
    titlesAgree(name, `${name}x`)
  },
  { name: 'the name or title of a person', chars: 4_000, perChar: 60 },
)

const REQUESTS: Record<string, Maker> = {
  ...PEOPLE,
  roles: many('vp of sales or '),
  degrees: many('who has a degree of '),
  pitches: many("we aaaa '"),
  places: many('in Berlin '),
  employers: many('Abc ', 'at '),
  exclusions: many('not in '),
  'second choices': many('otherwise '),
  'misspelled words': many('enginer markting '),
  distances: many('within 50 km of '),
}
testLinear(REQUESTS, compileCascade, { name: 'a request for people', chars: 250, perChar: 6_000 })

// The first fifty of the company's names are recognized in a sentence: from then on each counts as another company.
const { 'names of the company': _, ...sentences } = TEXTS
testLinear(
  sentences,
  (sentence) => {
    for (const signal of SIGNAL_IDS) describeEvent({ signal, company: 'Acme', sentence, mentions: [] })
    findEventDate(sentence, '2024-01-01')
  },
  { name: 'a sentence that tells an event', chars: 150, perChar: 6_000 },
)

const NUL = '\\u0000'
const ESCAPES = {
  'escapes of NUL': many(NUL, '["', '"]'),
  'halves of pairs': many('\\ud83d', '["', '"]'),
  backslashes: many('\\\\', '["', `u0000${NUL}"]`),
}
testLinear(ESCAPES, parseJson, { name: 'JSON with escapes', chars: 8_000, perChar: 20 })
