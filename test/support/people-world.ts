import { after } from 'node:test'
import { type HostAnswer, startInternet } from '../../sandbox/internet.ts'
import { startMail } from '../../sandbox/mail.ts'
import type { MailBehaviour, MailDomain, SandboxRequest, World } from '../../sandbox/types.ts'
import { vendorAnswer } from '../../sandbox/vendors/index.ts'
import { PDL_KEY } from '../../sandbox/vendors/people-data-labs.ts'
import { ZEROBOUNCE_KEY } from '../../sandbox/vendors/zerobounce.ts'
import { html } from './crawler.ts'

export const PDL = { PDL_API_KEY: PDL_KEY, PDL_REQUESTS_PER_MINUTE: '100000' }
/** The regulator is asked only by callers with an address, and slowly. */
export const FILINGS = { OUTBOUND_CONTACT: 'tests@bellwether.example' }
export const ZEROBOUNCE = { ZEROBOUNCE_API_KEY: ZEROBOUNCE_KEY }

type Page = string | HostAnswer
type Site = Record<string, Page | (() => Promise<Page>)>

/** One card of a team page. */
export type Card = { name: string; title: string; more?: string }

export const teamPage = (cards: readonly Card[]) =>
  `<html><head><title>Our team</title></head><body><main><h1>Our team</h1><div class="team">${cards
    .map(({ name, title, more = '' }) => `<div class="card"><h3>${name}</h3><p>${title}</p>${more}</div>`)
    .join('')}</div></main></body></html>`

export const home = (links = '<a href="/team">Our team</a>') =>
  `<html><head><title>Home</title></head><body><main><h1>Welcome</h1>${links}</main></body></html>`

/** An internet with a few companies, vendors and mail servers, for the tests of people. Ends with the test file. */
export async function peopleWorld({ mail = [] }: { mail?: readonly MailDomain[] } = {}) {
  const sites = new Map<string, Site | HostAnswer>()
  const world = { today: '2026-11-15', companies: [], stories: [], filings: [], profiles: [], mail } as {
    -readonly [K in keyof World]: World[K]
  }
  const internet = await startInternet(async (request: SandboxRequest) => {
    const site = sites.get(request.url.hostname)
    const vendor = site ? null : await vendorAnswer(request, world)
    if (vendor) return vendor
    if (!site || site === 'drop' || site === 'stall' || 'status' in site) return (site as HostAnswer) ?? null
    const page = (site as Site)[request.url.pathname + request.url.search]
    const found = typeof page === 'function' ? await page() : page
    if (found === undefined) return { status: 404, body: 'Not here' }
    return typeof found === 'string' && found !== 'drop' && found !== 'stall' ? html(found) : (found as HostAnswer)
  })
  after(() => internet[Symbol.asyncDispose]())
  const servers = await startMail(mail)
  after(() => servers[Symbol.asyncDispose]())
  return {
    sites,
    world,
    internet,
    mail: servers,
    env: {
      OUTBOUND_CA: internet.env.OUTBOUND_CA,
      OUTBOUND_CONNECT_TO: `${internet.env.OUTBOUND_CONNECT_TO},${servers.connectTo}`,
      DNS_SERVER: servers.dns,
      EMAIL_VERIFY_FROM: 'check@sender.example',
      EMAIL_VERIFY_SECONDS: '3',
      EMAIL_GREYLIST_SECONDS: '0,0',
      EMAIL_DELAY_MS: '0',
      CRAWL_DELAY_MS: '0',
    },
  }
}

export const mailAt = (domain: string, users: string[], behaviour: MailBehaviour = 'users'): MailDomain => ({
  domain,
  behaviour,
  users,
})
