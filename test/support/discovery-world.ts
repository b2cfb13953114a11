import { hackerNews } from '../../sandbox/vendors/hacker-news.ts'
import { sec } from '../../sandbox/vendors/sec.ts'
import type { Answer } from './client.ts'
import { day, EVENTS, type Site, siteOf } from './companies.ts'
import { testWorld } from './world.ts'

/** The sites of the internet, and their entries in the universe. */
export const COMPANIES: Record<string, { site: Site | null; universe?: Record<string, string> }> = {
  'alder.example': {
    site: { name: 'Alder', events: { funding: 5 } },
    universe: { country: 'DE', industry: 'Software', employees: '120', location: '80331 München' },
  },
  'birch.example': {
    site: { name: 'Birch', events: { funding: 40 } },
    universe: { country: 'Austria', industry: 'B2B SaaS', employees: '60' },
  },
  'cedar.example': {
    site: { name: 'Cedar', events: { funding: 10, layoffs: 8 } },
    // Its country follows only from its location.
    universe: { location: 'Villeurbanne', industry: 'Logistics', employees: '300' },
  },
  'douglas.example': {
    site: { name: 'Douglas', events: { acquisition: 12 } },
    universe: { country: 'US', industry: 'Software', employees: '5000', location: 'Palo Alto, CA' },
  },
  'elm.example': {
    site: { name: 'Elm', events: { funding: 200 } },
    universe: { country: 'DE', industry: 'Logistics', employees: '40' },
  },
  'fir.example': {
    site: { name: 'Fir', events: { funding: 6 } },
    universe: { country: 'DE', industry: 'Candle making', employees: '80' },
  },
  // Only its domain is known before it is researched.
  'ginkgo.example': {
    site: { name: 'Ginkgo', events: { funding: 7 }, about: { address: { addressCountry: 'CH' } } },
    universe: {},
  },
  'hazel.example': {
    site: { name: 'Hazel' },
    universe: { country: 'DE', industry: 'Software', employees: '70' },
  },
  'ivy.example': { site: null, universe: { country: 'GB', industry: 'Software', employees: '90' } },
  // Only in the news; its site has the rest.
  'juniper.example': {
    site: {
      name: 'Juniper',
      events: { funding: 3 },
      about: {
        address: { addressLocality: 'Potsdam', addressCountry: 'DE' },
        industry: 'FinTech',
        numberOfEmployees: 75,
      },
    },
  },
  // Neither the universe nor its site describes it.
  'larch.example': { site: { name: 'Larch', events: { acquisition: 4 } } },
}

export const story = (id: string, url: string, title: string) => ({
  id,
  url,
  title,
  text: title,
  published: day(3),
  points: 5,
  about: '',
})
export const STORIES = [
  story('1', 'https://juniper.example/news/funding', EVENTS.funding('Juniper').title),
  // In the universe, found by name.
  story('2', 'https://news.example/fir', EVENTS.funding('Fir').title),
  story('4', 'https://larch.example/news/acquisition', EVENTS.acquisition('Larch').title),
  story('3', 'https://news.example/nobody', EVENTS.funding('Kapok').title),
]
/** Companies that only news and filings mention; the tests about them publish these. */
const LED_TO: Record<string, Site> = {
  'maple-robotics.example': { name: 'Maple Robotics', events: { funding: 3 } },
  // The story links to it under another company's name.
  'oak.example': { name: 'Oak Furniture', events: { funding: 3 } },
  'willow-systems.example': { name: 'Willow', events: { funding: 3 } },
  // A namesake, which reports another event.
  'pinelabs.com': { name: 'Pine Labs', events: { acquisition: 3 } },
  // It reports the event itself.
  'poplar-systems.com': { name: 'Poplar Systems', events: { funding: 3 } },
  'rowandynamics.com': { name: 'Rowan Dynamics', events: { funding: 3 }, team: ['Ada Pike', 'Ben Moss'] },
  'sorrelworks.com': { name: 'Sorrel Works', events: { funding: 3 }, team: ['Cleo Hart', 'Dan Webb'] },
  'tamarack-grid.com': { name: 'Tamarack Power', events: { acquisition: 3 } },
}
const ARTICLES: Record<string, string> = {
  '/maple': '<p>Robots from <a href="https://www.maple-robotics.example/en">Maple Robotics</a> lift boxes.</p>',
  '/oak': '<p>So says <a href="https://oak.example/">Oak Systems</a>.</p>',
  // It was acquired: its domain redirects to a page on the buyer's site.
  '/quince': '<p>So says <a href="https://quince.example/">Quince</a>.</p>',
  // It has moved to a new domain.
  '/willow': '<p>So says <a href="https://willow.example/">Willow</a>.</p>',
  '/pine': '<p>Pine Labs said so in a letter.</p>',
  '/poplar': '<p>Poplar Systems said so in a letter.</p>',
}
const filing = (cik: number, company: string, form: string, more: object) => ({
  ...{ cik, company, form, accession: `0000${cik}-26-000001`, filed: day(4), document: 'main.xml', text: '' },
  ...more,
})
const officers = [{ first: 'Ada', last: 'Pike', roles: ['Executive Officer'] }]
const offering = { sold: 4_000_000, offered: null, first_sale: null, industry: 'Other Technology' }
const FILINGS = [
  filing(7001, 'Rowan Dynamics, Inc.', 'D', { officers, offering }),
  filing(7002, 'Sorrel Works, Inc.', 'D', { officers, offering }),
  filing(7003, 'Tamarack Power Corp', '8-K', {
    document: 'main.htm',
    text: 'Item 2.01 Completion of Acquisition or Disposition of Assets. Tamarack Power acquired Brightwater Analytics. Our website address is www.tamarack-grid.com.',
  }),
]

/** The world of the discovery tests in its initial state. */
export async function startDiscoveryWorld() {
  const alerts: Answer['data'][] = []
  const news = { works: true, stories: STORIES }
  const { internet, sites } = await testWorld({
    sites: {
      ...Object.fromEntries(
        Object.entries(COMPANIES).map(([domain, { site }]) => [domain, site ? siteOf(site) : 'drop']),
      ),
      ...Object.fromEntries(Object.entries(LED_TO).map(([domain, site]) => [domain, siteOf(site)])),
      'quince.example': { status: 301, headers: { location: 'https://bigco.example/quince' } },
      'bigco.example': (request) => siteOf({ name: 'Quince' })({ ...request, url: new URL('/', request.url) }),
      'willow.example': { status: 301, headers: { location: 'https://eu.willow-systems.example/' } },
      'eu.willow-systems.example': siteOf({ name: 'Willow' }),
      'news.example': Object.fromEntries(
        Object.entries(ARTICLES).map(([path, article]) => [path, `<html><body>${article}</body></html>`]),
      ),
      'hn.algolia.com': (request) =>
        news.works
          ? hackerNews.answer(request, { today: day(0), companies: [], stories: news.stories, filings: [] })
          : { status: 500 },
      'hooks.example': (request) => {
        alerts.push({ path: request.url.pathname, ...JSON.parse(request.body) })
        return { status: 204 }
      },
    },
    vendors: [sec],
    records: { filings: FILINGS },
  })
  return { internet, sites, news, alerts }
}
