import { normalizeDomain } from '../../domains.ts'
import { companyKey } from '../../engine/company-names.ts'
import { misshapen } from '../ask.ts'
import { listAt, textAt } from '../json.ts'
import {
  type CompanyRef,
  type DocumentSource,
  type Found,
  type FoundDocument,
  items,
  type ProviderDeps,
} from '../types.ts'
import { type Filing, headlineOf, MAX_FAILURES, readFiling } from './document.ts'
import { askSubmissions, contactOf, EDGAR, NO_CONTACT, readableName, searchEdgar } from './edgar.ts'
import { baseForm, isKnownForm } from './forms.ts'

/** Filings of one company that a look goes through, and how many of them it opens. */
const MAX_FILINGS = 40
const MAX_OPENED = 12
/** Namesakes that are told apart by their web site. */
const MAX_NAMESAKES = 4
/** Forms whose text says more than their title. */
const OPENED = new Set(['8-K', 'D', 'S-1', 'F-1'])

/** Filings of a company with the regulator of the United States. */
export const secFilings: DocumentSource = {
  name: EDGAR,
  async find(deps, company, since) {
    if (!contactOf(deps)) return NO_CONTACT
    const registrants = await registrantsNamed(deps, company)
    if (registrants.outcome !== 'items') return registrants
    const filings = await filingsOf(deps, company, registrants.items, since)
    if (filings.outcome !== 'items') return filings
    return items(await read(deps, filings.items))
  },
}

/** Registrants with exactly this name, by their number. */
async function registrantsNamed(deps: ProviderDeps, { name }: CompanyRef): Promise<Found<number>> {
  const key = companyKey(name)
  if (key === '') return { outcome: 'nothing' }
  // The key knows "&" as no word, the search does.
  const asked = await searchEdgar(deps, { keysTyped: name.includes('&') ? name : key })
  if (asked.outcome !== 'answer') return asked
  const hits = listAt(asked.value, 'hits', 'hits')
  if (!hits) return misshapen(EDGAR)
  const numbers = hits
    .filter((hit) => companyKey(readableName(textAt(hit, '_source', 'entity') ?? '')) === key)
    .map((hit) => Number(textAt(hit, '_id')))
    .filter((cik) => Number.isInteger(cik) && cik > 0)
  return items([...new Set(numbers)])
}

/** Recent filings of the one registrant that is this company; of namesakes only the one with its web site. */
async function filingsOf(
  deps: ProviderDeps,
  company: CompanyRef,
  registrants: readonly number[],
  since: string,
): Promise<Found<Filing>> {
  if (registrants.length > MAX_NAMESAKES) return { outcome: 'nothing' }
  const found: Filing[] = []
  for (const cik of registrants) {
    const asked = await askSubmissions(deps, cik)
    if (asked.outcome === 'failed') return asked
    if (asked.outcome === 'nothing') continue
    const site = normalizeDomain(textAt(asked.value, 'website') ?? '')
    const isOther = site !== null && company.domain !== null && site !== company.domain
    const isProven = site !== null && site === company.domain
    if (isOther || (registrants.length > 1 && !isProven)) continue
    const filings = readSubmissions(asked.value, cik, company.name, since)
    if (!filings) return misshapen(EDGAR)
    found.push(...filings)
  }
  return items(found)
}

/** `filings.recent` holds one list for each field, newest filing first. */
function readSubmissions(value: unknown, cik: number, company: string, since: string): Filing[] | null {
  const list = (field: string) => listAt(value, 'filings', 'recent', field)
  const [accessions, days, forms, documents] = ['accessionNumber', 'filingDate', 'form', 'primaryDocument'].map(list)
  if (!accessions || !days || !forms || !documents) return null
  const reported = list('items') ?? []
  return accessions
    .flatMap((accession, i): Filing[] => {
      const [filed, form, document] = [days[i], forms[i], documents[i]].map(String)
      if (!filed || filed < since || !form || !isKnownForm(form) || !document) return []
      const told = String(reported[i] ?? '')
      return [
        { cik, company, accession: String(accession), form, filed, document, items: told.split(',').filter(Boolean) },
      ]
    })
    .slice(0, MAX_FILINGS)
}

/** Filings with their text where it matters; one that cannot be opened keeps its title, which is true as well. */
async function read(deps: ProviderDeps, filings: readonly Filing[]): Promise<FoundDocument[]> {
  const documents: FoundDocument[] = []
  let opened = 0
  let failures = 0
  for (const filing of filings) {
    const isOpened = OPENED.has(baseForm(filing.form)) && failures < MAX_FAILURES && opened++ < MAX_OPENED
    const found = isOpened ? await readFiling(deps, filing) : null
    if (found?.outcome === 'failed') failures++
    documents.push(found?.outcome === 'read' ? found.document : headlineOf(filing))
  }
  return documents
}
