import type { Socket } from 'node:net'
import { ERROR_STATUS, type ErrorCode } from '../shared/errors.ts'
import { newId } from '../shared/ids.ts'

const REASONS: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
}

type Refusal = { code: ErrorCode; message: string; status?: number }

const UNREADABLE: Refusal = { code: 'invalid_request', message: 'This is not a request the service can read.' }

/** By the error code of the parser. */
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { code: 'invalid_request', message: 'The request headers are too large.', status: 431 },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'payload_too_large', message: 'The extensions of a chunk are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'The headers were sent too slowly.' },
}

type Headers = Readonly<Record<string, string>>

/** Sends the error body for requests that the HTTP parser rejects: not HTTP, too large headers, timed out. */
export function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket, headers: Headers): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else endWithResponse(socket, REFUSALS[error.code ?? ''] ?? UNREADABLE, headers)
}

/** Writes an error response to the socket and closes the connection. */
export function endWithResponse(
  socket: Socket,
  { code, message, status = ERROR_STATUS[code] }: Refusal,
  headers: Headers,
): void {
  const id = newId()
  const body = JSON.stringify({ error: { code, message, request_id: id } })
  const all = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    'x-request-id': id,
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroySoon())
}
