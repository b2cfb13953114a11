import type { Schemas } from '../api/client.ts'

type Channel = Schemas['AlertRule']['channel']
type Event = Schemas['AlertRule']['events'][number]

/** The names of the channels. `chat` is the name of the chat tool. */
export const alertChannels = (chat: string): Record<Channel, string> => ({
  email: 'Email',
  chat_dm: `${chat} direct message`,
  chat: `${chat} channel`,
  teams: 'Microsoft Teams',
  webhook: 'Webhook',
})

export const ALERT_EVENTS: Record<Event, string> = {
  'signal.detected': 'Signals',
  'account.suggested': 'Suggested accounts',
  'people.job_changed': 'Job changes',
  'work_item.done': 'Work items marked done',
}
