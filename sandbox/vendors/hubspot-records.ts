/** The records of the emulated HubSpot, and its rules for properties. */

export type HubspotType = 'companies' | 'contacts'
export type Properties = Record<string, string | null>
export type HubspotRecord = {
  id: string
  properties: Properties
  createdAt: number
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
export type PropertyError = { category: string; message: string; propertyName?: string; existing?: string }

const text = (name: string): Definition => ({
  ...{ name, label: name, type: 'string', fieldType: 'text', groupName: 'information', hasUniqueValue: false },
})

/** The standard properties in use; `industry` is an enumeration in HubSpot. */
export function standardProperties(type: HubspotType): Definition[] {
  const common = ['country', 'phone', 'hs_object_id', 'createdate', 'website', 'city'].map(text)
  if (type === 'contacts') {
    const names = ['firstname', 'lastname', 'jobtitle', 'company'].map(text)
    return [...common, ...names, { ...text('email'), hasUniqueValue: true }]
  }
  const industry: Definition = { ...text('industry'), type: 'enumeration', options: ['COMPUTER_SOFTWARE', 'LOGISTICS'] }
  return [
    ...common,
    ...['name', 'domain', 'description'].map(text),
    { ...text('numberofemployees'), type: 'number' },
    industry,
  ]
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
      const message = `Cannot set PropertyValueCoordinates{objectTypeId=${type === 'companies' ? '0-2' : '0-1'}, propertyName=${name}, value=${value}} on ${self ?? 'a new record'}. ${other.id} already has that value.`
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
