import type { MailBehaviour, MailDomain } from '../../sandbox/types.ts'
import { PDL_KEY } from '../../sandbox/vendors/people-data-labs.ts'
import { ZEROBOUNCE_KEY } from '../../sandbox/vendors/zerobounce.ts'

export const PDL = { PDL_API_KEY: PDL_KEY, PDL_REQUESTS_PER_MINUTE: '100000' }
/** SEC EDGAR is called only with a contact address, and slowly. */
export const FILINGS = { OUTBOUND_CONTACT: 'tests@bellwether.example' }
export const ZEROBOUNCE = { ZEROBOUNCE_API_KEY: ZEROBOUNCE_KEY }

/** One card of a team page. */
export type Card = { name: string; title: string; more?: string }

export const teamPage = (cards: readonly Card[]) =>
  `<html><head><title>Our team</title></head><body><main><h1>Our team</h1><div class="team">${cards
    .map(({ name, title, more = '' }) => `<div class="card"><h3>${name}</h3><p>${title}</p>${more}</div>`)
    .join('')}</div></main></body></html>`

export const home = (links = '<a href="/team">Our team</a>') =>
  `<html><head><title>Home</title></head><body><main><h1>Welcome</h1>${links}</main></body></html>`

export const mailAt = (domain: string, users: string[], behaviour: MailBehaviour = 'users'): MailDomain => ({
  domain,
  behaviour,
  users,
})
