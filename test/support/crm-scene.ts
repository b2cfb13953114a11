import { after } from 'node:test'
import { createHubspot, type Hubspot } from '../../sandbox/vendors/hubspot.ts'
import { createSalesforce } from '../../sandbox/vendors/salesforce.ts'
import type { CrmProvider as Provider } from '../../src/db/schema.ts'
import { assertDocumented, vendorsOnline } from './crm.ts'
import { savePeopleAs } from './people.ts'
import { testService } from './service.ts'

type Held = {
  label: string
  companies: (domain: string) => Record<string, unknown>[]
  contacts: (email: string) => Record<string, unknown>[]
  companyOf: (contact: string) => string[]
  calls: () => number
}

let serial = 0
export const unique = (name: string) => `${name}-${++serial}`

/**
 * The service with both CRMs beside it, fast enough that nobody waits, and a search that sees nothing of what is written.
 * When the file ends, every call they got is held against their documentation.
 */
export async function startCrms() {
  const hubspot = createHubspot({
    searchLagMs: 600_000,
    limit: { calls: 100_000, ms: 10_000 },
    searchesPerSecond: 1000,
  })
  const salesforce = createSalesforce()
  const internet = await vendorsOnline(hubspot, salesforce)
  const service = await testService({ env: { ...internet.env, PUSH_RETRY_SECONDS: '0,0,0' } })
  after(() => {
    assertDocumented(hubspot)
    assertDocumented(salesforce)
  })
  const credentials = {
    crm_one: { provider: 'crm_one', token: 'sandbox-key' },
    crm_two: { provider: 'crm_two', token: 'sandbox-token', instance_url: salesforce.instanceUrl },
  }

  /** A workspace with some accounts and a person at the first, connected to CRMs. */
  async function scene(providers: Provider[], accounts = 1, person: Record<string, unknown> | null = {}) {
    const { client, workspaceId } = await service.stranger()
    for (const provider of providers) await client.expect(201, 'POST', '/v1/connections', credentials[provider])
    const domains = Array.from({ length: accounts }, () => `${unique('acme')}.com`)
    const created = await client.expect(
      201,
      'POST',
      '/v1/accounts',
      domains.map((domain) => ({ name: `Acme ${domain}`, domain })),
    )
    const ids: string[] = created.map(({ id }: { id: string }) => id)
    const name = unique('mara')
    const fields = {
      full_name: 'Mara Lindqvist',
      title: 'VP Operations',
      email: `${name}@${domains[0]}`,
      network_url: `https://network.example/in/${name}`,
      ...person,
    }
    const [saved] = person
      ? await savePeopleAs(service.deps, workspaceId, 'employee', [{ account_id: ids[0] as string, ...fields }])
      : []
    return { client, workspaceId, domains, ids, fields, personId: saved?.id ?? '' }
  }

  /** What each CRM holds, in the same words. */
  const crms: Record<Provider, Held> = {
    crm_one: {
      label: 'HubSpot',
      companies: (domain) => held(hubspot.records.companies, 'domain', domain),
      contacts: (email) => held(hubspot.records.contacts, 'email', email),
      companyOf: (contact) =>
        [...hubspot.associations].flatMap((pair) =>
          pair.startsWith(`${contact} `) ? [pair.split(' ')[1] as string] : [],
        ),
      calls: () => hubspot.calls.length,
    },
    crm_two: {
      label: 'Salesforce',
      companies: (domain) =>
        [...salesforce.records.Account.values()]
          .filter(({ Website }) => Website === domain)
          .map((row) => ({ ...row, id: row.Id })),
      contacts: (email) =>
        [...salesforce.records.Contact.values()]
          .filter(({ Email }) => Email === email)
          .map((row) => ({ ...row, id: row.Id })),
      companyOf: (contact) => [salesforce.records.Contact.get(contact)?.AccountId as string],
      calls: () => salesforce.calls.length,
    },
  }

  return { hubspot, salesforce, internet, service, credentials, scene, crms }
}

function held(records: Hubspot['records']['companies'], name: string, value: string) {
  return [...records.values()]
    .filter(({ properties }) => properties[name] === value)
    .map(({ id, properties }) => ({ id, ...properties }))
}
