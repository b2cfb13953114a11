import type { CrmEdits } from './crm-edits.ts'

const DAY_MS = 86_400_000
const FIRST = ['Mara', 'Jonas', 'Aisha', 'Tomas', 'Lena', 'Victor', 'Priya', 'Owen', 'Nadia', 'Hugo', 'Ines', 'Kofi']
const LAST = ['Lindqvist', 'Okafor', 'Brandt', 'Silva', 'Novak', 'Hughes', 'Patel', 'Moreau', 'Jensen', 'Rossi', 'Kim']
const ADJECTIVES = ['Northern', 'Blue', 'Quiet', 'Copper', 'Granite', 'Silver', 'Harbor', 'Summit', 'Cedar', 'Rapid']
const NOUNS = ['Robotics', 'Logistics', 'Systems', 'Energy', 'Foods', 'Labs', 'Freight', 'Health', 'Capital', 'Works']
const COUNTRIES = ['United States', 'Germany', 'United Kingdom', 'France', 'Sweden', 'Canada']
const TITLES = ['CEO', 'CFO', 'VP Sales', 'Head of Marketing', 'IT Director', 'Operations Manager', 'Buyer']
const REASONS = ['Price', 'No budget', 'Chose a competitor', 'No decision', 'Missing feature']

export type SeedSize = { owners?: number; companies: number; contacts: number; deals: number }

/**
 * Fills a CRM with companies, their contacts and deals, changed over the two years before `until`. The same size gives
 * the same records. Returns their ids.
 */
export function seedCrm(crm: CrmEdits, size: SeedSize, until = Date.now()) {
  let state = 20_260_901
  /** A number from 0 to below the limit, from a linear congruential generator. */
  const random = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const pick = <T>(all: readonly T[]) => all[random(all.length)] as T
  const begin = until - 730 * DAY_MS
  /** Dates rise with the number of the record, as in a CRM that has grown over time. */
  const dates = (n: number, of: number) => {
    const created_at = Math.floor(begin + ((until - begin - 2 * DAY_MS) * n) / of)
    return { created_at, modified_at: created_at + random(DAY_MS) }
  }
  const owners = Array.from({ length: size.owners ?? 8 }, (_, n) => {
    const name = `${FIRST[n % FIRST.length]} ${LAST[n % LAST.length]}`
    return crm.addOwner({ name, email: `owner${n}@seller.example` })
  })
  const domainOf = (n: number) => `${ADJECTIVES[n % 10]}-${NOUNS[Math.floor(n / 10) % 10]}-${n}.example`.toLowerCase()
  const companies = Array.from({ length: size.companies }, (_, n) =>
    crm.addCompany({
      name: `${ADJECTIVES[n % 10]} ${NOUNS[Math.floor(n / 10) % 10]} ${n}`,
      domain: domainOf(n),
      employees: 10 + random(5_000),
      country: pick(COUNTRIES),
      owner_id: pick(owners),
      customer: random(10) === 0 ? 'present' : random(30) === 0 ? 'former' : 'never',
      ...dates(n, size.companies),
    }),
  )
  const byCompany = new Map<string, string[]>()
  const contacts = Array.from({ length: size.contacts }, (_, n) => {
    const at = n % Math.max(1, size.companies)
    const company_id = companies[at] ?? null
    const first_name = pick(FIRST)
    const last_name = pick(LAST)
    const id = crm.addContact({
      ...{ company_id, first_name, last_name, title: pick(TITLES), owner_id: pick(owners) },
      email: `${first_name}.${last_name}.${n}@${domainOf(at)}`.toLowerCase(),
      ...dates(n, size.contacts),
    })
    if (company_id) byCompany.set(company_id, [...(byCompany.get(company_id) ?? []), id])
    return id
  })
  const deals = Array.from({ length: size.deals }, (_, n) => {
    const company_id = companies[random(companies.length)] ?? null
    const state = pick(['open', 'won', 'lost'] as const)
    const when = dates(n, size.deals)
    return crm.addDeal({
      name: `Deal ${n}`,
      company_id,
      contact_ids: (byCompany.get(company_id ?? '') ?? []).slice(0, 1 + random(3)),
      state,
      amount: 1_000 * (1 + random(200)),
      closes_on: new Date(when.created_at + (30 + random(60)) * DAY_MS).toISOString().slice(0, 10),
      ...(state === 'lost' ? { lost_reason: pick(REASONS) } : {}),
      owner_id: pick(owners),
      ...when,
    })
  })
  return { owners, companies, contacts, deals }
}
