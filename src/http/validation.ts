import { Ajv } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { isId } from '../ids.ts'
import { invalidRequest } from './errors.ts'

const TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** A time with its zone, on a day that exists: what JavaScript would mend, PostgreSQL refuses. */
function isTime(text: string): boolean {
  const day = TIME.exec(text)?.[1]
  if (!day || day < '0001') return false
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

const formats = {
  uuid: isId,
  'date-time': isTime,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  uri: (text: string) => URL.canParse(text),
}

const shared = {
  allErrors: true,
  useDefaults: true,
  removeAdditional: 'all',
  formats,
  strict: true,
  allowUnionTypes: true,
} as const

/** A body says its types itself. */
const bodies = new Ajv({ ...shared, coerceTypes: false })
/** Query, path and headers are text, so numbers and booleans are read from it. */
const texts = new Ajv({ ...shared, coerceTypes: true, removeAdditional: false })
for (const ajv of [bodies, texts]) ajv.addKeyword('x-extension')

/** Holds a value from elsewhere, such as the command line, against a body's schema. Throws invalid_request. */
export function checkBody<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const validate = bodies.compile(schema)
  if (!validate(value)) throw invalidRequest(validate.errors ?? [], 'body')
  return value as Static<T>
}

/** Compiled at the first use: the service has many routes and is up before anyone calls most of them. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const ajv = httpPart === 'body' ? bodies : texts
  let validate: ReturnType<typeof ajv.compile> | undefined
  return (data: unknown) => {
    validate ??= ajv.compile(schema)
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
