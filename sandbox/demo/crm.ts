import type { Sandbox } from '../start.ts'
import { type DealEntry, hubspotEdits } from '../vendors/crm-edits.ts'

const DAY_MS = 86_400_000

/** `days`: until it closes, negative for a closed deal. Amounts are a year at the prices of the knowledge base. */
type Deal = Pick<DealEntry, 'name' | 'state' | 'amount' | 'lost_reason'> & { days: number }
type Company = {
  domain: string
  /** For a company outside the invented internet. */
  name?: string
  customer: 'present' | 'former' | 'never'
  /** As HubSpot names it. */
  industry?: string
  /** `Name, Title`; the contact of the deals. */
  contact: string
  deals: readonly Deal[]
}

/** The customer whose contact has since become the finance chief of another account. */
const FORMER_EMPLOYER = 'meridon-freight.example'
const NEW_EMPLOYER = 'corvane.example'

const COMPANIES: readonly Company[] = [
  {
    ...{
      domain: FORMER_EMPLOYER,
      customer: 'present',
      industry: 'LOGISTICS',
      contact: 'Femke Brouwer, Group Controller',
    },
    deals: [{ name: 'Meridon Freight: Group Report, four terminals', state: 'won', amount: 52_200, days: -410 }],
  },
  {
    ...{ domain: 'halden-robotics.example', customer: 'never', contact: 'Marte Eikeland, Chief Financial Officer' },
    deals: [{ name: 'Halden Robotics: Connect for Oslo and Gdańsk', state: 'open', amount: 35_400, days: 23 }],
  },
  {
    ...{ domain: 'ledgermoor.example', customer: 'never', contact: 'Martin Clewes, Chief Financial Officer' },
    deals: [
      {
        ...{ name: 'Ledgermoor: Group Report', state: 'lost', amount: 39_600, days: -220 },
        lost_reason: 'No budget until the next financial year',
      },
    ],
  },
  {
    ...{ domain: 'nimbrel.example', customer: 'former', contact: 'Lucinda Yoon, Chief Financial Officer' },
    deals: [{ name: 'Nimbrel: Connect, six systems', state: 'won', amount: 39_600, days: -1_020 }],
  },
  {
    ...{
      domain: 'kestrelvane.example',
      customer: 'present',
      industry: 'LOGISTICS',
      contact: 'Priti Chauhan, Finance Director',
    },
    deals: [{ name: 'Kestrel & Vane: Connect for customs', state: 'won', amount: 31_200, days: -300 }],
  },
  {
    ...{
      domain: 'anvilry.example',
      customer: 'present',
      industry: 'COMPUTER_SOFTWARE',
      contact: 'Katharina Wiesinger, Chief Executive Officer',
    },
    deals: [{ name: 'Anvilry: Connect', state: 'won', amount: 22_800, days: -520 }],
  },
  {
    ...{
      domain: 'voltique.example',
      customer: 'present',
      industry: 'MACHINERY',
      contact: 'Bastien Morvan, Chief Operating Officer',
    },
    deals: [{ name: 'Voltique: Group Report', state: 'won', amount: 43_800, days: -150 }],
  },
  {
    ...{ domain: 'cindermark.example', customer: 'present', contact: 'Roswitha Edlinger, Publisher' },
    deals: [{ name: 'Cindermark Media: Connect', state: 'won', amount: 27_000, days: -640 }],
  },
  {
    ...{ domain: 'brackwater-foods.example', name: 'Brackwater Foods', customer: 'present' },
    contact: 'Alan Thwaite, Finance Director',
    deals: [{ name: 'Brackwater Foods: three new sites', state: 'won', amount: 48_000, days: -480 }],
  },
]

/**
 * Fills HubSpot with what a sales team has there, most of it about the accounts of the tour, and lets a contact of a won
 * deal join another account.
 */
export function fillCrm({ hubspot, world }: Sandbox, seller: { name: string; email: string }): void {
  const crm = hubspotEdits(hubspot)
  const owners = [crm.addOwner(seller), crm.addOwner({ name: 'Marcus Bell', email: 'marcus.bell@quayline.example' })]
  const now = Date.now()
  COMPANIES.forEach(({ domain, name, customer, industry, contact, deals }, at) => {
    const owner_id = owners[at % owners.length] as string
    const known = name ? { name } : world.company(domain)
    const [full_name = '', title = ''] = contact.split(', ')
    const [first_name = '', last_name = ''] = full_name.split(' ')
    const created_at = now - 1_100 * DAY_MS
    const dates = { created_at, modified_at: created_at }
    const company_id = crm.addCompany({
      ...{ name: known.name, domain, customer, owner_id, ...dates },
      ...(industry ? { industry } : {}),
      ...('employees' in known ? { employees: known.employees, country: known.country } : {}),
    })
    const email = `${first_name}.${last_name}@${domain}`.toLowerCase()
    const person = { company_id, first_name, last_name, title, email, owner_id, ...dates }
    const contact_ids = [crm.addContact(person)]
    for (const { days, ...deal } of deals) {
      const closes = now + days * DAY_MS
      crm.addDeal({
        ...{ ...deal, company_id, contact_ids, owner_id, closes_on: new Date(closes).toISOString().slice(0, 10) },
        ...{ created_at: closes - 70 * DAY_MS, modified_at: Math.min(closes, now) },
      })
    }
  })
  world.change(NEW_EMPLOYER, { join: 'Femke Brouwer, Chief Financial Officer [email]' })
  world.publish(NEW_EMPLOYER, {
    title: 'Femke Brouwer joins Corvane as Chief Financial Officer',
    tells: ['leadership_change'],
    text: `
Amsterdam, {date} – Corvane has appointed Femke Brouwer as Chief Financial Officer. She joins from Meridon Freight, where she was Group Controller for six years.

“Sixty cities pay us on sixty different days,” said Wouter Steenbergen, Chief Executive Officer. “Femke has brought order to more complicated books than ours.”

Brouwer starts today and is a member of the management team.`,
  })
}
