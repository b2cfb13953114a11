import type { HostResponse, Internet } from '../../sandbox/internet.ts'
import type { ProviderDeps } from '../../src/providers/types.ts'
import { providerDeps } from './provider-deps.ts'

export function xml(body: string, headers: Record<string, string> = {}): HostResponse {
  return { status: 200, headers: { 'content-type': 'application/rss+xml', ...headers }, body }
}

export function rss(items: { path: string; title: string; date: string; text?: string }[], host: string): string {
  const entries = items.map(
    ({ path, title, date, text = 'In short.' }) =>
      `<item><title>${title}</title><link>https://${host}${path}</link><pubDate>${new Date(date).toUTCString()}</pubDate><description>${text}</description></item>`,
  )
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${entries.join('')}</channel></rss>`
}

/** Dependencies of a provider on this internet, without delays between the pages of a site. */
export function crawlerDeps(internet: Internet, env: Record<string, string> = {}): ProviderDeps {
  return providerDeps({ CRAWL_DELAY_MS: '0', ...internet.env, ...env })
}
