import { Alert, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { api, queries } from '../../api/client.ts'
import { ErrorAlert, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { RowErrors } from '../accounts/ImportPreview.tsx'

const DropFile = lazy(() => import('../accounts/DropFile.tsx').then(({ DropFile }) => ({ default: DropFile })))
const POLL_MS = 1_000
const MEGABYTES = 512

/** Imports the companies that discovery searches. */
export function ImportCompanies({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [problem, setProblem] = useState<string | null>(null)
  const list = queries.useQuery(
    'get',
    '/v1/companies/imports',
    { params: { query: { per_page: 1 } } },
    { refetchInterval: ({ state }) => (state.data?.data[0]?.status === 'running' ? POLL_MS : false) },
  )
  const last = list.data?.data[0]
  const send = useMutation({
    mutationFn: (file: File) => {
      const isLines = /\.(ndjson|jsonl)(\.gz)?$/i.test(file.name)
      return api.POST('/v1/companies/import', {
        params: { query: { file_name: file.name.slice(0, 300) } },
        body: file as never,
        bodySerializer: (body: unknown) => body as File,
        headers: { 'content-type': isLines ? 'application/x-ndjson' : 'text/csv' },
      })
    },
    onSuccess: () => list.refetch(),
    onError: (error) => setProblem(errorMessage(error)),
  })
  const status = last?.status
  useEffect(() => {
    if (status && status !== 'running') client.invalidateQueries({ queryKey: ['get', '/v1/companies/facets'] })
  }, [status, client])

  return (
    <Modal opened onClose={onClose} title="Import companies" size="lg">
      <Stack gap="md">
        <Text size="sm">
          Discovery searches these companies. A domain or website column is required; name, country, industry and
          employees are used for filters. Existing domains are updated.
        </Text>
        {status === 'running' || send.isPending ? (
          <Stack gap={6} role="status">
            <Text size="sm" fw={600}>
              {send.isPending ? 'Uploading…' : 'Importing…'}
            </Text>
            <Progress value={send.isPending ? 3 : (last?.progress ?? 0) * 100} animated aria-label="Import progress" />
            {last && !send.isPending && (
              <Text size="sm" c="dimmed">
                {pluralize(last.rows, 'row')} processed. You can close this dialog; the import continues in the
                background.
              </Text>
            )}
          </Stack>
        ) : (
          <Suspense fallback={<Loading lines={4} />}>
            <DropFile
              label="Drop a CSV file here, or click to browse"
              megabytes={MEGABYTES}
              onFile={(file) => {
                setProblem(null)
                send.mutate(file)
              }}
              onProblem={setProblem}
            >
              CSV with a header row, up to 512 MB
            </DropFile>
          </Suspense>
        )}
        {problem && <ErrorAlert>{problem}</ErrorAlert>}
        {last && status !== 'running' && !send.isPending && (
          <>
            <Alert
              color={status === 'done' ? 'bell' : 'red'}
              variant="light"
              icon={status === 'done' ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />}
              title={status === 'done' ? 'Last import' : 'Last import failed'}
            >
              <Text size="sm">
                <RelativeTime at={last.finished_at} />: {pluralize(last.created, 'new company', 'new companies')},{' '}
                {formatNumber(last.existing)} existing, {formatNumber(last.rejected)} skipped. {last.failure}
              </Text>
            </Alert>
            <RowErrors errors={last.errors} total={last.rejected} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
