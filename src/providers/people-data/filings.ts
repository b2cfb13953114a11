import { daysBefore, isoDate } from '../../days.ts'
import { rawNotice } from '../filings/document.ts'
import { askEdgarDocument, contactOf } from '../filings/edgar.ts'
import { readOfficers } from '../filings/officers.ts'
import { companyFilings } from '../filings/sec.ts'
import { items, type PeopleSource } from '../types.ts'

/** Officers of an older notice may long be gone. */
const MAX_AGE_DAYS = 730

/** Executive officers that a company names to the regulator when it raises money (Form D, the latest). */
export const filedOfficers: PeopleSource = {
  name: 'SEC EDGAR',
  own: false,
  // Without an email address to name, the regulator answers nobody.
  isOn: (config) => config.SOURCES.has('sec') && contactOf({ config }) !== null,
  async roster(deps, company) {
    const since = daysBefore(isoDate(deps.now()), MAX_AGE_DAYS)
    const filings = await companyFilings(deps, company, since)
    if (filings.outcome !== 'items') return filings
    const [latest] = filings.items
      .filter(({ form, isProven }) => isProven && (form === 'D' || form === 'D/A'))
      .sort((a, b) => (a.filed < b.filed ? 1 : -1))
    if (!latest) return { outcome: 'nothing' }
    const url = rawNotice(latest)
    const asked = await askEdgarDocument(deps, url)
    if (asked.outcome !== 'answer') return asked
    return items(readOfficers(asked.value.text()).map((officer) => ({ ...officer, url })))
  },
}
