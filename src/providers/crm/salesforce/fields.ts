import { normalizeDomain } from '../../../shared/domains.ts'
import type { CrmObject, FieldName, FieldValues } from '../vendor/types.ts'

export const SOBJECT: Record<CrmObject, 'Account' | 'Contact'> = { company: 'Account', contact: 'Contact' }

/** The id of the service in a unique external id field, which prevents creating a record twice. */
export const KEY = 'Bellwether_Id__c'
export const PROFILE_URL = 'Bellwether_Profile_Url__c'
export const PERMISSION_SET = 'Bellwether'

type Field = { name: string; number?: true }

/** Field names to Salesforce fields, without the address: its countries may be a closed list. */
export const FIELDS: Record<CrmObject, Partial<Record<FieldName, Field>>> = {
  company: {
    name: { name: 'Name' },
    domain: { name: 'Website' },
    employees: { name: 'NumberOfEmployees', number: true },
    industry: { name: 'Industry' },
    description: { name: 'Description' },
    profile_url: { name: PROFILE_URL },
    score: { name: 'Bellwether_Score__c', number: true },
    why_now: { name: 'Bellwether_Why_Now__c' },
    signals: { name: 'Bellwether_Signals__c' },
    evidence: { name: 'Bellwether_Evidence__c' },
    last_signal_on: { name: 'Bellwether_Last_Signal_On__c' },
  },
  contact: {
    email: { name: 'Email' },
    first_name: { name: 'FirstName' },
    last_name: { name: 'LastName' },
    title: { name: 'Title' },
    phone: { name: 'Phone' },
    profile_url: { name: PROFILE_URL },
    job_level: { name: 'Bellwether_Job_Level__c' },
    match_tier: { name: 'Bellwether_Match_Tier__c', number: true },
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

export function toRecord(object: CrmObject, values: FieldValues): Record<string, string | number | null> {
  const record: Record<string, string | number | null> = {}
  for (const [field, value] of Object.entries(values) as [FieldName, string | null][]) {
    const target = FIELDS[object][field]
    if (!target) continue
    record[target.name] = value === null ? null : target.number ? Number(value) : value
  }
  return record
}

export function fromRecord(object: CrmObject, row: SalesforceRow): FieldValues {
  const values: FieldValues = {}
  for (const [field, { name }] of Object.entries(FIELDS[object]) as [FieldName, Field][]) {
    const value = row[name]
    values[field] =
      value === null || value === undefined || value === '' ? null : String(value).replaceAll('\r\n', '\n')
  }
  // Salesforce stores a URL, the service a domain.
  if (object === 'company' && values.domain) values.domain = normalizeDomain(values.domain) ?? values.domain
  return values
}

export function fieldsOf(object: CrmObject, names: string[]): FieldName[] {
  return (Object.entries(FIELDS[object]) as [FieldName, Field][])
    .filter(([, { name }]) => names.includes(name))
    .map(([field]) => field)
}

const named = (object: CrmObject) => new Set(Object.keys(FIELDS[object]) as FieldName[])
export const NAMES = { company: named('company'), contact: named('contact') }
