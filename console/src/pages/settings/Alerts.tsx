import { ActionIcon, Button, Flex, Group, Menu, Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, Plus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, queries } from '../../api/client.ts'
import { useMe, useRights } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { TestResult } from '../../components/TestResult.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { AlertRuleForm } from './AlertRuleForm.tsx'
import { type Rule, rulesQuery, useRuleSentence } from './alert-rules.ts'
import { ChannelHint } from './ChannelHint.tsx'
import Notifications from './Notifications.tsx'
import { SettingsSection } from './Section.tsx'
import { TimeZone } from './TimeZone.tsx'

const route = getRouteApi('/app/settings/{-$tab}')

/** The alert rules of the member, for admins those of all members, and the default of the workspace. */
export default function Alerts() {
  const { add, edit } = route.useSearch()
  const navigate = useNavigate()
  const { member } = useMe()
  const { write } = useRights()
  const rules = queries.useQuery('get', '/v1/alert-rules')
  const show = (search: { add?: boolean; edit?: string }) =>
    navigate({ to: '/settings/{-$tab}', params: { tab: 'alerts' }, search })
  const all = rules.data?.data ?? []
  const mine = all.filter(({ member_id }) => member_id === member.id)
  const others = all.filter(({ member_id }) => member_id !== member.id)
  const edited = all.find(({ id }) => id === edit)
  const card = (rule: Rule) => <RuleCard key={rule.id} rule={rule} onEdit={() => show({ edit: rule.id })} />
  return (
    <Stack gap="xl">
      <SettingsSection
        title="My alert rules"
        lead="Choose which signals and accounts you are alerted about, where and when."
        actions={
          write && (
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show({ add: true })}>
              New rule
            </Button>
          )
        }
      >
        {rules.isPending ? (
          <Loading />
        ) : rules.isError ? (
          <ErrorMessage error={rules.error} retry={rules.refetch} />
        ) : mine.length === 0 ? (
          <Text size="sm">No rules yet. Add one to get your accounts by email every morning.</Text>
        ) : (
          mine.map(card)
        )}
        <TimeZone />
      </SettingsSection>
      {member.role === 'admin' && rules.data && (
        <SettingsSection title="Other members’ rules">
          {others.length === 0 ? <Text size="sm">No rules yet.</Text> : others.map(card)}
        </SettingsSection>
      )}
      <Notifications />
      {write && add && <AlertRuleForm onClose={() => show({})} />}
      {write && edited && <AlertRuleForm key={edited.id} rule={edited} onClose={() => show({})} />}
    </Stack>
  )
}

function RuleCard({ rule, onEdit }: { rule: Rule; onEdit: () => void }) {
  const { id, name, is_enabled, member_id, channel } = rule
  const { member } = useMe()
  const { write } = useRights()
  const { nameOf } = useMembers()
  const describe = useRuleSentence()
  const queryClient = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const params = { path: { id } }
  const refresh = () => queryClient.invalidateQueries({ queryKey: rulesQuery.queryKey })
  const toggle = useMutation({
    mutationFn: (is_enabled: boolean) => api.PATCH('/v1/alert-rules/{id}', { params, body: { is_enabled } }),
    onSuccess: refresh,
    onError: (error) => toastError('Rule not changed', error),
  })
  const test = useMutation({
    mutationFn: () => api.POST('/v1/alert-rules/{id}/test', { params }),
    onError: (error) => toastError('Test not sent', error),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap="sm">
        <Flex justify="space-between" align="flex-start" gap="sm">
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Title order={3}>{name}</Title>
            <Text size="sm">{describe(rule)}</Text>
            {member_id !== member.id && (
              <Text size="xs" c="dimmed">
                Owner: {nameOf(member_id)}
              </Text>
            )}
          </div>
          <Group gap="xs" wrap="nowrap">
            <Switch
              aria-label={`Alerts of ${name}`}
              checked={is_enabled}
              disabled={!write || toggle.isPending}
              onChange={(event) => toggle.mutate(event.currentTarget.checked)}
            />
            {write && (
              <Menu position="bottom-end" width={180}>
                <Menu.Target>
                  <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`} loading={test.isPending}>
                    <Ellipsis size={17} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={onEdit}>
                    Edit
                  </Menu.Item>
                  <Menu.Item leftSection={<Send size={15} aria-hidden />} onClick={() => test.mutate()}>
                    Send test
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<Trash2 size={15} aria-hidden />}
                    c="var(--mantine-color-error)"
                    onClick={() => setDeleting(true)}
                  >
                    Delete
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </Group>
        </Flex>
        {is_enabled && <ChannelHint channel={channel} />}
        {test.data?.data && <TestResult {...test.data.data.data} />}
      </Stack>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await api.DELETE('/v1/alert-rules/{id}', { params })
            await refresh()
            toastSuccess(`${name} deleted`)
          }}
        >
          Its alerts are deleted too. Pending alerts are not sent.
        </ConfirmDialog>
      )}
    </Paper>
  )
}
