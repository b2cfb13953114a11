import { Alert } from '@mantine/core'
import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Unreachable } from '../api/client.ts'
import { isReachable } from '../lib/errors.ts'

const HEALTH_CHECK_MS = 3_000

/** A banner while the service is unreachable. Refetches all queries after reconnecting. */
export function ConnectionBanner() {
  const queryClient = useQueryClient()
  const isOnline = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  )
  const [isLost, setLost] = useState(false)

  useEffect(() => {
    const failed = (error: unknown) => {
      if (error instanceof Unreachable) setLost(true)
    }
    const stops = [
      queryClient.getQueryCache().subscribe(({ query }) => failed(query.state.fetchFailureReason)),
      queryClient.getMutationCache().subscribe(({ mutation }) => failed(mutation?.state.error)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [queryClient])

  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(async () => {
      if (!(await isReachable())) return
      setLost(false)
      queryClient.invalidateQueries()
    }, HEALTH_CHECK_MS)
    return () => clearInterval(timer)
  }, [isLost, queryClient])

  if (isOnline && !isLost) return null
  return (
    <Alert color="yellow" radius={0} icon={<WifiOff size={18} aria-hidden />} role="status">
      Connection lost. Data may be out of date. Reconnecting…
    </Alert>
  )
}
