import { getDomain } from 'tldts'
import { companyKey, mentionsDomain } from '../../engine/companies/company-names.ts'
import { parseDate } from '../../engine/dates/find-dates.ts'
import { listAt, textAt } from '../../engine/json/fields.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { isProvenByName } from '../company-proof.ts'
import { failedResult, reportUnexpectedFormat } from '../request.ts'
import {
  type CompanyRef,
  type DocumentSource,
  type FoundDocument,
  itemsResult,
  type ProviderDeps,
  type SourceResult,
} from '../types.ts'
import { MAX_FAILURES, readFiling, summarizeFiling } from './document.ts'
import { EDGAR, fetchSubmissions, readableName, searchEdgar } from './edgar.ts'
import type { Filing } from './forms.ts'
import { baseForm, isKnownForm } from './forms.ts'

/** Filings listed per company, and how many of them are opened. */
const MAX_FILINGS = 40
const MAX_OPENED = 12
/** Registrants of the same name to distinguish by their website. */
const MAX_NAMESAKES = 4
/** Forms whose text contains more than their title. */
const OPENED_FORMS = new Set(['8-K', 'D', 'S-1', 'F-1'])

/** SEC filings of a company. */
export const secFilings: DocumentSource = {
  name: EDGAR,
  async find(deps, company, since) {
    const filings = await findCompanyFilings(deps, company, since)
    if (filings.outcome !== 'items') return filings
    const { documents, reason } = await readFilings(deps, filings.items)
    if (
      filings.items.every(({ isProven }) => isProven) ||
      documents.some(({ text }) => company.domain && mentionsDomain(text.toLowerCase(), company.domain))
    ) {
      return reason === null || documents.length === 0
        ? itemsResult(documents)
        : { outcome: 'items', items: documents, reason }
    }
    // A document that failed to open might have identified the filer.
    return reason === null ? { outcome: 'nothing' } : failedResult(reason)
  },
}

/**
 * Filings since a day of registrants with this name, newest first; `isProven` when the registrant is this company for
 * certain.
 */
export async function findCompanyFilings(
  deps: ProviderDeps,
  company: CompanyRef,
  since: string,
): Promise<SourceResult<Filing & { isProven: boolean }>> {
  const registrants = await registrantsNamed(deps, company)
  if (registrants.outcome !== 'items') return registrants
  return filingsOf(deps, company, registrants.items, since)
}

type Registrant = { cik: number; name: string }

/** Registrants with exactly this name. */
async function registrantsNamed(deps: ProviderDeps, { name }: CompanyRef): Promise<SourceResult<Registrant>> {
  const key = companyKey(name)
  if (key === '') return { outcome: 'nothing' }
  // The key drops "&", which the search matches.
  const response = await searchEdgar(deps, { keysTyped: name.includes('&') ? name : key })
  if (response.outcome !== 'ok') return response
  const hits = listAt(response.value, 'hits', 'hits')
  const listed = (hits ?? [])
    .map((hit) => ({ cik: Number(textAt(hit, '_id')), name: readableName(textAt(hit, '_source', 'entity') ?? '') }))
    .filter((found) => Number.isInteger(found.cik) && found.cik > 0 && found.name !== '')
  if (!hits || (hits.length > 0 && listed.length === 0)) return reportUnexpectedFormat(deps, EDGAR)
  const named = listed.filter((found) => companyKey(found.name) === key)
  return itemsResult([...new Map(named.map((found) => [found.cik, found])).values()])
}

/** Recent filings of the only registrant with this name; of several, only of the one with the company's website. */
async function filingsOf(
  deps: ProviderDeps,
  company: CompanyRef,
  registrants: readonly Registrant[],
  since: string,
): Promise<SourceResult<Filing & { isProven: boolean }>> {
  if (registrants.length > MAX_NAMESAKES) return { outcome: 'nothing' }
  const found: (Filing & { isProven: boolean })[] = []
  for (const { cik, name } of registrants) {
    const response = await fetchSubmissions(deps, cik)
    if (response.outcome === 'failed') return response
    if (response.outcome === 'nothing') continue
    const sites = ['website', 'investorWebsite'].flatMap((field) => siteOf(textAt(response.value, field) ?? '') ?? [])
    const site = company.domain && siteOf(company.domain)
    const isSite = site !== null && sites.includes(site)
    const isOther = site !== null && sites.length > 0 && !isSite
    if (isOther || (registrants.length > 1 && !isSite)) continue
    const isProven = isSite || isProvenByName(company, name)
    // Without a domain, the text of the filings cannot prove the identity either.
    if (!isProven && company.domain === null) continue
    const filings = readSubmissions(response.value, cik, company.name, since)
    if (!filings) return reportUnexpectedFormat(deps, EDGAR)
    found.push(...filings.map((filing) => ({ ...filing, isProven })))
  }
  return itemsResult(found)
}

function siteOf(address: string): string | null {
  const domain = normalizeDomain(address)
  return domain && getDomain(domain)
}

/** `filings.recent` has one array per field, newest filing first. */
function readSubmissions(value: unknown, cik: number, company: string, since: string): Filing[] | null {
  const list = (field: string) => listAt(value, 'filings', 'recent', field)
  const fields = ['accessionNumber', 'filingDate', 'form', 'primaryDocument', 'items']
  const [accessions, days, forms, documents, reported] = fields.map(list)
  if (!accessions || !days || !forms || !documents || !reported) return null
  const industry = textAt(value, 'sic')
  return accessions
    .flatMap((accession, i): Filing[] => {
      const [form, document] = [forms[i], documents[i]].map(String)
      const filed = parseDate(String(days[i]))
      if (!filed || filed < since || !form || !isKnownForm(form) || !document) return []
      const reportItems = String(reported[i] ?? '')
        .split(',')
        .filter(Boolean)
      return [{ cik, company, accession: String(accession), form, filed, document, items: reportItems, industry }]
    })
    .slice(0, MAX_FILINGS)
}

/**
 * Filings with the text of those that are worth opening. A filing that fails to open keeps its title, and the reason is
 * included. Form D filings of a fund are dropped, since they report no funding of a company.
 */
async function readFilings(
  deps: ProviderDeps,
  filings: readonly Filing[],
): Promise<{ documents: FoundDocument[]; reason: string | null }> {
  const documents: { filing: Filing; document: FoundDocument; isOpened: boolean }[] = []
  const reasons: string[] = []
  const funds = new Set<number>()
  let opened = 0
  for (const filing of filings) {
    const isOpened = OPENED_FORMS.has(baseForm(filing.form)) && reasons.length < MAX_FAILURES && opened++ < MAX_OPENED
    const found = isOpened ? await readFiling(deps, filing) : null
    if (found?.outcome === 'failed') reasons.push(found.reason)
    if (found?.outcome === 'fund') funds.add(filing.cik)
    else if (found?.outcome === 'read') documents.push({ filing, document: found.document, isOpened: true })
    else documents.push({ filing, document: summarizeFiling(filing), isOpened: false })
  }
  const isFunds = ({ filing: { cik, form }, isOpened }: (typeof documents)[number]) =>
    !isOpened && baseForm(form) === 'D' && funds.has(cik)
  const [first] = reasons
  return {
    documents: documents.filter((one) => !isFunds(one)).map(({ document }) => document),
    reason: first
      ? `${reasons.length > 1 ? `${reasons.length} filings` : 'One filing'} could not be opened. ${first}`
      : null,
  }
}
