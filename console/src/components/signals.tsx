import { useMemo } from 'react'
import { queries } from '../api/client.ts'
import classes from './signals.module.css'

/** A shade with enough contrast in light and dark mode. */
const signalColor = (hue: string) => `light-dark(var(--mantine-color-${hue}-8), var(--mantine-color-${hue}-5))`

/** The signals of the workspace with name and color. The chart and the findings share the colors. */
export function useSignals() {
  const { data } = queries.useQuery('get', '/v1/signals', {}, { staleTime: 300_000 })
  return useMemo(() => {
    const signals = data?.data ?? []
    const known = new Map(signals.map((signal) => [signal.id, signal]))
    return {
      signals,
      nameOf: (id: string) => known.get(id)?.name ?? id.replaceAll('_', ' '),
      colorOf: (id: string) => signalColor(known.get(id)?.color ?? 'gray'),
    }
  }, [data])
}

/** The name of a signal with a dot in its chart color. */
export function SignalName({ id, name }: { id: string; name: string }) {
  const { colorOf } = useSignals()
  return (
    <span className={classes.name}>
      <span aria-hidden className={classes.dot} style={{ backgroundColor: colorOf(id) }} />
      {name}
    </span>
  )
}
