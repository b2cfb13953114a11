import { normalizeDomain } from '../../../shared/domains.ts'
import {
  type CrmObject,
  type FieldName,
  type FieldTargets,
  type FieldType,
  type FieldValues,
  fieldType,
} from '../vendor/types.ts'

export const SOBJECT: Record<CrmObject, 'Account' | 'Contact'> = { company: 'Account', contact: 'Contact' }

/** The id of the service in a unique external id field, which prevents creating a record twice. */
export const KEY = 'Bellwether_Id__c'
export const PROFILE_URL = 'Bellwether_Profile_Url__c'
export const PERMISSION_SET = 'Bellwether'

/** Field names to Salesforce fields, without the address: its countries may be a closed list. */
export const FIELDS: FieldTargets = {
  company: {
    name: 'Name',
    domain: 'Website',
    employees: 'NumberOfEmployees',
    industry: 'Industry',
    description: 'Description',
    profile_url: PROFILE_URL,
    score: 'Bellwether_Score__c',
    why_now: 'Bellwether_Why_Now__c',
    signals: 'Bellwether_Signals__c',
    evidence: 'Bellwether_Evidence__c',
    last_signal_on: 'Bellwether_Last_Signal_On__c',
  },
  contact: {
    email: 'Email',
    first_name: 'FirstName',
    last_name: 'LastName',
    title: 'Title',
    phone: 'Phone',
    profile_url: PROFILE_URL,
    job_level: 'Bellwether_Job_Level__c',
    match_tier: 'Bellwether_Match_Tier__c',
  },
}

/** Lengths of the standard fields, and minimum lengths of the fields the service creates. */
export const MAX_LENGTHS: Partial<Record<FieldName, number>> = {
  name: 255,
  industry: 255,
  description: 32_000,
  profile_url: 255,
  why_now: 32_000,
  signals: 32_000,
  evidence: 32_000,
  first_name: 40,
  last_name: 80,
  title: 128,
  phone: 40,
}

type Metadata = { label: string } & (
  | { type: 'Text'; length: number; externalId?: true; unique?: true; caseSensitive?: false }
  | { type: 'LongTextArea'; length: number; visibleLines: number }
  | { type: 'Number'; precision: number; scale: number }
  | { type: 'Date' }
)

const unique = { externalId: true, unique: true, caseSensitive: false } as const
const long = { type: 'LongTextArea', length: 32_768, visibleLines: 5 } as const
const number = { type: 'Number', precision: 3, scale: 0 } as const

/** The fields the service creates. */
export const MANAGED: Record<CrmObject, Record<string, Metadata>> = {
  company: {
    [KEY]: { label: 'Bellwether id', type: 'Text', length: 36, ...unique },
    [PROFILE_URL]: { label: 'Profile page', type: 'Text', length: 255 },
    Bellwether_Score__c: { label: 'Signal score', ...number },
    Bellwether_Why_Now__c: { label: 'Why now', ...long },
    Bellwether_Signals__c: { label: 'Latest signals', ...long },
    Bellwether_Evidence__c: { label: 'Signal evidence', ...long },
    Bellwether_Last_Signal_On__c: { label: 'Last signal on', type: 'Date' },
  },
  contact: {
    [KEY]: { label: 'Bellwether id', type: 'Text', length: 36, ...unique },
    [PROFILE_URL]: { label: 'Profile page', type: 'Text', length: 255, ...unique },
    Bellwether_Job_Level__c: { label: 'Job level', type: 'Text', length: 40 },
    Bellwether_Match_Tier__c: { label: 'Match tier', ...number },
  },
}

export type SalesforceRow = { Id: string } & Record<string, string | number | boolean | null | undefined>

export function toRecord(
  targets: FieldTargets[CrmObject],
  values: FieldValues,
): Record<string, string | number | null> {
  const record: Record<string, string | number | null> = {}
  for (const [field, value] of Object.entries(values) as [FieldName, string | null][]) {
    const name = targets[field]
    if (name) record[name] = value !== null && fieldType(field) === 'number' ? Number(value) : value
  }
  return record
}

export function fromRecord(targets: FieldTargets[CrmObject], row: SalesforceRow): FieldValues {
  const values: FieldValues = {}
  for (const [field, name] of Object.entries(targets) as [FieldName, string][]) {
    const value = row[name]
    values[field] =
      value === null || value === undefined || value === '' ? null : String(value).replaceAll('\r\n', '\n')
  }
  // Salesforce stores a URL, the service a domain.
  if (values.domain) values.domain = normalizeDomain(values.domain) ?? values.domain
  return values
}

type Described = {
  type?: string | null
  unique?: boolean | null
  createable?: boolean | null
  updateable?: boolean | null
}

const TYPES: Record<string, FieldType> = {
  string: 'text',
  textarea: 'text',
  phone: 'text',
  url: 'text',
  int: 'number',
  double: 'number',
  date: 'date',
}

/** The type of a field that the service can write, null for the others. Several records may have one value. */
export function describedType({ type, unique, createable, updateable }: Described): FieldType | null {
  return unique || !createable || !updateable ? null : (TYPES[type ?? ''] ?? null)
}
