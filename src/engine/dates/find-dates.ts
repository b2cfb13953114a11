// Finds and parses dates as people and machines write them, in European languages and a few more.

import { foldText } from '../text/fold.ts'
import { toIsoDate } from './calendar.ts'

/** The order of day and month in a numeric date such as 3/4/2026. */
export type DateOrder = 'day-first' | 'month-first'

/** A date, `YYYY-MM-DD`, and its range in the text. */
export type FoundDate = { date: string; at: number; end: number }

/**
 * Names and abbreviations of each month, without accents. Languages that share a word mean the same month by it, except for
 * `listopada`, which is November in Polish and October in Croatian.
 */
const MONTH_WORDS = [
  'january jan januar janner januari janvier janv enero ene gennaio gen janeiro stycznia ocak januara ledna tammikuuta ianuarie январь января ιανουαριου',
  'february feb febr februar februari fevrier fevr fev febrero febbraio fevereiro lutego subat unora helmikuuta februarie февраль февраля φεβρουαριου',
  'march mar marz mrz maerz maart mrt mars marzo marco marca mart marts brezna maaliskuuta martie март марта μαρτιου',
  'april apr avril avr abril abr aprile kwietnia nisan dubna huhtikuuta aprilie апрель апреля απριλιου',
  'may mai mei mayo maggio mag maio maj maja mayis kvetna toukokuuta май мая μαιου',
  'june jun juni juin junio giugno giu junho czerwca haziran cervna kesakuuta iunie июнь июня ιουνιου',
  'july jul juli juillet juil julio luglio lug julho lipca temmuz cervence heinakuuta iulie июль июля ιουλιου',
  'august aug aout agosto ago augusti augustus sierpnia agustos srpna elokuuta август августа αυγουστου',
  'september sep sept septembre septiembre setiembre settembre set setembro wrzesnia eylul zari syyskuuta septembrie сентябрь сентября σεπτεμβριου',
  'october oct oktober okt octobre octubre ottobre ott outubro out pazdziernika ekim rijna lokakuuta octombrie октябрь октября οκτωβριου',
  'november nov novembre noviembre novembro listopada kasim listopadu marraskuuta noiembrie ноябрь ноября νοεμβριου',
  'december dec dezember dez decembre diciembre dic dicembre dezembro desember des grudnia aralik prosince joulukuuta decembrie декабрь декабря δεκεμβριου',
]
const MONTHS = new Map(MONTH_WORDS.flatMap((words, i) => words.split(' ').map((word) => [foldText(word), i + 1])))

const GAP = '[ \\u00a0\\u202f]{1,2}'
const YEAR = '((?:19|20)\\d\\d)(?!\\d)'
/** "22 April 2020", "22. April 2020", "22nd of April, 2020", "le 1er mai 2021", "3 de mayo de 2021", "22-Apr-2020". */
const DAY_FIRST = new RegExp(
  `(?<![\\p{L}\\p{N}])(\\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?(?:${GAP}|[-/])?(?:(?:of|de|di|den)${GAP})?(\\p{L}{3,13})(?:[.,]{0,2}${GAP}|[-/])(?:(?:de|del|of)${GAP})?${YEAR}`,
  'giu',
)
/** "April 22, 2020", "Apr. 22nd 2020". */
const MONTH_FIRST = new RegExp(
  `(?<![\\p{L}\\p{N}])(\\p{L}{3,13})\\.?(?:${GAP}|[-/])(\\d{1,2})(?:st|nd|rd|th)?,?(?:${GAP}|[-/])${YEAR}`,
  'giu',
)
const YEAR_FIRST = /(?<![\d.-])((?:19|20)\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g
const EAST_ASIAN = /((?:19|20)\d\d)[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]/gu
const NUMERIC = /(?<![\d./-])(\d{1,2})([./-]) ?(\d{1,2})\2 ?((?:19|20)\d\d)(?!\d|\.\d)/g
/** Two-digit years are read only where the caller expects a date, because 1.2.20 may be a version number. */
const SHORT_NUMERIC = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d\d)(?![\d./-])/g

const A_YEAR = /(?:19|20)\d\d/
const A_FEW_NUMBERS = /(?:19|20)\d\d|\d[./-]\d{1,2}[./-]\d/

/**
 * The dates in a text, in reading order. Without `order`, ambiguous numeric dates such as 3/4/2026 are skipped. `short` accepts
 * two-digit years.
 */
export function findDates(text: string, order: DateOrder | null, { short = false } = {}): FoundDate[] {
  // Most texts contain no date, and one test is cheaper than five searches.
  if (!(short ? A_FEW_NUMBERS : A_YEAR).test(text)) return []
  const found: FoundDate[] = []
  const note = ({ index, 0: { length } }: RegExpExecArray, year: string, month: number | undefined, date: string) => {
    const day = month && pastDay(Number(year), month, Number(date))
    if (day) found.push({ date: day, at: index, end: index + length })
  }
  for (const match of text.matchAll(DAY_FIRST)) note(match, match[3] as string, monthOf(match[2]), match[1] as string)
  for (const match of text.matchAll(MONTH_FIRST)) note(match, match[3] as string, monthOf(match[1]), match[2] as string)
  for (const match of text.matchAll(YEAR_FIRST)) note(match, match[1] as string, Number(match[3]), match[4] as string)
  for (const match of text.matchAll(EAST_ASIAN)) note(match, match[1] as string, Number(match[2]), match[3] as string)
  for (const match of text.matchAll(NUMERIC)) noteNumeric(match, match[4] as string)
  if (short) for (const match of text.matchAll(SHORT_NUMERIC)) noteNumeric(match, `20${match[4]}`)
  return found.sort((a, b) => a.at - b.at)

  function noteNumeric(match: RegExpExecArray, year: string): void {
    const [first, second] = [Number(match[1]), Number(match[3])]
    if (!order && first <= 12 && second <= 12 && first !== second) return
    const isMonthFirst = second > 12 || (first <= 12 && match[2] !== '.' && order === 'month-first')
    note(match, year, isMonthFirst ? first : second, String(isMonthFirst ? second : first))
  }
}

/** The date of an ISO timestamp (in its own time zone), of an RFC 2822 date, or of a date in words. */
export function parseDate(value: string | null, order: DateOrder | null = null): string | null {
  if (!value || value.length > 80) return null
  const iso = /^\s*(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(value) ?? /^\s*(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/.exec(value)
  if (iso) return pastDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  return findDates(value, order)[0]?.date ?? null
}

/** The order of numeric dates that is usual for a page in this language at this host. */
export function guessDateOrder(language: string | null, host: string): DateOrder {
  const [name, region] = (language ?? 'en').toLowerCase().split(/[-_]/)
  if (name !== 'en') return 'day-first'
  if (region) return region === 'us' || region === 'ph' ? 'month-first' : 'day-first'
  return /\.(?:uk|ie|au|nz|za|in|sg|my|hk|eu|de|at|ch|fr|it|es|pt|nl|be|dk|se|no|fi|pl|cz|ng|ke|pk|lk|mt)$/.test(host)
    ? 'day-first'
    : 'month-first'
}

const monthOf = (word = '') => MONTHS.get(foldText(word))

/** A date on which something can have been published on the web. */
function pastDay(year: number, month: number, date: number): string | null {
  return year < 1990 || year > 2100 ? null : toIsoDate(year, month, date)
}
