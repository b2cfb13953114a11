import { dateAt, textAt, textsAt } from '../../engine/json/fields.ts'
import { readableName } from './edgar.ts'
import type { Filing } from './forms.ts'

/**
 * The filings among the hits of a search of their full text, in its order. A filing has a hit for each of its documents:
 * it is taken by its main one, or by an exhibit where the search gave no other.
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

/** The filing that a hit is of; null when it does not say which. */
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
