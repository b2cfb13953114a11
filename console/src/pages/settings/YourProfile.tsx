import {
  ActionIcon,
  Button,
  Card,
  Grid,
  Group,
  Input,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import type { FormEvent } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { meQuery, useRights } from '../../api/me.ts'
import { ErrorMessage, ErrorText, Loading, ReadOnlyNotice } from '../../components/states.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { pluralize } from '../../lib/format.ts'
import { useFormDraft } from '../../lib/use-form-draft.ts'
import { SettingsSection } from './Section.tsx'

type MyProfile = Schemas['MyProfile']

const profileQuery = queries.queryOptions('get', '/v1/me/profile')
const MAX_SAMPLES = 5
const TONES: { value: MyProfile['tone']; label: string }[] = [
  { value: 'brief', label: 'Brief' },
  { value: 'warm', label: 'Warm' },
  { value: 'formal', label: 'Formal' },
]

/** How the signed-in member writes and signs messages. */
export default function YourProfile() {
  const { data, error, isPending, refetch } = queries.useQuery('get', '/v1/me/profile')
  const { write } = useRights()
  return (
    <SettingsSection
      title="Your profile"
      isWholeTab
      lead="Messages for your accounts are drafted in your name, in your tone, and signed by you."
    >
      {!write && <ReadOnlyNotice>Sign in with another key to change your profile.</ReadOnlyNotice>}
      {isPending && <Loading lines={8} />}
      {error && <ErrorMessage error={error} retry={refetch} />}
      {data && (
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <ProfileForm profile={data.data} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Learned profile={data.data} />
          </Grid.Col>
        </Grid>
      )}
    </SettingsSection>
  )
}

function useSaveProfile() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Schemas['UpdateMyProfile']) => api.PATCH('/v1/me/profile', { body }),
    onSuccess: async ({ data }) => {
      client.setQueryData(profileQuery.queryKey, data)
      const named = [meQuery.queryKey, queries.queryOptions('get', '/v1/members').queryKey]
      await Promise.all(named.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

function ProfileForm({ profile }: { profile: MyProfile }) {
  const { write } = useRights()
  const { value, isChanged, change, clear } = useFormDraft('your profile', {
    name: profile.name,
    job_title: profile.job_title ?? '',
    signature: profile.signature ?? '',
    tone: profile.tone,
    calendar_url: profile.calendar_url ?? '',
    sample_messages: profile.sample_messages,
  })
  const { name, job_title, signature, tone, calendar_url, sample_messages } = value
  const save = useSaveProfile()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = {
      ...value,
      calendar_url: calendar_url.trim() || null,
      sample_messages: sample_messages.filter((text) => text.trim() !== ''),
    }
    save.mutate(body, {
      onSuccess: () => {
        clear()
        toastSuccess('Profile saved')
      },
    })
  }
  const errors = fieldErrors(save.error)
  const isAtField = Object.keys(errors).some((path) => path in value)
  const setSample = (at: number, text: string) => change({ sample_messages: sample_messages.with(at, text) })
  return (
    <form onSubmit={submit} aria-label="Your profile">
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          maxLength={120}
          disabled={!write}
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={errors.name}
        />
        <TextInput
          label="Job title"
          placeholder="Account Executive"
          maxLength={120}
          disabled={!write}
          value={job_title}
          onChange={(event) => change({ job_title: event.currentTarget.value })}
          error={errors.job_title}
        />
        <Textarea
          label="Signature"
          description="Ends your emails"
          placeholder={'Dana Whitfield\nAccount Executive, Northwind Freight\n+43 1 555 0100'}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={1_000}
          disabled={!write}
          value={signature}
          onChange={(event) => change({ signature: event.currentTarget.value })}
          error={errors.signature}
        />
        <SignaturePreview signature={signature} name={name} jobTitle={job_title} signOff={profile.sign_off} />
        <div>
          <Input.Label component="div" id="profile-tone">
            Tone
          </Input.Label>
          <div>
            <SegmentedControl
              aria-labelledby="profile-tone"
              data={TONES}
              disabled={!write}
              value={tone}
              onChange={(tone) => change({ tone })}
            />
          </div>
        </div>
        <TextInput
          label="Calendar link"
          description="Where people book a meeting with you"
          type="url"
          placeholder="https://"
          maxLength={2_048}
          disabled={!write}
          value={calendar_url}
          onChange={(event) => change({ calendar_url: event.currentTarget.value })}
          error={errors.calendar_url}
        />
        <Stack gap="xs" component="section" aria-labelledby="sample-messages">
          <div>
            <Title order={3} id="sample-messages">
              Sample messages
            </Title>
            <Text size="sm" c="dimmed">
              Up to five messages you have written, as examples of your style
            </Text>
          </div>
          {sample_messages.map((text, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields are controlled and have no state of their own
            <Group key={at} gap="xs" align="flex-start" wrap="nowrap">
              <Textarea
                flex={1}
                aria-label={`Sample message ${at + 1}`}
                autosize
                minRows={3}
                maxRows={12}
                maxLength={4_000}
                disabled={!write}
                value={text}
                onChange={(event) => setSample(at, event.currentTarget.value)}
                error={errors[`sample_messages.${at}`]}
              />
              {write && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove sample message ${at + 1}`}
                  onClick={() => change({ sample_messages: sample_messages.toSpliced(at, 1) })}
                >
                  <Trash2 size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
          ))}
          {write && sample_messages.length < MAX_SAMPLES && (
            <Button
              variant="default"
              size="xs"
              style={{ alignSelf: 'flex-start' }}
              leftSection={<Plus size={14} aria-hidden />}
              onClick={() => change({ sample_messages: [...sample_messages, ''] })}
            >
              Add sample message
            </Button>
          )}
        </Stack>
        {save.isError && !isAtField && <ErrorText>{errorMessage(save.error)}</ErrorText>}
        {write && (
          <Group gap="xs">
            <Button type="submit" loading={save.isPending} disabled={!isChanged || name.trim() === ''}>
              Save
            </Button>
            {isChanged && (
              <Button variant="default" onClick={clear}>
                Discard
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </form>
  )
}

type SignatureProps = { signature: string; name: string; jobTitle: string; signOff: string | null }

/** How an email ends. */
function SignaturePreview({ signature, name, jobTitle, signOff }: SignatureProps) {
  const ending = signature.trim() || [name, jobTitle].filter((line) => line.trim() !== '').join('\n')
  return (
    <Card withBorder padding="sm" component="section" aria-label="Preview">
      <Text size="xs" c="dimmed" mb={4}>
        Preview
      </Text>
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {signOff === null ? ending : `${signOff.replace(/,$/, '')},\n${ending}`}
      </Text>
    </Card>
  )
}

/** What drafts took over from the member's edits. */
function Learned({ profile: { greeting, sign_off, body_words } }: { profile: MyProfile }) {
  const { write } = useRights()
  const save = useSaveProfile()
  const learned = [
    { field: 'greeting', label: 'Greeting', value: greeting },
    { field: 'sign_off', label: 'Sign-off', value: sign_off },
    { field: 'body_words', label: 'Length', value: body_words && `about ${pluralize(body_words, 'word')}` },
  ].filter(({ value }) => value !== null)
  const forget = (field: string, label: string) =>
    save.mutate(
      { [field]: null },
      {
        onSuccess: () => toastSuccess(`${label} forgotten`),
        onError: (error) => toastError(`${label} not forgotten`, error),
      },
    )
  return (
    <Card withBorder padding="md" component="section" aria-labelledby="learned">
      <Stack gap="sm">
        <Title order={3} id="learned">
          Learned from your edits
        </Title>
        {learned.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing yet. When you edit drafted messages, later ones use your greeting, sign-off and length.
          </Text>
        )}
        {learned.map(({ field, label, value }) => (
          <Group key={field} justify="space-between" wrap="nowrap" gap="xs">
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <Text size="xs" c="dimmed">
                {label}
              </Text>
              <Text size="sm">{value}</Text>
            </div>
            {write && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Forget ${label.toLowerCase()}`}
                onClick={() => forget(field, label)}
              >
                Forget
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
