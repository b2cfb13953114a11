import { queries, type Schemas } from './client.ts'

/** The largest limit that can be set: a workspace with it has no limit. */
export const NO_LIMIT = 10_000_000

/** The activations left in the current period; null without a limit. */
export const activationsLeft = ({ account_limit, credits_used }: Schemas['Subscription']): number | null =>
  account_limit >= NO_LIMIT ? null : Math.max(0, account_limit - credits_used)

/** The activations left, null without a limit or before it is known, and why no account can be activated now. */
export function useActivations(): { left: number | null; usedUp: string | undefined } {
  const { data } = queries.useQuery('get', '/v1/subscription', {}, { staleTime: 60_000 })
  const left = data ? activationsLeft(data.data) : null
  if (!data || left !== 0) return { left, usedUp: undefined }
  const until = new Date(data.data.period_end).toLocaleDateString(undefined, { day: 'numeric', month: 'long' })
  const usedUp = `No activations left until ${until}. An admin can raise the limit in Settings → Plan and usage.`
  return { left, usedUp }
}
