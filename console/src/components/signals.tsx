import { useMemo } from 'react'
import { queries } from '../api/client.ts'
import classes from './signals.module.css'

/** A hue dark enough on white, light enough on black. */
const signalColor = (hue: string) => `light-dark(var(--mantine-color-${hue}-8), var(--mantine-color-${hue}-5))`

/** The workspace's signals, and the name and the colour of each: the same in the chart and beside a finding. */
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

/** What kind of finding it is: a dot in the colour of the chart, and the name. */
export function SignalName({ id, name }: { id: string; name: string }) {
  const { colorOf } = useSignals()
  return (
    <span className={classes.name}>
      <span aria-hidden className={classes.dot} style={{ backgroundColor: colorOf(id) }} />
      {name}
    </span>
  )
}
