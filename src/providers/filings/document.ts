import { describeFormD, isPooledFund } from '../../engine/filings/form-d.ts'
import { cutText } from '../../engine/text/storable.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { TaskOutput } from '../../engine/threads/tasks.ts'
import type { OutboundResponse } from '../../outbound/client.ts'
import { failedResult } from '../request.ts'
import type { FoundDocument, ProviderDeps, SiteHints } from '../types.ts'
import { findNamedSites } from '../web/own-site.ts'
import { toRawDocument } from '../web/response.ts'
import { signalsAssertedByFiling } from './asserted-signals.ts'
import { EDGAR, edgarDocumentUrl, fetchEdgarDocument } from './edgar.ts'
import { baseForm, type Filing, formTitle } from './forms.ts'

const MAX_TEXT_CHARS = 60_000

/** Failed documents after which the archive counts as unavailable. */
export const MAX_FAILURES = 3

/** A filing as a document, described by its title. */
export function summarizeFiling(filing: Filing): FoundDocument {
  const title = formTitle(filing.form, filing.items)
  const tells = signalsAssertedByFiling(filing)
  return {
    url: edgarDocumentUrl(filing.cik, filing.accession, filing.document),
    kind: 'filing',
    title: `${filing.company}: ${title}`,
    text: `${filing.company} filed ${title}.`,
    published_date: filing.filed,
    ...(tells.length > 0 && { tells }),
  }
}

export type ReadFilingResult =
  | { outcome: 'read'; document: FoundDocument; hints: SiteHints }
  /** An investment fund, which is not a potential customer. */
  | { outcome: 'fund' }
  | { outcome: 'failed'; reason: string }

/** Reads a filing with the text of its main document. */
export async function readFiling(deps: ProviderDeps, filing: Filing): Promise<ReadFilingResult> {
  const headline = summarizeFiling(filing)
  const isNotice = baseForm(filing.form) === 'D'
  const response = await fetchEdgarDocument(deps, isNotice ? formDXmlUrl(filing) : headline.url)
  if (response.outcome === 'nothing') return failedResult(`${EDGAR} lists a document that does not exist.`)
  if (response.outcome === 'failed') return response
  if (!isNotice) {
    const page = await read(deps, 'html', filing, response.value)
    if ('outcome' in page) return page
    if (page.text === '') return unreadableDocument(headline.url)
    const hints = { named: findNamedSites(filing.company, page), witnesses: [] }
    return { outcome: 'read', document: { ...headline, text: cutText(page.text, MAX_TEXT_CHARS) }, hints }
  }
  const found = await readFormD(deps, filing, response.value)
  if ('outcome' in found) return found
  const { form, officers } = found
  if (form.entity === null || !form.states_sold) return unreadableDocument(headline.url)
  if (isPooledFund(form)) return { outcome: 'fund' }
  const names = officers.map(({ full_name }) => full_name)
  const witnesses = [form.phone, form.street, ...names].filter((witness) => witness !== null)
  const hints = { named: [], witnesses }
  // An amendment repeats the figures of a round that may be years old.
  if (filing.form !== 'D') return { outcome: 'read', document: headline, hints }
  const text = describeFormD(form, filing.company)
  // Form D itself proves the round, regardless of its wording.
  const tells = form.sold === null ? null : [{ signal_id: 'funding', claim: text.split('\n', 1)[0] ?? text }]
  return { outcome: 'read', document: { ...headline, text, ...(tells && { tells }) }, hints }
}

/** Parses a Form D: its fields and its officers. */
export function readFormD(
  deps: ProviderDeps,
  filing: Filing,
  response: OutboundResponse,
): Promise<TaskOutput<'notice'> | Failed> {
  return read(deps, 'notice', filing, response)
}

type Failed = { outcome: 'failed'; reason: string }

/** One unreadable document is no problem of the archive, so it is not reported to the provider health. */
const unreadableDocument = (url: string): Failed => failedResult(`${url} failed: unexpected response format.`)

async function read<N extends 'html' | 'notice'>(
  { parserPool, signal }: ProviderDeps,
  task: N,
  { cik }: Filing,
  response: OutboundResponse,
): Promise<TaskOutput<N> | Failed> {
  const { document, options } = toRawDocument(response)
  // Limits are counted per filer, so that one filer's documents do not block those of others.
  const found = await parserPool.run(task, document, { ...options, from: `${EDGAR} ${cik}`, signal })
  return found instanceof LimitExceeded ? failedResult(`${response.url}: ${found.reason}`) : found
}

/** The index links to the rendered HTML of the form; the XML is in the parent folder. */
export function formDXmlUrl({ cik, accession, document }: Filing): string {
  return edgarDocumentUrl(cik, accession, document.replace(/^xsl[^/]*\//, ''))
}
