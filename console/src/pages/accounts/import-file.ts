import { api, type Schemas } from '../../api/client.ts'

export type Preview = Schemas['AccountsPreview']

/** Overrides of the detected file options. */
export type FileOptions = {
  /** The column number, from 1, by field; 0 omits the field. */
  columns?: Record<string, number>
  encoding?: Preview['encoding']
  delimiter?: Preview['delimiter']
  has_header?: boolean
  tag?: string
  /** Completes rows without a domain by the name of the company. */
  fill_domains?: boolean
}

const queryOf = (file: File, { columns = {}, tag, ...layout }: FileOptions) => ({
  ...layout,
  file_name: file.name.slice(0, 300),
  ...(tag?.trim() ? { tag: tag.trim() } : {}),
  column: Object.entries(columns).map(([field, at]) => `${field}=${at > 0 ? `Column ${at}` : ''}`),
})

/** Sends the bytes of the file as the request body. */
const RAW_BODY = { bodySerializer: (body: unknown) => body as File, headers: { 'content-type': 'text/csv' } }

export async function readPreview(file: File, options: FileOptions): Promise<Preview> {
  const { data } = await api.POST('/v1/accounts/import/preview', {
    params: { query: queryOf(file, options) },
    body: file as never,
    ...RAW_BODY,
  })
  if (!data) throw new Error('Unexpected response from the server.')
  return data.data
}

/** Uploads the file and returns the id of the import. */
export async function sendFile(file: File, options: FileOptions): Promise<string> {
  const { data } = await api.POST('/v1/accounts/import', {
    params: { query: queryOf(file, options) },
    body: file as never,
    ...RAW_BODY,
  })
  if (!data) throw new Error('Upload failed.')
  return data.data.id
}
