/** The records of the emulated HubSpot, and its rules for properties. */

export type HubspotType = 'companies' | 'contacts' | 'deals'
export type Properties = Record<string, string | null>
export type HubspotRecord = {
  id: string
  properties: Properties
  createdAt: number
  modifiedAt: number
  archivedAt?: number
  /** Searches lag behind: the states that they may still see. */
  history: { at: number; properties: Properties }[]
}
export type Definition = {
  name: string
  label: string
  type: 'string' | 'number' | 'date' | 'datetime' | 'enumeration' | 'bool'
  fieldType: string
  groupName: string
  hasUniqueValue: boolean
  options?: string[]
}
export type HubspotOwner = {
  id: string
  email: string | null
  firstName: string
  lastName: string
  archived: boolean
}
/** The records a deal is associated with; the first company is its primary one. */
export type DealLinks = { companies: string[]; contacts: string[] }
export type PropertyError = { category: string; message: string; propertyName?: string; existing?: string }

const text = (name: string): Definition => ({
  ...{ name, label: name, type: 'string', fieldType: 'text', groupName: 'information', hasUniqueValue: false },
})

const system = ['hs_object_id', 'createdate', 'hs_merged_object_ids', 'hubspot_owner_id']
const NAMES: Record<HubspotType, readonly string[]> = {
  companies: ['name', 'domain', 'description', 'country', 'phone', 'website', 'city', 'hs_lastmodifieddate'],
  contacts: [
    'firstname',
    'lastname',
    'jobtitle',
    'company',
    'country',
    'phone',
    'website',
    'city',
    'associatedcompanyid',
    'lastmodifieddate',
  ],
  deals: [
    'dealname',
    'dealstage',
    'pipeline',
    'deal_currency_code',
    'closedate',
    'hs_is_closed',
    'hs_is_closed_won',
    'closed_lost_reason',
    'hs_lastmodifieddate',
    'num_associated_contacts',
  ],
}

/** The property with the time of the last change. */
export const MODIFIED: Record<HubspotType, string> = {
  companies: 'hs_lastmodifieddate',
  contacts: 'lastmodifieddate',
  deals: 'hs_lastmodifieddate',
}

/** Lifecycle stages with their labels; one that an account adds itself has a number. */
export const LIFECYCLE_STAGES: Record<string, string> = {
  subscriber: 'Subscriber',
  lead: 'Lead',
  opportunity: 'Opportunity',
  customer: 'Customer',
  evangelist: 'Evangelist',
  other: 'Other',
  '98120441': 'Former customer',
}

/** The default pipeline of deals. */
export const DEAL_STAGES: Record<string, { label: string; probability: string; isClosed: 'true' | 'false' }> = {
  appointmentscheduled: { label: 'Appointment scheduled', probability: '0.2', isClosed: 'false' },
  qualifiedtobuy: { label: 'Qualified to buy', probability: '0.4', isClosed: 'false' },
  presentationscheduled: { label: 'Presentation scheduled', probability: '0.6', isClosed: 'false' },
  contractsent: { label: 'Contract sent', probability: '0.9', isClosed: 'false' },
  closedwon: { label: 'Closed won', probability: '1.0', isClosed: 'true' },
  closedlost: { label: 'Closed lost', probability: '0.0', isClosed: 'true' },
}

/** The standard properties in use; `industry` is an enumeration in HubSpot. */
export function standardProperties(type: HubspotType): Definition[] {
  const texts = [...system, ...NAMES[type]].map(text)
  if (type === 'deals') return [...texts, { ...text('amount'), type: 'number' }]
  const stage: Definition = { ...text('lifecyclestage'), type: 'enumeration', options: Object.keys(LIFECYCLE_STAGES) }
  if (type === 'contacts') return [...texts, stage, { ...text('email'), hasUniqueValue: true }]
  const options = [
    'COMPUTER_SOFTWARE',
    'LOGISTICS',
    'MACHINERY',
    'FINANCIAL_SERVICES',
    'HOSPITAL_HEALTH_CARE',
    'RETAIL',
  ]
  const industry: Definition = { ...text('industry'), type: 'enumeration', options }
  return [...texts, stage, { ...text('numberofemployees'), type: 'number' }, industry]
}

/** Errors in values, as HubSpot words them; null without errors. */
export function checkProperties(
  type: HubspotType,
  definitions: ReadonlyMap<string, Definition>,
  holder: (name: string, value: string) => HubspotRecord | undefined,
  properties: Properties,
  self: string | null,
): PropertyError | null {
  for (const [name, value] of Object.entries(properties)) {
    const definition = definitions.get(name)
    if (!definition) {
      const message = `Property values were not valid: [{"isValid":false,"message":"Property \\"${name}\\" does not exist","error":"PROPERTY_DOESNT_EXIST","name":"${name}"}]`
      return { category: 'VALIDATION_ERROR', message, propertyName: name }
    }
    if (!value) continue
    const wrong = shapeError(name, value, definition)
    if (wrong) return { category: 'VALIDATION_ERROR', message: wrong, propertyName: name }
    if (!definition.hasUniqueValue) continue
    const found = holder(name, value)
    const other = found?.id === self ? undefined : found
    if (other && name === 'email') {
      const message = `Contact already exists. Existing ID: ${other.id}`
      return { category: 'CONFLICT', message, propertyName: name, existing: other.id }
    }
    if (other) {
      const message = `Cannot set PropertyValueCoordinates{objectTypeId=${{ contacts: '0-1', companies: '0-2', deals: '0-3' }[type]}, propertyName=${name}, value=${value}} on ${self ?? 'a new record'}. ${other.id} already has that value.`
      return { category: 'VALIDATION_ERROR', message, propertyName: name }
    }
  }
  return null
}

function shapeError(name: string, value: string, { type, options }: Definition): string | null {
  const say = (message: string, error: string) =>
    `Property values were not valid: [{"isValid":false,"message":"${message}","error":"${error}","name":"${name}"}]`
  if (value.length > 65_536) return say(`${name} is too long`, 'INVALID_LONG_STRING')
  if (type === 'number' && !Number.isFinite(Number(value)))
    return say(`${value} was not a valid number.`, 'INVALID_INTEGER')
  if (type === 'date' && Number.isNaN(Date.parse(value))) return say(`${value} was not a valid date.`, 'INVALID_DATE')
  if (type === 'enumeration' && !options?.includes(value)) {
    return say(`${value} was not one of the allowed options`, 'INVALID_OPTION')
  }
  if (name === 'email' && !/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(value)) {
    return say(`Email address ${value} is invalid`, 'INVALID_EMAIL')
  }
  return null
}
