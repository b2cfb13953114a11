/**
 * Why the last request to a provider failed: it rejected the request, its rate limit or quota is exceeded, it is down,
 * or its response cannot be parsed.
 */
export type ProblemKind = 'refused' | 'quota' | 'unavailable' | 'unreadable'

/**
 * `message` is a sentence for the operator of the service. Every workspace sees it, so it contains no company name and
 * no key.
 */
export type ProviderProblem = { kind: ProblemKind; message: string }

/** Stores the outcome of the last request to each provider; null when it succeeded. */
export type ProviderHealth = { report: (provider: string, problem: ProviderProblem | null) => Promise<void> }

/** The problem that a response status indicates; null for a success. */
export function providerProblem(provider: string, status: number): ProviderProblem | null {
  if (status >= 200 && status < 300) return null
  if (status === 401 || status === 403) {
    return { kind: 'refused', message: `${provider} refuses us or our key (status ${status}).` }
  }
  if (status === 402) return quotaProblem(provider, status)
  if (status === 429) return { kind: 'quota', message: `${provider} rate limit exceeded (status 429).` }
  return { kind: 'unavailable', message: `${provider} responded with status ${status}.` }
}

export function quotaProblem(provider: string, status: number): ProviderProblem {
  return { kind: 'quota', message: `${provider} reports that the quota is used up (status ${status}).` }
}
