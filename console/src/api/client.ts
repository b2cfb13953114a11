import createClient, { type Middleware } from 'openapi-fetch'
import createQueries from 'openapi-react-query'
import type { components, paths } from './schema.ts'

/** The records of the API, by their names in its documentation. */
export type Schemas = components['schemas']

type ErrorBody = { error?: { code: string; message: string; details?: { path: string; message: string }[] } }

/** A refusal or a failure, in the words of the service. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: { path: string; message: string }[]

  constructor(status: number, { error }: ErrorBody) {
    super(error?.message ?? 'The service answered with something else than expected.')
    this.status = status
    this.code = error?.code ?? 'unexpected'
    this.details = error?.details ?? []
  }
}

/** The service could not be reached at all. */
export class Unreachable extends Error {
  constructor() {
    super('Bellwether cannot be reached. Check your connection.')
  }
}

type Listener = () => void
let onSessionLost: Listener = () => {}

/** Says what to do when the service no longer knows who we are. */
export function whenSessionIsLost(listener: Listener): void {
  onSessionLost = listener
}

/** Every answer that is not a success becomes an error with the service's own message. */
const errors: Middleware = {
  async onResponse({ response, schemaPath }) {
    if (response.ok) return
    const body = (await response.json().catch(() => ({}))) as ErrorBody
    if (response.status === 401 && schemaPath !== '/v1/sessions') onSessionLost()
    throw new ApiError(response.status, body)
  },
  onError({ error }) {
    return error instanceof DOMException && error.name === 'AbortError' ? error : new Unreachable()
  },
}

/** One call: `await api.POST('/v1/accounts/{id}/scan', { params: { path: { id } } })`. Throws ApiError and Unreachable. */
export const api = createClient<paths, 'application/json'>({ baseUrl: '/' })
api.use(errors)

/** Calls as queries: `queries.useQuery('get', '/v1/accounts', { params: { query } })`. */
export const queries = createQueries(api)
