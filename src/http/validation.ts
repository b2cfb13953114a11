import { Ajv } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const formats = {
  uuid: UUID,
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)) && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text),
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
