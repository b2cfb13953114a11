import { api, type Schemas } from '../../api/client.ts'

export type Preview = Schemas['AccountsPreview']

/** How a file is to be read, where the guess is wrong. */
export type FileOptions = {
  /** The number of the column, from 1, by field; 0 leaves the field out. */
  columns?: Record<string, number>
  encoding?: Preview['encoding']
  delimiter?: Preview['delimiter']
  has_header?: boolean
  tag?: string
}

const queryOf = ({ columns = {}, tag, ...layout }: FileOptions) => ({
  ...layout,
  ...(tag?.trim() ? { tag: tag.trim() } : {}),
  column: Object.entries(columns).map(([field, at]) => `${field}=${at > 0 ? `Column ${at}` : ''}`),
})

/** A file goes as it is: its bytes are the body. */
const RAW_BODY = { bodySerializer: (body: unknown) => body as File, headers: { 'content-type': 'text/csv' } }

export async function readPreview(file: File, options: FileOptions): Promise<Preview> {
  const { data } = await api.POST('/v1/accounts/import/preview', {
    params: { query: queryOf(options) },
    body: file as never,
    ...RAW_BODY,
  })
  if (!data) throw new Error('The service did not say what is in the file.')
  return data.data
}

/** Sends the file to be imported and answers the id of the import. */
export async function sendFile(file: File, options: FileOptions): Promise<string> {
  const { data } = await api.POST('/v1/accounts/import', {
    params: { query: queryOf(options) },
    body: file as never,
    ...RAW_BODY,
  })
  if (!data) throw new Error('The service did not take the file.')
  return data.data.id
}
