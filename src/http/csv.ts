import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

export function wantsCsv(request: FastifyRequest): boolean {
  return request.headers.accept?.split(',').some((type) => type.trim().startsWith('text/csv')) ?? false
}

/** Streams rows as CSV: a header line, then one line per row. Memory use is constant. */
export function sendCsv(
  reply: FastifyReply,
  name: string,
  columns: readonly string[],
  rows: AsyncIterable<object>,
): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(Readable.from(lines(columns, rows)))
}

/** Lines are buffered, because a chunk per line would cost more than the line. */
const CHUNK = 64 * 1024

async function* lines(columns: readonly string[], rows: AsyncIterable<object>): AsyncGenerator<string> {
  let chunk = `${columns.join(',')}\r\n`
  for await (const row of rows as AsyncIterable<Record<string, unknown>>) {
    chunk += `${columns.map((column) => cell(row[column])).join(',')}\r\n`
    if (chunk.length > CHUNK) {
      yield chunk
      chunk = ''
    }
  }
  yield chunk
}

/**
 * The start of a spreadsheet formula, also with full-width characters; numbers and phone numbers do not match. Also matches
 * after a semicolon or tab: with some locales a spreadsheet splits cells there, ignoring quotes.
 */
const FORMULA = /(^|[;\t\r\n])(?=(?:[^\S\t\r\n]|")*(?:[=@＝＠]|[-+－＋](?!(?:[\d().-]|[^\S\t\r\n])*(?:$|[;\t\r\n]))))/g

/** Prefixes text that a spreadsheet would run as a formula with an apostrophe (CSV injection). */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  const safe = text.replace(FORMULA, "$1'").replace(/^[\t\r\n]/, "'$&")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
