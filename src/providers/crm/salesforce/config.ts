import { httpUrl, text, variable } from '../../../shared/config-values.ts'

export const SALESFORCE_VARIABLES = {
  CRM_TWO_CLIENT_ID: variable(
    'OAuth client of your Salesforce app; unset, Salesforce is connected with a token',
    'an id without blanks',
    null as string | null,
    text(/^[\x21-\x7e]{1,500}$/),
  ),
  CRM_TWO_CLIENT_SECRET: variable(
    'Its secret',
    'a secret without blanks',
    null as string | null,
    text(/^[\x21-\x7e]{1,500}$/),
  ),
  CRM_TWO_LOGIN_URL: variable(
    'Where people sign in to Salesforce; https://test.salesforce.com for its sandboxes',
    'an http or https URL',
    'https://login.salesforce.com',
    httpUrl,
  ),
}
