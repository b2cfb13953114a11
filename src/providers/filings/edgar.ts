import type { OutboundResponse } from '../../outbound/client.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { type ProviderRequestOptions, type ProviderResponse, requestJson, requestProvider } from '../request.ts'
import type { ProviderDeps } from '../types.ts'

export const EDGAR = 'SEC EDGAR'

/** The SEC allows 10 requests a second over all its hosts; three hosts at this pace stay below. */
const PACE: Pace = { kind: 'sec', intervalMs: 350, concurrency: 2 }

const EMAIL = /[^\s<>()@+]+@[^\s<>()@]+\.[a-z]{2,}/i

/** The SEC rejects requests whose user agent contains no email address. */
export function edgarContactEmail({ config }: Pick<ProviderDeps, 'config'>): string | null {
  return EMAIL.exec(config.OUTBOUND_CONTACT ?? '')?.[0] ?? null
}

/** Why EDGAR is disabled although SOURCES includes it; null when it is not. */
export function edgarDisabledReason(config: ProviderDeps['config']): string | null {
  if (!config.SOURCES.has('sec') || edgarContactEmail({ config })) return null
  return `${EDGAR} requires an email address: set OUTBOUND_CONTACT to one to read filings.`
}

/** Fields of a hit that are read, with those of registrants: a page of hits has three times as many. */
const HIT_FIELDS = 'hits _id _source entity file_type ciks display_names form file_date sics items'.split(' ')
/** A bank files thousands of documents a year, each with fifteen fields. */
const SUBMISSION_FIELDS =
  'website investorWebsite sic filings recent accessionNumber filingDate form primaryDocument items'.split(' ')

/** Searches filings with the given query parameters. */
export function searchEdgar(
  deps: ProviderDeps,
  parameters: Record<string, string>,
): Promise<ProviderResponse<unknown>> {
  const url = `https://efts.sec.gov/LATEST/search-index?${new URLSearchParams(parameters)}`
  return requestJson(deps, EDGAR, url, { ...requestOptions(deps), fields: HIT_FIELDS, missing: 'failed' })
}

/** The list of a registrant's filings. */
export function fetchSubmissions(deps: ProviderDeps, cik: number): Promise<ProviderResponse<unknown>> {
  const url = `https://data.sec.gov/submissions/CIK${String(cik).padStart(10, '0')}.json`
  return requestJson(deps, EDGAR, url, { ...requestOptions(deps), fields: SUBMISSION_FIELDS })
}

/** A document of a filing, truncated if long: the relevant part is at its beginning. */
export function fetchEdgarDocument(deps: ProviderDeps, url: string): Promise<ProviderResponse<OutboundResponse>> {
  return requestProvider(deps, EDGAR, url, { ...requestOptions(deps), overflow: 'truncate', maxBytes: 1024 * 1024 })
}

function requestOptions(deps: ProviderDeps): ProviderRequestOptions {
  return { pace: PACE, maxBytes: 16 * 1024 * 1024, headers: { 'user-agent': `Bellwether ${edgarContactEmail(deps)}` } }
}

export function edgarDocumentUrl(cik: number, accession: string, document: string): string {
  const path = document.split('/').map(encodeURIComponent).join('/')
  return `https://www.sec.gov/Archives/edgar/data/${cik}/${accession.replaceAll('-', '')}/${path}`
}

/** Names are often in capitals and have suffixes: "ACME ROBOTICS, INC. /DE/ (ACMR)" becomes Acme Robotics, Inc. */
export function readableName(name: string): string {
  const plain = name
    .replaceAll(/\s{0,9}\([^()]{0,99}\)/g, '')
    .replace(/\s{0,9}\/[A-Z]{2,4}\/?$/, '')
    .trim()
  if (/\p{Ll}/u.test(plain)) return plain
  // A short word is more likely an abbreviation, unless it is in the list.
  return plain.replaceAll(/\p{L}[\p{L}'’]*/gu, (word) =>
    word.length > 3 || SHORT_WORDS.has(word) ? word.charAt(0) + word.slice(1).toLowerCase() : word,
  )
}

const SHORT_WORDS = new Set('INC LTD CO THE AND OF FOR NEW BIO AIR GAS OIL SUN BAY LAB'.split(' '))
