import { dateAt, textAt, textsAt } from '../../engine/json/fields.ts'
import { readableName } from './edgar.ts'
import type { Filing } from './forms.ts'

/**
 * The filings in the hits of a full-text search, in their order. Each document of a filing is a hit; the main document
 * is preferred, an exhibit used otherwise.
 */
export function parseFilingHits(hits: readonly unknown[]): Filing[] {
  const found = new Map<string, { filing: Filing; isMain: boolean }>()
  for (const hit of hits) {
    const filing = readHit(hit)
    if (!filing) continue
    const known = found.get(filing.accession)
    const isMain = textAt(hit, '_source', 'file_type') === filing.form
    if (!known || (isMain && !known.isMain)) found.set(filing.accession, { filing, isMain })
  }
  return [...found.values()].map(({ filing }) => filing)
}

/** The filing of a hit; null when fields are missing. */
function readHit(hit: unknown): Filing | null {
  const [accession, document] = (textAt(hit, '_id') ?? '').split(':')
  const cik = Number(textsAt(hit, '_source', 'ciks')[0])
  const company = readableName(textsAt(hit, '_source', 'display_names')[0] ?? '')
  const form = textAt(hit, '_source', 'form') ?? textAt(hit, '_source', 'file_type')
  const filed = dateAt(hit, '_source', 'file_date')
  if (!accession || !document || !(cik > 0) || company === '' || !form || !filed) return null
  const industry = textsAt(hit, '_source', 'sics')[0] ?? null
  return { cik, company, accession, form, filed, document, items: textsAt(hit, '_source', 'items'), industry }
}
