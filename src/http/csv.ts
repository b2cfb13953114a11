import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

export function wantsCsv(request: FastifyRequest): boolean {
  return request.headers.accept?.split(',').some((type) => type.trim().startsWith('text/csv')) ?? false
}

/** Streams rows as CSV: a header line, then a line for each row. Memory does not grow with their number. */
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

/** Lines are gathered: a chunk for each would cost more than its line. */
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
 * What a spreadsheet takes for the beginning of a formula, also in the wide forms some of them know; numbers and phones stay.
 * Where lists are separated by semicolons, it cuts there whatever quotes say, so each part of a text is the beginning of a cell.
 */
const FORMULA = /(^|[;\t\r\n])(?=(?:[^\S\t\r\n]|")*(?:[=@＝＠]|[-+－＋](?!(?:[\d().-]|[^\S\t\r\n])*(?:$|[;\t\r\n]))))/g

/** A cell that a spreadsheet would run as a formula begins with an apostrophe instead. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  const safe = text.replace(FORMULA, "$1'").replace(/^[\t\r\n]/, "'$&")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
