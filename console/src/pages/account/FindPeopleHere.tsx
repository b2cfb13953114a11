import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ErrorMessage } from '../../components/states.tsx'
import { pluralize } from '../../lib/format.ts'
import { type AccountRecord, useRefreshAccount } from './use-account.ts'

const LONGEST = 500

/** Searches people at this account by a plain-English query and shows how it was interpreted. */
export function FindPeopleHere({ account }: { account: AccountRecord }) {
  const [typed, setTyped] = useState('')
  const refresh = useRefreshAccount()
  const find = useMutation({
    mutationFn: async (query: string) => {
      const { data } = await api.POST('/v1/people/find', { body: { query, account_ids: [account.id] } })
      return data?.data
    },
    onSuccess: refresh,
  })
  const found = find.data
  return (
    <Stack gap="xs">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim()) find.mutate(typed.trim())
        }}
      >
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label="Find people at this account"
            description="Describe anyone else in plain English"
            placeholder="e.g. Head of Finance or Operations"
            maxLength={LONGEST}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={find.isPending}
            leftSection={<Search size={15} aria-hidden />}
          >
            Find
          </Button>
        </Group>
      </form>
      {find.isError && <ErrorMessage error={find.error} title="Search failed" />}
      {found && (
        <Alert color="gray" variant="light" role="status">
          <Text size="sm" fw={550}>
            {found.found > 0
              ? `${pluralize(found.found, 'person', 'people')} found`
              : (found.message ?? 'No people found')}
          </Text>
          {found.cascade.length > 0 && (
            <Text size="sm">Searched for {found.cascade.map(({ label }) => label).join(', then ')}.</Text>
          )}
          {[...found.problems.map(({ message }) => message), found.notice].filter(Boolean).map((problem) => (
            <Text size="sm" key={problem}>
              {problem}
            </Text>
          ))}
        </Alert>
      )}
    </Stack>
  )
}
