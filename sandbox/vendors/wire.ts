import { createHash } from 'node:crypto'
import type { Release, SandboxRequest, SandboxResponse } from '../types.ts'
import { slugOf } from '../world/people.ts'
import { escapeHtml } from './boards.ts'

/** A feed contains the newest releases, however old they are. */
const MOST = 20

/** A subject always has at least one release. */
const OLDEST: Release = {
  id: '2000001',
  company: 'Quartzmoor Holdings plc',
  title: 'Quartzmoor Holdings plc: Notice of Annual General Meeting',
  summary: 'Quartzmoor Holdings plc gives notice that its Annual General Meeting will be held in London.',
  paragraphs: ['Quartzmoor Holdings plc gives notice that its Annual General Meeting will be held in London.'],
  published: '2025-03-03',
  signals: [],
  site: null,
}

type FeedOptions = {
  releases: readonly Release[]
  title: string
  link: (release: Release) => string
  /** The XML namespace of the wire's fields, and its prefix. */
  declared: { rss?: string; channel?: string }
}

/** The newest releases as RSS 2.0, in the format of both wires. */
export function wireFeed(request: SandboxRequest, { releases, title, link, declared }: FeedOptions): SandboxResponse {
  const newest = [...releases, OLDEST].sort((a, b) => b.published.localeCompare(a.published)).slice(0, MOST)
  const items = newest.map((release) => item(release, link(release))).join('\n')
  const body = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"${declared.rss ?? ''}>
<channel${declared.channel ?? ''}>
<title>${escapeHtml(title)}</title><link>https://${request.url.hostname}/</link>
<description>Contains the last 20 releases</description>
${items}
</channel>
</rss>`
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
  if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
  return { status: 200, headers: { 'content-type': 'application/rss+xml; charset=utf-8', etag }, body }
}

function item(release: Release, link: string): string {
  const { id, company, title, summary, published, language = 'en' } = release
  // Without seconds, and with tags that span lines.
  const sent = new Date(`${published}T12:50:00Z`).toUTCString().replace(/:00 GMT$/, ' GMT')
  return `<item>
  <guid isPermaLink="true">${link}</guid>
  <link>${link}</link>
  <category
    domain="https://www.globenewswire.com/rss/stock">Nasdaq:SNDB</category>
  <title>${escapeHtml(title)}</title>
  <description><![CDATA[<p>${escapeHtml(summary)}</p>]]></description>
  <pubDate>${sent}</pubDate>
  <dc:identifier>${id}</dc:identifier><dc:language>${language}</dc:language>
  <dc:contributor>${escapeHtml(company)}</dc:contributor>
  <dc:subject>Press releases</dc:subject>
</item>`
}

export const slug = ({ title }: Release) => slugOf(title).slice(0, 80)

/** The page of a release, with the wire's header and footer. */
export function releasePage({
  company,
  title,
  paragraphs,
  published,
  site,
  language = 'en',
}: Release): SandboxResponse {
  const text = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')
  const more = site
    ? `<p>For more information, visit <a href="https://${site}/">${escapeHtml(company)}</a> at www.${site}.</p>`
    : ''
  const body = `<!doctype html><html lang="${language}"><head><title>${escapeHtml(title)}</title>
<meta name="DC.date.issued" content="${published}"><meta property="article:published_time" content="${published}T12:50:00Z"></head>
<body><nav><a href="/en/search">Newsroom</a> <a href="/en/about">About</a></nav>
<article><h1>${escapeHtml(title)}</h1><p><time datetime="${published}T12:50:00Z">${published}</time> | Source: ${escapeHtml(company)}</p>
<div itemprop="articleBody">${text}${more}</div></article>
<footer>Contact us. Privacy policy. All rights reserved.</footer></body></html>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}
