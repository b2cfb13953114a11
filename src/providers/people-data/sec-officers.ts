import { daysBefore, isoDate } from '../../shared/days.ts'
import { formDXmlUrl, MAX_FAILURES, readFiling, readFormD } from '../filings/document.ts'
import { edgarContactEmail, fetchEdgarDocument } from '../filings/edgar.ts'
import { findCompanyFilings } from '../filings/sec.ts'
import { type PeopleSource, type RoleSource, rosterResult } from '../types.ts'
import { type DatedText, findPeopleInTexts, MAX_MENTION_AGE_DAYS } from './people-in-texts.ts'

/** Officers in an older filing may have left. */
const MAX_AGE_DAYS = 730

/** Executive officers in the company's latest Form D. */
export const secOfficers: PeopleSource = {
  name: 'SEC EDGAR',
  own: false,
  // The SEC rejects requests without an email address.
  isOn: (config) => config.SOURCES.has('sec') && edgarContactEmail({ config }) !== null,
  async roster(deps, company) {
    const since = daysBefore(isoDate(deps.now()), MAX_AGE_DAYS)
    const filings = await findCompanyFilings(deps, company, since)
    if (filings.outcome !== 'items') return filings
    const [latest] = filings.items
      .filter(({ form, isProven }) => isProven && (form === 'D' || form === 'D/A'))
      .sort((a, b) => (a.filed < b.filed ? 1 : -1))
    if (!latest) return { outcome: 'nothing' }
    const url = formDXmlUrl(latest)
    const response = await fetchEdgarDocument(deps, url)
    if (response.outcome !== 'ok') return response
    const notice = await readFormD(deps, latest, response.value)
    if ('outcome' in notice) return notice
    return rosterResult(notice.officers.map((officer) => ({ ...officer, url })))
  },
}

/** Reports opened in one search. */
const MAX_REPORTS = 6
const OFFICERS = '5.02'

/**
 * Officers whose appointment a company reports (Form 8-K, item 5.02), without those whose departure it reports later.
 */
export const secAppointments: RoleSource = {
  name: secOfficers.name,
  own: false,
  isOn: secOfficers.isOn,
  async find(deps, company, role) {
    const since = daysBefore(isoDate(deps.now()), MAX_MENTION_AGE_DAYS)
    const filings = await findCompanyFilings(deps, company, since)
    if (filings.outcome !== 'items') return filings
    const reports = filings.items
      .filter(({ form, isProven, items }) => isProven && form.startsWith('8-K') && items.includes(OFFICERS))
      .sort((a, b) => (a.filed < b.filed ? 1 : -1))
    const texts: DatedText[] = []
    const failures: string[] = []
    for (const filing of reports.slice(0, MAX_REPORTS)) {
      const read = await readFiling(deps, filing)
      if (read.outcome === 'failed' && failures.push(read.reason) >= MAX_FAILURES) break
      if (read.outcome === 'read') texts.push({ ...read.document, title: null, own: true })
    }
    const { people, reasons } = await findPeopleInTexts(deps, texts, company, role)
    const [reason] = [...failures, ...reasons]
    return rosterResult(people, reason)
  },
}
