import type { ErrorObject } from 'ajv'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode, type ErrorDetail, notFound } from '../shared/errors.ts'
import { invalidTextError } from './reject-invalid-text.ts'

/** Converts any thrown error to the error body of the API. Only messages of AppErrors are sent; other errors are logged. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toAppError(error)
  if (refusal.status >= 500) request.log.error({ err: refusal.cause ?? error }, refusal.message)
  return sendError(refusal, request, reply)
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.code === 'unauthenticated' && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer')
  if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
  const body = {
    error: {
      code: error.code,
      message: error.message,
      ...(error.details ? { details: error.details } : {}),
      request_id: request.id,
    },
  }
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Errors of Fastify, by status. */
const BY_STATUS: Record<number, [ErrorCode, string]> = {
  413: ['payload_too_large', 'The request body is too large. Send fewer records in one call.'],
  415: ['unsupported_media_type', 'Send the body as JSON with "Content-Type: application/json".'],
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseGone(error)) {
    const message = 'The database cannot be reached right now. Try again shortly.'
    return new AppError('unavailable', message, { retryAfter: 5, cause: error })
  }
  const known = error as FastifyError & { validation?: ErrorObject[]; validationContext?: string }
  if (known.validation) return invalidRequest(known.validation, known.validationContext ?? 'body')
  if (known.code === 'FST_ERR_BAD_URL') return invalidTextError('path')
  const byStatus = BY_STATUS[known.statusCode ?? 500]
  if (byStatus) return new AppError(...byStatus)
  if (known.statusCode === 404 || known.statusCode === 414) return notFound('record')
  if (known.statusCode && known.statusCode < 500)
    return new AppError('invalid_request', `${known.message.replace(/\.$/, '')}.`)
  const message = 'Something went wrong on our side. It has been logged under this request_id.'
  return new AppError('internal', message, { cause: error })
}

export function invalidRequest(errors: ErrorObject[], context: string): AppError {
  if (context === 'params') return notFound('record')
  const seen = new Set<string>()
  const details: ErrorDetail[] = []
  for (const error of errors) {
    // The branches of a union already report these errors.
    if (error.keyword === 'if' || error.keyword === 'anyOf') continue
    const missing = error.keyword === 'required' ? `/${error.params.missingProperty}` : ''
    const path = (error.instancePath + missing).slice(1).replaceAll('/', '.') || context
    if (seen.has(path)) continue
    seen.add(path)
    details.push({ path, message: sentence(error) })
    if (details.length === 20) break
  }
  const first = details[0] ?? { path: context, message: 'is not valid' }
  return new AppError('invalid_request', `${first.path} ${first.message}.`, { details })
}

const FORMATS: Record<string, string> = {
  'date-time': 'must be a time such as 2026-11-15T09:30:00Z',
  email: 'must be an email address',
  'web-link': 'must be a link that begins with https:// or http://',
}

function sentence(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'enum':
      return `must be one of ${(error.params.allowedValues as unknown[]).filter((v) => v !== null).join(', ')}`
    case 'type':
      return `must be ${[error.params.type].flat().join(' or ')}`
    case 'pattern': {
      const { 'x-error-message': own } = error.parentSchema as { 'x-error-message'?: string }
      if (own) return own
      return error.params.pattern === '\\S' ? 'must not be blank' : 'has characters it must not have'
    }
    case 'format':
      return FORMATS[error.params.format as string] ?? (error.message as string)
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : (error.message ?? 'is too short')
    default:
      return error.message ?? 'is not valid'
  }
}

const GONE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // query_canceled: the statement timeout of PostgreSQL.
  '57014',
  // read_only_sql_transaction: the server became a standby, or the connection leads to one, during a failover.
  '25006',
])

/** Whether the error means that PostgreSQL is unavailable, not that a query is wrong. */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // A host with several addresses fails with one error per address.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseGone)
  const { code } = error as NodeJS.ErrnoException
  // Class 08: connection exceptions; 57P0x: the server shuts down, starts up or crashed; class 53 and 58030: insufficient
  // disk, memory or connections.
  if (code && (GONE_CODES.has(code) || /^(08|53|57P0|58030)/.test(code)))
    return 'syscall' in error || !code.startsWith('E')
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
    error.message,
  )
}
