import type { CrmVendor } from '../types.ts'
import { identify, open } from './api.ts'
import { LABEL } from './errors.ts'

export const salesforce: CrmVendor<'crm_two'> = {
  id: 'crm_two',
  label: LABEL,
  base: null,
  oauth: (loginUrl) => ({
    authorize: `${loginUrl}/services/oauth2/authorize`,
    token: `${loginUrl}/services/oauth2/token`,
    scope: 'api id refresh_token',
  }),
  identify,
  open,
}
