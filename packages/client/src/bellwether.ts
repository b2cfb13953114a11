import { ApiError } from './errors.ts'
import type { paths } from './schema.ts'
import { type ClientOptions, Transport } from './transport.ts'
import type { Input, InputArgument, Item, ListPath, Method, Operation, Output, PathsOf, Schemas } from './types.ts'
import { type WaitOptions, waitFor } from './wait.ts'

type AnyInput = Input<unknown> & { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
type Page<T> = { data: T[]; pagination: Schemas['Pagination'] }

/** A client of a Bellwether service. Every call throws ApiError for an error response and Unreachable without a response. */
export class Bellwether {
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  get<P extends PathsOf<'get'>>(path: P, ...input: InputArgument<Operation<P, 'get'>>) {
    return this.#call<P, 'get'>('get', path, input[0])
  }

  post<P extends PathsOf<'post'>>(path: P, ...input: InputArgument<Operation<P, 'post'>>) {
    return this.#call<P, 'post'>('post', path, input[0])
  }

  put<P extends PathsOf<'put'>>(path: P, ...input: InputArgument<Operation<P, 'put'>>) {
    return this.#call<P, 'put'>('put', path, input[0])
  }

  patch<P extends PathsOf<'patch'>>(path: P, ...input: InputArgument<Operation<P, 'patch'>>) {
    return this.#call<P, 'patch'>('patch', path, input[0])
  }

  delete<P extends PathsOf<'delete'>>(path: P, ...input: InputArgument<Operation<P, 'delete'>>) {
    return this.#call<P, 'delete'>('delete', path, input[0])
  }

  /** The pages of a list, each fetched on demand: `for await (const page of client.pages('/v1/accounts'))`. */
  async *pages<P extends ListPath>(
    path: P,
    ...input: InputArgument<Operation<P, 'get'>>
  ): AsyncGenerator<Page<Item<P>>, void> {
    const given = (input[0] ?? {}) as AnyInput
    for (let page = Number(given.query?.page ?? 1); ; page++) {
      const response = await this.#call<P, 'get'>('get', path, { ...given, query: { ...given.query, page } })
      yield response as Page<Item<P>>
      if (!(response as Page<Item<P>>).pagination.has_more) return
    }
  }

  /**
   * The records of all pages of a list: `for await (const account of client.items('/v1/accounts'))`. A record that moves to the
   * next page because others are added meanwhile is yielded once.
   */
  async *items<P extends ListPath>(
    path: P,
    ...input: InputArgument<Operation<P, 'get'>>
  ): AsyncGenerator<Item<P>, void> {
    let previous = new Set<unknown>()
    for await (const { data } of this.pages(path, ...input)) {
      const current = new Set<unknown>()
      for (const one of data) {
        const { id = one } = one as { id?: unknown }
        current.add(id)
        if (!previous.has(id)) yield one
      }
      previous = current
    }
  }

  /** Waits until a scan or a discovery has ended. Throws WorkFailed, which contains the run, if it has failed. */
  waitForRun(id: string, options: WaitOptions<Schemas['FullRun']> = {}): Promise<Schemas['FullRun']> {
    return waitFor(
      (signal) => this.get('/v1/runs/{id}', { path: { id }, ...(signal ? { signal } : {}) }),
      ({ status, failure }) => (status === 'failed' ? { failed: failure ?? 'The run has failed.' } : status),
      options,
    )
  }

  /**
   * Waits until a push in the background has ended. Rows that the receiver rejected are counted in `failed`. Throws WorkFailed,
   * which contains the run, if nothing was delivered.
   */
  waitForPush(id: string, options: WaitOptions<Schemas['PushRun']> = {}): Promise<Schemas['PushRun']> {
    return waitFor(
      (signal) => this.get('/v1/push-runs/{id}', { path: { id }, ...(signal ? { signal } : {}) }),
      ({ status, error_sample: [first] }) =>
        status === 'failed'
          ? { failed: first?.message ?? 'The push has failed.' }
          : status === 'completed'
            ? 'done'
            : status,
      options,
    )
  }

  /** A request whose body or response is not JSON, such as an import or export. `path` includes the query string. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#transport.send(path, { ...init, method: (init.method ?? 'GET').toUpperCase() })
  }

  async #call<P extends keyof paths, M extends Method>(
    method: M,
    template: P,
    input: unknown,
  ): Promise<Output<Operation<P, M>>> {
    const { path, query, body, headers, idempotencyKey, signal } = (input ?? {}) as AnyInput
    const response = await this.#transport.sendForJson(fill(template, path) + queryString(query), {
      method: method.toUpperCase(),
      headers: {
        ...headers,
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
    return (response.pagination ? response : response.data) as Output<Operation<P, M>>
  }
}

function fill(template: string, values: Record<string, string> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    // Dot segments lead to another path even when encoded, and a lone surrogate cannot be encoded.
    if (value !== '' && value !== '.' && value !== '..' && value.isWellFormed()) return encodeURIComponent(value)
    throw new ApiError(404, { error: { code: 'not_found', message: 'No record has this id.', request_id: '' } })
  })
}

/** A list becomes one parameter per item; undefined and null are left out. */
function queryString(query: Record<string, unknown> = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) parameters.append(name, String(one))
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}
