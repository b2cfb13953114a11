import { type Static, Type } from 'typebox'
import { type CrmReply, type ResponseClass, retryAfter, sentence } from '../vendor/call.ts'
import { fieldsAt } from '../vendor/mapping.ts'
import { Maybe, responseShape } from '../vendor/response.ts'
import type { CrmObject, FieldTargets, RowProblem } from '../vendor/types.ts'
import { uniqueOf } from './fields.ts'

export const LABEL = 'HubSpot'

const names = Maybe(Type.Array(Type.String()))
const ErrorContext = Type.Object({
  ids: names,
  objectWriteTraceId: names,
  fromObjectId: names,
  propertyName: names,
  requiredGranularScopes: names,
})

/** An error as HubSpot writes it: for a whole call, or for one record of a batch. */
export const HubspotError = Type.Object({
  message: Maybe(Type.String()),
  category: Maybe(Type.String()),
  policyName: Maybe(Type.String()),
  context: Maybe(ErrorContext),
  errors: Maybe(Type.Array(Type.Object({ in: Maybe(Type.String()), context: Maybe(ErrorContext) }))),
})
export type HubspotError = Static<typeof HubspotError>

const ErrorResponse = responseShape(HubspotError)

/** An error of a response; empty when it has another shape, because the status suffices. */
export const readError = (body: unknown): HubspotError => ErrorResponse.find(body) ?? {}

/** HubSpot documents a pause of two seconds after a 423. */
const LOCKED_SECONDS = 2
/** The limit is a sliding window of ten seconds, so a short pause frees some calls. */
const LIMITED_SECONDS = 1

/** The readable part of a message: of a JSON list of properties, the message of the first. */
function wordsOf(message: string): string {
  const plain = message.replace(/^\s*Property values were not valid:\s*\[?/, '')
  return /"message":"((?:[^"\\]|\\.)*)"/.exec(plain)?.[1]?.replaceAll('\\"', '"') ?? plain
}

export function classifyResponse({ status, headers, body }: CrmReply): ResponseClass {
  if (status < 300) return { is: 'ok' }
  const error = readError(body)
  const { policyName } = error
  if (status === 401) return { is: 'token_expired' }
  if (status === 403) {
    const scopes = missingScopes(error)
    const more = scopes.length > 0 ? ` It needs ${scopes.join(', ')}.` : ''
    return {
      is: 'error',
      kind: 'auth',
      message: `${LABEL} does not let this connection do that.${more} Connect it again with more rights.`,
    }
  }
  if (status === 429 && policyName === 'DAILY') {
    return {
      is: 'error',
      kind: 'quota',
      message: `${LABEL}'s daily limit of calls is used up.`,
    }
  }
  if (status === 429)
    return {
      is: 'retry',
      seconds: retryAfter(headers) ?? LIMITED_SECONDS,
      message: `${LABEL} takes no more calls for the moment. Try again in a minute.`,
    }
  if (status === 423)
    return {
      is: 'retry',
      seconds: retryAfter(headers) ?? LOCKED_SECONDS,
      message: `${LABEL} is changing these records at the moment. Try again in a minute.`,
    }
  if (status === 477)
    return {
      is: 'error',
      kind: 'quota',
      message: `${LABEL} is moving this account to another data centre.`,
    }
  if (status >= 500)
    return {
      is: 'retry',
      seconds: retryAfter(headers) ?? 1,
      message: `${LABEL} has a fault at the moment. Try again in a few minutes.`,
    }
  if (isPropertyMissing(error)) return { is: 'error', kind: 'schema', message: PROPERTY_MISSING }
  return { is: 'error', kind: 'refused', message: `${LABEL} refused it: ${sentence(wordsOf(error.message ?? ''))}` }
}

export type ActivityType = 'notes' | 'tasks'

/** The scope HubSpot documents for notes and tasks. */
const ACTIVITY_SCOPE = 'crm.objects.contacts.write'

/** A refused activity concerns neither the records nor the rest of the connection, so the error names what it needs. */
export const classifyActivityResponse =
  (type: ActivityType) =>
  (reply: CrmReply): ResponseClass => {
    if (reply.status !== 403) return classifyResponse(reply)
    const error = readError(reply.body)
    const scopes = missingScopes(error)
    const needed = scopes.length > 0 || error.category !== 'MISSING_SCOPES' ? scopes : [ACTIVITY_SCOPE]
    const remedy =
      needed.length > 0
        ? `add the ${needed.length > 1 ? 'scopes' : 'scope'} ${needed.join(', ')} and connect it again.`
        : sentence(error.message ?? '')
    const message = `${LABEL} does not let the connection write ${type}: ${remedy}`
    return { is: 'error', kind: 'refused', message }
  }

export const PROPERTY_MISSING = `A property the service keeps in ${LABEL} is missing.`

export function isPropertyMissing({ category, message }: HubspotError): boolean {
  return category === 'PROPERTY_DOESNT_EXIST' || Boolean(message?.includes('PROPERTY_DOESNT_EXIST'))
}

const TAKEN = `${LABEL} has another record with the same email or profile page.`

/** The record that has a unique value, if the message names it; the wording differs between emails and other properties. */
function holderOf(message: string): string | undefined {
  return /Existing ID: *(\d+)/i.exec(message)?.[1] ?? /(\d+) already has that value/i.exec(message)?.[1]
}

/** The problem of a unique value that another record has; null for another error. */
export function takenBy(targets: FieldTargets[CrmObject], message: string, status: number | null): RowProblem | null {
  const existing = holderOf(message)
  if (!existing) return null
  const name = /propertyName=(\w+)/.exec(message)?.[1] ?? (/Contact already exists/.test(message) ? 'email' : '')
  const unique = uniqueOf(targets, name)
  return { kind: 'taken', status, message: TAKEN, existing, ...(unique ? { unique } : {}) }
}

/** Converts an error of a batch to the problem of its record. */
export function problemOf(targets: FieldTargets[CrmObject], error: HubspotError): RowProblem {
  const { category } = error
  const message = error.message ?? ''
  const taken = takenBy(targets, message, 409)
  if (taken) return taken
  if (category === 'OBJECT_NOT_FOUND') return { kind: 'gone', status: 404, message: `It was deleted in ${LABEL}.` }
  if (category === 'RATE_LIMITS')
    return { kind: 'busy', status: 429, message: `${LABEL} takes no more calls for the moment.` }
  const fields = fieldsAt(targets, propertiesNamed(error))
  return {
    kind: 'refused',
    status: 400,
    message: `${LABEL} refused it: ${sentence(wordsOf(message))}`,
    ...(fields.length > 0 ? { fields } : {}),
  }
}

function propertiesNamed({ context, errors }: HubspotError): string[] {
  return [
    ...(context?.propertyName ?? []),
    ...(errors ?? []).flatMap((error) => [error.in ?? '', ...(error.context?.propertyName ?? [])]),
  ]
}

function missingScopes({ errors }: HubspotError): string[] {
  return [...new Set((errors ?? []).flatMap(({ context }) => context?.requiredGranularScopes ?? []))]
}
