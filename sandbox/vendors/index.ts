import type { HostResponse } from '../internet.ts'
import type { Outage, SandboxRequest, Vendor, World } from '../types.ts'
import { ashby } from './ashby.ts'
import { companiesHouse, companiesHouseStream } from './companies-house.ts'
import { gdelt } from './gdelt.ts'
import { github } from './github.ts'
import { gleif } from './gleif.ts'
import { globenewswire } from './globenewswire.ts'
import { greenhouse } from './greenhouse.ts'
import { hackerNews } from './hacker-news.ts'
import { lever } from './lever.ts'
import { llm } from './llm.ts'
import { nihReporter } from './nih-reporter.ts'
import { peopleDataLabs } from './people-data-labs.ts'
import { personio } from './personio.ts'
import { prNewswire } from './pr-newswire.ts'
import { recruitee } from './recruitee.ts'
import { sec } from './sec.ts'
import { smartrecruiters } from './smartrecruiters.ts'
import { statuspage } from './statuspage.ts'
import { teamtailor } from './teamtailor.ts'
import { ted } from './ted.ts'
import { usaspending } from './usaspending.ts'
import { warn } from './warn.ts'
import { wikidata } from './wikidata.ts'
import { workable } from './workable.ts'
import { workday } from './workday.ts'
import { zerobounce } from './zerobounce.ts'

export const VENDORS: readonly Vendor[] = [
  greenhouse,
  lever,
  ashby,
  smartrecruiters,
  workable,
  recruitee,
  personio,
  teamtailor,
  workday,
  sec,
  hackerNews,
  gdelt,
  wikidata,
  globenewswire,
  prNewswire,
  github,
  statuspage,
  llm,
  peopleDataLabs,
  zerobounce,
  usaspending,
  ted,
  nihReporter,
  warn,
  gleif,
  companiesHouse,
  companiesHouseStream,
]

const OUTAGES: Record<Exclude<Outage, 'paging'>, HostResponse> = {
  error: { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Internal Server Error</h1>' },
  refused: { status: 401, headers: { 'content-type': 'application/json' }, body: '{"error":"invalid key"}' },
  spent: { status: 402, headers: { 'content-type': 'application/json' }, body: '{"error":"no credits left"}' },
  limited: {
    status: 403,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 1_800) },
    body: '{"message":"API rate limit exceeded"}',
  },
  garbage: { status: 200, headers: { 'content-type': 'application/json' }, body: '<!doctype html><p>Nice try.' },
  misshapen: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"message":"We have moved."}' },
  busy: { status: 429, headers: { 'retry-after': '0.01' }, body: 'Too Many Requests' },
  stall: 'stall',
  drop: 'drop',
}

/** The response of the vendor at a host; null when no vendor has this host. */
export async function vendorResponse(
  request: SandboxRequest,
  world: World,
  vendors: readonly Vendor[] = VENDORS,
): Promise<HostResponse> {
  const vendor = vendors.find(({ hosts }) => hosts.some((host) => isHost(request.url.hostname, host)))
  if (!vendor) return null
  const outage = world.outages?.[vendor.name]
  const robots = request.url.pathname === '/robots.txt' ? world.robots?.[vendor.name] : undefined
  if (robots !== undefined && !outage) return { status: 200, headers: { 'content-type': 'text/plain' }, body: robots }
  if (outage === 'paging') return isSecondPage(request) ? OUTAGES.error : vendor.answer(request, world)
  return outage ? OUTAGES[outage] : vendor.answer(request, world)
}

function isHost(hostname: string, host: string): boolean {
  if (host.endsWith('.*')) return hostname.startsWith(host.slice(0, -1))
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
}

const isSecondPage = ({ url, body }: SandboxRequest) =>
  Number(url.searchParams.get('from')) > 0 || /"scroll_token"|"page":(?!1\b)\d|"offset":[1-9]/.test(body)
