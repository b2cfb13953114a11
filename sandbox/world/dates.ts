const DAY = 86_400_000

/** The date that many days away, as `YYYY-MM-DD`. */
export function shift(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
}

const STYLES = {
  US: (day: number, month: string, year: number) => `${month} ${day}, ${year}`,
  DE: (day: number, month: string, year: number) => `${day}. ${month} ${year}`,
  world: (day: number, month: string, year: number) => `${day} ${month} ${year}`,
}

export type DateStyle = keyof typeof STYLES

/** A date in the local style. */
export function longDate(day: string, style: DateStyle): string {
  const date = new Date(day)
  return STYLES[style](date.getUTCDate(), monthName(date, style), date.getUTCFullYear())
}

function monthName(date: Date, style: DateStyle): string {
  return date.toLocaleString(style === 'DE' ? 'de' : 'en', { month: 'long', timeZone: 'UTC' })
}

/** Fills in the date placeholders of a text: `{date-14}`, `{month+60}`, `{weekday}`, `{year-3}`. */
export function fillDates(text: string, published: string, style: DateStyle): string {
  return text.replace(/\{(date|month|weekday|year)([+-]\d+)?\}/g, (_, unit: string, by = '0') => {
    if (unit === 'year') return String(Number(published.slice(0, 4)) + Number(by))
    const day = shift(published, Number(by))
    if (unit === 'date') return longDate(day, style)
    const date = new Date(day)
    if (unit === 'weekday') return date.toLocaleString('en', { weekday: 'long', timeZone: 'UTC' })
    return `${monthName(date, style)} ${date.getUTCFullYear()}`
  })
}
