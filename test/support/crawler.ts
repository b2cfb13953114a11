import { after } from 'node:test'
import { type Host, type HostAnswer, type Internet, startInternet } from '../../sandbox/internet.ts'
import type { SandboxRequest } from '../../sandbox/types.ts'
import type { ProviderDeps } from '../../src/providers/types.ts'
import { providerDeps } from './provider-deps.ts'

/** What a host answers under a path; a text is a page. */
export type Paths = Record<
  string,
  string | HostAnswer | ((request: SandboxRequest) => HostAnswer | Promise<HostAnswer>)
>

/** An internet of a few hosts. What is not listed is a 404, a host that is not listed is not there. */
export async function smallInternet(hosts: Record<string, Paths>): Promise<Internet> {
  const answer: Host = async (request) => {
    const paths = hosts[request.url.host]
    if (!paths) return null
    const found = paths[request.url.pathname] ?? paths['*'] ?? { status: 404, body: 'Not here' }
    const given = typeof found === 'function' ? await found(request) : found
    if (typeof given !== 'string' || given === 'stall' || given === 'drop') return given
    return html(given)
  }
  const internet = await startInternet(answer)
  after(() => internet[Symbol.asyncDispose]())
  return internet
}

export function html(body: string, headers: Record<string, string> = {}): HostAnswer {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body }
}

export function xml(body: string, headers: Record<string, string> = {}): HostAnswer {
  return { status: 200, headers: { 'content-type': 'application/rss+xml', ...headers }, body }
}

export function rss(items: { path: string; title: string; date: string; text?: string }[], host: string): string {
  const entries = items.map(
    ({ path, title, date, text = 'In short.' }) =>
      `<item><title>${title}</title><link>https://${host}${path}</link><pubDate>${new Date(date).toUTCString()}</pubDate><description>${text}</description></item>`,
  )
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${entries.join('')}</channel></rss>`
}

/** What a provider works with on this internet, without pauses between the pages of a site. */
export function crawlerDeps(internet: Internet, env: Record<string, string> = {}): ProviderDeps {
  return providerDeps({ CRAWL_DELAY_MS: '0', ...internet.env, ...env })
}
