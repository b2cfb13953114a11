import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import type { Deps } from '../deps/deps.ts'
import type { ErrorCode } from '../shared/errors.ts'
import type { Member } from '../shared/member.ts'
import { exampleOf, type Page, Pagination } from './schema.ts'

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** A resource's route table. */
export type Routes = (app: App, deps: Deps) => void

/**
 * Throws unless the caller may perform the operation now. Called before the handler, and before a stored response of an
 * Idempotency-Key is replayed.
 */
export type CheckRights = (
  deps: Deps,
  // Both are validated against the schemas of the operation before.
  request: { member: Member; params: { id: string }; body: unknown },
) => Promise<unknown>

type Declaration = {
  tag: string
  summary: string
  description?: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** Instead of `body`: media types of a streamed body, each with an example. */
  stream?: Record<string, string>
  /** Shape of `data`. */
  data?: TSchema
  /** Shape of one record of a paginated list; instead of `data`. */
  page?: TSchema
  /** Fields of the response example that differ from the example of the record. */
  example?: object
  /** Possible 2xx statuses; the first is the default. */
  status?: (200 | 201 | 202)[]
  /** Error codes of this operation, in addition to those of every operation. */
  errors?: ErrorCode[]
  /** Only an admin's key may call it. */
  admin?: boolean
  /** Affects the whole workspace: not allowed for members with scoped visibility. */
  shared?: boolean
  /** Needs neither a key nor a session: for signing in. Responses are not stored for an Idempotency-Key. */
  open?: boolean
  /** Affects only the caller, so a read-only key may call it although it is not a GET. */
  self?: boolean
  /** Checks the rights to the record. */
  allow?: CheckRights
  /** Not part of the published specification; marked `x-extension` in the OpenAPI document. */
  extension?: boolean
  /** A POST without side effects: a retry runs again, so no response is stored for an Idempotency-Key. */
  changesNothing?: boolean
  /** A GET that exports or reveals personal data: each call has an entry in the audit log, as each change has. */
  audited?: boolean
  /**
   * Fields of the body or the response that the entry in the audit log names: what was done, with which records, where they
   * went. Ids of people are counted, because they would remain after an erasure.
   */
  recorded?: RecordedFields
  /** Sends an etag, and 304 when it matches If-None-Match. */
  etag?: boolean
  /** Also responds with CSV, to `Accept: text/csv`, or always. */
  csv?: boolean | 'only'
  /** Maximum body size in bytes, if it differs from the default. */
  bodyLimit?: number
}

type RecordedFields = Record<string, 'value' | 'ids' | 'count'>

export type OperationConfig = {
  operationId: string
  admin: boolean
  shared: boolean
  open: boolean
  self: boolean
  allow: CheckRights | null
  /** Whether the handler's result is wrapped in `data`. */
  envelope: boolean
  errors: ErrorCode[]
  changesNothing: boolean
  audited: boolean
  recorded: RecordedFields
  etag: boolean
  csv: boolean | 'only'
  /** The status unless the handler sets another. */
  status: number
}

type Schema<K extends keyof Declaration, D> = D extends { [k in K]: infer S extends TSchema } ? S : undefined
type Answer<D> = D extends { page: infer S extends TSchema }
  ? Page<Static<S>>
  : D extends { data: infer S extends TSchema }
    ? Static<S>
    : never

/** An operation for Fastify's types: the handler returns the payload, which is wrapped in the envelope later. */
type RouteOptions<D> = {
  schema: {
    params: Schema<'params', D>
    querystring: Schema<'query', D>
    body: Schema<'body', D>
    response: Record<200 | 201 | 202, ReturnType<typeof Type.Unsafe<Answer<D>>>>
  }
  config: OperationConfig
  bodyLimit?: number
}

/** The schemas of each operation. Servers of one process share them, and what is compiled from them (validation.ts). */
const schemas = new Map<string, object>()

/** Declares an operation of the API: one schema validates, types, serializes and documents it. */
export function op<const D extends Declaration>(operationId: string, declaration: D): RouteOptions<D> {
  const schema = schemas.get(operationId) ?? createSchema(operationId, declaration)
  schemas.set(operationId, schema)
  return {
    schema,
    config: {
      operationId,
      admin: declaration.admin ?? false,
      shared: declaration.shared ?? false,
      open: declaration.open ?? false,
      self: declaration.self ?? false,
      allow: declaration.allow ?? null,
      envelope: !declaration.page,
      errors: declaration.errors ?? [],
      changesNothing: declaration.changesNothing ?? false,
      audited: declaration.audited ?? false,
      recorded: declaration.recorded ?? {},
      etag: declaration.etag ?? false,
      csv: declaration.csv ?? false,
      status: declaration.status?.[0] ?? 200,
    },
    ...(declaration.bodyLimit ? { bodyLimit: declaration.bodyLimit } : {}),
    // The type is simplified for the handler; the schema at run time includes the envelope.
  } as unknown as RouteOptions<D>
}

function createSchema(operationId: string, declaration: Declaration): object {
  const { tag, summary, description, params, query, body, data, page, status = [200] } = declaration
  const payload = page ? Type.Array(page) : (data ?? Type.Object({}))
  const properties: Record<string, TSchema> = page ? { data: payload, pagination: Pagination } : { data: payload }
  const example = page ? exampleOfPage(page, query) : { data: exampleOfAnswer(payload, declaration) }
  const answer = Type.Object(properties, { examples: [example] })
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(params ? { params } : {}),
    ...(query ? { querystring: query } : {}),
    ...(body ? { body } : {}),
    ...(declaration.stream ? { body: streamed(declaration.stream) } : {}),
    ...(declaration.extension ? { 'x-extension': true } : {}),
    ...(declaration.open ? { security: [] } : {}),
    response: Object.fromEntries(status.map((code) => [code, answer])),
  }
}

/** A streamed body is not validated before it is read. */
function streamed(types: Record<string, string>) {
  return {
    content: Object.fromEntries(Object.entries(types).map(([type, text]) => [type, { schema: { examples: [text] } }])),
  }
}

/** A list with one record on its only page, with the default page size. */
function exampleOfPage(page: TSchema, query: TSchema | undefined) {
  const { properties } = (query ?? {}) as { properties?: { per_page?: { default: number } } }
  return {
    data: [exampleOf(page)],
    pagination: { total: 1, page: 1, per_page: properties?.per_page?.default ?? 50, has_more: false },
  }
}

/** The record's example after this operation: with the fields of the body's example. */
function exampleOfAnswer(data: TSchema, { body, example }: Pick<Declaration, 'body' | 'example'>): unknown {
  const record = exampleOf(data)
  if (!isRecord(record)) return record
  const sent = body ? exampleOf(body) : undefined
  const written = isRecord(sent) ? Object.entries(sent).filter(([field]) => field in record) : []
  return { ...record, ...Object.fromEntries(written), ...example }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
