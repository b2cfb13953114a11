import type { SandboxRequest, SandboxResponse } from '../types.ts'
import { NEWS_SITES } from '../world/stories.ts'
import type { WorldState } from '../world/types.ts'
import { escapeHtml, json, paragraphs } from './html.ts'

/** The news sites; null for another host. */
export function newsSite({ url, method }: SandboxRequest, { stories, companies }: WorldState): SandboxResponse | null {
  const paper = NEWS_SITES[url.hostname]
  if (!paper) return null
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD' } }
  if (url.pathname === '/robots.txt') {
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /subscribe\n' }
  }
  const own = stories.filter((story) => new URL(story.url).hostname === url.hostname)
  const story = own.find((each) => new URL(each.url).pathname === url.pathname)
  if (story) {
    const company = companies.find(({ domain }) => domain === story.about)
    const site = company
      ? `<p>On the web: <a href="https://${company.domain}/">${escapeHtml(company.name)}</a></p>`
      : ''
    const data = {
      '@context': 'https://schema.org',
      '@type': 'NewsArticle',
      headline: story.title,
      datePublished: `${story.published}T09:00:00Z`,
      publisher: { '@type': 'Organization', name: paper },
    }
    return document(200, paper, story.title, [
      json('application/ld+json', data),
      `<article><h1>${escapeHtml(story.title)}</h1><p><time datetime="${story.published}">${story.published}</time> by our staff</p>`,
      `${paragraphs(story.text.split('\n\n'))}${site}</article>`,
    ])
  }
  if (url.pathname !== '/') return document(404, paper, 'Not found', ['<h1>Not found</h1>'])
  const list = own
    .toSorted((a, b) => b.published.localeCompare(a.published))
    .map(({ url, title }) => `<li><a href="${url}">${escapeHtml(title)}</a></li>`)
  return document(200, paper, paper, [`<h1>${paper}</h1><ul>${list.join('')}</ul>`])
}

function document(status: number, paper: string, title: string, main: readonly string[]): SandboxResponse {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} - ${escapeHtml(paper)}</title></head>
<body><header><a href="/">${escapeHtml(paper)}</a></header><main>${main.join('\n')}</main></body></html>`,
  }
}
