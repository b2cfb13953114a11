import type { Release } from '../types.ts'
import type { SiteCompany } from './types.ts'

/** Those that have their press releases sent out by the wires, too. */
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

/** What the wires carry of a company: what it tells on its own site in English, word for word. */
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

/** A number out of a text, the same every time. */
function idOf(text: string): number {
  let hash = 0
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) as number)) % 900_000
  return hash
}
