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
 * Throws unless the caller may make the call now. It is asked before the handler, and before an answer that was kept for an
 * Idempotency-Key is given again.
 */
export type Allow = (
  deps: Deps,
  // Both are validated by then, against the operation's own schemas.
  request: { member: Member; params: { id: string }; body: unknown },
) => Promise<unknown>

type Declaration = {
  tag: string
  summary: string
  description?: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** Instead of `body`: media types of a body that is handed on as it comes, each with an example. */
  stream?: Record<string, string>
  /** Shape of `data`. */
  data?: TSchema
  /** Shape of one record of a paginated list; instead of `data`. */
  page?: TSchema
  /** What the answer's example says otherwise than the record's own. */
  example?: object
  /** 2xx statuses the call can answer with; the first is the usual one. */
  status?: (200 | 201 | 202)[]
  /** Refusals of this call's own, beside those every call can give. */
  errors?: ErrorCode[]
  /** Only an admin's key may call it. */
  admin?: boolean
  /** About what the whole team shares: not for members with scoped visibility. */
  shared?: boolean
  /** Needs neither a key nor a session: for signing in. Nothing of it is kept for an Idempotency-Key. */
  open?: boolean
  /** About the caller alone, so a read-only key may call it although it is no GET. */
  self?: boolean
  /** Whether it is allowed for this very record. */
  allow?: Allow
  /** Goes beyond the published specification; marked `x-extension` in the OpenAPI document. */
  extension?: boolean
  /** A POST that changes nothing: a repeat is done anew, so no answer of it is kept for an Idempotency-Key. */
  changesNothing?: boolean
  /** Names what it shows by an etag, and answers 304 to whoever has it. */
  etag?: boolean
  /** Answers as CSV too, to `Accept: text/csv`, or always. */
  csv?: boolean | 'only'
  /** Bytes a body may have, where the usual limit does not fit. */
  bodyLimit?: number
}

export type OperationConfig = {
  operationId: string
  admin: boolean
  shared: boolean
  open: boolean
  self: boolean
  allow: Allow | null
  /** The handler's answer is put under `data`. */
  envelope: boolean
  errors: ErrorCode[]
  changesNothing: boolean
  etag: boolean
  csv: boolean | 'only'
  /** What it answers with unless the handler says otherwise. */
  status: number
}

type Schema<K extends keyof Declaration, D> = D extends { [k in K]: infer S extends TSchema } ? S : undefined
type Answer<D> = D extends { page: infer S extends TSchema }
  ? Page<Static<S>>
  : D extends { data: infer S extends TSchema }
    ? Static<S>
    : never

/** What Fastify's types see of an operation: the handler returns the payload, the envelope is put around it later. */
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

/** Declares a call of the API: one schema validates it, types it, serialises its answer and documents it. */
export function op<const D extends Declaration>(operationId: string, declaration: D): RouteOptions<D> {
  const {
    tag,
    summary,
    description,
    params,
    query,
    body,
    data,
    page,
    status = [200],
    errors = [],
    admin = false,
    shared = false,
  } = declaration
  const payload = page ? Type.Array(page) : (data ?? Type.Object({}))
  const properties: Record<string, TSchema> = page ? { data: payload, pagination: Pagination } : { data: payload }
  const example = page ? exampleOfPage(page, query) : { data: exampleOfAnswer(payload, declaration) }
  const answer = Type.Object(properties, { examples: [example] })
  const schema = {
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
  return {
    schema,
    config: {
      operationId,
      admin,
      shared,
      open: declaration.open ?? false,
      self: declaration.self ?? false,
      allow: declaration.allow ?? null,
      envelope: !page,
      errors,
      changesNothing: declaration.changesNothing ?? false,
      etag: declaration.etag ?? false,
      csv: declaration.csv ?? false,
      status: status[0] ?? 200,
    },
    ...(declaration.bodyLimit ? { bodyLimit: declaration.bodyLimit } : {}),
    // The runtime schema is the real one; its type is simplified for the handler's sake.
  } as unknown as RouteOptions<D>
}

/** Nothing is asked of such a body before it is read. */
function streamed(types: Record<string, string>) {
  return {
    content: Object.fromEntries(Object.entries(types).map(([type, text]) => [type, { schema: { examples: [text] } }])),
  }
}

/** A list with one record on its only page, of the usual size. */
function exampleOfPage(page: TSchema, query: TSchema | undefined) {
  const { properties } = (query ?? {}) as { properties?: { per_page?: { default: number } } }
  return {
    data: [exampleOf(page)],
    pagination: { total: 1, page: 1, per_page: properties?.per_page?.default ?? 50, has_more: false },
  }
}

/** The record's example as it is after this call: with what the example of the body says of it. */
function exampleOfAnswer(data: TSchema, { body, example }: Pick<Declaration, 'body' | 'example'>): unknown {
  const record = exampleOf(data)
  if (!isRecord(record)) return record
  const sent = body ? exampleOf(body) : undefined
  const written = isRecord(sent) ? Object.entries(sent).filter(([field]) => field in record) : []
  return { ...record, ...Object.fromEntries(written), ...example }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
