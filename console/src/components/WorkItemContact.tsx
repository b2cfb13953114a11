import { Anchor, Group, Text } from '@mantine/core'
import { Phone, Search } from 'lucide-react'
import { useRights } from '../api/me.ts'
import type { WorkItem } from '../api/work-items.ts'
import { openUrl } from '../lib/open-url.ts'
import { toRevealable } from '../lib/work-actions.ts'
import { CopyButton } from './CopyButton.tsx'
import { LoadPeopleButton } from './LoadPeopleButton.tsx'
import { PageButton } from './links.tsx'
import { RevealButton } from './RevealButton.tsx'

type Props = {
  item: WorkItem
  /** Called when the phone number is opened. */
  onCall: (() => void) | undefined
}

/** The verified email and the phone number of the person to contact, or what is missing, with the button that gets it. */
export function WorkItemContact({ item: { account, person, missing, opened_at }, onCall }: Props) {
  const { owns } = useRights()
  if (!person) {
    return (
      <Group gap="4px 8px">
        <Text size="sm" c="dimmed">
          {missing}
        </Text>
        {owns(account.owner_id) && (
          <Group gap={6}>
            <LoadPeopleButton accountId={account.id} size="compact-xs" />
            <PageButton
              to="/people/{-$id}"
              params={{ id: undefined }}
              search={{ view: 'find', at: [account.id] }}
              size="compact-xs"
              variant="default"
              leftSection={<Search size={12} aria-hidden />}
            >
              Find people
            </PageButton>
          </Group>
        )}
      </Group>
    )
  }
  const { full_name, email, phone } = person
  return (
    <Group gap="2px 10px">
      {email ? (
        <Group gap={2} wrap="nowrap">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <CopyButton icon value={email} label={`Copy email of ${full_name}`} />
        </Group>
      ) : (
        <RevealButton person={toRevealable(person, opened_at)} what="email" />
      )}
      {phone && (
        <Anchor
          href={`tel:${phone}`}
          size="sm"
          onClick={(event) => {
            event.preventDefault()
            openUrl(`tel:${phone}`)
            onCall?.()
          }}
        >
          <Phone size={12} aria-label="Call" /> {phone}
        </Anchor>
      )}
    </Group>
  )
}
