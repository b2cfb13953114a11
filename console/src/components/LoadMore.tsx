import { Button, Center } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useEffect, useRef } from 'react'

type Props = { load: () => void; isLoading: boolean; isAutomatic: boolean }

/** Loads more of a list on scroll, or on a click. */
export function LoadMore({ load, isLoading, isAutomatic }: Props) {
  const { ref, entry } = useIntersection({ rootMargin: '600px' })
  const isNear = entry?.isIntersecting ?? false
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    if (isNear && isAutomatic && !isLoading) latest.current()
  }, [isNear, isAutomatic, isLoading])
  return (
    <Center ref={ref} py="sm">
      <Button variant="default" onClick={load} loading={isLoading}>
        Load more
      </Button>
    </Center>
  )
}
