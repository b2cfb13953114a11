import { readWebPage } from '../../engine/page/index.ts'
import { cutText } from '../../engine/storable.ts'
import { failed, misshapen } from '../ask.ts'
import type { FoundDocument, ProviderDeps, SiteHints } from '../types.ts'
import { sitesNamed } from '../web/index.ts'
import { askEdgarDocument, documentUrl, EDGAR } from './edgar.ts'
import { type FormD, isFund, readFormD, tellFormD } from './form-d.ts'
import { baseForm, formTitle } from './forms.ts'
import { readOfficers } from './officers.ts'

export type Filing = {
  cik: number
  company: string
  accession: string
  form: string
  filed: string
  items: string[]
  document: string
}

const MAX_TEXT_CHARS = 60_000

/** Documents that may fail before the archive is taken to be down and left alone. */
export const MAX_FAILURES = 3

/** A filing as its title tells it, without its text. */
export function headlineOf(filing: Filing): FoundDocument {
  const title = formTitle(filing.form, filing.items)
  return {
    url: documentUrl(filing.cik, filing.accession, filing.document),
    kind: 'filing',
    title: `${filing.company}: ${title}`,
    text: `${filing.company} filed ${title}.`,
    published_date: filing.filed,
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
  const body = asked.value.text()
  if (!isNotice) {
    const page = readWebPage({ url: headline.url, html: body })
    if (page.text === '') return misshapen(EDGAR)
    const hints = { named: sitesNamed(filing.company, page), witnesses: [] }
    return { outcome: 'read', document: { ...headline, text: cutText(page.text, MAX_TEXT_CHARS) }, hints }
  }
  const notice: FormD = readFormD(body)
  if (notice.entity === null) return misshapen(EDGAR)
  if (isFund(notice)) return { outcome: 'fund' }
  const officers = readOfficers(body).map(({ full_name }) => full_name)
  const witnesses = [notice.phone, notice.street, ...officers].filter((witness) => witness !== null)
  const document = { ...headline, text: tellFormD(notice, filing.company) }
  return { outcome: 'read', document, hints: { named: [], witnesses } }
}

/** The list names the notice as rendered for people; the XML itself lies beside that. */
export function rawNotice({ cik, accession, document }: Filing): string {
  return documentUrl(cik, accession, document.replace(/^xsl[^/]*\//, ''))
}
