import type { Host } from '../../sandbox/internet.ts'
import type { RegisteredCompany, RegisterFiling } from '../../sandbox/types.ts'
import { companiesHouseStream } from '../../src/providers/streams/companies-house.ts'
import { daysBefore } from '../../src/shared/days.ts'
import { type Planted, type PlantedItem, siteOf, sitePage } from './planted.ts'

/**
 * Filings of directors at Companies House. Most accounts state their company number in the imprint, which a scan reads and looks
 * up in the register; the stream has as many other filings, of these companies and of their namesakes.
 */
export function plantRegisters(today: string): Planted {
  const items: PlantedItem[] = []
  const registered: RegisteredCompany[] = []
  const hosts = new Map<string, Host>()
  // The filing that was read last.
  const filings: RegisterFiling[] = [toFiling(FIRST_TIMEPOINT, '09999999', FILINGS.appointed(0, today))]
  let n = 0

  function plantFiling(kind: string, account: PlantedItem['account'], number: string, of: FilingOf, isAbout: boolean) {
    const filing = toFiling(FIRST_TIMEPOINT + filings.length, number, of(items.length, today))
    filings.push(filing)
    const url = `https://find-and-update.company-information.service.gov.uk/company/${number}/filing-history/${filing.id}/document?format=pdf&download=0`
    items.push({ kind, account, url, signal: isAbout ? 'leadership_change' : null })
  }

  /** An account, and its company in the register; its site states the number or does not. */
  function plantAccount(isStated: boolean) {
    n += 1
    const name = nameOf(n)
    const account = { name, domain: `get-company-${n}.example` }
    const company = toCompany(name, n)
    registered.push(company)
    const imprint = isStated
      ? `${company.legal_name}, ${company.street}, ${company.city} ${company.postal_code}. Registered in England and Wales, company number ${company.number}.`
      : `Questions about this site are answered by the team of ${name}.`
    hosts.set(
      account.domain,
      siteOf({
        '/': sitePage(name, [`${name} makes parts for pumps.`], { '/imprint': 'Imprint' }),
        '/imprint': sitePage('Imprint', [imprint]),
      }),
    )
    return { account, number: company.number }
  }

  for (let i = 0; i < PROVEN; i++) {
    const { account, number } = plantAccount(true)
    const own = (kind: string, of: FilingOf, isAbout = false) => plantFiling(kind, account, number, of, isAbout)
    if (i % 2 === 0) own('director appointed', FILINGS.appointed, true)
    else own('director left', FILINGS.left, true)
    if (i % 3 === 0) own('secretary', FILINGS.secretary)
    if (i % 3 === 1) own('corporate director', FILINGS.corporate)
    if (i % 4 === 0) own('filed before the period', FILINGS.old)
    if (i % 4 === 1) own('change notified late', FILINGS.late)
    if (i % 3 === 2) {
      const namesake = toCompany(account.name, 500 + n)
      registered.push(namesake)
      plantFiling('namesake with another number', account, namesake.number, FILINGS.appointed, false)
    }
  }
  for (let i = 0; i < UNPROVEN; i++) {
    const { account, number } = plantAccount(false)
    // Of these companies the filings are about the account in some cases, but nothing proves it.
    const isAbout = i < UNPROVEN / 4
    const kind = isAbout ? 'of the account, whose site states no number' : 'same name, number of no account'
    plantFiling(kind, account, number, i % 2 === 0 ? FILINGS.appointed : FILINGS.left, isAbout)
  }
  return {
    ...{ source: 'registers', items, hosts, isScanned: true, disallowed: new Set() },
    world: { registered, register_filings: filings },
    feeds: [{ stream: companiesHouseStream.name, feed: 'filings', state: { timepoint: FIRST_TIMEPOINT } }],
  }
}

const [PROVEN, UNPROVEN] = [28, 8]
const FIRST_TIMEPOINT = 1_000

const FIRST = 'Ashdown Bramley Coverdale Denholm Eskdale Farley Grisedale Harlow Ingleby'.split(' ')
const SECOND = 'Tooling Pumps Valves Bearings'.split(' ')
/** 36 different names. */
const nameOf = (n: number) => `${FIRST[n % FIRST.length]} ${SECOND[Math.floor(n / FIRST.length) % SECOND.length]}`

function toCompany(name: string, n: number): RegisteredCompany {
  return {
    ...{ legal_name: `${name} Limited`.toUpperCase(), number: String(4_000_000 + n * 37).padStart(8, '0') },
    ...{ country_code: 'GB', street: `${n} Forge Lane`, city: 'Leeds', postal_code: `LS${1 + (n % 9)} ${n % 10}AB` },
  }
}

type Filing = Pick<RegisterFiling, 'type' | 'description' | 'values' | 'day'>
type FilingOf = (n: number, today: string) => Filing

const PEOPLE = ['Ines Okafor', 'Paul Werth', 'Mira Solberg', 'Tom Adeyemi', 'Hana Kubota']
const personOf = (n: number) => `${PEOPLE[n % PEOPLE.length]} ${'ABCDEFGH'[n % 8]}${'aeiou'[n % 5]}rne`

const appointed: FilingOf = (n, today) => ({
  ...{
    type: 'AP01',
    description: 'appoint-person-director-company-with-name-date',
    day: daysBefore(today, 1 + (n % 9)),
  },
  values: { officer_name: personOf(n), appointment_date: daysBefore(today, 10 + (n % 9)) },
})
const left: FilingOf = (n, today) => ({
  ...{ type: 'TM01', description: 'termination-director-company-with-name-termination-date' },
  day: daysBefore(today, 1 + (n % 9)),
  values: { officer_name: personOf(n), termination_date: daysBefore(today, 10 + (n % 9)) },
})
const FILINGS = {
  ...{ appointed, left },
  secretary: (n, today) => ({
    ...appointed(n, today),
    ...{ type: 'AP03', description: 'appoint-person-secretary-company-with-name-date' },
  }),
  /** One is filed as such; of the other, only the name shows it. */
  corporate: (n, today) => {
    const person = appointed(n, today)
    const values = { ...person.values, officer_name: 'Brightwater Directors Limited' }
    if (n % 2 === 0) return { ...person, values }
    return { ...person, values, type: 'AP02', description: 'appoint-corporate-director-company-with-name-date' }
  },
  old: (n, today) => appointed(n, daysBefore(today, 60)),
  late: (n, today) => ({
    ...appointed(n, today),
    values: { officer_name: personOf(n), appointment_date: daysBefore(today, 400) },
  }),
} satisfies Record<string, FilingOf>

const toFiling = (timepoint: number, company: string, filing: Filing): RegisterFiling => ({
  ...{ timepoint, company, id: `MzM${timepoint}`, category: 'officers' },
  ...filing,
})
