import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useProviders } from '../../api/providers.ts'
import { PageLink } from '../../components/links.tsx'

/** What is missing before a channel can send alerts, with the next step; nothing if it is ready. */
export function ChannelHint({ channel }: { channel: Schemas['AlertRule']['channel'] }) {
  const { admin } = useRights()
  const { labelOf } = useProviders()
  const { data } = queries.useQuery('get', '/v1/integrations')
  if (!data) return null
  const { mail, chat, webhook_destinations } = data.data
  if (channel === 'email' && !mail.enabled)
    return <Hint>No mail server is configured. The operator can set SMTP_URL and MAIL_FROM.</Hint>
  if ((channel === 'chat' || channel === 'chat_dm') && !chat.connected)
    return (
      <Hint>
        {labelOf('chat')} is not connected.{' '}
        {admin ? (
          <PageLink to="/settings/{-$tab}" params={{ tab: 'connections' }} inherit underline="always">
            Connect
          </PageLink>
        ) : (
          'Ask an admin to connect it.'
        )}
      </Hint>
    )
  if (channel === 'webhook' && webhook_destinations.count === 0)
    return (
      <Hint>
        No destination yet.{' '}
        <PageLink
          to="/deliveries/{-$tab}"
          params={{ tab: 'destinations' }}
          search={{ add: true }}
          inherit
          underline="always"
        >
          Add destination
        </PageLink>
      </Hint>
    )
  return null
}

const Hint = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="light-dark(#8f3a0b, #ffd8a8)">
    {children}
  </Text>
)
