import { useMemo } from 'react'
import { queries } from '../api/client.ts'
import classes from './signals.module.css'

/** A hue for each built-in signal: the same in the chart and beside a finding. Signals of one's own are grey. */
const HUES: Record<string, string> = {
  funding: 'green',
  acquisition: 'violet',
  leadership_change: 'blue',
  hiring: 'cyan',
  product_launch: 'orange',
  expansion: 'teal',
  partnership: 'indigo',
  layoffs: 'red',
  ipo: 'grape',
  customer_win: 'lime',
  technology_adoption: 'pink',
  security_incident: 'yellow',
}

/** Dark enough on white, light enough on black. */
export function signalColor(id: string): string {
  const hue = HUES[id] ?? 'gray'
  return `light-dark(var(--mantine-color-${hue}-8), var(--mantine-color-${hue}-5))`
}

/** The workspace's signals, and what each is called. */
export function useSignals() {
  const { data } = queries.useQuery('get', '/v1/signals', {}, { staleTime: 300_000 })
  return useMemo(() => {
    const signals = data?.data ?? []
    const names = new Map(signals.map(({ id, name }) => [id, name]))
    return { signals, nameOf: (id: string) => names.get(id) ?? id.replaceAll('_', ' ') }
  }, [data])
}

/** What kind of finding it is: a dot in the colour of the chart, and the name. */
export function SignalName({ id, name }: { id: string; name: string }) {
  return (
    <span className={classes.name}>
      <span aria-hidden className={classes.dot} style={{ backgroundColor: signalColor(id) }} />
      {name}
    </span>
  )
}
