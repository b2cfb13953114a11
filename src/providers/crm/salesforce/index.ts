import type { CrmVendor } from '../vendor/types.ts'
import { identify, open } from './api.ts'
import { SALESFORCE_VARIABLES } from './config.ts'
import { LABEL } from './errors.ts'
import { MAX_LENGTHS } from './fields.ts'

export const salesforce: CrmVendor<'crm_two', typeof SALESFORCE_VARIABLES> = {
  id: 'crm_two',
  label: LABEL,
  tokenName: 'an access token',
  example: {
    vendorAccount: '00D5g000004XyZ1EAK',
    token: '00D5g000004XyZ1!AQ0AQ000000000000000000000000000',
    consentUrl: 'https://login.salesforce.com/services/oauth2/authorize?response_type=code&state=…',
  },
  maxLengths: MAX_LENGTHS,
  variables: SALESFORCE_VARIABLES,
  origin: {
    hosts: /\.(salesforce\.com|force\.com|salesforce\.mil)$/,
    name: 'address of your organization',
    example: 'https://northwind.my.salesforce.com',
    grantField: 'instance_url',
  },
  oauth: {
    client: { id: 'CRM_TWO_CLIENT_ID', secret: 'CRM_TWO_CLIENT_SECRET' },
    server: ({ CRM_TWO_LOGIN_URL }) => ({
      authorize: `${CRM_TWO_LOGIN_URL}/services/oauth2/authorize`,
      token: `${CRM_TWO_LOGIN_URL}/services/oauth2/token`,
      scope: 'api id refresh_token',
    }),
  },
  create: () => ({ identify, open }),
}
