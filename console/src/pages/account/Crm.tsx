import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useProviders } from '../../api/providers.ts'
import { RelationshipBadge } from '../../components/AccountBadges.tsx'
import { PageLink } from '../../components/links.tsx'
import { ErrorMessage } from '../../components/states.tsx'
import { Toggle } from '../../components/Toggle.tsx'
import { CalendarDate } from '../../components/time.tsx'
import { formatMoney, formatNumber, pluralize } from '../../lib/format.ts'
import { type AccountRecord, useAccountCrm } from './use-account.ts'

type Crm = Schemas['AccountCrm']
type Deal = Crm['deals'][number]

const SHOWN = 3
const FIELD_NAMES: Record<string, string> = {
  employees: 'Employees',
  industry: 'Industry',
  location: 'Location',
  country: 'Country',
  network_url: 'Profile',
  short_description: 'Description',
}
const USED = {
  crm: 'this value is used',
  member: 'your team’s value is used',
  research: 'the researched value is used',
} as const

/** Deals, contacts and field values from the CRM. Hidden when the CRM knows nothing about the account. */
export function CrmCard({ account }: { account: AccountRecord }) {
  const crm = useAccountCrm(account.id)
  if (crm.isError) return <ErrorMessage error={crm.error} retry={crm.refetch} />
  const known = crm.data?.data
  if (!known) return null
  const { relationship, relationship_on, relationship_reason, deals, contacts, fields } = known
  // The deal says it as well, if it is listed.
  const reason = deals.some(({ lost_reason }) => lost_reason === relationship_reason) ? null : relationship_reason
  if (relationship === 'none' && deals.length + contacts.length + fields.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="crm">
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={2} id="crm">
            CRM
          </Title>
          <RelationshipBadge relationship={relationship} />
          {(relationship_on || reason) && (
            <Text size="sm" c="dimmed">
              {relationship_on && relationship !== 'none' && `${SINCE[relationship]} `}
              {relationship_on && <CalendarDate on={relationship_on} />}
              {relationship_on && reason && ' · '}
              {reason}
            </Text>
          )}
        </Group>
        {deals.length > 0 && <Deals crm={known} />}
        {contacts.length > 0 && <Contacts crm={known} />}
        {fields.length > 0 && <Fields crm={known} />}
      </Stack>
    </Paper>
  )
}

function Deals({ crm: { deals, total_deals } }: { crm: Crm }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Part title="Deals">
      {deals.slice(0, isOpen ? deals.length : SHOWN).map((deal) => (
        <DealRow key={`${deal.provider} ${deal.crm_id}`} deal={deal} />
      ))}
      {deals.length > SHOWN && (
        <Toggle isOpen={isOpen} label="More deals" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer deals' : `${total_deals - SHOWN} more`}
        </Toggle>
      )}
      {isOpen && total_deals > deals.length && (
        <Text size="xs" c="dimmed">
          {pluralize(total_deals - deals.length, 'older deal')} in the CRM
        </Text>
      )}
    </Part>
  )
}

/** What happened on the day of the relationship. */
const SINCE = { customer: 'won', open_deal: 'opened', lost_deal: 'lost', former_customer: 'won' } as const

const STATES = { open: 'Open', won: 'Won', lost: 'Lost' } as const

/** A stage such as "Closed lost" says how the deal ended. */
const isNamedIn = (stage: string | null, state: Deal['state']) => stage?.toLowerCase().includes(state) ?? false

function DealRow({ deal }: { deal: Deal }) {
  const { name, state, stage, amount, currency, lost_reason, closes_on, opened_on, owner_name } = deal
  const day = closes_on ?? opened_on
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="baseline">
        <Text size="sm" fw={550}>
          {name}
        </Text>
        {amount !== null && (
          <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
            {formatMoney(amount, currency)}
          </Text>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {[isNamedIn(stage, state) ? null : STATES[state], stage, lost_reason].filter(Boolean).join(' · ')}
        {day && (
          <>
            {' · '}
            {state === 'open' && (closes_on ? 'closes ' : 'opened ')}
            <CalendarDate on={day} />
          </>
        )}
        {owner_name && ` · ${owner_name}`}
      </Text>
    </div>
  )
}

function Contacts({ crm: { contacts, total_contacts } }: { crm: Crm }) {
  return (
    <Part title="Contacts">
      {contacts.slice(0, SHOWN + 2).map(({ person_id, full_name, title, won_deals, left_on, deleted_in_crm_on }) => (
        <div key={person_id}>
          <PageLink to="/people/{-$id}" params={{ id: person_id }} size="sm">
            {full_name}
          </PageLink>
          <Text size="xs" c="dimmed">
            {[
              title,
              won_deals > 0 && pluralize(won_deals, 'won deal'),
              left_on && 'has left',
              deleted_in_crm_on && 'deleted in the CRM',
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
      ))}
      {total_contacts > SHOWN + 2 && (
        <Text size="xs" c="dimmed">
          {formatNumber(total_contacts - SHOWN - 2)} more in People
        </Text>
      )}
    </Part>
  )
}

function Fields({ crm: { fields } }: { crm: Crm }) {
  const { labelOf } = useProviders()
  return (
    <Part title="Field values">
      {fields.map(({ field, crm_value, provider, at, used, used_value }) => (
        <div key={field} style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm">
            {FIELD_NAMES[field] ?? field}: {typeof crm_value === 'number' ? formatNumber(crm_value) : crm_value}
          </Text>
          <Text size="xs" c="dimmed">
            {labelOf(provider)}, <CalendarDate on={at} /> · {USED[used]}
            {used !== 'crm' && used_value !== null && `: ${used_value}`}
          </Text>
        </div>
      ))}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap={6}>
      <Text size="xs" fw={600} c="dimmed" component="h3" m={0}>
        {title}
      </Text>
      {children}
    </Stack>
  )
}
