import { queries, type Schemas } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { useProviders } from '../../api/providers.ts'
import { accountStatusLabel } from '../../components/AccountBadges.tsx'
import { useSignals } from '../../components/signals.tsx'
import { ALERT_EVENTS } from '../../lib/alerts.ts'
import { relationshipLabel } from '../../lib/relationships.ts'

export type Rule = Schemas['AlertRule']
export type RuleFields = Omit<Rule, 'id' | 'member_id' | 'created_at'>

export const rulesQuery = queries.queryOptions('get', '/v1/alert-rules')

const BLANK: RuleFields = {
  name: '',
  is_enabled: true,
  events: ['signal.detected'],
  signals: [],
  min_score: 0,
  only_mine: false,
  tags: [],
  statuses: [],
  icp_tiers: [],
  relationships: [],
  recipient: 'member',
  to_member_id: null,
  channel: 'email',
  chat_channel: null,
  destination_id: null,
  teams_url: null,
  schedule: 'at_once',
  hour: 8,
}

/** The rules that people start from. The first is the default. */
export const PRESETS: readonly [RuleFields, ...RuleFields[]] = [
  {
    ...BLANK,
    name: 'My accounts, each weekday at 8',
    events: ['signal.detected', 'people.job_changed'],
    only_mine: true,
    schedule: 'weekdays',
  },
  { ...BLANK, name: 'Score 80 or higher, immediately', min_score: 80, channel: 'chat_dm' },
  {
    ...BLANK,
    name: 'Monday summary',
    events: ['signal.detected', 'account.suggested', 'people.job_changed'],
    schedule: 'mondays',
  },
  {
    ...BLANK,
    name: 'Open deals, immediately',
    events: ['signal.detected', 'people.job_changed'],
    only_mine: true,
    relationships: ['open_deal'],
  },
]

/** Whether a channel reaches a person. The others are shared places. */
export const isPersonal = (channel: Rule['channel']) => channel === 'email' || channel === 'chat_dm'

export const formatHour = (hour: number) => `${String(hour).padStart(2, '0')}:00`

const all = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const any = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Describes a rule in a sentence: `Funding from score 70 at accounts I own, by email each weekday at 08:00`. */
export function useRuleSentence(): (rule: RuleFields) => string {
  const { member } = useMe()
  const { nameOf } = useMembers()
  const { nameOf: signalName } = useSignals()
  const { labelOf } = useProviders()
  const { data: destinations } = queries.useQuery('get', '/v1/webhook-destinations')

  return (rule) => {
    const { events, signals, min_score, only_mine, tags, statuses, icp_tiers, relationships } = rule
    const { recipient, to_member_id, channel } = rule
    const named = signals.map(signalName)
    const what = all.format(
      events.flatMap((event, at) => {
        if (event === 'signal.detected' && named.length > 0) return named
        const label = at === 0 ? ALERT_EVENTS[event] : ALERT_EVENTS[event].toLowerCase()
        return event === 'account.suggested' && named.length > 0 ? `${label} with ${any.format(named)}` : label
      }),
    )
    const kinds = any.format(statuses.map((status) => accountStatusLabel(status).toLowerCase()))
    const details = [
      ...(only_mine ? [to_member_id === member.id ? 'I own' : 'they own'] : []),
      ...(tags.length > 0 ? [`tagged ${any.format(tags)}`] : []),
      ...(relationships.length > 0
        ? [`with relationship ${any.format(relationships.map((one) => relationshipLabel(one).toLowerCase()))}`]
        : []),
      ...(icp_tiers.length > 0 ? [`in ICP tier ${any.format(icp_tiers)}`] : []),
    ]
    const isFiltered = kinds !== '' || details.length > 0
    const accounts = [' at', kinds || (isFiltered ? '' : 'all'), 'accounts', ...details].filter(Boolean).join(' ')
    // Suggested accounts are not at accounts.
    const where = isFiltered || !events.includes('account.suggested') ? accounts : ''
    const destination = destinations?.data.find(({ id }) => id === rule.destination_id)?.name ?? '…'
    const how: Record<Rule['channel'], string> = {
      email: 'by email',
      chat_dm: `by ${labelOf('chat')} direct message`,
      chat: `to ${rule.chat_channel || '…'} in ${labelOf('chat')}`,
      teams: 'to Microsoft Teams',
      webhook: `to the webhook ${destination}`,
    }
    const when: Record<Rule['schedule'], string> = {
      at_once: 'at once',
      weekdays: `each weekday at ${formatHour(rule.hour)}`,
      mondays: `on Mondays at ${formatHour(rule.hour)}`,
    }
    const to =
      recipient === 'owner'
        ? 'to the account owner '
        : recipient === 'member' && to_member_id !== member.id
          ? `to ${nameOf(to_member_id)} `
          : ''
    const score = min_score > 0 ? ` from score ${min_score}` : ''
    return `${what}${score}${where}, ${to}${how[channel]} ${when[rule.schedule]}`
  }
}
