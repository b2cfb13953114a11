/** The score component for the fit with the ideal customer profile; all other components are signal ids. */
export const FIT = 'icp_fit'
export const FIT_LABEL = 'Ideal customer fit'

/** Splits the reason of a score component into single reasons; the API separates them with semicolons. */
export function scoreReasons(because: string): string[] {
  return because
    .replace(/^(fits|unknown): /, '')
    .split('; ')
    .map((reason) => reason.charAt(0).toUpperCase() + reason.slice(1))
}
