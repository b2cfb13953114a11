import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { MAX_LINK_CHARS } from '../engine/text/web-address.ts'
import { ERROR_STATUS, type ErrorCode } from '../shared/errors.ts'

/** A value or null, as a list of types: the serializer handles it much faster than a union. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type } = schema as { type?: string }
  // An enum has no `type` until null is added.
  const values = (schema as { enum?: unknown[] }).enum
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type ?? 'string', 'null'],
    ...(values ? { enum: [...values, null] } : {}),
  })
}

export function OneOf<const T extends string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options })
}

export const Timestamp = (options: object = {}) => Type.String({ format: 'date-time', ...options })

/** A link to store: http or https only. */
export const WebLink = (options: object = {}) =>
  Type.String({ format: 'web-link', maxLength: MAX_LINK_CHARS, ...options })

/** The id in a path. A malformed one fails validation, which returns 404 as for an unknown id. */
export const IdParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

export const Deleted = Type.Object(
  { id: Type.String(), deleted: Type.Literal(true) },
  { title: 'Deleted', examples: [{ id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', deleted: true }] },
)

/** The response to every deletion. */
export const deleted = (id: string) => ({ id, deleted: true as const })

/** A record in a response: only the listed fields are serialized, so a secret cannot leak. */
export function Rec<T extends TProperties>(title: string, properties: T, example: object): TObject<T> {
  return Type.Object(properties, { title, additionalProperties: false, examples: [example] })
}

/** The example of a record; a list contains one record. */
export function exampleOf(schema: TSchema): unknown {
  const { examples, items } = schema as { examples?: unknown[]; items?: TSchema }
  return examples?.[0] ?? (items ? [exampleOf(items)] : undefined)
}

/** A request body. Unknown fields are removed by validation. */
export function Body<T extends TProperties>(
  title: string,
  properties: T,
  example: object,
  options: object = {},
): TObject<T> {
  return Type.Object(properties, { title, examples: [example], ...options })
}

/** The range of PostgreSQL's integer. */
export const INTEGER_RANGE = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const

const MAX_PAGE = INTEGER_RANGE.maximum
export const MAX_PER_PAGE = 100

/** `page` and `per_page` with the default size of the list. */
export function PageQuery(defaultSize: number) {
  return {
    page: Type.Integer({ minimum: 1, default: 1, description: 'Page number, from 1' }),
    per_page: Type.Integer({
      minimum: 1,
      default: defaultSize,
      description: `Records per page; values above ${MAX_PER_PAGE} return ${MAX_PER_PAGE}`,
    }),
  }
}

export type PageRequest = { page: number; per_page: number }

/** Limits page and page size to their maximum instead of rejecting larger values. */
export function clampPage<T extends PageRequest>(request: T): T {
  const { page, per_page } = request
  return { ...request, page: Math.min(page, MAX_PAGE), per_page: Math.min(per_page, MAX_PER_PAGE) }
}

export const Pagination = Type.Object(
  { total: Type.Integer(), page: Type.Integer(), per_page: Type.Integer(), has_more: Type.Boolean() },
  { title: 'Pagination', examples: [{ total: 120, page: 1, per_page: 50, has_more: true }] },
)

export type Page<T> = { data: T[]; pagination: Static<typeof Pagination> }

export function toPage<T>(data: T[], total: number, { page, per_page }: PageRequest): Page<T> {
  return { data, pagination: { total, page, per_page, has_more: page * per_page < total } }
}

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: OneOf(Object.keys(ERROR_STATUS) as ErrorCode[]),
      message: Type.String(),
      details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
      request_id: Type.String(),
    }),
  },
  {
    title: 'Error',
    examples: [
      {
        error: {
          code: 'invalid_request',
          message: 'title is required.',
          details: [{ path: 'title', message: 'is required' }],
          request_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
        },
      },
    ],
  },
)
