import type { Hubspot } from './hubspot.ts'
import type { Salesforce } from './salesforce.ts'

/** What people enter in a CRM, in the same form for every vendor. Dates of the past can be given for the first entry. */
export type CompanyEntry = {
  name?: string
  domain?: string
  employees?: number
  industry?: string
  country?: string
  owner_id?: string
  customer?: 'present' | 'former' | 'never'
}
export type ContactEntry = {
  company_id?: string | null
  first_name?: string
  last_name?: string
  email?: string
  title?: string
  owner_id?: string
}
export type DealEntry = {
  name?: string
  company_id?: string | null
  contact_ids?: string[]
  state?: 'open' | 'won' | 'lost'
  amount?: number
  closes_on?: string
  lost_reason?: string
  owner_id?: string
}
type Dates = { created_at?: number; modified_at?: number }

export type CrmEdits = {
  addOwner: (owner: { name: string; email: string }) => string
  addCompany: (entry: CompanyEntry & Dates) => string
  addContact: (entry: ContactEntry & Dates) => string
  addDeal: (entry: DealEntry & Dates) => string
  editCompany: (id: string, entry: CompanyEntry) => void
  editContact: (id: string, entry: ContactEntry) => void
  editDeal: (id: string, entry: DealEntry) => void
  delete: (object: 'company' | 'contact' | 'deal', id: string) => void
  /** Merges the second record into the first. Returns the id of the remaining record, which may be a new one. */
  merge: (object: 'company' | 'contact', id: string, otherId: string) => string
  /** What the CRM contains at the moment. */
  contents: () => {
    company: Map<string, { name: string; domain: string | null; owner_id: string | null }>
    contact: Map<string, { company_id: string | null; last_name: string | null; email: string | null }>
    deal: Map<string, { name: string; company_id: string | null; contact_ids: string[]; state: DealEntry['state'] }>
  }
}

/** Leaves out what was not entered. */
function entered<T>(values: Record<string, T | undefined>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, T>
}

const textOf = (value: number | string | null | undefined) => (value === undefined ? undefined : String(value ?? ''))
const isoOf = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

export function hubspotEdits(hubspot: Hubspot): CrmEdits {
  const stages = { open: 'qualifiedtobuy', won: 'closedwon', lost: 'closedlost' }
  const lifecycles = { present: 'customer', former: '98120441', never: 'lead' }
  const company = ({ name, domain, employees, industry, country, owner_id, customer }: CompanyEntry) =>
    entered({
      ...{ name, domain, industry, country, hubspot_owner_id: owner_id, numberofemployees: textOf(employees) },
      lifecyclestage: customer && lifecycles[customer],
    })
  const contact = ({ company_id, first_name, last_name, email, title, owner_id }: ContactEntry) =>
    entered({
      ...{ firstname: first_name, lastname: last_name, email, jobtitle: title, hubspot_owner_id: owner_id },
      associatedcompanyid: textOf(company_id),
    })
  const deal = ({ name, state, amount, closes_on, lost_reason, owner_id }: DealEntry) =>
    entered({
      ...{ dealname: name, amount: textOf(amount), closed_lost_reason: lost_reason, hubspot_owner_id: owner_id },
      dealstage: state && stages[state],
      closedate: closes_on && `${closes_on}T00:00:00.000Z`,
    })
  const dates = ({ created_at, modified_at }: Dates, modified: string) =>
    entered({ createdate: isoOf(created_at), [modified]: isoOf(modified_at) })
  const filled = (value: string | null | undefined) => value || null

  return {
    addOwner({ name, email }) {
      const [firstName = '', ...rest] = name.split(' ')
      return hubspot.addOwner({ email, firstName, lastName: rest.join(' ') })
    },
    addCompany: (entry) => hubspot.add('companies', { ...company(entry), ...dates(entry, 'hs_lastmodifieddate') }),
    addContact(entry) {
      const id = hubspot.add('contacts', { ...contact(entry), ...dates(entry, 'lastmodifieddate') })
      if (entry.company_id) hubspot.associations.add(`${id} ${entry.company_id}`)
      return id
    },
    addDeal(entry) {
      const given = {
        pipeline: 'default',
        ...deal({ state: 'open', ...entry }),
        ...dates(entry, 'hs_lastmodifieddate'),
      }
      const companies = entry.company_id ? [entry.company_id] : []
      return hubspot.add('deals', given, { companies, contacts: entry.contact_ids ?? [] })
    },
    editCompany: (id, entry) => hubspot.edit('companies', id, company(entry)),
    editContact: (id, entry) => hubspot.edit('contacts', id, contact(entry)),
    editDeal(id, entry) {
      const linked = hubspot.dealLinks.get(id) ?? { companies: [], contacts: [] }
      const { company_id, contact_ids } = entry
      if (company_id !== undefined || contact_ids)
        hubspot.link(id, {
          companies: company_id === undefined ? linked.companies : company_id ? [company_id] : [],
          contacts: contact_ids ?? linked.contacts,
        })
      const given = deal(entry)
      if (Object.keys(given).length > 0) hubspot.edit('deals', id, given)
    },
    delete: (object, id) =>
      hubspot.delete(({ company: 'companies', contact: 'contacts', deal: 'deals' } as const)[object], id),
    merge: (object, id, otherId) => hubspot.merge(object === 'company' ? 'companies' : 'contacts', id, otherId),
    contents: () => ({
      company: new Map(
        [...hubspot.records.companies].map(([id, { properties: p }]) => [
          id,
          { name: p.name ?? '', domain: filled(p.domain), owner_id: filled(p.hubspot_owner_id) },
        ]),
      ),
      contact: new Map(
        [...hubspot.records.contacts].map(([id, { properties: p }]) => [
          id,
          { company_id: filled(p.associatedcompanyid), last_name: filled(p.lastname), email: filled(p.email) },
        ]),
      ),
      deal: new Map(
        [...hubspot.records.deals].map(([id, { properties: p }]) => {
          const { companies, contacts } = hubspot.dealLinks.get(id) ?? { companies: [], contacts: [] }
          const state = p.dealstage === 'closedwon' ? 'won' : p.dealstage === 'closedlost' ? 'lost' : 'open'
          return [id, { name: p.dealname ?? '', company_id: companies[0] ?? null, contact_ids: contacts, state }]
        }),
      ),
    }),
  }
}

export function salesforceEdits(salesforce: Salesforce): CrmEdits {
  const stages = { open: 'Qualification', won: 'Closed Won', lost: 'Closed Lost' }
  const types = { present: 'Customer - Direct', former: 'Former Customer', never: 'Prospect' }
  const company = ({ name, domain, employees, industry, country, owner_id, customer }: CompanyEntry) =>
    entered<unknown>({
      ...{
        Industry: industry,
        Name: name,
        Website: domain,
        NumberOfEmployees: employees,
        BillingCountry: country,
        OwnerId: owner_id,
      },
      Type: customer && types[customer],
    })
  const contact = ({ company_id, first_name, last_name, email, title, owner_id }: ContactEntry) =>
    entered<unknown>({
      ...{ FirstName: first_name, LastName: last_name, Email: email, Title: title, OwnerId: owner_id },
      AccountId: company_id,
    })
  const deal = ({ name, company_id, state, amount, closes_on, lost_reason, owner_id }: DealEntry) =>
    entered<unknown>({
      ...{ Name: name, AccountId: company_id, Amount: amount, CloseDate: closes_on, OwnerId: owner_id },
      StageName: state && stages[state],
      Loss_Reason__c: lost_reason,
    })
  const dates = ({ created_at, modified_at }: Dates) =>
    entered<unknown>({
      CreatedDate: isoOf(created_at),
      SystemModstamp: modified_at === undefined ? undefined : `${isoOf(modified_at)?.slice(0, 19)}.000+0000`,
    })
  const filled = (value: unknown) => (typeof value === 'string' && value ? value : null)
  const rolesOf = (dealId: string) =>
    [...salesforce.records.OpportunityContactRole.values()].filter(({ OpportunityId }) => OpportunityId === dealId)

  salesforce.addField('Opportunity', 'Loss_Reason__c', { type: 'Text', length: 255, label: 'Loss reason' })
  const addRole = (dealId: string, ContactId: string, given: Dates = {}) =>
    salesforce.add('OpportunityContactRole', { OpportunityId: dealId, ContactId, IsPrimary: false, ...dates(given) })

  return {
    addOwner: ({ name, email }) => salesforce.addUser({ Name: name, Email: email }),
    addCompany: (entry) => salesforce.add('Account', { ...company(entry), ...dates(entry) }),
    addContact: (entry) => salesforce.add('Contact', { ...contact(entry), ...dates(entry) }),
    addDeal(entry) {
      const id = salesforce.add('Opportunity', { ...deal({ state: 'open', ...entry }), ...dates(entry) })
      for (const contactId of entry.contact_ids ?? []) addRole(id, contactId, entry)
      return id
    },
    editCompany: (id, entry) => salesforce.edit('Account', id, company(entry)),
    editContact: (id, entry) => salesforce.edit('Contact', id, contact(entry)),
    editDeal(id, entry) {
      const { contact_ids } = entry
      if (contact_ids) {
        const there = rolesOf(id)
        for (const { Id, ContactId } of there)
          if (!contact_ids.includes(String(ContactId))) salesforce.delete('OpportunityContactRole', Id)
        for (const contactId of contact_ids)
          if (!there.some(({ ContactId }) => ContactId === contactId)) addRole(id, contactId)
      }
      const given = deal(entry)
      if (Object.keys(given).length > 0) salesforce.edit('Opportunity', id, given)
    },
    delete: (object, id) =>
      salesforce.delete(({ company: 'Account', contact: 'Contact', deal: 'Opportunity' } as const)[object], id),
    merge(object, id, otherId) {
      salesforce.merge(object === 'company' ? 'Account' : 'Contact', id, otherId)
      return id
    },
    contents: () => ({
      company: new Map(
        [...salesforce.records.Account].map(([id, row]) => [
          id,
          { name: String(row.Name), domain: filled(row.Website), owner_id: filled(row.OwnerId) },
        ]),
      ),
      contact: new Map(
        [...salesforce.records.Contact].map(([id, row]) => [
          id,
          { company_id: filled(row.AccountId), last_name: filled(row.LastName), email: filled(row.Email) },
        ]),
      ),
      deal: new Map(
        [...salesforce.records.Opportunity].map(([id, row]) => [
          id,
          {
            name: String(row.Name),
            company_id: filled(row.AccountId),
            contact_ids: rolesOf(id).map(({ ContactId }) => String(ContactId)),
            state: row.IsWon ? 'won' : row.IsClosed ? 'lost' : 'open',
          },
        ]),
      ),
    }),
  }
}
