import type { CrmVendor } from '../vendor/types.ts'
import { identify, open } from './api.ts'
import { HUBSPOT_VARIABLES } from './config.ts'
import { LABEL } from './errors.ts'
import { API_VERSION } from './limits.ts'
import { RateLimits } from './rate-limits.ts'

export const hubspot: CrmVendor<'crm_one', typeof HUBSPOT_VARIABLES> = {
  id: 'crm_one',
  label: LABEL,
  tokenName: 'a service key',
  example: {
    vendorAccount: '48120153',
    token: 'pat-na1-00000000-0000-0000-0000-000000000000',
    consentUrl: 'https://app.hubspot.com/oauth/authorize?response_type=code&state=…',
  },
  // A text property has 65,536 characters, more than any value.
  maxLengths: {},
  variables: HUBSPOT_VARIABLES,
  origin: 'https://api.hubapi.com',
  oauth: {
    client: { id: 'CRM_ONE_CLIENT_ID', secret: 'CRM_ONE_CLIENT_SECRET' },
    server: () => ({
      authorize: 'https://app.hubspot.com/oauth/authorize',
      token: `https://api.hubapi.com/oauth/${API_VERSION}/token`,
      // Notes and tasks need the scopes of contacts and no others. Deals and owners are only read.
      scope: [
        'oauth',
        ...['companies', 'contacts'].flatMap((type) => [
          `crm.objects.${type}.read`,
          `crm.objects.${type}.write`,
          `crm.schemas.${type}.read`,
          `crm.schemas.${type}.write`,
        ]),
        'crm.objects.deals.read',
        'crm.objects.owners.read',
      ].join(' '),
      refusals: { grant: /^BAD_(REFRESH_TOKEN|AUTH_CODE)$/i, client: /^BAD_CLIENT/i },
    }),
  },
  create: () => {
    const allowances = new RateLimits()
    return {
      identify: (access) => identify(access, allowances),
      open: (access, mapping) => open(access, allowances, mapping),
    }
  },
}
