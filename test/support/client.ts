import assert from 'node:assert/strict'
import { checkAnswer } from './contract.ts'

// Untyped in tests; contract.ts validates responses against the OpenAPI document.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = any

export type Answer = { status: number; body: Json; data: Json; error: Json; headers: Headers; text: string }

type Options = { headers?: Record<string, string>; body?: string | Buffer }

/** Calls the API over HTTP and validates every response against the service's OpenAPI document. */
export class Client {
  readonly #address: string
  readonly key: string | null

  constructor(address: string, key: string | null) {
    this.#address = address
    this.key = key
  }

  get = (path: string, options?: Options) => this.send('GET', path, undefined, options)
  post = (path: string, body?: unknown, options?: Options) => this.send('POST', path, body, options)
  put = (path: string, body?: unknown, options?: Options) => this.send('PUT', path, body, options)
  patch = (path: string, body?: unknown, options?: Options) => this.send('PATCH', path, body, options)
  delete = (path: string, body?: unknown, options?: Options) => this.send('DELETE', path, body, options)

  async send(method: string, path: string, body?: unknown, { headers = {}, body: raw }: Options = {}): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(this.#address + path, {
      method,
      headers: {
        ...(this.key ? { authorization: `Bearer ${this.key}` } : {}),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload as string }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const json = isJson && text ? JSON.parse(text) : null
    if (path.startsWith('/v1')) checkAnswer(method, path, response.status, json)
    return {
      status: response.status,
      body: json,
      data: json?.data,
      error: json?.error,
      headers: response.headers,
      text,
    }
  }

  /** The data of a response that must have this status. */
  async expect(status: number, method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await this.send(method, path, body)
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
    return answer.data
  }
}

/** Asserts an error response: status, code and a readable message. */
export function refused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.error?.code, code)
  assert.match(answer.error.message, /\w.*\.$/s)
  assert.equal(answer.error.request_id, answer.headers.get('x-request-id'))
}
