import type { CrmProvider } from '../../db/crm-tables.ts'
import { hubspot } from './hubspot/api.ts'
import { salesforce } from './salesforce/api.ts'
import type { CrmVendor } from './types.ts'

/** Every CRM the service can push to. A new one is a file and a line here. */
export const CRM_VENDORS: Record<CrmProvider, CrmVendor> = { crm_one: hubspot, crm_two: salesforce }
