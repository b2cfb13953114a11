import { Group, Text } from '@mantine/core'
import { Building2, type LucideIcon, MapPin, Users } from 'lucide-react'
import type { Schemas } from '../api/client.ts'
import { pluralize } from '../lib/format.ts'

type CompanyFacts = Pick<Schemas['ListedAccount'], 'industry' | 'employees' | 'location' | 'country'>

/** Industry, size and location of a company in one line. Unknown values are omitted. */
export function Firmographics({ account }: { account: CompanyFacts }) {
  const { industry, employees } = account
  const facts: [LucideIcon, string, string | null][] = [
    [Building2, 'Industry', industry],
    [Users, 'Size', employees === null ? null : pluralize(employees, 'employee')],
    [MapPin, 'Location', accountLocation(account)],
  ]
  const known = facts.filter(([, , value]) => value)
  if (known.length === 0) return null
  return (
    <Group gap="2px 16px" maw="100%">
      {known.map(([Icon, name, value]) => (
        <Group key={name} gap={5} wrap="nowrap" title={name} maw="100%">
          <Icon size={14} aria-hidden color="var(--mantine-color-dimmed)" />
          <Text size="sm" span truncate>
            {value}
          </Text>
        </Group>
      ))}
    </Group>
  )
}

/** `Hamburg, Germany`, without repeating the country. */
export function accountLocation({ location, country }: Pick<CompanyFacts, 'location' | 'country'>): string | null {
  if (!location || !country) return location ?? country
  return location.toLowerCase().includes(country.toLowerCase()) ? location : `${location}, ${country}`
}
