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

/** Brings the companies in that discovery looks through, from a file of any size. */
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
          Discovery looks through these companies. A domain is needed; name, country, industry and employees let it be
          narrowed down. A domain that is there already takes what the file says.
        </Text>
        {status === 'running' || send.isPending ? (
          <Stack gap={6} role="status">
            <Text size="sm" fw={600}>
              {send.isPending ? 'Sending the file…' : 'Importing…'}
            </Text>
            <Progress
              value={send.isPending ? 3 : (last?.progress ?? 0) * 100}
              animated
              aria-label="Progress of the import"
            />
            {last && !send.isPending && (
              <Text size="sm" c="dimmed">
                {pluralize(last.rows, 'row')} so far. You can close this; the import goes on.
              </Text>
            )}
          </Stack>
        ) : (
          <Suspense fallback={<Loading lines={4} />}>
            <DropFile
              label="Drop a file of companies, or choose one"
              megabytes={MEGABYTES}
              onFile={(file) => {
                setProblem(null)
                send.mutate(file)
              }}
              onProblem={setProblem}
            >
              A CSV file whose first line names the columns, up to 512 MB.
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
              title={status === 'done' ? 'Last import' : 'The last import ended early'}
            >
              <Text size="sm">
                <RelativeTime at={last.finished_at} />: {formatNumber(last.created)} new companies,{' '}
                {formatNumber(last.existing)} known before, {formatNumber(last.rejected)} not usable. {last.failure}
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
