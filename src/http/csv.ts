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

/** A cell that a spreadsheet would run as a formula begins with an apostrophe instead; numbers and phones stay. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  const safe = /^[=@\t\r]|^[+-](?![\d\s().-]*$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
