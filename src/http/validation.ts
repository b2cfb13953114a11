import { Ajv, type ValidateFunction } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { webLink } from '../engine/text/web-address.ts'
import { isId } from '../shared/ids.ts'
import { invalidRequest } from './errors.ts'
import { rejectInvalidText } from './reject-invalid-text.ts'
import { stripNulls } from './strip-nulls.ts'

/** Offsets below 15 hours, the limit of PostgreSQL. */
const TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/i

/** A time with its zone on an existing day: PostgreSQL rejects days that JavaScript would adjust. */
function isTime(text: string): boolean {
  const day = TIME.exec(text)?.[1]
  // Conversion to UTC must not leave the range of four-digit years.
  if (!day || day < '0001-01-02' || day > '9999-12-30') return false
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

/** The rule of the API for an email address. */
export const EMAIL_FORMAT = /^[^\s@]{1,64}@[^\s@]{1,255}$/

const formats = {
  uuid: isId,
  'date-time': isTime,
  date: /^\d{4}-\d\d-\d\d$/,
  email: EMAIL_FORMAT,
  'web-link': (text: string) => webLink(text) !== null,
}

const shared = {
  allErrors: true,
  useDefaults: true,
  removeAdditional: 'all',
  formats,
  strict: true,
  // Includes the schema in errors, for its `x-error-message`.
  verbose: true,
  allowUnionTypes: true,
} as const

/** JSON has types, so nothing is coerced. */
const bodies = new Ajv({ ...shared, coerceTypes: false })
/**
 * Query, path and headers are text, so numbers and booleans are coerced. `1e400` is coerced to infinity: strictNumbers is
 * off, so that it is checked against the bounds like any other number.
 */
const texts = new Ajv({ ...shared, coerceTypes: true, removeAdditional: false, strictNumbers: false })
for (const ajv of [bodies, texts]) ajv.addKeyword('x-extension').addKeyword('x-error-message')

/** Validates a value from another source, such as the command line, with the schema of a body. Throws invalid_request. */
export function checkBody<T extends TSchema>(schema: T, value: unknown): Static<T> {
  rejectInvalidText(value, 'body')
  const validate = bodies.compile(schema)
  if (!validate(value)) throw invalidRequest(validate.errors ?? [], 'body')
  return value as Static<T>
}

const BOOLEANS: Record<string, string> = { true: 'true', false: 'false', 1: 'true', 0: 'false' }

/** Conversions of query values by type: spellings of booleans, and a single value of a list. */
const CONVERSIONS: Record<string, (given: string) => unknown> = {
  boolean: (given) => BOOLEANS[given.toLowerCase()] ?? given,
  array: (given) => [given],
}

/** Returns a function that converts the fields of a query in place. */
function convertQuery(schema: TSchema) {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  const readers = Object.entries(properties).flatMap(([name, { type }]) => {
    const read = CONVERSIONS[type ?? '']
    return read ? [{ name, read }] : []
  })
  if (readers.length === 0) return null
  return (value: unknown) => {
    const query = value as Record<string, unknown>
    for (const { name, read } of readers) {
      const given = query[name]
      if (typeof given === 'string') query[name] = read(given)
    }
  }
}

/** Compiles at the first use, which shortens the start of the service. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const isBody = httpPart === 'body'
  let compiled: { validate: ValidateFunction; forgive: ((data: unknown) => void) | null } | undefined
  return (data: unknown) => {
    compiled ??= {
      validate: (isBody ? bodies : texts).compile(schema),
      forgive: isBody ? stripNulls(schema) : convertQuery(schema),
    }
    const { validate, forgive } = compiled
    forgive?.(data)
    // Copied into a new error, because the compiled function overwrites its errors.
    return validate(data)
      ? { value: data }
      : { error: Object.assign(new Error('not valid'), { validation: validate.errors }) as Error }
  }
}

const serializers = new WeakMap<object, (data: unknown) => string>()

export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: ((data: unknown) => string) | undefined
  return (data) => {
    if (!serialize) {
      serialize = serializers.get(schema) ?? fastJsonStringify(schema)
      serializers.set(schema, serialize)
    }
    return serialize(data)
  }
}
