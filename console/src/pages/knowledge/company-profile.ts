import { queries, type Schemas } from '../../api/client.ts'
import { formatNumber } from '../../lib/format.ts'

export const profileQuery = queries.queryOptions(
  'get',
  '/v1/company-profile',
  {},
  {
    refetchInterval: ({ state }) => (state.data?.data.refresh.state === 'running' ? 1_000 : false),
  },
)

/** The companies that a proof fits: `Logistics, 50–5,000 employees`. Null for all. */
export function proofScope({
  industry,
  min_employees: min,
  max_employees: max,
}: Schemas['CompanyProfile']['proofs'][number]): string | null {
  const size =
    min !== null && max !== null
      ? `${formatNumber(min)}–${formatNumber(max)} employees`
      : min !== null
        ? `${formatNumber(min)} employees or more`
        : max !== null
          ? `up to ${formatNumber(max)} employees`
          : null
  const scope = [industry, size].filter((part) => part !== null).join(', ')
  return scope === '' ? null : scope
}
