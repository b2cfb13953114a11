export const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(' ')
export const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** Months and weekdays in lower case: capitalised words that are not names. */
export const CALENDAR_WORDS: ReadonlySet<string> = new Set(
  [...MONTH_NAMES, ...WEEKDAYS].map((word) => word.toLowerCase()),
)

/** A month, in full or abbreviated, for a case-insensitive regular expression. */
export const MONTH_PATTERN =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'

/** The number of a month by its first three letters; 0 for any other word. */
export function monthNumber(name: string): number {
  const short = name.slice(0, 3).toLowerCase()
  return MONTH_NAMES.findIndex((month) => month.slice(0, 3).toLowerCase() === short) + 1
}
