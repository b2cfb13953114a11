import { Alert } from '@mantine/core'
import { CircleAlert, CircleCheck } from 'lucide-react'

type Props = { delivered: boolean; status: number | null; message: string | null; latency_ms: number }

/** The result of a test delivery. */
export function TestResult({ delivered, status, message, latency_ms }: Props) {
  return (
    <Alert
      variant="light"
      color={delivered ? 'bell' : 'red'}
      icon={delivered ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />}
      role="status"
      title={delivered ? 'Test delivered' : 'Test failed'}
    >
      {delivered
        ? `${status === null ? 'Delivered' : `Status ${status}`} in ${latency_ms} ms.`
        : `${message ?? 'No response.'} (${latency_ms} ms)`}
    </Alert>
  )
}
