import type { Schemas } from '../../api/client.ts'
import { StateBadge } from '../../components/StateBadge.tsx'

export const isDelivered = ({ status }: Pick<Schemas['Delivery'], 'status'>) =>
  status !== null && status >= 200 && status < 300

/** What became of an attempt, in a word and its number. */
export function DeliveryStatus({ delivery }: { delivery: Pick<Schemas['Delivery'], 'status'> }) {
  const { status } = delivery
  if (isDelivered(delivery)) return <StateBadge>Delivered</StateBadge>
  return (
    <StateBadge color="red">
      {status === null ? 'No answer' : status < 400 ? 'Redirected' : `Refused (${status})`}
    </StateBadge>
  )
}

/** Milliseconds as people say them. */
export const formatDuration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
