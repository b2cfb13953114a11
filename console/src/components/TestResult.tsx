import { Alert } from '@mantine/core'
import { CircleAlert, CircleCheck } from 'lucide-react'

type Props = { delivered: boolean; status: number | null; message: string | null; latency_ms: number }

/** What came back from a test. */
export function TestResult({ delivered, status, message, latency_ms }: Props) {
  const took = `${latency_ms} ms`
  return (
    <Alert
      variant="light"
      color={delivered ? 'bell' : 'red'}
      icon={delivered ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />}
      role="status"
      title={delivered ? 'The test arrived' : 'The test did not arrive'}
    >
      {delivered
        ? `The receiver answered ${status === null ? '' : `${status} `}after ${took}.`
        : `${message ?? 'There was no answer.'} It took ${took}.`}
    </Alert>
  )
}
