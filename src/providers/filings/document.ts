import { describeFormD, isPooledFund } from '../../engine/filings/form-d.ts'
import { cutText } from '../../engine/text/storable.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { TaskOutput } from '../../engine/threads/tasks.ts'
import type { OutboundResponse } from '../../outbound/client.ts'
import { failed } from '../ask.ts'
import type { FoundDocument, ProviderDeps, SiteHints } from '../types.ts'
import { cameOf, sitesNamed } from '../web/index.ts'
import { askEdgarDocument, documentUrl, EDGAR } from './edgar.ts'
import { baseForm, type Filing, formTitle } from './forms.ts'
import { tellsOf } from './tells.ts'

const MAX_TEXT_CHARS = 60_000

/** Documents that may fail before the archive is taken to be down and left alone. */
export const MAX_FAILURES = 3

/** A filing as its title tells it, without its text. */
export function headlineOf(filing: Filing): FoundDocument {
  const title = formTitle(filing.form, filing.items)
  const tells = tellsOf(filing)
  return {
    url: documentUrl(filing.cik, filing.accession, filing.document),
    kind: 'filing',
    title: `${filing.company}: ${title}`,
    text: `${filing.company} filed ${title}.`,
    published_date: filing.filed,
    ...(tells.length > 0 && { tells }),
  }
}

export type ReadFiling =
  | { outcome: 'read'; document: FoundDocument; hints: SiteHints }
  /** The filer collects money to invest it: no company to sell to. */
  | { outcome: 'fund' }
  | { outcome: 'failed'; reason: string }

/** A filing with the text of its main document. */
export async function readFiling(deps: ProviderDeps, filing: Filing): Promise<ReadFiling> {
  const headline = headlineOf(filing)
  const isNotice = baseForm(filing.form) === 'D'
  const asked = await askEdgarDocument(deps, isNotice ? rawNotice(filing) : headline.url)
  if (asked.outcome === 'nothing') return failed(`${EDGAR} lists a document that is not there.`)
  if (asked.outcome === 'failed') return asked
  if (!isNotice) {
    const page = await read(deps, 'html', filing, asked.value)
    if ('outcome' in page) return page
    if (page.text === '') return illegible(headline.url)
    const hints = { named: sitesNamed(filing.company, page), witnesses: [] }
    return { outcome: 'read', document: { ...headline, text: cutText(page.text, MAX_TEXT_CHARS) }, hints }
  }
  const found = await readNotice(deps, filing, asked.value)
  if ('outcome' in found) return found
  const { form, officers } = found
  if (form.entity === null) return illegible(headline.url)
  if (isPooledFund(form)) return { outcome: 'fund' }
  const names = officers.map(({ full_name }) => full_name)
  const witnesses = [form.phone, form.street, ...names].filter((witness) => witness !== null)
  const hints = { named: [], witnesses }
  // An amendment repeats the figures of a round that may be years old.
  if (filing.form !== 'D') return { outcome: 'read', document: headline, hints }
  const text = describeFormD(form, filing.company)
  // The notice itself proves the round, whatever words it is told in.
  const tells = form.sold === null ? null : [{ signal_id: 'funding', claim: text.split('\n', 1)[0] ?? text }]
  return { outcome: 'read', document: { ...headline, text, ...(tells && { tells }) }, hints }
}

/** What a notice says, and whom it names. */
export function readNotice(
  deps: ProviderDeps,
  filing: Filing,
  answer: OutboundResponse,
): Promise<TaskOutput<'notice'> | Failed> {
  return read(deps, 'notice', filing, answer)
}

type Failed = { outcome: 'failed'; reason: string }

/** One document says nothing about the archive. */
const illegible = (url: string): Failed => failed(`${url} is in a shape that is not understood.`)

async function read<N extends 'html' | 'notice'>(
  { parserPool, signal }: ProviderDeps,
  task: N,
  { cik }: Filing,
  answer: OutboundResponse,
): Promise<TaskOutput<N> | Failed> {
  const { came, options } = cameOf(answer)
  // By filer: nobody's filings stand for those of others.
  const found = await parserPool.run(task, came, { ...options, from: `${EDGAR} ${cik}`, signal })
  return found instanceof LimitExceeded ? failed(`${answer.url}: ${found.reason}`) : found
}

/** The list names the notice as rendered for people; the XML itself lies beside that. */
export function rawNotice({ cik, accession, document }: Filing): string {
  return documentUrl(cik, accession, document.replace(/^xsl[^/]*\//, ''))
}
