import { normalizeDomain } from '../../domains.ts'
import { coreWords } from '../../engine/company-names.ts'
import { holdsGivenName } from '../../engine/page/given-names.ts'
import { readPersonName } from '../../engine/person-name.ts'
import { wordsOf } from '../../engine/scan.ts'
import { cutText } from '../../engine/storable.ts'
import { table } from '../../engine/table.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { askJson } from '../ask.ts'
import { readableName } from '../filings/edgar.ts'
import { at, dayAt, listAt, textAt } from '../json.ts'
import { readNewestFirst } from './reading.ts'
import { recordItem } from './records.ts'
import type { Stream, StreamItem } from './types.ts'

const NAME = 'TED'
/** 700 requests a minute are said to be allowed; whoever searches fast is refused now and then all the same. */
const PACE: Pace = { kind: 'ted', intervalMs: 1_500, concurrency: 1 }
const PER_PAGE = 250
const MAX_NAME_CHARS = 200
/** Of one notice; a framework for hundreds of suppliers says little about each. */
const MAX_WINNERS = 40

/** By the country of the buyer, so that a day of all Europe fits into a few readings. */
const FEEDS = table<string>({
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
]

/** Public contracts that were awarded in Europe, of Tenders Electronic Daily. */
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
      ask: (page, since) =>
        askJson(deps, NAME, 'https://api.ted.europa.eu/v3/notices/search', {
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
      list: (answer) => listAt(answer, 'notices'),
      read,
    })
  },
}

/** One item for each winner. Values stand beside, and nothing tells which is whose: none is given. */
function read(notice: unknown): StreamItem[] | null {
  const number = textAt(notice, 'publication-number')?.replace(/^0+/, '')
  const day = dayAt(notice, 'publication-date')
  if (!number || !day) return null
  const [buyer, ...others] = namesAt(notice, 'buyer-name')
  const [title = null] = namesAt(notice, 'notice-title')
  const winners = namesAt(notice, 'winner-name')
  const sites = namesAt(notice, 'winner-internet-address').map(normalizeDomain)
  // Nor which address is whose, unless there is one of each.
  const domain = winners.length === 1 && sites.length === 1 ? (sites[0] ?? null) : null
  const by = buyer ? ` by ${readableName(buyer)}${others.length > 0 ? ' and others' : ''}` : ''
  return winners
    .filter((name) => !isPerson(name))
    .slice(0, MAX_WINNERS)
    .map((winner) => {
      const name = readableName(winner)
      return recordItem({
        key: `${number} ${name}`,
        company: { name, domain },
        signal_id: 'customer_win',
        claim: `${name} was awarded a public contract${by}.`,
        more: [title],
        url: `https://ted.europa.eu/en/notice/-/detail/${number}`,
        day,
      })
    })
}

/** Texts of a field, in English where it has them: a text, a list, or either by language. Lots repeat them. */
function namesAt(notice: unknown, field: string): string[] {
  const value = at(notice, field)
  const isByLanguage = typeof value === 'object' && value !== null && !Array.isArray(value)
  const texts = isByLanguage ? (at(value, 'eng') ?? Object.values(value)[0]) : value
  const list = (Array.isArray(texts) ? texts : [texts]).filter((text) => typeof text === 'string')
  return [...new Set(list.map((text) => cutText(text.trim(), MAX_NAME_CHARS)))].filter((text) => text !== '')
}

/** Somebody in business under their own name: a person, and nobody's company. */
function isPerson(name: string): boolean {
  const hasLegalForm = coreWords(name).length < wordsOf(name).length
  return !hasLegalForm && readPersonName(name) !== null && holdsGivenName(wordsOf(name))
}
