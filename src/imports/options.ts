import type { Static } from 'typebox'
import type { StoredImportOptions } from '../db/company-tables.ts'
import { AppError } from '../shared/errors.ts'
import { ACCOUNT_COLUMNS } from './columns.ts'
import type { AccountsFile } from './schema.ts'

/** How a caller wants a file read. Throws invalid_request for a field that accounts do not have. */
export function readOptions({ column = [], tag, ...layout }: Static<typeof AccountsFile>): StoredImportOptions {
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
