import type { Db } from '../../src/db/connect.ts'
import type { PulledDeals } from '../../src/db/crm-tables.ts'
import type { Relationship } from '../../src/db/schema.ts'

type Deal = Partial<Pick<PulledDeals, 'name' | 'stage' | 'amount' | 'currency' | 'lost_reason' | 'closes_on'>> & {
  contacts?: string[]
  state?: 'open' | 'won' | 'lost'
}

/** Writes records as a pull from a CRM leaves them. */
export async function crmRecords(db: Db, workspaceId: string, provider: 'crm_one' | 'crm_two' = 'crm_one') {
  let serial = 0
  const key = () => ({ workspace_id: workspaceId, provider, crm_id: String(++serial), modified_at: new Date() })
  await db
    .insertInto('crm_syncs')
    .values({ workspace_id: workspaceId, provider, portal: 'portal-1' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

  return {
    /** A company of the CRM, of an account or not. Returns its id in the CRM. */
    async company({
      account_id = null,
      name = 'Northwind',
      domain = null,
      is_customer = false,
      is_former_customer = false,
    }: {
      account_id?: string | null
      name?: string
      domain?: string | null
      is_customer?: boolean
      is_former_customer?: boolean
    }) {
      const row = { ...key(), name, domain, account_id, is_customer, is_former_customer }
      await db
        .insertInto('pulled_companies')
        .values({ ...row, matched_by: account_id ? 'domain' : null })
        .execute()
      return row.crm_id
    },
    async contact(company: string, person_id: string, full_name = 'Ada Pike') {
      const row = { ...key(), company_crm_id: company, full_name, person_id }
      await db.insertInto('pulled_contacts').values(row).execute()
      return row.crm_id
    },
    async deal(company: string, { contacts = [], state = 'open', name = 'Rollout', ...fields }: Deal) {
      const row = { ...key(), name, company_crm_id: company, contact_crm_ids: contacts, ...fields }
      await db
        .insertInto('pulled_deals')
        .values({ ...row, is_closed: state !== 'open', is_won: state === 'won' })
        .execute()
      return row.crm_id
    },
    /** The relationship of an account as the pull derives it. */
    async relate(
      accountId: string,
      relationship: Relationship,
      on: string | null = null,
      reason: string | null = null,
    ) {
      await db
        .updateTable('accounts')
        .set({ relationship, relationship_on: on, relationship_reason: reason })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', accountId)
        .execute()
    },
  }
}
