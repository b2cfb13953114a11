import { Readable } from 'node:stream'
import type { Static } from 'typebox'
import type { StoredImportOptions } from '../db/company-tables.ts'
import type { Deps } from '../deps/deps.ts'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { AppError, SetupError } from '../shared/errors.ts'
import { importAccounts } from './accounts.ts'
import type { ImportCounts } from './batches.ts'
import { ACCOUNT_COLUMNS } from './columns.ts'
import { type CsvLayout, readCsvWithLayout } from './csv-file.ts'
import { RowRejected } from './fields.ts'
import type { AccountsFile, AccountsPreview } from './schema.ts'
import { openImportStream } from './source.ts'

type Preview = Static<typeof AccountsPreview>

/** Maximum number of rows in the preview. */
const SHOWN_ROWS = 20
const SHOWN_ERRORS = 100
const SHOWN_COLUMNS = 500
const HEADER_CHARS = 300
const SAMPLES = 3
const SAMPLE_CHARS = 80

/** Parses the query of an account import. Throws invalid_request for a field that accounts do not have. */
export function parseImportOptions({ column = [], tag, ...layout }: Static<typeof AccountsFile>): StoredImportOptions {
  const columns = Object.fromEntries(
    column.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1).trim()]
    }),
  )
  const unknown = Object.keys(columns).find((field) => !Object.hasOwn(ACCOUNT_COLUMNS, field))
  if (unknown !== undefined) {
    const message = `must not name ${unknown}, which is no field; there are: ${Object.keys(ACCOUNT_COLUMNS).join(', ')}`
    throw new AppError('invalid_request', `column ${message}.`, { details: [{ path: 'column', message }] })
  }
  return { ...layout, ...(tag ? { tag: tag.trim() } : {}), ...(column.length > 0 ? { columns } : {}) }
}

/**
 * Reads a whole file of accounts like an import and returns the outcome without storing anything. Throws invalid_request for
 * an unreadable file.
 */
export async function previewAccountImport(
  { db }: Pick<Deps, 'db'>,
  workspaceId: string,
  options: StoredImportOptions,
  body: AsyncIterable<Buffer>,
  gone: AbortSignal,
): Promise<Preview> {
  const refusal: { error?: unknown } = {}
  try {
    const source = await openImportStream(
      'The file',
      Readable.from(recordFailure(body, refusal), { objectMode: false }),
      () => null,
    )
    const { layout, rows } = await readCsvWithLayout(source, ACCOUNT_COLUMNS, options)
    const errors: Preview['errors'] = []
    const preview: Preview['preview'] = []
    let counts: ImportCounts = { rows: 0, created: 0, existing: 0, rejected: 0 }
    const failure = await importAccounts({ db }, workspaceId, until(gone, rows), {
      dryRun: true,
      tag: options.tag,
      onProgress: (now) => {
        counts = now
      },
      onRejected: (rejected) => {
        if (errors.length < SHOWN_ERRORS) errors.push(rejected)
      },
      onRow: (line, account, outcome) => {
        if (preview.length >= SHOWN_ROWS) return
        preview.push({ line, outcome: outcome instanceof RowRejected ? 'rejected' : outcome, account })
      },
    }).then(
      () => null,
      (error) => {
        if (refusal.error || !(error instanceof SetupError)) throw error
        return error.message
      },
    )
    return { ...toColumnPreview(layout()), ...counts, errors, preview, failure }
  } catch (error) {
    // An error of the request body is not an error of the file.
    if (refusal.error) throw refusal.error
    if (error instanceof SetupError) throw new AppError('invalid_request', error.message, { cause: error })
    throw error
  }
}

/** Yields the body and records its error, because the parser reports every error as an error of the file. */
async function* recordFailure(body: AsyncIterable<Buffer>, refusal: { error?: unknown }): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    // The consumer stopped reading, which is not an error of the body.
    if ((error as Error).name !== 'AbortError') refusal.error = error
    throw error
  }
}

function toColumnPreview({ encoding, delimiter, has_header, headers, columns, sample }: CsvLayout) {
  const fieldOf = new Map([...columns].map(([field, at]) => [at, field]))
  const shown = (text: string) => cutText(toStorable(text), SAMPLE_CHARS)
  return {
    encoding,
    delimiter,
    has_header,
    columns: headers.slice(0, SHOWN_COLUMNS).map((header, at) => ({
      header: cutText(toStorable(header), HEADER_CHARS),
      field: fieldOf.get(at) ?? null,
      samples: sample
        .flatMap((record) => record[at] || [])
        .slice(0, SAMPLES)
        .map(shown),
    })),
    fields: Object.keys(ACCOUNT_COLUMNS),
  }
}

async function* until<T>(signal: AbortSignal, all: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const one of all) {
    signal.throwIfAborted()
    yield one
  }
}
