import type { Schemas } from '../../api/client.ts'
import { StateBadge } from '../../components/StateBadge.tsx'

export const isDelivered = ({ status }: Pick<Schemas['Delivery'], 'status'>) =>
  status !== null && status >= 200 && status < 300

/** The status of a delivery attempt. */
export function DeliveryStatus({ delivery }: { delivery: Pick<Schemas['Delivery'], 'status'> }) {
  const { status } = delivery
  if (isDelivered(delivery)) return <StateBadge>Delivered</StateBadge>
  return (
    <StateBadge color="red">
      {status === null ? 'No response' : status < 400 ? 'Redirected' : `Failed (${status})`}
    </StateBadge>
  )
}

/** `120 ms` or `1.2 s`. */
export const formatDuration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
