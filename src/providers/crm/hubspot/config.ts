import { defineSecret, defineVariable, matchPattern } from '../../../shared/config-values.ts'

export const HUBSPOT_VARIABLES = {
  CRM_ONE_CLIENT_ID: defineVariable(
    'OAuth client of your HubSpot app; unset, HubSpot is connected with a key',
    'an id without spaces',
    null as string | null,
    matchPattern(/^[\x21-\x7e]{1,500}$/),
  ),
  CRM_ONE_CLIENT_SECRET: defineSecret(
    'Its secret',
    'a secret without spaces',
    null as string | null,
    matchPattern(/^[\x21-\x7e]{1,500}$/),
  ),
}
