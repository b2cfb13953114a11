import type { CrmVendor } from '../types.ts'
import { identify, open, VERSION } from './api.ts'
import { LABEL } from './errors.ts'

export const hubspot: CrmVendor<'crm_one'> = {
  id: 'crm_one',
  label: LABEL,
  base: 'https://api.hubapi.com',
  oauth: () => ({
    authorize: 'https://app.hubspot.com/oauth/authorize',
    token: `https://api.hubapi.com/oauth/${VERSION}/token`,
    scope: [
      'oauth',
      ...['companies', 'contacts'].flatMap((type) => [
        `crm.objects.${type}.read`,
        `crm.objects.${type}.write`,
        `crm.schemas.${type}.read`,
        `crm.schemas.${type}.write`,
      ]),
    ].join(' '),
  }),
  identify,
  open,
}
