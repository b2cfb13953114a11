import { Parser } from 'htmlparser2'
import { daysBefore, isoDate } from '../../days.ts'
import { MAX_FAILURES, rawNotice, readFiling } from '../filings/document.ts'
import { askEdgarDocument, contactOf } from '../filings/edgar.ts'
import { companyFilings } from '../filings/sec.ts'
import { type FoundPerson, items, type PeopleSource, type RoleSource } from '../types.ts'
import { type DatedText, NAMED_DAYS, peopleNamedIn } from './named.ts'

/** Officers of an older notice may long be gone. */
const MAX_AGE_DAYS = 730
const MAX_XML_CHARS = 1_000_000

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

/** Reports on officers that one search opens. */
const MAX_REPORTS = 6
const OFFICERS = '5.02'

/** Officers whose appointment a company reports (Form 8-K, item 5.02), less those whose departure it reports later. */
export const filedAppointments: RoleSource = {
  name: filedOfficers.name,
  own: false,
  isOn: filedOfficers.isOn,
  async find(deps, company, role) {
    const since = daysBefore(isoDate(deps.now()), NAMED_DAYS)
    const filings = await companyFilings(deps, company, since)
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
    const found = peopleNamedIn(texts, company, role, isoDate(deps.now()))
    const [reason] = failures
    if (reason === undefined) return items(found)
    return found.length > 0 ? { outcome: 'items', items: found, reason } : { outcome: 'failed', reason }
  },
}

type Related = { first: string; middle: string; last: string; clarification: string; roles: string[]; state: string }
const FIELDS: Record<string, 'first' | 'middle' | 'last' | 'clarification' | 'state'> = {
  firstname: 'first',
  middlename: 'middle',
  lastname: 'last',
  relationshipclarification: 'clarification',
  stateorcountry: 'state',
}

/** The related persons of a Form D who are executive officers; directors and promoters need not work there. */
export function readOfficers(xml: string): FoundPerson[] {
  const people: Related[] = []
  let name = ''
  const parser = new Parser(
    {
      onopentag(tag) {
        name = tag.toLowerCase()
        if (name === 'relatedpersoninfo') {
          people.push({ first: '', middle: '', last: '', clarification: '', roles: [], state: '' })
        }
        if (name === 'relationship') people.at(-1)?.roles.push('')
      },
      onclosetag: () => {
        name = ''
      },
      ontext(text) {
        const person = people.at(-1)
        const field = FIELDS[name]
        if (person && field) person[field] += text
        if (person && name === 'relationship') person.roles.push((person.roles.pop() ?? '') + text)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  // The issuer's own fields come before the first person, those of the offering after the last.
  const [, list = ''] = xml.slice(0, MAX_XML_CHARS).split(/<relatedPersonsList>/i)
  parser.end(list.split(/<\/relatedPersonsList>/i)[0])
  return people.flatMap((person) => {
    // A dash stands for the first name of a company.
    const parts = [person.first, person.middle, person.last].map((part) => readable(part.trim(), 2))
    if (!person.roles.some((role) => role.trim() === 'Executive Officer') || /^\W*$/.test(parts[0] ?? '')) return []
    const clarification = person.clarification.trim()
    return [
      {
        full_name: parts.filter((part) => /\p{L}/u.test(part)).join(' '),
        title: clarification && clarification.length <= 100 ? readable(clarification, 5) : GENERIC_TITLE,
        ...(US_STATES.has(person.state.trim()) ? { country_code: 'US' } : {}),
      },
    ]
  })
}

/** What the form itself calls them; any other source knows better. */
export const GENERIC_TITLE = 'Executive Officer'

/** Many filers write in capitals; words shorter than `least` may be initials. */
function readable(text: string, least: number): string {
  if (/\p{Ll}/u.test(text)) return text
  return text.replaceAll(/\p{L}[\p{L}'’]*/gu, (word) =>
    word.length < least ? word : word.charAt(0) + word.slice(1).toLowerCase(),
  )
}

const US_STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR ' +
    'PA RI SC SD TN TX UT VT VA WA WV WI WY'
  ).split(' '),
)
