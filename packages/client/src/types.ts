import type { components, paths } from './schema.ts'

/** The records of the API, by their names in its documentation. */
export type Schemas = components['schemas']

/** What an error can be about: the codes of the API. */
export type ErrorCode = Schemas['Error']['error']['code']

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that know a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never
}[keyof paths]

export type Operation<P extends keyof paths, M extends Method> = paths[P][M]

/** What a call may be told beside what the API asks of it. */
export type Extras = {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Of a POST: makes it happen once, however often it is sent. Without it one is made up for the call and its retries. */
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

/** What a call takes: the placeholders of its path, its query and its body. */
export type Input<O> = Extras & PathOf<O> & QueryOf<O> & BodyOf<O>

/** May be left out where nothing in it is needed. */
export type InputArgument<O> = object extends Input<O> ? [input?: Input<O>] : [input: Input<O>]

type Succeeded = 200 | 201 | 202
type Body<O> = O extends { responses: infer R }
  ? { [S in keyof R & Succeeded]: R[S] extends { content: { 'application/json': infer V } } ? V : never }[keyof R &
      Succeeded]
  : never

type Unwrapped<B> = B extends { pagination: Schemas['Pagination'] } ? B : B extends { data: infer D } ? D : never

/** What a call answers: the record under `data`; of a list its page, `data` and `pagination`. */
export type Output<O> = Unwrapped<Body<O>>

/** The paths whose lists come in pages. */
export type ListPath = {
  [P in PathsOf<'get'>]: Output<Operation<P, 'get'>> extends { pagination: unknown } ? P : never
}[PathsOf<'get'>]

/** One record of a list. */
export type Item<P extends ListPath> =
  Output<Operation<P, 'get'>> extends { data: (infer R)[]; pagination: unknown } ? R : never
