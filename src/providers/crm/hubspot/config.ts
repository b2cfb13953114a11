import { text, variable } from '../../../shared/config-values.ts'

export const HUBSPOT_VARIABLES = {
  CRM_ONE_CLIENT_ID: variable(
    'OAuth client of your HubSpot app; unset, HubSpot is connected with a key',
    'an id without blanks',
    null as string | null,
    text(/^[\x21-\x7e]{1,500}$/),
  ),
  CRM_ONE_CLIENT_SECRET: variable(
    'Its secret',
    'a secret without blanks',
    null as string | null,
    text(/^[\x21-\x7e]{1,500}$/),
  ),
}
