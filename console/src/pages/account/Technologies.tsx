import { Badge, Group, Stack, Text } from '@mantine/core'
import { SafeLink } from '../../components/links.tsx'
import { RelativeTime } from '../../components/time.tsx'
import type { AccountRecord } from './use-account.ts'

type Fact = AccountRecord['technology_facts'][number]

/** The technologies of the company by category, with the page where each was detected. */
export function Technologies({ account: { technologies, technology_facts } }: { account: AccountRecord }) {
  const present = technology_facts.filter(({ gone_at }) => gone_at === null)
  const gone = technology_facts.filter(({ gone_at }) => gone_at !== null)
  const seen = new Set(technology_facts.map(({ name }) => name))
  const others = technologies.filter((name) => !seen.has(name))
  if (technology_facts.length === 0 && others.length === 0) return null
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        Technologies
      </Text>
      <Stack gap={6}>
        {[...Map.groupBy(present, ({ category }) => category)].map(([category, facts]) => (
          <div key={category}>
            <Text size="xs" c="dimmed">
              {capitalizeCategory(category)}
            </Text>
            <Text size="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {facts.map((fact) => (
                <li key={fact.name}>
                  <TechnologyName fact={fact} />{' '}
                  <Text span size="xs" c="dimmed">
                    since <RelativeTime at={fact.first_seen} />
                  </Text>
                </li>
              ))}
            </Text>
          </div>
        ))}
        {gone.length > 0 && (
          <Text size="xs" c="dimmed">
            No longer detected: {gone.map(({ name }) => name).join(', ')}
          </Text>
        )}
        {others.length > 0 && (
          <Group gap={4}>
            {others.map((name) => (
              <Badge key={name} variant="default" tt="none" fw={500}>
                {name}
              </Badge>
            ))}
          </Group>
        )}
      </Stack>
    </div>
  )
}

function TechnologyName({ fact: { name, evidence, evidence_url } }: { fact: Fact }) {
  if (!evidence_url) return <span title={evidence}>{name}</span>
  return (
    <span title={evidence}>
      <SafeLink to={evidence_url} size="sm" underline="always">
        {name}
      </SafeLink>
    </span>
  )
}

/** Capitalizes the first letter, and abbreviations completely. */
const capitalizeCategory = (category: string) =>
  category.replace(/^(?:(crm|cms|a\/b)\b|\w)/, (begin) => begin.toUpperCase())
