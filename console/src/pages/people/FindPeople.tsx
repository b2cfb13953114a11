import { Button, Grid, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { Search as SearchIcon } from 'lucide-react'
import type { FormEvent } from 'react'
import { api, queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { ErrorMessage } from '../../components/states.tsx'
import { useDebouncedInput } from '../../lib/use-debounced-input.ts'
import { FindAccounts } from './FindAccounts.tsx'
import { FindResult } from './FindResult.tsx'
import { QueryPreview } from './QueryPreview.tsx'
import type { PeopleSearch } from './search.ts'

type Props = { search: PeopleSearch; onChange: (search: Partial<PeopleSearch>, how?: { replace?: boolean }) => void }

/** The number of accounts searched by default. */
const LATEST = 20

/** Searches people by a plain-English query, with a preview of the interpretation while typing. */
export function FindPeople({ search, onChange }: Props) {
  const client = useQueryClient()
  const { write } = useRights()
  const [typed, type] = useDebouncedInput(
    search.ask ?? '',
    (ask) => onChange({ ask: ask || undefined }, { replace: true }),
    400,
  )
  const [settled] = useDebouncedValue(typed.trim(), 300)
  const preview = queries.useQuery(
    'post',
    '/v1/people/find/preview',
    { body: { query: settled } },
    { enabled: settled.length > 1 && write, staleTime: Number.POSITIVE_INFINITY, placeholderData: keepPreviousData },
  )
  const find = useMutation({
    mutationFn: async (search_id: string) => {
      const accounts = search.at ? { account_ids: search.at, max_accounts: 50 } : { max_accounts: LATEST }
      const { data } = await api.POST('/v1/people/find', { body: { query: typed.trim(), search_id, ...accounts } })
      return data?.data
    },
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/people') }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start()
  }
  function start() {
    const id = newId()
    onChange({ ask: typed.trim(), search: id })
    find.mutate(id)
  }
  if (!write) return <Text size="sm">Searching for people requires a key with write access.</Text>
  const isOwn = find.variables === search.search
  return (
    <Stack gap="md">
      <Paper withBorder p="md" component="form" onSubmit={submit} aria-label="Find people">
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack gap="sm">
              <Textarea
                label="Who are you looking for?"
                placeholder="e.g. CFO or Head of Finance in Germany"
                value={typed}
                onChange={(event) => type(event.currentTarget.value)}
                autosize
                minRows={3}
                maxLength={2_000}
                required
              />
              <FindAccounts chosen={search.at} latest={LATEST} onChange={(at) => onChange({ at }, { replace: true })} />
              <Group justify="flex-end">
                <Button
                  type="submit"
                  leftSection={<SearchIcon size={15} aria-hidden />}
                  loading={find.isPending}
                  disabled={typed.trim().length < 2}
                >
                  Find people
                </Button>
              </Group>
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 7 }}>
            <QueryPreview
              hasQuery={settled.length > 1}
              interpretation={preview.data?.data}
              error={preview.error}
              retry={preview.refetch}
            />
          </Grid.Col>
        </Grid>
      </Paper>
      {find.error && isOwn && <ErrorMessage error={find.error} title="Search failed" retry={start} />}
      {search.search && !(find.error && isOwn) && (
        <FindResult
          key={search.search}
          id={search.search}
          isSearching={find.isPending && isOwn}
          response={isOwn ? find.data : undefined}
        />
      )}
    </Stack>
  )
}

/** A UUID v4. crypto.randomUUID requires https; crypto.getRandomValues does not. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
