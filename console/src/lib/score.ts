import { formatNumber } from './format.ts'

/** The part of a score that says how well the company matches; every other part is a signal, by its id. */
export const FIT = 'icp_fit'
export const FIT_LABEL = 'Fit with your ideal customer'

/** The reasons of a part one by one: the fit has several, with semicolons between them. */
export function scoreReasons(because: string): string[] {
  return (
    because
      .replace(/^fits: /, '')
      .split('; ')
      // Numbers of people; years and shares have fewer digits or another neighbour.
      .map((reason) =>
        / employees wanted/.test(reason) ? reason.replace(/\d{4,}/g, (digits) => formatNumber(Number(digits))) : reason,
      )
      .map((reason) => reason.charAt(0).toUpperCase() + reason.slice(1))
  )
}
