import type { Db } from '../../db/connect.ts'
import type { PushRecordType } from '../../db/schema.ts'
import { describeProof } from '../../engine/draft/event.ts'
import { splitFullName } from '../../engine/people/person-name.ts'
import { CRM_VENDORS, type CrmProvider } from '../../providers/crm/registry.ts'
import type { FieldName, FieldValues } from '../../providers/crm/vendor/types.ts'
import type { Viewer } from '../../shared/member.ts'
import { type CompanyRow, type ContactRow, findCompanyRows, findContactRows } from './record-store.ts'
import type { SyncItem } from './sync.ts'

/** A record with the values that are sent to a CRM. */
export type CrmRecord = {
  id: string
  account_id: string
  values: FieldValues
  /** The CRM that a value was read from, as its id in the API. */
  readFrom: ReadonlyMap<FieldName, string>
}

/** A record as it is written to one CRM. */
export function toSyncItem(
  { id, values, readFrom }: CrmRecord,
  provider: CrmProvider,
  company_id: string | null,
): SyncItem {
  const adopted = [...readFrom].flatMap(([field, from]) => (from === provider ? [field] : []))
  return { id, values, company_id, adopted: new Set(adopted) }
}

const MAX_LINKS = 10

/** The maximum length of a field over all CRMs. A longer text is cut before it is sent, so that the stored value equals it. */
const MAX_LENGTHS = shortest(CRM_VENDORS.map(({ maxLengths }) => maxLengths))

function shortest(limits: Partial<Record<FieldName, number>>[]): ReadonlyMap<FieldName, number> {
  const all = new Map<FieldName, number>()
  for (const [field, max] of limits.flatMap((one) => Object.entries(one) as [FieldName, number][]))
    all.set(field, Math.min(max, all.get(field) ?? max))
  return all
}

function fit(values: FieldValues): FieldValues {
  const fitting = { ...values }
  for (const [field, max] of MAX_LENGTHS) {
    const value = fitting[field]
    // A truncated URL is invalid.
    if (field === 'profile_url' && value && value.length > max) fitting[field] = null
    else if (value) fitting[field] = value.slice(0, max).trim() || null
  }
  return fitting
}

/** The records that exist and that the viewer may see. */
export async function readCrmRecords(
  db: Db,
  viewer: Viewer,
  recordType: PushRecordType,
  ids: string[],
): Promise<Map<string, CrmRecord>> {
  const records =
    recordType === 'accounts' ? await readCompanies(db, viewer.workspace_id, ids) : await readContacts(db, viewer, ids)
  return new Map(records.map((record) => [record.id, record]))
}

/** Accounts with the values for a CRM, including their latest signals. */
export async function readCompanies(db: Db, workspaceId: string, ids: string[]): Promise<CrmRecord[]> {
  const rows = await findCompanyRows(db, workspaceId, ids)
  return rows.map((row) => ({
    ...{ id: row.id, account_id: row.id, values: fit(companyValues(row)) },
    readFrom: new Map(row.from_crm.map((name) => [fieldOf(name), row.crm_fields[name]?.provider ?? ''])),
  }))
}

/** The name in a push of a column of accounts. */
const fieldOf = (column: string) => (column === 'short_description' ? 'description' : column) as FieldName

function companyValues(row: CompanyRow): FieldValues {
  const { signals } = row
  const links = signals
    .flatMap(({ signal_id, evidence }) => evidence.map((proof) => ({ signal_id, proof })))
    .flatMap(({ signal_id, proof }) =>
      proof.source_url ? [`${describeProof(proof, row.name, signal_id)} ${proof.source_url}`] : [],
    )
  return {
    name: row.name,
    domain: row.domain,
    employees: row.employees === null ? null : String(row.employees),
    industry: row.industry,
    country: row.country,
    description: row.short_description,
    profile_url: row.network_url,
    score: String(row.score),
    why_now: row.why_now_md && stripMarkdown(row.why_now_md),
    signals: lines(signals.map(({ headline, detected_at }) => `${detected_at} ${headline}`)),
    evidence: lines([...new Set(links)].slice(0, MAX_LINKS)),
    last_signal_on: signals[0]?.detected_at ?? null,
  }
}

/** Removes Markdown, which the fields of a CRM show as plain text. */
function stripMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]\n]*)\]\((https?:[^\s)]+)\)/g, '$1 $2')
    .replaceAll(/(\*\*|__)(?=\S)(.+?)\1/g, '$2')
    .replaceAll(/^#+ /gm, '')
}

function lines(all: string[]): string | null {
  return all.length > 0 ? all.join('\n') : null
}

const NONE: ReadonlyMap<FieldName, string> = new Map()

async function readContacts(db: Db, viewer: Viewer, ids: string[]): Promise<CrmRecord[]> {
  const rows = await findContactRows(db, viewer, ids)
  return rows.map((row) => ({
    id: row.id,
    account_id: row.account_id,
    values: fit(contactValues(row)),
    readFrom: NONE,
  }))
}

function contactValues(row: ContactRow): FieldValues {
  return {
    // CRMs store emails in lower case, so the stored value equals the sent one.
    email: row.email?.toLowerCase() ?? null,
    // Every CRM requires a last name.
    ...splitFullName(row.full_name),
    title: row.title,
    phone: row.phone,
    country: row.country_code,
    profile_url: row.network_url,
    job_level: row.job_level,
    match_tier: row.icp_tier === null ? null : String(row.icp_tier),
  }
}
