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

/** People and open positions are shown apart, because a position is not an employee. */
function Workforce({ account }: { account: AccountRecord }) {
  const { workforce_by_department, workforce_by_country, workforce_basis: basis } = account
  if (!basis) return null
  const people = (of: 'people' | 'postings' | null, parts: Record<string, number> | null) =>
    of === 'people' ? parts : null
  const counted = [
    basis.people > 0 ? pluralize(basis.people, 'person', 'people') : '',
    basis.postings > 0 ? pluralize(basis.postings, 'open position') : '',
  ].filter(Boolean)
  return (
    <>
      <Breakdown title="People by department" parts={people(basis.departments_of, workforce_by_department)} />
      <Breakdown title="People by country" parts={people(basis.countries_of, workforce_by_country)} />
      <Breakdown title="Open positions by department" parts={basis.postings_by_department} />
      <Breakdown title="Open positions by country" parts={basis.postings_by_country} />
      <Text size="xs" c="dimmed">
        Based on {counted.join(' and ')}
        {basis.postings_on && (
          <>
            , job boards read on <CalendarDate on={basis.postings_on} />
          </>
        )}
        .
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
