import type { Static } from 'typebox'
import type { Db } from '../../db/connect.ts'
import { draftIcp, MIN_CUSTOMERS } from '../../engine/icp/from-customers.ts'
import { listBestCustomers } from '../../resources/accounts/crm-store.ts'
import type { IcpFromCustomers } from '../../resources/knowledge-base/schema.ts'

const MAX_CUSTOMERS = 40

/** Drafts the ideal customer from the best customers in the CRM. Stores nothing. */
export async function draftIcpFromCustomers(db: Db, workspaceId: string): Promise<Static<typeof IcpFromCustomers>> {
  const { customers, total } = await listBestCustomers(db, workspaceId, MAX_CUSTOMERS)
  const draft = draftIcp(customers)
  return {
    ...{ customers: total, based_on: customers.length, ...draft },
    title: 'Companies like our best customers',
    note: describeBasis(total, customers.length, draft.content_md !== null),
  }
}

function describeBasis(total: number, basedOn: number, hasDraft: boolean): string {
  if (total < MIN_CUSTOMERS) {
    const known =
      total === 0
        ? 'No account is a customer'
        : total === 1
          ? 'One account is a customer'
          : `${total} accounts are customers`
    return `${known} by your CRM. A draft needs at least ${MIN_CUSTOMERS}.`
  }
  if (!hasDraft) return `Your ${total} customers have no size, industry or country in common.`
  return basedOn < total
    ? `Drafted from the ${basedOn} of your ${total} customers with the highest won amount.`
    : `Drafted from your ${total} customers.`
}
