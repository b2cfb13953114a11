import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useRights } from '../../api/me.ts'
import { Page } from '../../components/Page.tsx'
import { ErrorAlert, ErrorMessage, Loading, ReadOnlyNotice } from '../../components/states.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { ImportPreview } from './ImportPreview.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { type FileOptions, readPreview, sendFile } from './import-file.ts'
import { RecentImports } from './RecentImports.tsx'

const DropFile = lazy(() => import('./DropFile.tsx').then(({ DropFile }) => ({ default: DropFile })))
const route = getRouteApi('/app/accounts/import')

/** Imports accounts from a CSV file: upload, preview, column mapping, import. */
export function ImportAccounts() {
  const { id } = route.useSearch()
  const navigate = useNavigate()
  const { write } = useRights()
  const [file, setFile] = useState<File | null>(null)
  const [options, setOptions] = useState<FileOptions>({})
  const [problem, setProblem] = useState<string | null>(null)
  const preview = useMutation({ mutationFn: ([file, options]: [File, FileOptions]) => readPreview(file, options) })
  const send = useMutation({
    mutationFn: ([file, options]: [File, FileOptions]) => sendFile(file, options),
    onSuccess: (id) => navigate({ to: '/accounts/import', search: { id } }),
  })
  const loadPreview = (file: File, options: FileOptions) => {
    setFile(file)
    setOptions(options)
    setProblem(null)
    preview.mutate([file, options])
  }
  const startOver = () => {
    setFile(null)
    setOptions({})
    preview.reset()
    send.reset()
    navigate({ to: '/accounts/import', search: {} })
  }

  return (
    <Page
      title="Import accounts"
      lead={
        <Anchor component={Link} to="/accounts" size="sm">
          <Group gap={4} component="span">
            <ArrowLeft size={14} aria-hidden /> All accounts
          </Group>
        </Anchor>
      }
      wide
    >
      {id ? (
        <ImportProgress id={id} onAgain={startOver} />
      ) : (
        <Stack gap="lg">
          {!write && <ReadOnlyNotice>Sign in with a key that has write access to import accounts.</ReadOnlyNotice>}
          {write && !file && (
            <Suspense fallback={<Loading lines={4} />}>
              <DropFile
                label="Drop a CSV file here, or click to browse"
                megabytes={64}
                onFile={(file) => loadPreview(file, {})}
                onProblem={setProblem}
              >
                One company per row, from a spreadsheet or your CRM. You can review everything before you import.
              </DropFile>
            </Suspense>
          )}
          {problem && <ErrorAlert>{problem}</ErrorAlert>}
          {file && preview.isError && (
            <ErrorMessage
              error={preview.error}
              title={`Could not read ${file.name}`}
              retry={() => loadPreview(file, options)}
            />
          )}
          {file && (
            <Group gap="xs">
              <Button variant="default" size="xs" onClick={startOver}>
                Choose another file
              </Button>
            </Group>
          )}
          {file && preview.isPending && !preview.data && <Loading lines={10} />}
          {file && preview.data && (
            <ImportPreview
              file={file}
              preview={preview.data}
              options={options}
              isReading={preview.isPending}
              isSending={send.isPending}
              problem={send.isError ? errorMessage(send.error) : null}
              onChange={(changes) => loadPreview(file, { ...options, ...changes })}
              onTag={(tag) => setOptions({ ...options, tag })}
              onImport={() => send.mutate([file, { ...options, encoding: preview.data.encoding }])}
            />
          )}
          {!file && <RecentImports />}
        </Stack>
      )}
    </Page>
  )
}
