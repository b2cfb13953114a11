import { after } from 'node:test'
import { type Host, type HostResponse, startInternet } from '../../sandbox/internet.ts'
import { startMail } from '../../sandbox/mail.ts'
import type { MailDomain, SandboxRequest, Vendor, World } from '../../sandbox/types.ts'
import { VENDORS, vendorResponse } from '../../sandbox/vendors/index.ts'

type Page = string | HostResponse
/** Responses by path, a text being an HTML page; `*` is every other path. A query counts where a path has one. */
export type Paths = Record<string, Page | ((request: SandboxRequest) => Page | Promise<Page>)>
/** A function, one response to every request, or responses by path. */
export type Site = Host | HostResponse | Paths

type WorldOptions = {
  sites?: Record<string, Site>
  /** The emulated vendors that can be reached: all stateless ones unless given. */
  vendors?: readonly Vendor[]
  /** The data of the vendors. */
  records?: Partial<World>
  /** Mail servers of domains. Given, the service verifies addresses there. */
  mail?: readonly MailDomain[]
  /** Responses for every host without a site or vendor. */
  others?: Host
  /** Changes a response before it is sent. */
  alter?: (answer: HostResponse, request: SandboxRequest) => HostResponse
}

/**
 * Everything outside the service under test, on loopback: sites by host, emulated vendors, mail servers. A host without a
 * site or vendor does not resolve. Ends with the test file.
 */
export async function testWorld({
  sites: initial = {},
  vendors = VENDORS,
  records,
  mail,
  others = () => null,
  alter = (answer) => answer,
}: WorldOptions = {}) {
  const sites = new Map<string, Site>(Object.entries(initial))
  const world = {
    ...{
      today: new Date().toISOString().slice(0, 10),
      companies: [],
      stories: [],
      filings: [],
      profiles: [],
      mail: mail ?? [],
    },
    ...records,
  } as { -readonly [K in keyof World]: World[K] }
  const internet = await startInternet(async (request) => {
    const site = sites.get(request.url.host)
    const answer = site
      ? await answerOf(site, request)
      : ((await vendorResponse(request, world, vendors)) ?? (await others(request)))
    return alter(answer, request)
  })
  after(() => internet[Symbol.asyncDispose]())
  const servers = await startMail(mail ?? [])
  after(() => servers[Symbol.asyncDispose]())
  // A service in this environment reaches only this world, without delays between its requests.
  const env = { ...internet.env, CRAWL_DELAY_MS: '0' }
  const mailEnv = {
    OUTBOUND_CONNECT_TO: `${internet.env.OUTBOUND_CONNECT_TO},${servers.connectTo}`,
    DNS_SERVER: servers.dns,
    EMAIL_VERIFY_FROM: 'check@sender.example',
    EMAIL_VERIFY_SECONDS: '3',
    EMAIL_GREYLIST_SECONDS: '0,0',
    EMAIL_DELAY_MS: '0',
  }
  return { sites, world, internet, mail: servers, env: mail ? { ...env, ...mailEnv } : env }
}

async function answerOf(site: Site, request: SandboxRequest): Promise<HostResponse> {
  if (typeof site === 'function') return site(request)
  if (site === null || typeof site === 'string' || isResponse(site)) return site
  const { pathname, search } = request.url
  const hasQueries = Object.keys(site).some((path) => path.startsWith(`${pathname}?`))
  const found = site[pathname + search] ?? (hasQueries ? undefined : site[pathname]) ?? site['*']
  const page = typeof found === 'function' ? await found(request) : found
  if (page === undefined) return { status: 404, body: 'Not here' }
  return typeof page === 'string' && page !== 'stall' && page !== 'drop' ? html(page) : page
}

const isResponse = (site: object): site is Exclude<HostResponse, string | null> => 'status' in site

export function html(body: string, headers: Record<string, string> = {}): Exclude<HostResponse, string | null> {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body }
}
