import { Checkbox, Group, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMembers } from '../../api/members.ts'
import { PageLink } from '../../components/links.tsx'
import { RevealButton } from '../../components/RevealButton.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { type Person, personLocation } from './labels.ts'
import classes from './PeopleTable.module.css'

const route = getRouteApi('/app/people/{-$id}')

type Props = {
  people: Person[]
  label: string
  selected: ReadonlySet<string>
  onSelect: (ids: string[], isOn: boolean) => void
  /** Shown next to the name. */
  mark?: (person: Person) => ReactNode
}

/** People as a table, or as cards on narrow screens. */
export function PeopleTable({ people, label, selected, onSelect, mark }: Props) {
  const isWide = useMediaQuery('(min-width: 62em)', true)
  const ids = people.map(({ id }) => id)
  const here = ids.filter((id) => selected.has(id)).length
  const box = (person: Person) => (
    <Checkbox
      aria-label={`Select ${person.full_name}`}
      checked={selected.has(person.id)}
      onChange={(event) => onSelect([person.id], event.currentTarget.checked)}
    />
  )
  if (!isWide) {
    return (
      <Stack component="ul" gap="xs" className={classes.cards} aria-label={label}>
        {people.map((person) => (
          <Paper key={person.id} component="li" withBorder p="sm">
            <Group wrap="nowrap" align="flex-start" gap="sm">
              {box(person)}
              <Stack gap={6} flex={1} miw={0}>
                <Name person={person} mark={mark} />
                <PageLink to="/accounts/$id" params={{ id: person.account_id }} size="sm">
                  {person.account_name}
                </PageLink>
                <Group gap="xs">
                  <RevealButton person={person} what="email" />
                  <RevealButton person={person} what="phone" />
                </Group>
              </Stack>
            </Group>
          </Paper>
        ))}
      </Stack>
    )
  }
  return (
    <Paper withBorder className={classes.frame}>
      <Table.ScrollContainer minWidth={900}>
        <Table verticalSpacing="xs" highlightOnHover aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={40}>
                <Checkbox
                  aria-label="Select all on this page"
                  checked={here > 0 && here === ids.length}
                  indeterminate={here > 0 && here < ids.length}
                  onChange={(event) => onSelect(ids, event.currentTarget.checked)}
                />
              </Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th>Account</Table.Th>
              <Table.Th>Location</Table.Th>
              <Table.Th>Email</Table.Th>
              <Table.Th>Phone</Table.Th>
              <Table.Th>Owner</Table.Th>
              <Table.Th>Added</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {people.map((person) => (
              <Row key={person.id} person={person} box={box(person)} mark={mark} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

type RowProps = { person: Person; box: ReactNode; mark: Props['mark'] }

function Row({ person, box, mark }: RowProps) {
  const { nameOf } = useMembers()
  return (
    <Table.Tr>
      <Table.Td>{box}</Table.Td>
      <Table.Td>
        <Name person={person} mark={mark} />
      </Table.Td>
      <Table.Td>
        <PageLink to="/accounts/$id" params={{ id: person.account_id }} size="sm" c="var(--mantine-color-text)">
          {person.account_name}
        </PageLink>
      </Table.Td>
      <Table.Td>
        <OptionalText>{personLocation(person)}</OptionalText>
      </Table.Td>
      <Table.Td>
        <RevealButton person={person} what="email" />
      </Table.Td>
      <Table.Td>
        <RevealButton person={person} what="phone" />
      </Table.Td>
      <Table.Td>
        <OptionalText>{nameOf(person.owner_id)}</OptionalText>
      </Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed" className={classes.nowrap}>
          <RelativeTime at={person.created_at} />
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}

function Name({ person, mark }: { person: Person; mark: Props['mark'] }) {
  const search = route.useSearch()
  return (
    <div>
      <Group gap={6}>
        <PageLink
          to="/people/{-$id}"
          params={{ id: person.id }}
          search={search}
          resetScroll={false}
          size="sm"
          fw={600}
          c="var(--mantine-color-text)"
        >
          {person.full_name}
        </PageLink>
        {mark?.(person)}
        {person.left_on && <StateBadge color="orange">Left</StateBadge>}
      </Group>
      <Text size="xs" c="dimmed" lineClamp={2} maw={320}>
        {person.title ?? person.headline}
      </Text>
    </div>
  )
}

function OptionalText({ children }: { children: string | null }) {
  if (children) {
    return (
      <Text size="sm" lineClamp={2} maw={180}>
        {children}
      </Text>
    )
  }
  return (
    <Text size="sm" c="dimmed">
      <span aria-hidden>–</span>
      <VisuallyHidden>None</VisuallyHidden>
    </Text>
  )
}
