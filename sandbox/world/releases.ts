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
  'tavrik.example',
  'sundqvist-marine.example',
  'velloria.example',
  'hydralund.example',
  'penstave.example',
  'askelund.example',
  'agrovanta.example',
  'beamwright.example',
  'hollowgate.example',
  'anvilry.example',
  'corvane-capital.example',
  'meridon-foods.example',
  'bramblewick.example',
  'wexbury.example',
  'ilmarine-health.example',
  'dentavo.example',
  'finbarrow.example',
  'northpass-cargo.example',
])

/** A company's releases on the wires: the English ones on its site, verbatim, including those that report no event. */
export function releasesOf({ name, domain, boilerplate, articles, site }: SiteCompany): Release[] {
  if (!SENDERS.has(domain) || site.language !== 'en') return []
  return articles
    .filter(({ section, closed, tells, trap }) => section === 'news' && !closed && (tells || trap))
    .map(({ slug, title, paragraphs, published, tells = [], trap }) => ({
      id: String(3_000_000 + idOf(`${domain}/${slug}`)),
      company: `${name}, Inc.`,
      title,
      summary: paragraphs[0] ?? title,
      paragraphs: [...paragraphs, `About ${name}`, boilerplate],
      published,
      signals: [...tells, ...(trap?.signals ?? [])],
      site: domain,
    }))
}

/** A deterministic number derived from a text. */
function idOf(text: string): number {
  let hash = 0
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) as number)) % 900_000
  return hash
}
