import { fieldsAt } from '../vendor/mapping.ts'
import type { CrmObject, FieldName, FieldTargets, FieldType, FieldValues } from '../vendor/types.ts'

export const TYPE: Record<CrmObject, 'companies' | 'contacts'> = { company: 'companies', contact: 'contacts' }

/** The id of the service in a unique property, which prevents creating a record twice. */
export const KEY = 'bellwether_id'
export const PROFILE_URL = 'bellwether_profile_url'
export const GROUP = 'bellwether'

/** Field names to HubSpot properties. `industry` is a closed list in HubSpot, so ours has a separate property. */
export const PROPERTIES: FieldTargets = {
  company: {
    name: 'name',
    domain: 'domain',
    employees: 'numberofemployees',
    country: 'country',
    description: 'description',
    industry: 'bellwether_industry',
    profile_url: PROFILE_URL,
    score: 'bellwether_score',
    why_now: 'bellwether_why_now',
    signals: 'bellwether_signals',
    evidence: 'bellwether_evidence',
    last_signal_on: 'bellwether_last_signal_on',
  },
  contact: {
    email: 'email',
    first_name: 'firstname',
    last_name: 'lastname',
    title: 'jobtitle',
    phone: 'phone',
    country: 'country',
    profile_url: PROFILE_URL,
    job_level: 'bellwether_job_level',
    match_tier: 'bellwether_match_tier',
  },
}

type Definition = {
  name: string
  label: string
  type: 'string' | 'number' | 'date'
  fieldType: 'text' | 'textarea' | 'number' | 'date'
  hasUniqueValue?: true
}

/** The properties the service creates. */
export const MANAGED: Record<CrmObject, Definition[]> = {
  company: [
    { name: KEY, label: 'Bellwether id', type: 'string', fieldType: 'text', hasUniqueValue: true },
    { name: PROFILE_URL, label: 'Profile page', type: 'string', fieldType: 'text' },
    { name: 'bellwether_industry', label: 'Industry (Bellwether)', type: 'string', fieldType: 'text' },
    { name: 'bellwether_score', label: 'Signal score', type: 'number', fieldType: 'number' },
    { name: 'bellwether_why_now', label: 'Why now', type: 'string', fieldType: 'textarea' },
    { name: 'bellwether_signals', label: 'Latest signals', type: 'string', fieldType: 'textarea' },
    { name: 'bellwether_evidence', label: 'Signal evidence', type: 'string', fieldType: 'textarea' },
    { name: 'bellwether_last_signal_on', label: 'Last signal on', type: 'date', fieldType: 'date' },
  ],
  contact: [
    { name: KEY, label: 'Bellwether id', type: 'string', fieldType: 'text', hasUniqueValue: true },
    { name: PROFILE_URL, label: 'Profile page', type: 'string', fieldType: 'text', hasUniqueValue: true },
    { name: 'bellwether_job_level', label: 'Job level', type: 'string', fieldType: 'text' },
    { name: 'bellwether_match_tier', label: 'Match tier', type: 'number', fieldType: 'number' },
  ],
}

type Property = {
  name: string
  type?: string | null
  calculated?: boolean | null
  hasUniqueValue?: boolean | null
  modificationMetadata?: { readOnlyValue?: boolean | null } | null
}

const TYPES: Record<string, FieldType> = { string: 'text', number: 'number', date: 'date' }

/** The type of a property that the service can write, null for the others. Several records may have one value. */
export function propertyType(property: Property): FieldType | null {
  const isReadOnly = property.calculated || property.hasUniqueValue || property.modificationMetadata?.readOnlyValue
  return isReadOnly ? null : (TYPES[property.type ?? ''] ?? null)
}

/** HubSpot properties are strings; an empty one clears the property. */
export function toProperties(targets: FieldTargets[CrmObject], values: FieldValues): Record<string, string> {
  const properties: Record<string, string> = {}
  for (const [field, value] of Object.entries(values) as [FieldName, string | null][]) {
    const name = targets[field]
    if (name) properties[name] = value ?? ''
  }
  return properties
}

export function fromProperties(
  targets: FieldTargets[CrmObject],
  properties: Record<string, string | null | undefined>,
): FieldValues {
  const values: FieldValues = {}
  for (const [field, name] of Object.entries(targets) as [FieldName, string][]) {
    values[field] = properties[name] || null
  }
  return values
}

/** The field of a unique property that HubSpot reports as taken. */
export function uniqueOf(targets: FieldTargets[CrmObject], name: string): FieldName | 'key' | undefined {
  return name === KEY ? 'key' : fieldsAt(targets, [name])[0]
}
