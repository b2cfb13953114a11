import type { Award, SandboxResponse, Vendor, World } from '../types.ts'
import { awardPage, awardsBy, awardUrl, parseBody } from './awards.ts'
import { json } from './boards.ts'

/** https://docs.ted.europa.eu/api: the search of notices, which takes an expert query. */
export const ted: Vendor = {
  name: 'ted',
  hosts: ['api.ted.europa.eu', 'ted.europa.eu'],
  answer({ url, method, body }, world) {
    if (url.hostname === 'ted.europa.eu') return awardPage(url, world)
    if (url.pathname !== '/v3/notices/search' || method !== 'POST') return json(404, { message: 'Not Found' })
    return search(body, world)
  },
}

const KEYS = new Set([
  'query',
  'fields',
  'page',
  'limit',
  'scope',
  'checkQuerySyntax',
  'paginationMode',
  'onlyLatestVersions',
  'iterationNextToken',
])

type Search = { query?: string; fields?: string[]; page?: number; limit?: number }

function search(body: string, world: World): SandboxResponse {
  const asked = parseBody(body) ?? {}
  const { query, fields, page = 1, limit = 10 } = asked as Search
  const unknown = Object.keys(asked).find((key) => !KEYS.has(key))
  if (unknown || !query || !fields?.length || limit > 250 || page * limit > 15_000) {
    return json(400, { message: 'Validation error', error: [{ field: unknown ?? 'fields' }] })
  }
  const since = /publication-date >= (\d{8})(?!\d|-)/.exec(query)?.[1]
  const countries = /buyer-country IN \(([A-Z ]+)\)/.exec(query)?.[1]?.split(' ')
  if (!since || !/^form-type = result AND /.test(query)) {
    return json(400, { message: 'Query syntax error', error: { type: 'QUERY_SYNTAX_ERROR' } })
  }
  const found = awardsBy(world, 'ted').filter(
    ({ day, country = 'DEU' }) => day.replaceAll('-', '') >= since && (!countries || countries.includes(country)),
  )
  if (!query.endsWith(' SORT BY publication-date DESC')) found.reverse()
  return json(200, {
    notices: found.slice((page - 1) * limit, page * limit).map((award) => notice(award, fields)),
    totalNoticeCount: found.length,
    iterationNextToken: null,
    timedOut: false,
  })
}

/** Unknown values are absent; links are always included. Lots repeat a winner. */
function notice(award: Award, fields: string[]): object {
  const { id, day, country = 'DEU', recipient, others = [], site, amount } = award
  const all: Record<string, unknown> = {
    'publication-number': id,
    'publication-date': `${day}+02:00`,
    'notice-type': 'can-standard',
    'notice-title': { deu: `Vergabe: ${award.description}`, eng: award.description },
    'buyer-name': { nob: [award.agency] },
    'buyer-country': [country],
    'winner-name': { nob: [recipient, ...others, recipient] },
    'winner-country': [country, country, country],
    'total-value': amount,
    'total-value-cur': ['NOK'],
    ...(site && { 'winner-internet-address': [site] }),
  }
  return {
    ...Object.fromEntries(fields.filter((field) => field in all).map((field) => [field, all[field]])),
    links: { xml: { MUL: `https://ted.europa.eu/en/notice/${id}/xml` }, html: { ENG: awardUrl(award) } },
  }
}
