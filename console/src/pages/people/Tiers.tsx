import { Badge, Group, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { formatNumber } from '../../lib/format.ts'
import { levelName, tierName } from './labels.ts'
import classes from './Tiers.module.css'

type Cascade = Schemas['FoundPeople']['cascade']

/** The number of titles shown per tier. */
const SHOWN = 6

/** The tiers of a search, best first, with the number of people found in each. */
export function Tiers({ cascade, found }: { cascade: Cascade; found?: (tier: number) => number }) {
  return (
    <ol className={classes.tiers}>
      {cascade.map(({ tier, label, titles, job_levels }) => (
        <li key={tier} className={classes.tier}>
          <Group justify="space-between" gap={6} wrap="nowrap" mb={4}>
            <Group gap={8} wrap="nowrap">
              <span className={classes.number} aria-hidden>
                {tier}
              </span>
              <Text size="sm" fw={600}>
                {tierName(label)}
              </Text>
            </Group>
            {found && (
              <Badge
                variant={found(tier) > 0 ? 'filled' : 'light'}
                color={found(tier) > 0 ? 'bell' : 'gray'}
                radius="sm"
                tt="none"
              >
                {formatNumber(found(tier))} found
              </Badge>
            )}
          </Group>
          <Text size="sm">
            {titles.length > 0
              ? titles.slice(0, SHOWN).join(', ')
              : job_levels.length === 5
                ? 'Any role'
                : job_levels.map(levelName).join(', ')}
            {titles.length > SHOWN && (
              <Text span size="sm" c="dimmed">
                {' '}
                and {formatNumber(titles.length - SHOWN)} more
              </Text>
            )}
          </Text>
        </li>
      ))}
    </ol>
  )
}
