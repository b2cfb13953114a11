import { Ajv, type ValidateFunction } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { webLink } from '../engine/text/web-address.ts'
import { isId } from '../shared/ids.ts'
import { invalidRequest } from './errors.ts'
import { rejectInvalidText } from './reject-invalid-text.ts'
import { stripNulls } from './strip-nulls.ts'

/** PostgreSQL knows no zone further away than 15 hours; the earth has none. */
const TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/i

/** A time with its zone, on a day that exists: what JavaScript would mend, PostgreSQL refuses. */
function isTime(text: string): boolean {
  const day = TIME.exec(text)?.[1]
  // Its zone must not bring it out of the years that are written with four digits.
  if (!day || day < '0001-01-02' || day > '9999-12-30') return false
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

const formats = {
  uuid: isId,
  'date-time': isTime,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  'web-link': (text: string) => webLink(text) !== null,
}

const shared = {
  allErrors: true,
  useDefaults: true,
  removeAdditional: 'all',
  formats,
  strict: true,
  // For the message that a schema gives for itself.
  verbose: true,
  allowUnionTypes: true,
} as const

/** A body says its types itself. */
const bodies = new Ajv({ ...shared, coerceTypes: false })
/**
 * Query, path and headers are text, so numbers and booleans are read from it. `1e400` is read as infinite: not strict, so
 * that bounds are held against it like against any other number.
 */
const texts = new Ajv({ ...shared, coerceTypes: true, removeAdditional: false, strictNumbers: false })
for (const ajv of [bodies, texts]) ajv.addKeyword('x-extension').addKeyword('x-error-message')

/** Holds a value from elsewhere, such as the command line, against a body's schema. Throws invalid_request. */
export function checkBody<T extends TSchema>(schema: T, value: unknown): Static<T> {
  rejectInvalidText(value, 'body')
  const validate = bodies.compile(schema)
  if (!validate(value)) throw invalidRequest(validate.errors ?? [], 'body')
  return value as Static<T>
}

const BOOLEANS: Record<string, string> = { true: 'true', false: 'false', 1: 'true', 0: 'false' }

/** How the text of a field of a query is read, by its type: booleans as clients write them, one value of a list as a list. */
const FORGIVING: Record<string, (given: string) => unknown> = {
  boolean: (given) => BOOLEANS[given.toLowerCase()] ?? given,
  array: (given) => [given],
}

/** A function that reads the fields of a query as clients write them. */
function plainQuery(schema: TSchema) {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  const readers = Object.entries(properties).flatMap(([name, { type }]) => {
    const read = FORGIVING[type ?? '']
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

/** Compiled at the first use: the service has many routes and is up before anyone calls most of them. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const isBody = httpPart === 'body'
  let compiled: { validate: ValidateFunction; forgive: ((data: unknown) => void) | null } | undefined
  return (data: unknown) => {
    compiled ??= {
      validate: (isBody ? bodies : texts).compile(schema),
      forgive: isBody ? stripNulls(schema) : plainQuery(schema),
    }
    const { validate, forgive } = compiled
    forgive?.(data)
    // A copy of the errors: the compiled function keeps only the last run's.
    return validate(data)
      ? { value: data }
      : { error: Object.assign(new Error('not valid'), { validation: validate.errors }) as Error }
  }
}

export const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => {
  let serialize: ((data: unknown) => string) | undefined
  return (data) => {
    serialize ??= fastJsonStringify(schema as object)
    return serialize(data)
  }
}
