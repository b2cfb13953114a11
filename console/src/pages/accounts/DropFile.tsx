import { Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { FileUp } from 'lucide-react'

type Props = {
  label: string
  children: string
  megabytes: number
  isBusy?: boolean
  onFile: (file: File) => void
  onProblem: (problem: string) => void
}

/** A drop zone for one file. */
export function DropFile({ label, children, megabytes, isBusy = false, onFile, onProblem }: Props) {
  return (
    <Dropzone
      multiple={false}
      maxSize={megabytes * 1024 * 1024}
      loading={isBusy}
      onDrop={async ([file]) => {
        if (!file) return
        const problem = await problemOf(file)
        problem ? onProblem(problem) : onFile(file)
      }}
      onReject={() => onProblem(`Choose one file up to ${megabytes} MB.`)}
      inputProps={{ 'aria-label': label }}
      py="xl"
    >
      <Stack align="center" gap={4} style={{ pointerEvents: 'none' }}>
        <FileUp size={30} strokeWidth={1.5} aria-hidden color="var(--mantine-color-dimmed)" />
        <Text fw={600}>{label}</Text>
        <Text size="sm" c="dimmed" ta="center">
          {children}
        </Text>
      </Stack>
    </Dropzone>
  )
}

/** Rejects empty files and Excel workbooks before the upload. */
async function problemOf(file: File): Promise<string | null> {
  if (file.size === 0) return 'The file is empty.'
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (first === 0x50 && second === 0x4b) return 'Excel files are not supported. Save the file as CSV and try again.'
  return null
}
