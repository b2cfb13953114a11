import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { PageLink } from '../../components/links.tsx'
import { ErrorAlert, ErrorText } from '../../components/states.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { pluralize } from '../../lib/format.ts'
import { MAX_COMPANIES, type PastedCompany, parseCompanies } from './companies.ts'
import type { StepProps } from './Start.tsx'
import { StepActions } from './StepActions.tsx'

type CreatedOrRefused = { id?: string; error?: { message: string; details: { message: string }[] } }

const nameOf = (company: PastedCompany | undefined) => company?.domain ?? company?.name ?? ''

/** The companies to monitor: pasted here, or imported from a file. */
export function CompaniesStep({ onDone, onLater }: StepProps) {
  const client = useQueryClient()
  const { member } = useMe()
  const [text, setText] = useState('')
  const companies = parseCompanies(text)
  const nameless = companies.filter(({ domain }) => domain === null).length
  const add = useMutation({
    mutationFn: async () => {
      const body = companies.map((company) => ({ ...company, owner_id: member.id }))
      const { data } = await api.POST('/v1/accounts', { params: { query: { partial: true } }, body })
      const created = [data?.data ?? []].flat() as CreatedOrRefused[]
      const wrong = created.flatMap(({ error }, at) =>
        error ? `${nameOf(companies[at])}: ${error.details[0]?.message ?? error.message}` : [],
      )
      const ids = created.flatMap(({ id }) => id ?? [])
      if (ids.length === 0) throw new Error('None of these lines is a company. Check the domains.')
      const { data: activated } = await api.POST('/v1/accounts/bulk', { body: { ids, action: 'activate' } })
      const { done = 0, results = [] } = activated?.data ?? {}
      const refused = [...wrong, ...results.map(({ message }) => message)]
      if (refused[0] && done === 0) throw new Error(refused[0])
      return { done, refused }
    },
    onSuccess: async ({ refused }) => {
      await client.invalidateQueries({ queryKey: ['get', '/v1/accounts'] })
      if (refused.length === 0) onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  if (add.data && add.data.refused.length > 0) return <PartlyAdded {...add.data} onContinue={onDone} />
  const isTooLong = companies.length > MAX_COMPANIES
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          Add companies you want to sell to. Bellwether reads what they publish and watches for news.
        </Text>
        <Textarea
          label="Companies"
          description="One domain or name per line. Domains give more findings."
          placeholder={'acme.com\nnorthwind.com\nHalden Robotics'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={4}
          maxRows={10}
          autoFocus
        />
        <Text size="sm" c="dimmed" role="status">
          {isTooLong
            ? `At most ${MAX_COMPANIES} companies at once. Import a CSV file for more.`
            : nameless > 0
              ? `${pluralize(nameless, 'company', 'companies')} without a domain: only news that names them is found.`
              : ''}
        </Text>
        {add.error && <ErrorText>{errorMessage(add.error)}</ErrorText>}
        <StepActions
          action={companies.length > 0 ? `Monitor ${pluralize(companies.length, 'company', 'companies')}` : 'Monitor'}
          isPending={add.isPending}
          isDisabled={companies.length === 0 || isTooLong}
          onLater={onLater}
        />
        <OtherWays />
      </Stack>
    </form>
  )
}

type PartlyAddedProps = { done: number; refused: string[]; onContinue: () => void }

function PartlyAdded({ done, refused, onContinue }: PartlyAddedProps) {
  return (
    <Stack gap="sm" align="flex-start">
      <ErrorAlert
        title={`${pluralize(done, 'company', 'companies')} added, ${pluralize(refused.length, 'company', 'companies')} not`}
      >
        {refused[0]}
      </ErrorAlert>
      <Button onClick={onContinue}>Continue</Button>
    </Stack>
  )
}

function OtherWays() {
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed">
        Or
      </Text>
      <PageLink to="/accounts/import" size="sm">
        import a CSV file
      </PageLink>
    </Group>
  )
}
