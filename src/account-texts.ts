/** The longest texts an account takes, whichever way they come. */
export const ACCOUNT_TEXTS = {
  name: 300,
  industry: 200,
  location: 300,
  country: 100,
  network_url: 2048,
  short_description: 5000,
} as const
