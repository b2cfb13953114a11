const whole = new Intl.NumberFormat()
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** A number in the browser's locale. */
export const formatNumber = (number: number): string => whole.format(number)

/** `12.3K`, for tight spaces. */
export const formatCompact = (number: number): string => (number < 10_000 ? whole.format(number) : short.format(number))

/** An amount in whole units of its currency, where that is known. */
export const formatMoney = (amount: number, currency: string | null): string =>
  currency && /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat(undefined, { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount)
    : formatNumber(Math.round(amount))

/** `1 account`, `3 accounts`. */
export const pluralize = (number: number, one: string, many = `${one}s`): string =>
  `${formatNumber(number)} ${number === 1 ? one : many}`

/** The name of a finding, the same on every page and in alerts. */
export const findingHeadline = ({ headline }: { headline: string | null }, signalName: string): string =>
  headline ?? signalName

/** The confidence of a finding as a label. */
export function confidenceLabel(confidence: number): 'very likely' | 'likely' | 'possible' {
  if (confidence >= 0.9) return 'very likely'
  return confidence >= 0.7 ? 'likely' : 'possible'
}
