import type { Db } from '../../db/connect.ts'
import { countryName, findCountryCode } from '../../engine/countries.ts'
import type {
  PulledCompany,
  PulledContact,
  PulledDeal,
  PulledObject,
  PulledOf,
  PulledPage,
} from '../../providers/crm/vendor/types.ts'
import { lockAccounts } from '../../resources/accounts/store.ts'
import type { ClaimedSync } from '../../resources/crm-sync/store.ts'
import { lockWorkspaceShared } from '../../resources/workspaces/store.ts'
import { findOwnDomain, nameFromDomain, readIndustry } from '../../shared/company-sites.ts'
import { ACCOUNT_MAX_LENGTHS } from '../../shared/max-lengths.ts'
import { applyCrmFields } from './account-fields.ts'
import type { ContactMoveParts } from './contact-moves.ts'
import { findMovedContacts, markDeletedContacts, releaseMovedContacts } from './contact-store.ts'
import { eraseSurvivors, placeContacts, readContacts } from './contacts.ts'
import { findAccountsOf, findPulledCompanies, matchCompanies, unmatchCompanies } from './match-store.ts'
import {
  findDealCompanies,
  followMergedCompanies,
  followMergedContacts,
  type GoneRecord,
  markGone,
  type PulledCompanyRow,
  touchRecords,
  upsertCompanies,
  upsertContacts,
  upsertDeals,
} from './record-store.ts'
import { redactPulledTexts } from './redact.ts'
import { deriveRelationships } from './relationship-store.ts'
import { cleanText } from './text.ts'

type Parts = ContactMoveParts

/**
 * Stores a page and applies it to accounts and people, in the caller's transaction. A record that is older than the stored one
 * changes nothing. Returns the accounts whose score, rank or drafts may change: another owner, value, relationship, deals or people.
 */
export async function applyPage<O extends PulledObject>(
  parts: Parts,
  sync: ClaimedSync,
  object: O,
  { records, gone }: Pick<PulledPage<PulledOf[O]>, 'records' | 'gone'>,
): Promise<string[]> {
  // Merged records may be listed by the survivor only.
  const merged = records.flatMap(({ id, merged_ids }) => merged_ids.map((one) => ({ id: one, merged_into: id })))
  const all = [...gone, ...merged]
  if (object === 'company') return applyCompanies(parts, sync, records as PulledCompany[], all)
  if (object === 'contact') return applyContacts(parts, sync, records as PulledContact[], all)
  return applyDeals(parts, sync, records as PulledDeal[], all)
}

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)
const isMerged = ({ merged_into }: GoneRecord) => merged_into !== null

async function applyCompanies(parts: Parts, sync: ClaimedSync, records: PulledCompany[], gone: GoneRecord[]) {
  const { db } = parts
  // An erasure takes place before or after the page.
  await lockWorkspaceShared(db, sync.workspace_id)
  const rows = await withoutErased(parts, sync, unique(records).map(readCompany))
  const before = await findPulledCompanies(db, sync, idsOf(records))
  const stored = await upsertCompanies(db, sync, rows)
  if (stored.length < records.length) await touchRecords(db, sync, 'company', idsOf(records))
  const merged = gone.filter(isMerged)
  if (gone.length > 0) {
    await markGone(db, sync, 'company', gone)
    if (merged.length > 0) await followMergedCompanies(db, sync, sync.portal, merged)
  }
  const now = new Map(rows.map(({ crm_id, domain }) => [crm_id, domain]))
  const corrected = stored.filter((id) => before.has(id) && before.get(id)?.domain !== now.get(id))
  const left = await unmatchCompanies(db, sync, sync.portal, corrected)
  const matched = await matchCompanies(db, sync, sync.portal, stored)
  const companies = [...corrected, ...merged.flatMap(({ merged_into }) => merged_into ?? [])]
  const moved = companies.length > 0 ? await findMovedContacts(db, sync, { companies }) : []
  const known = await findAccountsOf(db, sync, [...stored, ...idsOf(gone), ...companies])
  const accounts = [...left, ...matched, ...known, ...moved.map(({ account_id }) => account_id)]
  if (moved.length > 0) {
    // Accounts before people, as a roster does.
    await lockAccounts(db, sync.workspace_id, [...new Set(accounts)])
    await releaseMovedContacts(db, sync, sync.portal, moved)
  }
  return [...new Set([...left, ...(await applyToAccounts(db, sync.workspace_id, accounts))])]
}

async function withoutErased(parts: Parts, { workspace_id }: ClaimedSync, rows: PulledCompanyRow[]) {
  const texts = await redactPulledTexts(
    parts,
    workspace_id,
    rows.map(({ name, domain, fields }) => ({
      company: { name, domain, account_id: null },
      texts: [fields.short_description ? String(fields.short_description) : null],
    })),
  )
  return rows.map(({ fields: { short_description: _, ...fields }, ...row }, at): PulledCompanyRow => {
    const description = cleanText(texts[at]?.[0] ?? null, ACCOUNT_MAX_LENGTHS.short_description)
    return { ...row, fields: description ? { ...fields, short_description: description } : fields }
  })
}

/** Applies what the CRMs say of accounts. Returns those whose owner, values or relationship changed. */
export async function applyToAccounts(db: Db, workspaceId: string, accountIds: string[]): Promise<string[]> {
  const ids = [...new Set(accountIds)]
  const related = await deriveRelationships(db, workspaceId, ids)
  return [...related, ...(await applyCrmFields(db, workspaceId, ids))]
}

async function applyContacts(parts: Parts, sync: ClaimedSync, records: PulledContact[], gone: GoneRecord[]) {
  const { db } = parts
  // An erasure takes place before or after the page.
  await lockWorkspaceShared(db, sync.workspace_id)
  const rows = await readContacts(parts, sync.workspace_id, unique(records))
  const stored = await upsertContacts(db, sync, rows)
  if (stored.length < records.length) await touchRecords(db, sync, 'contact', idsOf(records))
  const merged = gone.filter(isMerged)
  if (gone.length > 0) await markGone(db, sync, 'contact', gone)
  if (merged.length > 0) {
    // Before contacts become people, because the survivor is the person that the merged one was.
    await followMergedContacts(db, sync, sync.portal, merged)
    await eraseSurvivors(parts, sync, merged)
  }
  const { accounts } = await placeContacts(parts, sync, stored)
  return gone.length > 0 ? [...accounts, ...(await markDeletedContacts(db, sync, idsOf(gone)))] : accounts
}

async function applyDeals(parts: Parts, sync: ClaimedSync, records: PulledDeal[], gone: GoneRecord[]) {
  const { db } = parts
  // An erasure takes place before or after the page.
  await lockWorkspaceShared(db, sync.workspace_id)
  const given = unique(records)
  const described = await findPulledCompanies(
    db,
    sync,
    given.flatMap(({ company_id }) => company_id ?? []),
  )
  const texts = await redactPulledTexts(
    parts,
    sync.workspace_id,
    given.map(({ company_id, name, lost_reason }) => ({
      company: described.get(company_id ?? '') ?? null,
      texts: [cleanText(name, 300), cleanText(lost_reason, 500)],
    })),
  )
  const deals = given.map((deal, at) => ({
    ...deal,
    name: cleanText(texts[at]?.[0] ?? null, 300) ?? 'Deal',
    stage: cleanText(deal.stage, 200),
    lost_reason: cleanText(texts[at]?.[1] ?? null, 500),
  }))
  const companies = await upsertDeals(db, sync, deals)
  await touchRecords(db, sync, 'deal', idsOf(records))
  companies.push(...(await findDealCompanies(db, sync, idsOf(gone))))
  if (gone.length > 0) await markGone(db, sync, 'deal', gone)
  const accounts = await findAccountsOf(db, sync, companies)
  await deriveRelationships(db, sync.workspace_id, accounts)
  return accounts
}

/** The last version of each record: one statement cannot write a row twice. */
function unique<R extends { id: string; modified_at: string }>(records: R[]): R[] {
  const newest = new Map<string, R>()
  for (const record of records) {
    const other = newest.get(record.id)
    if (!other || other.modified_at <= record.modified_at) newest.set(record.id, record)
  }
  return [...newest.values()]
}

const MOST_EMPLOYEES = 10_000_000

function readCompany(company: PulledCompany): PulledCompanyRow {
  const { employees } = company
  const domain = findOwnDomain(company.website ?? '', company.name)
  const code = findCountryCode(company.country ?? '')
  const country = code ? countryName(code) : company.country
  const fields = {
    employees: employees !== null && employees > 0 && employees < MOST_EMPLOYEES ? Math.round(employees) : null,
    industry: readIndustry(cleanText(company.industry, ACCOUNT_MAX_LENGTHS.industry)),
    country: cleanText(country, ACCOUNT_MAX_LENGTHS.country),
    short_description: cleanText(company.description, ACCOUNT_MAX_LENGTHS.short_description),
  }
  return {
    crm_id: company.id,
    name: cleanText(company.name, ACCOUNT_MAX_LENGTHS.name) ?? (domain ? nameFromDomain(domain) : company.id),
    domain,
    fields: Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    is_customer: company.is_customer,
    is_former_customer: company.is_former_customer,
    owner_crm_id: company.owner_id,
    modified_at: company.modified_at,
  }
}
