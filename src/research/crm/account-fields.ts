import type { Db } from '../../db/connect.ts'
import type { CrmFieldValue } from '../../db/schema.ts'
import { hashOf } from '../../delivery/crm/sync.ts'
import {
  type AccountWithCrm,
  CRM_FIELDS,
  type CrmField,
  findFieldSources,
  lockAccountsWithCrm,
  type MatchedCompany,
  type WrittenAccount,
  writeCrmFields,
} from './account-field-store.ts'

type FieldSources = Map<string, Record<string, 'crm' | 'research'>>

/**
 * Applies the values of CRMs to accounts. A value that a member set stays. Otherwise a record of a CRM provides it for as long
 * as it has one, unless the workspace prefers research for the field. The researched value is kept for the case that no CRM
 * has one any more. Returns the accounts whose owner or values changed.
 */
export async function applyCrmFields(db: Db, workspaceId: string, accountIds: string[]): Promise<string[]> {
  if (accountIds.length === 0) return []
  const sources = await findFieldSources(db, workspaceId)
  const accounts = await lockAccountsWithCrm(db, workspaceId, accountIds)
  const changed = accounts.flatMap((account) => {
    const after = withCrmValues(account, sources)
    const isOther = (['owner_id', ...CRM_FIELDS] as const).some((field) => account[field] !== after[field])
    return isSame(account, after) ? [] : [{ after, isOther }]
  })
  await writeCrmFields(
    db,
    workspaceId,
    changed.map(({ after }) => after),
  )
  return changed.flatMap(({ after, isOther }) => (isOther ? after.id : []))
}

function withCrmValues(account: AccountWithCrm, sources: FieldSources): WrittenAccount {
  const { companies, overridden, ...before } = account
  const after: WrittenAccount = { ...before, ...ownerAfter(account) }
  const researched: Record<string, unknown> = { ...account.researched }
  const fromCrm = new Set(account.from_crm)
  for (const field of CRM_FIELDS) {
    const value = currentValue(companies, account.crm_fields[field], (company) => typedValue(company, field))
    if (value) after.crm_fields[field] = value
    else delete after.crm_fields[field]
    if (overridden.includes(field)) {
      fromCrm.delete(field)
      continue
    }
    const isUsed = value !== null && sources.get(value.provider)?.[field] !== 'research'
    if (isUsed) {
      if (!fromCrm.has(field)) researched[field] = before[field]
      fromCrm.add(field)
      Object.assign(after, { [field]: value.value })
    } else if (fromCrm.delete(field)) {
      Object.assign(after, { [field]: researched[field] ?? null })
      delete researched[field]
    }
  }
  return { ...after, researched, from_crm: [...fromCrm] }
}

/**
 * The value that a person typed in the CRM; null for one that the service wrote, also as another field that the workspace has
 * mapped there. Two numbers may be equal by chance.
 */
function typedValue({ fields, written }: MatchedCompany, field: CrmField): string | number | null {
  const value = fields[field] ?? null
  if (value === null || !written) return value
  const hashes = typeof value === 'number' ? [written[field]] : Object.values(written)
  return hashes.includes(hashOf(String(value))) ? null : value
}

/** The value of the record that provides the present one, so that it does not alternate; else of the last changed one. */
function currentValue(
  companies: MatchedCompany[],
  present: CrmFieldValue | undefined,
  read: (company: MatchedCompany) => string | number | null,
): Required<CrmFieldValue> | null {
  const first = companies.filter((company) => isRecord(company, present))
  for (const company of [...first, ...companies]) {
    const value = read(company)
    const { provider, crm_id, modified_at: at } = company
    if (value !== null) return { value, provider, crm_id, at }
  }
  return null
}

const isRecord = ({ provider, crm_id }: MatchedCompany, value: CrmFieldValue | undefined) =>
  provider === value?.provider && crm_id === value.crm_id

/**
 * The owner in the CRM becomes the owner here, unless a member chose another one, or none, since the CRM named the same
 * owner.
 */
function ownerAfter({
  companies,
  owner_id,
  crm_fields,
}: AccountWithCrm): Pick<WrittenAccount, 'owner_id' | 'crm_fields'> {
  const { owner_id: before, ...fields } = crm_fields
  const named = currentValue(companies, before, ({ member_id }) => member_id)
  if (!named) {
    // A record without an owner may name one again; a record that is gone does not.
    const isKept = before && companies.some((company) => isRecord(company, before))
    return { owner_id, crm_fields: isKept ? { ...crm_fields } : fields }
  }
  const isFree = owner_id === null ? named.value !== before?.value : before?.is_applied && owner_id === before.value
  return {
    owner_id: isFree ? String(named.value) : owner_id,
    crm_fields: { ...fields, owner_id: { ...named, is_applied: isFree ?? false } },
  }
}

function isSame(before: AccountWithCrm, after: WrittenAccount): boolean {
  return Object.entries(after).every(
    ([name, value]) => canonical(before[name as keyof WrittenAccount]) === canonical(value),
  )
}

/** JSON with sorted keys: PostgreSQL orders those of a stored object its own way. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    one && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}
