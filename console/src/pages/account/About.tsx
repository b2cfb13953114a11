import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { hostOf, SafeLink } from '../../components/links.tsx'
import { CalendarDate, RelativeTime } from '../../components/time.tsx'
import { pluralize } from '../../lib/format.ts'
import { Breakdown } from './Breakdown.tsx'
import { Technologies } from './Technologies.tsx'
import type { AccountRecord } from './use-account.ts'

const FROM = {
  ...{ api: 'via API', import: 'via import', discovery: 'by discovery', console: 'manually', crm: 'from your CRM' },
} as const

/** Company details that are not in the header. */
export function About({ account }: { account: AccountRecord }) {
  const { short_description, founded_year, network_url, activated_at, last_scanned_at } = account
  const network = network_url ? hostOf(network_url) : null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="about">
      <Stack gap="sm">
        <Title order={2} id="about">
          About
        </Title>
        {short_description && <Text size="sm">{short_description}</Text>}
        <Stack gap={6} component="dl" m={0}>
          {founded_year && <Fact name="Founded">{founded_year}</Fact>}
          {network_url && (
            <Fact name="Profile">
              <SafeLink to={network_url} size="sm">
                {network ?? network_url}
              </SafeLink>
            </Fact>
          )}
          <Fact name="Ideal customer fit">{account.qualified ? 'Yes' : 'Not confirmed'}</Fact>
          <Fact name="Added">
            <RelativeTime at={account.created_at} /> {FROM[account.source]}
          </Fact>
          {activated_at && (
            <Fact name="Activated">
              <RelativeTime at={activated_at} />
            </Fact>
          )}
          <Fact name="Last scanned">
            <RelativeTime at={last_scanned_at} />
          </Fact>
          <Fact name="Latest event">
            <CalendarDate on={account.last_signal_at} empty="None" />
          </Fact>
        </Stack>
        <Workforce account={account} />
        <Technologies account={account} />
      </Stack>
    </Paper>
  )
}

/** Of people only: the open positions, which may count in their place, have their own panel. */
function Workforce({ account }: { account: AccountRecord }) {
  const { workforce_by_department, workforce_by_country, workforce_basis: basis } = account
  if (!basis?.people) return null
  const { departments_of, countries_of } = basis
  return (
    <>
      <Breakdown title="People by department" parts={departments_of === 'people' ? workforce_by_department : null} />
      <Breakdown title="People by country" parts={countries_of === 'people' ? workforce_by_country : null} />
      <Text size="xs" c="dimmed">
        Based on {pluralize(basis.people, 'known person', 'known people')}.
      </Text>
    </>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap" align="baseline">
      <Text size="sm" c="dimmed" component="dt">
        {name}
      </Text>
      <Text size="sm" component="dd" m={0} ta="right">
        {children}
      </Text>
    </Group>
  )
}
