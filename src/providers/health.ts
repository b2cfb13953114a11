/** What a provider's last call came to nothing by: it refuses us, it wants to be asked or paid less, or it does not work. */
export type ProblemKind = 'refused' | 'quota' | 'unavailable' | 'unreadable'

/** `message` is a sentence for whoever runs the service. It is shown to every workspace, and names no company or key. */
export type ProviderProblem = { kind: ProblemKind; message: string }

/** Remembers how each provider fared the last time; null when it worked. */
export type ProviderHealth = { report: (provider: string, problem: ProviderProblem | null) => Promise<void> }

/** What a status says about a provider; null for a success. */
export function providerProblem(provider: string, status: number): ProviderProblem | null {
  if (status >= 200 && status < 300) return null
  if (status === 401 || status === 403) {
    return { kind: 'refused', message: `${provider} refuses us or our key (status ${status}).` }
  }
  if (status === 402) return quotaUsedUp(provider, status)
  if (status === 429) return { kind: 'quota', message: `${provider} asks for fewer requests (status 429).` }
  return { kind: 'unavailable', message: `${provider} answered with status ${status}.` }
}

export function quotaUsedUp(provider: string, status: number): ProviderProblem {
  return { kind: 'quota', message: `${provider} says that the quota is used up (status ${status}).` }
}
