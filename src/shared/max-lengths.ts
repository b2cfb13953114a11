import { MAX_LINK_CHARS } from '../engine/text/web-address.ts'

/** Maximum lengths of an account's texts, for the API and for imports. */
export const ACCOUNT_MAX_LENGTHS = {
  name: 300,
  industry: 200,
  location: 300,
  country: 100,
  network_url: MAX_LINK_CHARS,
  short_description: 5000,
} as const
