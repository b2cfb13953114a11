import { hubspot } from './hubspot/index.ts'
import { salesforce } from './salesforce/index.ts'

/** Every CRM the service can push to. A new one is a folder and a line here. */
export const CRM_VENDORS = [hubspot, salesforce] as const

type Vendor = (typeof CRM_VENDORS)[number]

/** What the API calls a CRM. */
export type CrmProvider = Vendor['id']

export const CRM_PROVIDERS: CrmProvider[] = CRM_VENDORS.map(({ id }) => id)

export function isCrmProvider(provider: string): provider is CrmProvider {
  return CRM_VENDORS.some(({ id }) => id === provider)
}

export function crmVendor(provider: CrmProvider): Vendor {
  return CRM_VENDORS.find(({ id }) => id === provider) as Vendor
}
