import type { Host } from '../../sandbox/internet.ts'
import type { Story } from '../../sandbox/types.ts'
import { gdelt } from '../../src/providers/streams/gdelt.ts'
import { LATEST, PERIOD_MS, stampOf } from './gdelt-files.ts'
import type { Planted, PlantedItem } from './planted.ts'

/**
 * Articles on news sites as GDELT lists them, each with an account of its own. The shares are assumptions: two thirds of the
 * articles about a company link to its site or name it, a sixth name none and the account's name is proof, some have no
 * proof at all and cannot be found. As many others are about namesakes, other companies, or rumours.
 */
export function plantGdelt(day: string): Planted {
  const period = stampOf(LATEST)
  const items: PlantedItem[] = []
  const stories: Story[] = []
  const hosts = new Map<string, Host>()
  const pages = new Map<string, string>()
  let n = 0
  for (const { kind, count, about, plant } of CASES) {
    for (let i = 0; i < count; i++) {
      n += 1
      const name = nameOf(n)
      const event = EVENTS[n % EVENTS.length] as Event
      const { account, organisations, title, text, host = `daily-${n % 40}.example` } = plant({ n, name, event })
      const url = `https://${host}/news/${n}`
      items.push({ kind, account, url, signal: about ? event.signal : null })
      stories.push({
        ...{ id: String(n), url, title, text: '', points: 1, about: '', published: day, period, outlets: 1 + (n % 5) },
        organisations,
      })
      if (text.length > 0) pages.set(url, page(title, text, day))
      hosts.set(host, ({ url: { href, pathname } }) => {
        const body = pathname === '/robots.txt' ? undefined : pages.get(href)
        return body === undefined ? { status: 404 } : { status: 200, headers: { 'content-type': 'text/html' }, body }
      })
    }
  }
  return {
    ...{ source: 'GDELT', items, world: { stories }, hosts, isScanned: false, disallowed: new Set() },
    feeds: [{ stream: gdelt.name, feed: 'articles', state: { file: stampOf(LATEST - PERIOD_MS) } }],
  }
}

function page(title: string, text: string[], day: string): string {
  const head = `<title>${title} | The Daily</title><meta property="article:published_time" content="${day}T07:30:00Z">`
  const body = text.map((paragraph) => `<p>${paragraph}</p>`).join('\n')
  return `<!doctype html><html lang="en"><head>${head}</head><body><nav><a href="/">Home</a><a href="/business">Business</a></nav><article><h1>${title}</h1>${body}</article><footer><p>The Daily is published every morning. All rights reserved.</p></footer></body></html>`
}

const FIRST =
  'Aldermoor Birchgate Cinderlow Dunmere Elmhurst Fenwick Gorsedale Hawthorn Ivelet Juniper Kestrel Larkspur Marrow Nettlefold Ottermere Pendle Quarrel Rookhope Skagen Tamarind'.split(
    ' ',
  )
const SECOND = 'Optics Robotics Foods Marine Ceramics Turbines Freight Analytics Looms Dairy Software'.split(' ')
/** 220 different names. */
const nameOf = (n: number) => `${FIRST[n % FIRST.length]} ${SECOND[n % SECOND.length]}`
const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '')
const wordOf = (n: number) => `${FIRST[n % FIRST.length]}${'aeiou'[n % 5]}x`

type Event = { signal: string; title: (name: string) => string; text: (name: string) => string[] }
const OTHERS = ['Brightwater Analytics', 'Corvane Industries', 'Lanternfall Group', 'Pikku Foods']
const MORE = [
  'The company was founded in 2011 and is based in Leeds.',
  'Its customers include hospitals, food producers and shipyards in a dozen countries.',
]

const EVENTS: readonly Event[] = [
  {
    signal: 'funding',
    title: (name) => `${name} raises $42m in Series B round`,
    text: (name) => [
      `${name} has raised $42 million in a Series B round led by Vantor Capital, it said on Tuesday.`,
      ...MORE,
    ],
  },
  {
    signal: 'acquisition',
    title: (name) => `${name} buys ${OTHERS[0]} for $25m`,
    text: (name) => [`${name} has acquired ${OTHERS[0]} for $25 million in cash. The deal closed on Monday.`, ...MORE],
  },
  {
    signal: 'leadership_change',
    title: (name) => `${name} names Ines Okafor as chief executive`,
    text: (name) => [
      `${name} has appointed Ines Okafor as chief executive officer. She succeeds Paul Werth, who retires.`,
      ...MORE,
    ],
  },
  {
    signal: 'layoffs',
    title: (name) => `${name} lays off 120 employees`,
    text: (name) => [
      `${name} is laying off 120 employees, about 15 percent of its workforce, it told staff on Monday.`,
      ...MORE,
    ],
  },
  {
    signal: 'partnership',
    title: (name) => `${name} partners with ${OTHERS[1]}`,
    text: (name) => [
      `${name} has entered into a strategic partnership with ${OTHERS[1]}, the two companies said.`,
      ...MORE,
    ],
  },
  {
    signal: 'expansion',
    title: (name) => `${name} opens new factory in Poland`,
    text: (name) => [`${name} has opened a new factory in Gdansk, its first one in Poland.`, ...MORE],
  },
  {
    signal: 'product_launch',
    title: (name) => `${name} launches new inspection system`,
    text: (name) => [`${name} on Tuesday launched Argus, a new inspection system for bottling lines.`, ...MORE],
  },
  {
    signal: 'ipo',
    title: (name) => `${name} files for IPO in New York`,
    text: (name) => [`${name} has filed for an initial public offering on the New York Stock Exchange.`, ...MORE],
  },
  {
    signal: 'security_incident',
    title: (name) => `${name} discloses data breach`,
    text: (name) => [
      `${name} disclosed a data breach in which attackers stole the records of 20,000 customers.`,
      ...MORE,
    ],
  },
  {
    signal: 'customer_win',
    title: (name) => `${name} wins $12m contract from the Navy`,
    text: (name) => [`${name} has won a five-year contract worth $12 million from the United States Navy.`, ...MORE],
  },
]

const RUMOURS: ((name: string) => { title: string; text: string[] })[] = [
  (name) => ({
    title: `${name} in talks to raise $50m, sources say`,
    text: [
      `${name} is in talks to raise $50 million, according to two people familiar with the matter. No decision has been made.`,
    ],
  }),
  (name) => ({
    title: `${name} may cut jobs`,
    text: [
      `${name} is weighing cuts to its sales team, people close to the company said. A spokesperson declined to comment.`,
    ],
  }),
  (name) => ({
    title: `${OTHERS[2]} said to consider bid for ${name}`,
    text: [
      `${OTHERS[2]} is considering a bid for ${name}, a person close to the matter said. It may still decide against an offer.`,
    ],
  }),
]

const link = (name: string, domain: string) =>
  `Details are on the site of <a href="https://www.${domain}/">${name}</a>.`

type Given = { n: number; name: string; event: Event }
type Article = {
  account: PlantedItem['account']
  organisations: string[]
  title: string
  text: string[]
  host?: string
}
type Case = { kind: string; count: number; about: boolean; plant: (given: Given) => Article }

const article = (
  { event, name }: Given,
  account: PlantedItem['account'],
  more: string[] = [],
  organisation = name,
): Article => ({
  account,
  organisations: [organisation, OTHERS[0] as string],
  title: event.title(name),
  text: [...event.text(name), ...more],
})
/** A domain that is not formed from the name. */
const unlike = ({ n }: Given) => `get-${'xyz'[n % 3]}${n}.io`

const CASES: readonly Case[] = [
  {
    kind: 'links to the site',
    ...{ count: 36, about: true },
    plant: (given) => article(given, { name: given.name, domain: unlike(given) }, [link(given.name, unlike(given))]),
  },
  {
    kind: 'names the domain',
    ...{ count: 18, about: true },
    plant: (given) =>
      article(given, { name: given.name, domain: unlike(given) }, [`Readers can visit ${unlike(given)} for more.`]),
  },
  {
    kind: 'names no site, domain formed from the name',
    ...{ count: 14, about: true },
    plant: (given) => article(given, { name: given.name, domain: `${slugOf(given.name)}.com` }),
  },
  {
    kind: 'names no site, same legal form',
    ...{ count: 5, about: true },
    plant: (given) => article(given, { name: `${given.name} Ltd`, domain: unlike(given) }, [], `${given.name} Ltd`),
  },
  {
    kind: 'on the site of the company',
    ...{ count: 8, about: true },
    plant: (given) => ({
      ...article(given, { name: given.name, domain: unlike(given) }),
      host: `news.${unlike(given)}`,
    }),
  },
  {
    kind: 'without organisations, named by its headline',
    ...{ count: 8, about: true },
    plant: (given) => ({
      ...article(given, { name: given.name, domain: unlike(given) }, [link(given.name, unlike(given))]),
      organisations: [],
    }),
  },
  {
    kind: 'without organisations, not named by its headline',
    ...{ count: 2, about: true },
    plant: (given) => ({
      ...article(given, { name: given.name, domain: unlike(given) }, [link(given.name, unlike(given))]),
      ...{ organisations: [], title: 'What happened in business this week' },
    }),
  },
  {
    kind: 'on a page that cannot be read',
    ...{ count: 2, about: true },
    plant: (given) => ({ ...article(given, { name: given.name, domain: unlike(given) }), text: [] }),
  },
  {
    kind: 'names no site, nothing else proves it',
    ...{ count: 5, about: true },
    plant: (given) => article(given, { name: given.name, domain: unlike(given) }),
  },
  {
    kind: 'namesake with another site',
    ...{ count: 24, about: false },
    plant: (given) =>
      article(given, { name: given.name, domain: `${slugOf(given.name)}.com` }, [
        link(given.name, `${slugOf(given.name)}-group.de`),
      ]),
  },
  {
    kind: 'namesake with another legal form',
    ...{ count: 12, about: false },
    plant: (given) => article(given, { name: `${given.name} GmbH`, domain: unlike(given) }, [], `${given.name} Inc`),
  },
  {
    kind: 'namesake of one word',
    ...{ count: 10, about: false },
    plant: (given) => {
      const name = wordOf(given.n)
      return article({ ...given, name }, { name, domain: `${name.toLowerCase()}.io` })
    },
  },
  {
    kind: 'namesake with the same legal form and no site',
    ...{ count: 1, about: false },
    plant: (given) => article(given, { name: `${given.name} Ltd`, domain: unlike(given) }, [], `${given.name} Ltd`),
  },
  {
    kind: 'mentioned among others',
    ...{ count: 16, about: false },
    plant: (given) => {
      const subject = OTHERS[3] as string
      const competes = `${subject} competes with ${given.name} (${unlike(given)}) and ${OTHERS[1]}.`
      return {
        account: { name: given.name, domain: unlike(given) },
        organisations: [subject, given.name, OTHERS[1] as string],
        title: given.event.title(subject),
        text: [...given.event.text(subject), competes],
      }
    },
  },
  {
    kind: 'rumour',
    ...{ count: 15, about: false },
    plant: (given) => {
      const rumour = (RUMOURS[given.n % RUMOURS.length] as (typeof RUMOURS)[number])(given.name)
      return {
        account: { name: given.name, domain: unlike(given) },
        organisations: [given.name],
        title: rumour.title,
        text: [...rumour.text, ...MORE, link(given.name, unlike(given))],
      }
    },
  },
]
