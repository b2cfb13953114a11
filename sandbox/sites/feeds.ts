import type { Article, SiteCompany } from '../world/types.ts'
import { escapeHtml, paragraphs } from './html.ts'
import { changedAt, FEEDS, latest, openPages, urlOf } from './pages.ts'

export type File = { type: string; body: string; modified: Date }

/** The files of a site other than pages: feed, sitemap, robots.txt. Null when there is none at the path. */
export function fileAt(company: SiteCompany, path: string): File | null {
  const { site } = company
  const newest = changedAt(company, [], latest(company))
  const file = (type: string, body: string) => ({ type, body, modified: newest })
  if (site.feed && path === FEEDS[site.feed].path)
    return file(`${FEEDS[site.feed].type}; charset=utf-8`, feedOf(company))
  if (path === '/robots.txt' && site.robots !== 'missing') {
    return { type: 'text/plain; charset=utf-8', body: robots(company), modified: company.build.at }
  }
  const xml = 'application/xml; charset=utf-8'
  if (site.sitemap === 'index') {
    if (path === '/sitemap_index.xml') return file(xml, sitemapIndex(company))
    if (path === '/post-sitemap.xml') return file(xml, sitemap(company, true))
    if (path === '/page-sitemap.xml') return file(xml, sitemap(company, false))
  }
  return site.sitemap === 'plain' && path === '/sitemap.xml' ? file(xml, sitemap(company)) : null
}

const RULES: Record<'open' | 'closed' | 'partly', string> = {
  open: 'User-agent: *\nDisallow: /wp-admin/\nDisallow: /cart\n',
  closed: 'User-agent: *\nDisallow: /\n',
  partly: 'User-agent: *\nDisallow: /internal/\nAllow: /\n',
}

function robots({ domain, site }: SiteCompany): string {
  const rules = RULES[site.robots === 'missing' ? 'open' : site.robots]
  const map = site.sitemap === 'index' ? '/sitemap_index.xml' : '/sitemap.xml'
  return site.sitemap ? `${rules}\nSitemap: ${urlOf({ domain, site }, map)}\n` : rules
}

function sitemapIndex(company: SiteCompany): string {
  const item = (path: string) => `<sitemap><loc>${urlOf(company, path)}</loc></sitemap>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${item('/post-sitemap.xml')}
${item('/page-sitemap.xml')}
</sitemapindex>`
}

/** Pages, articles, or both. */
function sitemap(company: SiteCompany, onlyArticles?: boolean): string {
  const articles = new Set(company.articles.map(({ path }) => path))
  const items = openPages(company)
    .filter(({ path }) => onlyArticles === undefined || articles.has(path) === onlyArticles)
    .map(
      ({ path, modified }) =>
        `<url><loc>${escapeHtml(urlOf(company, path))}</loc><lastmod>${modified.toISOString().slice(0, 19)}+00:00</lastmod></url>`,
    )
  // Site generators list all pages, including drafts; only robots.txt excludes them.
  const drafts = company.articles.filter(({ closed }) => closed && onlyArticles !== false)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${[...items, ...drafts.map(({ path }) => `<url><loc>${urlOf(company, path)}</loc></url>`)].join('\n')}
</urlset>`
}

function feedOf(company: SiteCompany): string {
  const articles = latest(company).slice(0, 10)
  switch (company.site.feed) {
    case 'atom':
      return atom(company, articles)
    case 'json':
      return jsonFeed(company, articles)
    default:
      return rss(company, articles, company.site.feed === 'rss-full')
  }
}

const summary = ({ paragraphs: [first = ''] }: Article): string => first

function rss(company: SiteCompany, articles: readonly Article[], isFull: boolean): string {
  const items = articles.map(
    (article) => `<item>
<title>${escapeHtml(article.title)}</title>
<link>${urlOf(company, article.path)}</link>
<guid isPermaLink="true">${urlOf(company, article.path)}</guid>
<pubDate>${new Date(`${article.published}T08:15:00Z`).toUTCString()}</pubDate>
<description>${escapeHtml(summary(article))}</description>${
      isFull ? `\n<content:encoded><![CDATA[${paragraphs(article.paragraphs)}]]></content:encoded>` : ''
    }
</item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
<title>${escapeHtml(company.name)}</title>
<link>${urlOf(company, '/')}</link>
<description>${escapeHtml(company.description)}</description>
${items.join('\n')}
</channel>
</rss>`
}

function atom(company: SiteCompany, articles: readonly Article[]): string {
  const entries = articles.map(
    (article) => `<entry>
<title>${escapeHtml(article.title)}</title>
<link href="${urlOf(company, article.path)}"/>
<id>${urlOf(company, article.path)}</id>
<published>${article.published}T08:15:00Z</published>
<updated>${article.modified.toISOString()}</updated>
<summary>${escapeHtml(summary(article))}</summary>
</entry>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${escapeHtml(company.name)}</title>
<link href="${urlOf(company, '/')}"/>
<id>${urlOf(company, '/')}</id>
<updated>${changedAt(company, [], articles).toISOString()}</updated>
${entries.join('\n')}
</feed>`
}

function jsonFeed(company: SiteCompany, articles: readonly Article[]): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: company.name,
    home_page_url: urlOf(company, '/'),
    feed_url: urlOf(company, FEEDS.json.path),
    items: articles.map((article) => ({
      id: urlOf(company, article.path),
      url: urlOf(company, article.path),
      title: article.title,
      content_text: article.paragraphs.join('\n\n'),
      date_published: `${article.published}T08:15:00Z`,
    })),
  })
}
