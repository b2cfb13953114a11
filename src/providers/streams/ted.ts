import { hasLegalForm } from '../../engine/companies/company-names.ts'
import { dateAt, isFieldMissing, listAt, textAt, valueAt } from '../../engine/json/fields.ts'
import { hasGivenName } from '../../engine/people/given-names.ts'
import { readPersonName } from '../../engine/people/person-name.ts'
import { lookupTable } from '../../engine/text/lookup-table.ts'
import { cutText } from '../../engine/text/storable.ts'
import { splitWords } from '../../engine/text/tokens.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { isSharedDomain } from '../../shared/company-sites.ts'
import { normalizeDomain } from '../../shared/domains.ts'
import { countryCode } from '../countries.ts'
import { readableName } from '../filings/edgar.ts'
import { requestJson } from '../request.ts'
import type { SiteHints } from '../types.ts'
import { addressWitnesses } from '../web/witnesses.ts'
import { toStreamItem } from './public-record.ts'
import { readNewestFirst } from './read-feed.ts'
import type { Stream, StreamItem } from './types.ts'

const NAME = 'TED'
/** The documented limit is 700 requests a minute, but fast searches are rejected now and then. */
const PACE: Pace = { kind: 'ted', intervalMs: 1_500, concurrency: 1 }
const PER_PAGE = 250
const MAX_NAME_CHARS = 200
/** Per notice; a framework with hundreds of suppliers says little about each. */
const MAX_WINNERS = 40

/** By the buyer's country, so that one day fits into a few pages. */
const FEEDS = lookupTable<string>({
  central: 'DEU AUT CHE LIE',
  west: 'FRA BEL NLD LUX IRL',
  south: 'ITA ESP PRT MLT GRC CYP',
  north: 'SWE FIN DNK NOR ISL EST LVA LTU',
  east: 'POL CZE SVK HUN SVN HRV ROU BGR',
})
const FIELDS = [
  'publication-number',
  'publication-date',
  'notice-title',
  'buyer-name',
  'winner-name',
  'winner-internet-address',
  'winner-city',
  'winner-post-code',
  'winner-country',
]

/** Public contract awards in Europe, from Tenders Electronic Daily. */
export const ted: Stream = {
  name: NAME,
  source: 'ted',
  feeds: Object.keys(FEEDS),
  everyMinutes: 6 * 60,
  firstDays: 7,
  read(deps, feed, known) {
    return readNewestFirst(deps, known, {
      name: NAME,
      overlapDays: 1,
      perPage: PER_PAGE,
      request: (page, since) =>
        requestJson(deps, NAME, 'https://api.ted.europa.eu/v3/notices/search', {
          pace: PACE,
          maxBytes: 16 * 1024 * 1024,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            query: `form-type = result AND buyer-country IN (${FEEDS[feed]}) AND publication-date >= ${since.replaceAll('-', '')} SORT BY publication-date DESC`,
            fields: FIELDS,
            page,
            limit: PER_PAGE,
            scope: 'ALL',
            paginationMode: 'PAGE_NUMBER',
            onlyLatestVersions: true,
          }),
          missing: 'failed',
        }),
      list: noticesIn,
      read,
    })
  },
}

/** A notice that awards nothing lacks the winner, but not one in a row of this many. */
const MANY_NOTICES = 10

function noticesIn(response: unknown): unknown[] | null {
  const notices = listAt(response, 'notices')
  const isRenamed = notices !== null && notices.length >= MANY_NOTICES && isFieldMissing(notices, 'winner-name')
  return isRenamed ? null : notices
}

/** One item per winner. Contract values are listed without their winner, so none is included. */
function read(notice: unknown): StreamItem[] | null {
  const number = textAt(notice, 'publication-number')?.replace(/^0+/, '')
  const day = dateAt(notice, 'publication-date')
  if (!number || !day) return null
  const [buyer, ...others] = namesAt(notice, 'buyer-name')
  const [title = null] = namesAt(notice, 'notice-title')
  const winners = namesAt(notice, 'winner-name')
  // A notice without a winner lacks the field.
  if (winners.length === 0 && (valueAt(notice, 'winner-name') ?? null) !== null) return null
  const sites = [
    ...new Set(stringsIn(valueAt(notice, 'winner-internet-address')).flatMap((text) => ownSite(text) ?? [])),
  ]
  // Websites are also listed without their winner, so one is used only when there is exactly one winner.
  const isOnly = stringsIn(valueAt(notice, 'winner-name')).length === 1
  const hints = hintsOf(notice, isOnly, sites.length === 1 ? sites : [])
  const by = buyer ? ` by ${readableName(buyer)}${others.length > 0 ? ' and others' : ''}` : ''
  return winners
    .filter((name) => !isPerson(name))
    .slice(0, MAX_WINNERS)
    .map((winner) => {
      const name = readableName(winner)
      return toStreamItem({
        key: `${number} ${name}`,
        company: { name, domain: null },
        signal_id: 'customer_win',
        claim: `${name} was awarded a public contract${by}.`,
        more: [title],
        url: `https://ted.europa.eu/en/notice/-/detail/${number}`,
        day,
        hints,
      })
    })
}

/** The country of the winners, and the site and the address of the only one. Lots repeat them. */
function hintsOf(notice: unknown, isOnly: boolean, sites: string[]): SiteHints {
  const only = (field: string) => {
    const values = stringsIn(valueAt(notice, field))
    return values.length === 1 ? (values[0] as string) : null
  }
  const [city, postal_code, country] = [only('winner-city'), only('winner-post-code'), only('winner-country')]
  const code = countryCode(country)
  const stated = isOnly ? { named: sites, witnesses: addressWitnesses({ city, postal_code, country }) } : null
  return { ...(stated ?? { named: [], witnesses: [] }), ...(code && { country: code }) }
}

/** A winner's website may be an email address or a page on a social network, which do not identify a company. */
function ownSite(written: string): string | null {
  const domain = written.includes('@') ? null : normalizeDomain(written)
  return domain && !isSharedDomain(domain) ? domain : null
}

/** The strings of a field, in English if available: a string, a list, or either by language. */
function namesAt(notice: unknown, field: string): string[] {
  const value = valueAt(notice, field)
  return stringsIn(isByLanguage(value) ? (valueAt(value, 'eng') ?? Object.values(value)[0]) : value)
}

function isByLanguage(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** All strings of a value in every language, without duplicates: lots repeat them. */
function stringsIn(value: unknown): string[] {
  const texts: unknown[] = isByLanguage(value) ? Object.values(value).flat() : [value].flat()
  const list = texts.filter((text) => typeof text === 'string')
  return [...new Set(list.map((text) => cutText(text.trim(), MAX_NAME_CHARS)))].filter((text) => text !== '')
}

/** A sole trader under their own name, not a company. */
function isPerson(name: string): boolean {
  return !hasLegalForm(name) && readPersonName(name) !== null && hasGivenName(splitWords(name))
}
