import type { components, paths } from './schema.ts'

/** The records of the API, by their names in its documentation. */
export type Schemas = components['schemas']

/** The error codes of the API. */
export type ErrorCode = Schemas['Error']['error']['code']

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that support a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never
}[keyof paths]

export type Operation<P extends keyof paths, M extends Method> = paths[P][M]

/** Options of every call, in addition to its parameters. */
export type Extras = {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** For POST: makes repeated requests take effect once. By default a key is generated for the call and its retries. */
  idempotencyKey?: string
}

type PathOf<O> = O extends { parameters: { path: infer V extends object } } ? { path: V } : { path?: never }
type QueryOf<O> = O extends { parameters: { query?: infer V } }
  ? [V] extends [never]
    ? unknown
    : { query?: V }
  : unknown
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer V } } }
  ? object extends V
    ? { body?: V }
    : { body: V }
  : O extends { requestBody?: never }
    ? { body?: never }
    : O extends { requestBody?: { content: { 'application/json': infer V } } }
      ? { body?: V }
      : { body?: never }

/** The input of a call: path parameters, query and body. */
export type Input<O> = Extras & PathOf<O> & QueryOf<O> & BodyOf<O>

/** Optional if no field of the input is required. */
export type InputArgument<O> = object extends Input<O> ? [input?: Input<O>] : [input: Input<O>]

type Succeeded = 200 | 201 | 202
type Body<O> = O extends { responses: infer R }
  ? { [S in keyof R & Succeeded]: R[S] extends { content: { 'application/json': infer V } } ? V : never }[keyof R &
      Succeeded]
  : never

type Unwrapped<B> = B extends { pagination: Schemas['Pagination'] } ? B : B extends { data: infer D } ? D : never

/** The result of a call: the record in `data`, or for a list the page with `data` and `pagination`. */
export type Output<O> = Unwrapped<Body<O>>

/** The paths of paginated lists. */
export type ListPath = {
  [P in PathsOf<'get'>]: Output<Operation<P, 'get'>> extends { pagination: unknown } ? P : never
}[PathsOf<'get'>]

/** One record of a list. */
export type Item<P extends ListPath> =
  Output<Operation<P, 'get'>> extends { data: (infer R)[]; pagination: unknown } ? R : never
