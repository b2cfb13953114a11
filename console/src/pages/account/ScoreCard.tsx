import { Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { HotBadge } from '../../components/AccountBadges.tsx'
import { useSignals } from '../../components/signals.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { FIT, FIT_LABEL, scoreReasons } from '../../lib/score.ts'
import classes from './ScoreCard.module.css'
import { type AccountRecord, useScore } from './use-account.ts'

const FIT_COLOR = 'light-dark(var(--mantine-color-gray-6), var(--mantine-color-gray-5))'
const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** The score as a stacked bar, and its components with their reasons. */
export function ScoreCard({ account }: { account: AccountRecord }) {
  const score = useScore(account.id)
  const { nameOf, colorOf } = useSignals()
  const { components = [], scored_at = null, score: total = account.score } = score.data?.data ?? {}
  const parts = components.map((part) => ({
    ...part,
    label: part.name === FIT ? FIT_LABEL : nameOf(part.name),
    color: part.name === FIT ? FIT_COLOR : colorOf(part.name),
  }))
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="score">
      <Stack gap="sm">
        <Group justify="space-between" align="center">
          <Title order={2} id="score">
            Score
          </Title>
          {account.is_hot && <HotBadge />}
        </Group>
        <Text lh={1}>
          <Text span fz={34} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {total}
          </Text>{' '}
          <Text span c="dimmed" size="sm">
            / 100
          </Text>
        </Text>
        {score.isPending ? (
          <Loading lines={3} />
        ) : score.isError ? (
          <ErrorMessage error={score.error} retry={score.refetch} />
        ) : parts.length === 0 ? (
          <Text size="sm" c="dimmed">
            No score yet. Scan this account to calculate it.
          </Text>
        ) : (
          <>
            <div
              className={classes.bar}
              role="img"
              aria-label={`Score ${total} of 100: ${parts.map(({ label, points: given }) => `${label} ${points.format(given)}`).join(', ')}`}
            >
              {parts
                .filter((part) => part.points > 0)
                .map(({ label, points: given, color, because }, at) => (
                  <div
                    // biome-ignore lint/suspicious/noArrayIndexKey: two events of one signal may have equal values
                    key={at}
                    className={classes.part}
                    style={{ width: `${given}%`, backgroundColor: color }}
                    title={`${label}: ${points.format(given)} (${because})`}
                  />
                ))}
            </div>
            <table className={classes.table}>
              <caption>
                <VisuallyHidden>Score breakdown</VisuallyHidden>
              </caption>
              <thead>
                <tr>
                  <th scope="col">
                    <VisuallyHidden>Component and reason</VisuallyHidden>
                  </th>
                  <th scope="col">
                    <VisuallyHidden>Points</VisuallyHidden>
                  </th>
                </tr>
              </thead>
              <tbody>
                {parts.map(({ label, points: given, color, because }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two events of one signal may have equal values
                  <tr key={at}>
                    <th scope="row">
                      <Group gap={8} wrap="nowrap" align="flex-start">
                        <span className={classes.swatch} style={{ backgroundColor: color }} aria-hidden />
                        <span>
                          {label}
                          <Reasons because={because} />
                        </span>
                      </Group>
                    </th>
                    <td className={classes.points}>{given > 0 ? `+${points.format(given)}` : points.format(given)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Text size="xs" c="dimmed">
              {parts.filter(({ name }) => name !== FIT).length > 1 &&
                'Signals add up to 70 points at most. The strongest counts in full, each further one less. '}
              Signals lose half their strength every 45 days. Updated <RelativeTime at={scored_at} />.
            </Text>
          </>
        )}
      </Stack>
    </Paper>
  )
}

function Reasons({ because }: { because: string }) {
  return (
    <ul className={classes.reasons}>
      {scoreReasons(because).map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}
