import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../../api/client.ts'
import { useMe, useRights } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { useProviders } from '../../api/providers.ts'
import { accountStatusOptions } from '../../components/AccountBadges.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { useSignals } from '../../components/signals.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { ALERT_EVENTS, alertChannels } from '../../lib/alerts.ts'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { relationshipOptions } from '../../lib/relationships.ts'
import {
  formatHour,
  isPersonal,
  PRESETS,
  type Rule,
  type RuleFields,
  rulesQuery,
  useRuleSentence,
} from './alert-rules.ts'
import { ChannelHint } from './ChannelHint.tsx'

const OWNER = 'owner'
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: formatHour(hour) }))
const TIERS = [
  { value: 'A', label: 'A: fit of 80 or higher' },
  { value: 'B', label: 'B: fit of 50 to 79' },
  { value: 'C', label: 'C: fit below 50' },
]
const COLUMNS = { base: 1, xs: 2 }

/** Adds or edits an alert rule. */
export function AlertRuleForm({ rule, onClose }: { rule?: Rule; onClose: () => void }) {
  const { member } = useMe()
  const { admin } = useRights()
  const { members } = useMembers()
  const { signals } = useSignals()
  const { labelOf } = useProviders()
  const { data: destinations } = queries.useQuery('get', '/v1/webhook-destinations')
  const describe = useRuleSentence()
  const queryClient = useQueryClient()
  const [fields, setFields] = useState<RuleFields>(() => rule ?? { ...PRESETS[0], to_member_id: member.id })
  const set = (part: Partial<RuleFields>) => setFields((others) => ({ ...others, ...part }))
  const save = useMutation({
    mutationFn: () => {
      const body = toBody(fields)
      if (!rule) return api.POST('/v1/alert-rules', { body })
      return api.PATCH('/v1/alert-rules/{id}', { params: { path: { id: rule.id } }, body })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: rulesQuery.queryKey })
      onClose()
      toastSuccess(`${fields.name} saved`)
    },
  })
  const errors = fieldErrors(save.error)
  const isAtField = Object.keys(errors).some((path) => path in fields)
  const { channel, recipient, to_member_id, schedule } = fields
  const isMine = recipient === 'member' && to_member_id === member.id
  return (
    <FormDialog
      title={rule ? `Edit ${rule.name}` : 'New rule'}
      action={rule ? 'Save' : 'Add rule'}
      size="lg"
      onClose={onClose}
      onSubmit={save.mutate}
      isPending={save.isPending}
      error={save.isError && !isAtField ? errorMessage(save.error) : null}
    >
      {!rule && (
        <Fieldset variant="unstyled" legend="Start from">
          <Group gap="xs">
            {PRESETS.map((preset) => (
              <Button
                key={preset.name}
                size="compact-sm"
                radius="xl"
                fw={500}
                variant="default"
                onClick={() => set({ ...preset, to_member_id: member.id })}
              >
                {preset.name}
              </Button>
            ))}
          </Group>
        </Fieldset>
      )}
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={120}
        value={fields.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={errors.name}
      />
      <Fieldset legend="What">
        <Stack gap="sm">
          <Checkbox.Group
            label="Events"
            value={fields.events}
            onChange={(events) => set({ events: events as RuleFields['events'] })}
            error={errors.events}
          >
            <Group gap="md" my={6}>
              {Object.entries(ALERT_EVENTS).map(
                ([event, label]) =>
                  (event !== 'work_item.done' || channel === 'webhook') && (
                    <Checkbox key={event} value={event} label={label} />
                  ),
              )}
            </Group>
          </Checkbox.Group>
          <SimpleGrid cols={COLUMNS}>
            <MultiSelect
              label="Only these signals"
              placeholder={fields.signals.length > 0 ? undefined : 'All signals'}
              searchable
              data={signals.map(({ id, name }) => ({ value: id, label: name }))}
              value={fields.signals}
              onChange={(signals) => set({ signals })}
              error={errors.signals}
            />
            <NumberInput
              label="Minimum account score"
              min={0}
              max={100}
              allowDecimal={false}
              value={fields.min_score}
              onChange={(score) => set({ min_score: Number(score) })}
              error={errors.min_score}
            />
          </SimpleGrid>
        </Stack>
      </Fieldset>
      <Fieldset legend="Which accounts">
        <Stack gap="sm">
          {recipient === 'member' && (
            <Checkbox
              label={isMine ? 'Only accounts I own' : 'Only accounts they own'}
              checked={fields.only_mine}
              onChange={(event) => set({ only_mine: event.currentTarget.checked })}
              error={errors.only_mine}
            />
          )}
          <SimpleGrid cols={COLUMNS}>
            <MultiSelect
              label="Status"
              placeholder={fields.statuses.length > 0 ? undefined : 'Any status'}
              data={accountStatusOptions}
              value={fields.statuses}
              onChange={(statuses) => set({ statuses: statuses as RuleFields['statuses'] })}
              error={errors.statuses}
            />
            <MultiSelect
              label="ICP tier"
              placeholder={fields.icp_tiers.length > 0 ? undefined : 'Any tier'}
              data={TIERS}
              value={fields.icp_tiers}
              onChange={(tiers) => set({ icp_tiers: tiers as RuleFields['icp_tiers'] })}
              error={errors.icp_tiers}
            />
            <MultiSelect
              label="Relationship"
              placeholder={fields.relationships.length > 0 ? undefined : 'Any relationship'}
              data={relationshipOptions}
              value={fields.relationships}
              onChange={(values) => set({ relationships: values as RuleFields['relationships'] })}
              error={errors.relationships}
            />
          </SimpleGrid>
          <TagsInput
            label="Tags"
            description="Accounts with one of these tags"
            placeholder={fields.tags.length > 0 ? undefined : 'Any tag'}
            value={fields.tags}
            onChange={(tags) => set({ tags })}
            maxTags={50}
            error={errors.tags}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend="Where and when">
        <Stack gap="sm">
          <SimpleGrid cols={COLUMNS}>
            <Select
              label="Channel"
              allowDeselect={false}
              data={Object.entries(alertChannels(labelOf('chat')))
                .filter(([value]) => admin || isPersonal(value as Rule['channel']))
                .map(([value, label]) => ({ value, label }))}
              value={channel}
              onChange={(channel) =>
                set(fitToChannel({ ...fields, to_member_id: to_member_id ?? member.id }, channel as Rule['channel']))
              }
              error={errors.channel}
            />
            {admin && isPersonal(channel) && (
              <Select
                label="To"
                allowDeselect={false}
                searchable
                data={[
                  { value: member.id, label: 'Me' },
                  { value: OWNER, label: 'The account owner' },
                  ...members.filter(({ id }) => id !== member.id).map(({ id, name }) => ({ value: id, label: name })),
                ]}
                value={recipient === 'owner' ? OWNER : to_member_id}
                onChange={(to) =>
                  set(
                    to === OWNER
                      ? { recipient: 'owner', to_member_id: null, only_mine: false }
                      : { recipient: 'member', to_member_id: to },
                  )
                }
                error={errors.to_member_id ?? errors.recipient}
              />
            )}
            {channel === 'chat' && (
              <TextInput
                label="Chat channel"
                placeholder="#signals"
                required
                maxLength={80}
                value={fields.chat_channel ?? ''}
                onChange={(event) => set({ chat_channel: event.currentTarget.value })}
                error={errors.chat_channel}
              />
            )}
            {channel === 'teams' && (
              <TextInput
                label="Workflow URL"
                description="From a Teams workflow that posts Adaptive Cards"
                type="url"
                required
                value={fields.teams_url ?? ''}
                onChange={(event) => set({ teams_url: event.currentTarget.value })}
                error={errors.teams_url}
              />
            )}
            {channel === 'webhook' && (
              <Select
                label="Destination"
                placeholder="Select a destination"
                required
                data={(destinations?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
                value={fields.destination_id}
                onChange={(destination_id) => set({ destination_id })}
                error={errors.destination_id}
              />
            )}
          </SimpleGrid>
          <ChannelHint channel={channel} />
          {channel !== 'webhook' && (
            <SimpleGrid cols={COLUMNS}>
              <Select
                label="When"
                allowDeselect={false}
                data={[
                  { value: 'at_once', label: 'At once' },
                  { value: 'weekdays', label: 'Each weekday' },
                  { value: 'mondays', label: 'On Mondays' },
                ]}
                value={schedule}
                onChange={(schedule) => set({ schedule: schedule as Rule['schedule'] })}
                error={errors.schedule}
              />
              {schedule !== 'at_once' && (
                <Select
                  label="Hour"
                  description={isMine ? member.time_zone : 'In the time zone of the recipient'}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  allowDeselect={false}
                  data={HOURS}
                  value={String(fields.hour)}
                  onChange={(hour) => set({ hour: Number(hour) })}
                  error={errors.hour}
                />
              )}
            </SimpleGrid>
          )}
        </Stack>
      </Fieldset>
      <Text size="sm">{describe(fields)}</Text>
    </FormDialog>
  )
}

/** Removes what the API refuses for a channel. */
function fitToChannel({ recipient, to_member_id, only_mine, schedule, events }: RuleFields, channel: Rule['channel']) {
  const isWebhook = channel === 'webhook'
  return {
    channel,
    recipient: isPersonal(channel) ? (recipient === 'channel' ? 'member' : recipient) : 'channel',
    to_member_id,
    only_mine: isPersonal(channel) && only_mine,
    schedule: isWebhook ? 'at_once' : schedule,
    events: isWebhook ? events : events.filter((event) => event !== 'work_item.done'),
  } satisfies Partial<RuleFields>
}

/** The request body: only the target of the chosen channel. */
function toBody({ to_member_id, chat_channel, destination_id, teams_url, ...rest }: RuleFields) {
  const { channel, recipient } = rest
  return {
    ...rest,
    ...(recipient === 'member' && to_member_id ? { to_member_id } : {}),
    ...(channel === 'chat' && chat_channel ? { chat_channel } : {}),
    ...(channel === 'webhook' && destination_id ? { destination_id } : {}),
    ...(channel === 'teams' && teams_url ? { teams_url } : {}),
  }
}
