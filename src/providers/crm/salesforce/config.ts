import { defineSecret, defineVariable, matchPattern, parseHttpUrl } from '../../../shared/config-values.ts'

export const SALESFORCE_VARIABLES = {
  CRM_TWO_CLIENT_ID: defineVariable(
    'OAuth client of your Salesforce app; unset, Salesforce is connected with a token',
    'an id without spaces',
    null as string | null,
    matchPattern(/^[\x21-\x7e]{1,500}$/),
  ),
  CRM_TWO_CLIENT_SECRET: defineSecret(
    'Its secret',
    'a secret without spaces',
    null as string | null,
    matchPattern(/^[\x21-\x7e]{1,500}$/),
  ),
  CRM_TWO_LOGIN_URL: defineVariable(
    'Where people sign in to Salesforce; https://test.salesforce.com for its sandboxes',
    'an http or https URL',
    'https://login.salesforce.com',
    parseHttpUrl,
  ),
}
