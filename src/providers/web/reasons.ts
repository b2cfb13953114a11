import { OutboundError, type OutboundErrorKind } from '../../outbound/errors.ts'

const BY_KIND: Record<OutboundErrorKind, string> = {
  not_allowed: 'The address does not lead to a site on the public internet over https.',
  dns: 'The name of the site could not be resolved.',
  connect: 'The site could not be reached.',
  tls: 'The site could not prove its identity.',
  timeout: 'The site did not answer in time.',
  too_large: 'The page is too large to be read.',
  redirect: 'The site redirects in a way that is not followed.',
  aborted: 'The request was given up before the site answered.',
  circuit_open: 'The site failed several times in a row and is left alone for a moment.',
  protocol: 'The answer of the site was not proper HTTP.',
}

/** Why a site could not be read, as a sentence for a person. What is no failure of the call is thrown on. */
export function reasonOf(error: unknown): string {
  if (error instanceof OutboundError) return BY_KIND[error.kind]
  throw error
}

/** Why an answer with this status is not what was asked for. */
export function refusalOf(status: number): string {
  if (status === 401 || status === 403 || status === 451) return `The site refuses to be read (it answered ${status}).`
  if (status === 429) return 'The site asks to be left alone for a while (it answered 429).'
  if (status >= 500) return `The site answered with an error (${status}).`
  return `The site answered ${status} instead of a page.`
}
