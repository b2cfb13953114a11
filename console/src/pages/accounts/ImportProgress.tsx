import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { queries } from '../../api/client.ts'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { RowErrors } from './ImportPreview.tsx'

const POLL_MS = 1_000

/** The progress of an import, then its result. */
export function ImportProgress({ id, onAgain }: { id: string; onAgain: () => void }) {
  const client = useQueryClient()
  const found = queries.useQuery(
    'get',
    '/v1/accounts/imports/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'running' ? POLL_MS : false) },
  )
  const status = found.data?.data.status
  useEffect(() => {
    if (status && status !== 'running') client.invalidateQueries({ queryKey: ['get', '/v1/accounts'] })
  }, [status, client])
  if (found.isPending) return <Loading lines={4} />
  if (found.isError) return <ErrorMessage error={found.error} retry={found.refetch} />
  const { file_name, progress, rows, created, existing, rejected, errors, failure } = found.data.data
  if (status === 'running') {
    return (
      <Stack gap="xs" role="status">
        <Title order={2}>Importing{file_name ? ` ${file_name}` : ''}…</Title>
        <Progress value={progress * 100} animated size="lg" aria-label="Import progress" />
        <Text size="sm">
          {pluralize(rows, 'row')} processed, {formatNumber(created)} new. You can leave this page; the import continues
          in the background.
        </Text>
      </Stack>
    )
  }
  const isFine = status === 'done'
  return (
    <Stack gap="lg">
      <Alert
        color={isFine ? 'bell' : 'red'}
        variant="light"
        icon={isFine ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />}
        title={isFine ? `${pluralize(created, 'account')} imported` : 'Import failed'}
        role={isFine ? 'status' : 'alert'}
      >
        <Text size="sm">
          {failure ? `${failure} ` : ''}
          {pluralize(rows, 'row')}: {formatNumber(created)} new, {formatNumber(existing)} existing,{' '}
          {formatNumber(rejected)} skipped.
        </Text>
        {created > 0 && (
          <Text size="sm" mt={4}>
            They are scored by how well they fit your ideal customer. Activate the ones you want to monitor.
          </Text>
        )}
      </Alert>
      <Group gap="xs">
        {created > 0 && (
          <Button renderRoot={(props) => <Link to="/accounts" search={{ import: id }} {...props} />}>
            Review and activate
          </Button>
        )}
        <Button variant="default" onClick={onAgain}>
          Import another file
        </Button>
      </Group>
      <RowErrors errors={errors} total={rejected} />
    </Stack>
  )
}
