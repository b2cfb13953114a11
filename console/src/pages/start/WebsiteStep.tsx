import { Anchor, Group, Loader, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { ErrorAlert, ErrorMessage, ErrorText, Loading } from '../../components/states.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { pluralize } from '../../lib/format.ts'
import { type KnowledgeSection, saveSection, sectionsQuery } from '../knowledge/sections.ts'
import classes from './Start.module.css'
import type { StepProps } from './Start.tsx'
import { StepActions } from './StepActions.tsx'

type Profile = Schemas['CompanyProfile']

const profileQuery = queries.queryOptions('get', '/v1/company-profile', {})
const SHOWN_PAGES = 4

/** The own website: read it, watch the pages, and correct what was drafted. */
export function WebsiteStep(props: StepProps) {
  const profile = useQuery({
    ...profileQuery,
    refetchInterval: ({ state }) => (state.data?.data.refresh.state === 'running' ? 700 : false),
  })
  const [isOther, setOther] = useState(false)
  const [isByHand, setByHand] = useState(false)
  if (profile.isPending) return <Loading lines={3} />
  if (profile.isError) return <ErrorMessage error={profile.error} retry={profile.refetch} />
  const { data } = profile.data
  const { state, ended_at } = data.refresh
  if (state === 'running') return <Reading profile={data} />
  if (!isByHand && (ended_at === null || state === 'failed' || isOther)) {
    return <DomainForm profile={data} onStarted={() => setOther(false)} onByHand={() => setByHand(true)} {...props} />
  }
  return <Drafts key={ended_at} profile={data} onOther={() => setOther(true)} {...props} />
}

type DomainFormProps = StepProps & { profile: Profile; onStarted: () => void; onByHand: () => void }

function DomainForm({ profile, onStarted, onByHand, onLater }: DomainFormProps) {
  const client = useQueryClient()
  const [domain, setDomain] = useState(profile.domain ?? '')
  const read = useMutation({
    mutationFn: () => api.POST('/v1/company-profile/refresh', { body: { domain: domain.trim() } }),
    onSuccess: ({ data }) => {
      client.setQueryData(profileQuery.queryKey, data)
      onStarted()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    read.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">Bellwether reads your site to learn what you sell and to whom. You correct the result.</Text>
        {profile.refresh.state === 'failed' && !read.isPending && (
          <ErrorAlert title={`${profile.domain} could not be read`}>
            {profile.refresh.message} Check the address, or{' '}
            <Anchor component="button" type="button" size="sm" underline="always" onClick={onByHand}>
              describe your company yourself
            </Anchor>
            .
          </ErrorAlert>
        )}
        <TextInput
          label="Your company’s website"
          placeholder="northwind.com"
          value={domain}
          onChange={(event) => setDomain(event.currentTarget.value)}
          error={read.error ? errorMessage(read.error) : null}
          maw={420}
          autoFocus
          required
        />
        <StepActions
          action="Read website"
          isPending={read.isPending}
          isDisabled={domain.trim() === ''}
          onLater={onLater}
        />
      </Stack>
    </form>
  )
}

function Reading({ profile: { domain, refresh } }: { profile: Profile }) {
  const pages = refresh.pages_read
  return (
    <Stack gap="xs">
      <Group gap="xs" role="status">
        <Loader size={16} aria-hidden />
        <Text size="sm" fw={550}>
          Reading {domain}: {pluralize(pages.length, 'page')} so far
        </Text>
      </Group>
      <ul className={classes.pages}>
        {pages.slice(-SHOWN_PAGES).map(({ url, title }) => (
          <li key={url}>{title ?? url}</li>
        ))}
      </ul>
    </Stack>
  )
}

function Drafts(props: StepProps & { profile: Profile; onOther: () => void }) {
  const sections = useQuery({ ...sectionsQuery, refetchOnMount: 'always' })
  // The sections of before the reading must not become the initial texts.
  if (sections.isPending || !sections.isFetchedAfterMount) return <Loading lines={4} />
  if (sections.isError) return <ErrorMessage error={sections.error} retry={sections.refetch} />
  return <Correction sections={sections.data.data} {...props} />
}

type CorrectionProps = StepProps & { profile: Profile; sections: KnowledgeSection[]; onOther: () => void }

function Correction({ step, profile, sections, onOther, onDone, onLater }: CorrectionProps) {
  const client = useQueryClient()
  const about = sections.find(({ type }) => type === 'overview')
  const icp = sections.find(({ type }) => type === 'icp')
  const [name, setName] = useState(profile.name ?? '')
  const [aboutText, setAbout] = useState(about?.content_md ?? '')
  const [icpText, setIcp] = useState(icp?.content_md ?? '')
  const save = useMutation({
    mutationFn: async () => {
      await api.PATCH('/v1/company-profile', { body: { name: name.trim() } })
      await saveText(about, { title: `About ${name.trim()}`, type: 'overview', content_md: aboutText })
      await saveText(icp, { title: 'Ideal customers', type: 'icp', content_md: icpText })
      // Nothing was read, so nothing but this says that the step is done.
      if (step.count === 0) await api.PATCH('/v1/setup', { body: { step: 'website', choice: 'keep' } })
      await Promise.all(
        [profileQuery, sectionsQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey: [...queryKey] })),
      )
    },
    onSuccess: onDone,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const { pages_read } = profile.refresh
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {pages_read.length > 0 ? (
          <Text size="sm">
            Drafted from {pluralize(pages_read.length, 'page')} on {profile.domain}. Correct what is wrong, or{' '}
            <Anchor component="button" type="button" size="sm" underline="always" onClick={onOther}>
              read another website
            </Anchor>
            .
          </Text>
        ) : (
          <Text size="sm">Describe your company in your own words.</Text>
        )}
        <TextInput
          label="Company name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={200}
          maw={420}
          required
        />
        <Textarea
          label="What you do"
          placeholder="We make scheduling software for rail freight terminals."
          value={aboutText}
          onChange={(event) => setAbout(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={5}
          maxLength={20_000}
        />
        <Textarea
          label="Your ideal customer"
          description="Industry, size and region. Scores and drafts follow it."
          placeholder="Logistics companies in Europe with 200 to 5,000 employees"
          value={icpText}
          onChange={(event) => setIcp(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={5}
          maxLength={20_000}
        />
        {save.error && <ErrorText>{errorMessage(save.error)}</ErrorText>}
        <StepActions action="Continue" isPending={save.isPending} isDisabled={name.trim() === ''} onLater={onLater} />
      </Stack>
    </form>
  )
}

/** Saves a section if it was changed or is new. */
async function saveText(
  section: KnowledgeSection | undefined,
  text: { title: string; type: string; content_md: string },
): Promise<void> {
  if (section ? section.content_md === text.content_md : text.content_md.trim() === '') return
  await saveSection(section?.id ?? null, section ? { ...text, title: section.title } : text)
}
