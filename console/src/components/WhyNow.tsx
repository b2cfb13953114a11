import { Text } from '@mantine/core'
import { Fragment } from 'react'
import type { Schemas } from '../api/client.ts'
import { pluralize } from '../lib/format.ts'
import { useSignals } from './signals.tsx'
import { EventDate } from './time.tsx'

const DAY_MS = 86_400_000

type Props = {
  findings: readonly Schemas['SignalDetection'][]
  /** Whether the company matches the ideal customer profile. */
  fits: boolean
}

/** Which signals came together and when. What happened is in the findings, which are shown with it. */
export function WhyNow({ findings, fits }: Props) {
  const { nameOf } = useSignals()
  const newest = findings.toSorted((a, b) => a.detected_at.localeCompare(b.detected_at))
  const latest = [...new Map(newest.map((finding) => [finding.signal_id, finding])).values()].reverse()
  const [first, last] = [latest[0], latest.at(-1)]
  if (!first || !last) return null
  const days = Math.round((Date.parse(first.detected_at) - Date.parse(last.detected_at)) / DAY_MS)
  return (
    <Text size="sm">
      {latest.length > 1 && `${latest.length} signals ${spanOf(days)}: `}
      {latest.map((finding, at) => (
        <Fragment key={finding.id}>
          {at > 0 && ', '}
          {nameOf(finding.signal_id)} (<EventDate of={finding} />)
        </Fragment>
      ))}
      .{fits && ' Fits your ideal customer.'}
    </Text>
  )
}

function spanOf(days: number): string {
  if (days === 0) return 'on one day'
  return days < 14 ? `in ${pluralize(days, 'day')}` : `in ${pluralize(Math.round(days / 7), 'week')}`
}
