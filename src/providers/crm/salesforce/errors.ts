import { type Static, Type } from 'typebox'
import { type CrmReply, type ResponseClass, retryAfter, sentence } from '../vendor/call.ts'
import { fieldsAt } from '../vendor/mapping.ts'
import { Maybe, responseShape } from '../vendor/response.ts'
import type { CrmObject, FieldTargets, RowProblem } from '../vendor/types.ts'
import { KEY } from './fields.ts'

export const LABEL = 'Salesforce'

/** The errors of a whole call. */
const ErrorResponse = responseShape(
  Type.Array(Type.Object({ errorCode: Maybe(Type.String()), message: Maybe(Type.String()) })),
)

/** An error of one record of a collection. */
export const RecordError = Type.Object({
  statusCode: Maybe(Type.String()),
  message: Maybe(Type.String()),
  fields: Maybe(Type.Array(Type.String())),
})
type RecordError = Static<typeof RecordError>

export function classifyResponse({ status, headers, body }: CrmReply): ResponseClass {
  if (status < 300) return { is: 'ok' }
  // The status suffices for an error body of another shape.
  const [error] = ErrorResponse.find(body) ?? []
  const { errorCode } = error ?? {}
  const message = error?.message ?? ''
  if (status === 401) return { is: 'token_expired' }
  if (errorCode === 'REQUEST_LIMIT_EXCEEDED') {
    // The same code stands for too many concurrent calls and for too many in a day.
    if (/concurrent/i.test(message))
      return {
        is: 'retry',
        seconds: 2,
        message: `${LABEL} takes no more calls for the moment. Try again in a minute.`,
      }
    return {
      is: 'error',
      kind: 'quota',
      message: `${LABEL}'s daily limit of calls is used up.`,
    }
  }
  if (status === 403)
    return {
      is: 'error',
      kind: 'auth',
      message: `${LABEL} does not let this user do that: ${sentence(message)} Connect it again with a user who may.`,
    }
  if (status === 429 || status === 503 || status >= 500)
    return {
      is: 'retry',
      seconds: retryAfter(headers) ?? 1,
      message: `${LABEL} cannot respond at the moment. Try again in a few minutes.`,
    }
  if (errorCode === 'INVALID_FIELD' || errorCode === 'INVALID_FIELD_FOR_INSERT_UPDATE')
    return {
      is: 'error',
      kind: 'schema',
      message: `A field the service keeps in ${LABEL} is missing or not visible to the connected user.`,
    }
  return { is: 'error', kind: 'refused', message: `${LABEL} refused it: ${sentence(message)}` }
}

const NO_TASKS = /^(INSUFFICIENT_ACCESS|INVALID_TYPE$|INVALID_FIELD)/

/** A refused task concerns neither the records nor the rest of the connection, so the error names what it needs. */
export function classifyTaskResponse(reply: CrmReply): ResponseClass {
  const response = classifyResponse(reply)
  const [error] = ErrorResponse.find(reply.body) ?? []
  const isRefused = response.is === 'error' && (response.kind === 'auth' || NO_TASKS.test(error?.errorCode ?? ''))
  if (!isRefused) return response
  const why = `${LABEL} does not let the connected user write tasks: ${sentence(error?.message ?? '')}`
  const remedy = 'Give the user the permissions "Access Activities" and "Edit Tasks", and try again.'
  return { is: 'error', kind: 'refused', message: `${why} ${remedy}` }
}

const GONE = new Set(['ENTITY_IS_DELETED', 'NOT_FOUND', 'MALFORMED_ID'])
const BUSY = new Set([
  'UNABLE_TO_LOCK_ROW',
  'SERVER_UNAVAILABLE',
  'REQUEST_RUNNING_TOO_LONG',
  'QUERY_TIMEOUT',
  'PROCESSING_HALTED',
])

/** Converts an error of one record to its problem. */
export function problemOf(targets: FieldTargets[CrmObject], error: RecordError): RowProblem {
  const statusCode = error.statusCode ?? ''
  const message = error.message ?? ''
  const names = error.fields ?? []
  const fields = fieldsAt(targets, names)
  const about = fields.length > 0 ? { fields } : {}
  if (statusCode === 'INVALID_CROSS_REFERENCE_KEY' && names.includes('AccountId'))
    return { kind: 'busy', status: 404, message: `Its company was deleted in ${LABEL} a moment ago. Push it again.` }
  // The error may concern the record or another one that it references.
  const isItself = statusCode === 'INVALID_CROSS_REFERENCE_KEY' && names.every((name) => name === 'Id')
  if (isItself || GONE.has(statusCode)) return { kind: 'gone', status: 404, message: `It was deleted in ${LABEL}.` }
  if (BUSY.has(statusCode))
    return { kind: 'busy', status: null, message: `${LABEL} is busy with this record. Push it again in a minute.` }
  if (statusCode === 'DUPLICATE_VALUE') {
    const existing = /record with id: *(\w{15,18})/i.exec(message)?.[1]
    const name = /duplicate value found: *(\w+)/i.exec(message)?.[1] ?? ''
    const unique = name === KEY ? 'key' : fieldsAt(targets, [name])[0]
    return {
      kind: 'taken',
      status: 400,
      message: `${LABEL} has another record with the same value.`,
      ...about,
      ...(existing ? { existing: longId(existing) } : {}),
      ...(unique ? { unique } : {}),
    }
  }
  if (statusCode === 'DUPLICATE_EXTERNAL_ID')
    return {
      kind: 'refused',
      status: 300,
      message: `${LABEL} has several records with the same Bellwether id. Merge them there.`,
    }
  if (statusCode === 'DUPLICATES_DETECTED')
    return {
      kind: 'refused',
      status: 400,
      message: `A duplicate rule in ${LABEL} stopped it: a similar record is there already.`,
    }
  return { kind: 'refused', status: 400, message: `${LABEL} refused it: ${sentence(message)}`, ...about }
}

/** Messages contain ids of 15 characters, records ids of 18: the last three encode which of the others are capitals. */
export function longId(id: string): string {
  if (id.length !== 15) return id
  const suffix = [0, 5, 10].map((from) => {
    const capitals = [...id.slice(from, from + 5)].reduce(
      (sum, letter, at) => sum + (/[A-Z]/.test(letter) ? 1 << at : 0),
      0,
    )
    return 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'[capitals]
  })
  return id + suffix.join('')
}
