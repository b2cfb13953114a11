import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { HostResponse } from './internet.ts'
import { pageAt } from './sites/content.ts'
import { brokenHtml, garbage, withNoise } from './sites/disturb.ts'
import { fileAt } from './sites/feeds.ts'
import { THEMES } from './sites/more-themes.ts'
import { newsSite } from './sites/news-site.ts'
import { urlOf } from './sites/pages.ts'
import type { SandboxRequest, SandboxResponse } from './types.ts'
import type { SiteCompany, WorldState } from './world/types.ts'

/** Requests per noisy site, for its counter. */
const visits = new WeakMap<WorldState, number>()

/** The response of the website at a host; null when the sandbox has no such site. */
export async function siteResponse(request: SandboxRequest, world: WorldState): Promise<HostResponse> {
  const { hostname, pathname, search } = request.url
  const bare = hostname.replace(/^www\./, '')
  const company = world.companies.find(({ domain, site }) => domain === bare || site.formerly.includes(bare))
  if (!company) return newsSite(request, world)
  const { fault } = company.site
  if (fault === 'drop' || fault === 'stall') return fault
  if (fault === 'slow') await wait(world.slow_ms)
  if (fault === 'error') return page(500, '<h1>500 Internal Server Error</h1>')
  if (fault === 'garbage') {
    return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: garbage() }
  }
  if (hostname !== new URL(urlOf(company, '/')).hostname) {
    return { status: 301, headers: { location: urlOf(company, pathname + search) } }
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, headers: { allow: 'GET, HEAD' } }
  }
  return answer(request, company, world)
}

function answer({ url, headers }: SandboxRequest, company: SiteCompany, world: WorldState): SandboxResponse {
  const file = fileAt(company, url.pathname)
  if (file) return conditional(company, headers, file.type, file.body, file.modified)
  const found = pageAt(company, url.pathname)
  if (!found) return page(404, `<h1>Page not found</h1><p><a href="/">${company.name}</a></p>`)
  const html = THEMES[company.site.theme].page(company, found.content)
  if (company.site.noise) {
    const seen = (visits.get(world) ?? 0) + 1
    visits.set(world, seen)
    return page(200, withNoise(html, seen))
  }
  const body = company.site.broken ? brokenHtml(html) : html
  return conditional(company, headers, 'text/html; charset=utf-8', body, found.modified)
}

/** Responds 304 to a conditional request for an unchanged page, as far as the site supports it. */
function conditional(
  { site: { caching } }: SiteCompany,
  headers: Record<string, string>,
  type: string,
  body: string,
  modified: Date,
): SandboxResponse {
  if (caching === 'none') return { status: 200, headers: { 'content-type': type }, body }
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const validators = {
    ...(caching !== 'modified' && { etag }),
    ...(caching !== 'etag' && { 'last-modified': modified.toUTCString() }),
  }
  return isKnown(headers, validators, modified)
    ? { status: 304, headers: validators }
    : { status: 200, headers: { 'content-type': type, 'cache-control': 'no-cache', ...validators }, body }
}

type Validators = { etag?: string; 'last-modified'?: string }

/** If-None-Match takes precedence over If-Modified-Since (RFC 9110, 13.2.2). */
function isKnown(headers: Record<string, string>, validators: Validators, modified: Date): boolean {
  const match = headers['if-none-match']
  if (match && validators.etag) {
    return match.split(',').some((tag) => tag.trim().replace(/^W\//, '') === validators.etag)
  }
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return validators['last-modified'] !== undefined && Math.floor(modified.getTime() / 1000) * 1000 <= since
}

function page(status: number, body: string): SandboxResponse {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}
