import type { Release } from '../types.ts'
import type { SiteCompany } from './types.ts'

/** Companies that also publish their press releases on the wires. */
const SENDERS: ReadonlySet<string> = new Set([
  'halden-robotics.example',
  'telvaro.example',
  'gridhaven.example',
  'stromavel.example',
  'quillstack.example',
  'meridon-freight.example',
  'nimbrel.example',
  'ledgermoor.example',
])

/** A company's releases on the wires: the English ones on its site, verbatim. */
export function releasesOf({ name, domain, boilerplate, articles, site }: SiteCompany): Release[] {
  if (!SENDERS.has(domain) || site.language !== 'en') return []
  return articles
    .filter(({ section, closed, tells = [] }) => section === 'news' && !closed && tells.length > 0)
    .map(({ slug, title, paragraphs, published, tells = [] }) => ({
      id: String(3_000_000 + idOf(`${domain}/${slug}`)),
      company: `${name}, Inc.`,
      title,
      summary: paragraphs[0] ?? title,
      paragraphs: [...paragraphs, `About ${name}`, boilerplate],
      published,
      signals: tells,
      site: domain,
    }))
}

/** A deterministic number derived from a text. */
function idOf(text: string): number {
  let hash = 0
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) as number)) % 900_000
  return hash
}
