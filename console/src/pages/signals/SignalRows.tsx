import { Group, Paper, Switch, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useRights } from '../../api/me.ts'
import { PageLink } from '../../components/links.tsx'
import { formatNumber } from '../../lib/format.ts'
import classes from './SignalRows.module.css'
import { type Signal, useSwitchSignal } from './signals.ts'

const route = getRouteApi('/app/signals/{-$id}')

export function SignalRows({ signals }: { signals: Signal[] }) {
  return (
    <Paper withBorder component="ul" className={classes.list}>
      {signals.map((signal) => (
        <Row key={signal.id} signal={signal} />
      ))}
    </Paper>
  )
}

function Row({ signal }: { signal: Signal }) {
  const { shared } = useRights()
  const search = route.useSearch()
  const switchSignal = useSwitchSignal()
  return (
    <li className={classes.row} data-off={!signal.enabled || undefined}>
      <Switch
        checked={signal.enabled}
        disabled={!shared}
        onChange={(event) => switchSignal({ signal, enabled: event.currentTarget.checked })}
        aria-label={`Track ${signal.name}`}
        className={classes.switch}
      />
      <div className={classes.text}>
        <PageLink
          to="/signals/{-$id}"
          params={{ id: signal.id }}
          search={search}
          resetScroll={false}
          fw={600}
          size="sm"
          c="var(--mantine-color-text)"
          className={classes.name}
        >
          {signal.name}
        </PageLink>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {signal.description}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap" className={classes.count}>
        {signal.findings_30d > 0 ? (
          <Text size="sm" ta="right">
            <strong>{formatNumber(signal.findings_30d)}</strong> {signal.findings_30d === 1 ? 'finding' : 'findings'}
          </Text>
        ) : (
          <Text size="sm" c="dimmed" ta="right">
            {signal.enabled ? 'None' : 'Off'}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          in 30 days
        </Text>
      </Group>
    </li>
  )
}
