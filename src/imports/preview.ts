import { Readable } from 'node:stream'
import type { Static } from 'typebox'
import type { StoredImportOptions } from '../db/company-tables.ts'
import type { Deps } from '../deps/deps.ts'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { AppError, SetupError } from '../shared/errors.ts'
import { type DuplicateRow, importAccounts, type RowRemarks } from './accounts.ts'
import type { ImportCounts } from './batches.ts'
import { ACCOUNT_COLUMNS } from './column-names.ts'
import { type CsvLayout, readCsvWithLayout } from './csv-file.ts'
import { RowRejected } from './fields.ts'
import type { AccountsFile, AccountsPreview } from './schema.ts'
import { openImportStream } from './source.ts'

type Preview = Static<typeof AccountsPreview>

/** Maximum number of rows in the preview. */
const SHOWN_ROWS = 20
const SHOWN_ERRORS = 100
const SHOWN_DUPLICATES = 100
const SHOWN_COLUMNS = 500
const HEADER_CHARS = 300
const SAMPLES = 3
const SAMPLE_CHARS = 80

/** Parses the query of an account import. Throws invalid_request for a field that accounts do not have. */
export function parseImportOptions({
  column = [],
  tag,
  file_name: _name,
  ...layout
}: Static<typeof AccountsFile>): StoredImportOptions {
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
  deps: Pick<Deps, 'db' | 'now'>,
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
    const duplicates: DuplicateRow[] = []
    let remarks: RowRemarks = { without_domain: 0, completable: 0, unknown_owner: 0 }
    let counts: ImportCounts = { rows: 0, created: 0, existing: 0, rejected: 0 }
    const failure = await importAccounts(deps, workspaceId, until(gone, rows), {
      dryRun: true,
      tag: options.tag,
      fillDomains: options.fill_domains,
      onProgress: (now) => {
        counts = now
      },
      onRejected: (rejected) => {
        if (errors.length < SHOWN_ERRORS) errors.push(rejected)
      },
      onDuplicate: (duplicate) => {
        if (duplicates.length < SHOWN_DUPLICATES) duplicates.push(duplicate)
      },
      onRemarks: (now) => {
        remarks = now
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
    const { without_domain, completable } = remarks
    const found = layout()
    const warnings = warningsOf(found, remarks)
    return {
      ...toColumnPreview(found),
      ...counts,
      without_domain,
      completable,
      warnings,
      duplicates,
      errors,
      preview,
      failure,
    }
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

function warningsOf({ columns }: CsvLayout, { without_domain, completable, unknown_owner }: RowRemarks) {
  const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`)
  const byName = completable > 0 ? ` ${rows(completable)} can be completed by company name.` : ''
  const warnings: Preview['warnings'] = []
  if (!columns.has('domain') && !columns.has('email') && without_domain > 0) {
    const message = `No column with domains or websites was found. Without a domain, a company’s website cannot be read and email addresses cannot be found.${byName}`
    warnings.push({ code: 'no_domain_column', message })
  } else if (without_domain > 0) {
    warnings.push({ code: 'rows_without_domain', message: `No domain: ${rows(without_domain)}.${byName}` })
  }
  if (unknown_owner > 0) {
    const message = `Owner not in this workspace: ${rows(unknown_owner)}. These accounts are imported without an owner.`
    warnings.push({ code: 'unknown_owner', message })
  }
  return warnings
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
