import { hubspot } from './hubspot/index.ts'
import { salesforce } from './salesforce/index.ts'

/** Every CRM the service can push to. A new one is a folder, a line here, and a migration that allows its id in columns. */
export const CRM_VENDORS = [hubspot, salesforce] as const

export type RegisteredCrm = (typeof CRM_VENDORS)[number]

/** The id of a CRM in the API. */
export type CrmProvider = RegisteredCrm['id']

/** The intersection of the members of a union. */
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The environment variables of every vendor together. */
export const CRM_VARIABLES: AllOf<RegisteredCrm['variables']> = Object.assign(
  {},
  ...CRM_VENDORS.map(({ variables }) => variables),
)

export const CRM_PROVIDERS: CrmProvider[] = CRM_VENDORS.map(({ id }) => id)

export function isCrmProvider(provider: string): provider is CrmProvider {
  return CRM_VENDORS.some(({ id }) => id === provider)
}

export function crmVendor(provider: CrmProvider): RegisteredCrm {
  return CRM_VENDORS.find(({ id }) => id === provider) as RegisteredCrm
}
