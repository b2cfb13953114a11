import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../config/config.ts'
import { listAt, textAt } from '../../engine/json/fields.ts'
import { cutText, tryParseJson } from '../../engine/text/storable.ts'
import type { OutboundResponse } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { readRetryAfter } from '../../outbound/response-headers.ts'
import { providerProblem } from '../health.ts'
import { failedResult, type ProviderResponse } from '../request.ts'
import type { ProviderDeps } from '../types.ts'

/** A prompt; `schema` is the JSON Schema of the response. The caller validates the response. */
export type ModelPrompt = { system: string; user: string; schema: { name: string; schema: object } }

export const LANGUAGE_MODEL = 'The language model'
/** A small machine needs a while; callers do not wait longer. */
const TIMEOUTS = { headers: 60_000, body: 60_000, total: 90_000 }
const MAX_BYTES = 1024 * 1024
const MAX_TOKENS = 2_000
/** Longer prompts are truncated. */
export const MAX_USER_CHARS = 60_000
const PACE: Pace = { kind: 'llm', intervalMs: 0, concurrency: 4 }
const RETRY_MS = 1_000
const MAX_RETRY_MS = 20_000

/** Configurations whose server rejects a schema or sampling settings; their requests omit both from then on. */
const withoutSchema = new WeakSet<Config>()

/**
 * Requests one JSON value from the configured model; `nothing` when none is configured. Throws only when the signal
 * aborts.
 */
export async function requestCompletion(deps: ProviderDeps, prompt: ModelPrompt): Promise<ProviderResponse<unknown>> {
  const { LLM_BASE_URL, LLM_MODEL } = deps.config
  if (LLM_BASE_URL === null) return { outcome: 'nothing' }
  if (LLM_MODEL === null)
    return failedResult('LLM_BASE_URL is set, but LLM_MODEL is not: set it to the name of a model.')
  try {
    let response = await send(deps, prompt, LLM_MODEL)
    if (!withoutSchema.has(deps.config) && (response.status === 400 || response.status === 422)) {
      withoutSchema.add(deps.config)
      response = await send(deps, prompt, LLM_MODEL)
    }
    const problem = providerProblem(LANGUAGE_MODEL, response.status)
    await deps.health.report(LANGUAGE_MODEL, problem)
    if (problem) return failedResult(problem.message)
    const result = read(response)
    return result.outcome === 'failed' ? { ...result, hasResponse: true } : result
  } catch (error) {
    if (!(error instanceof OutboundError) || deps.signal.aborted) throw error
    const message = `${LANGUAGE_MODEL}: ${error.message}`
    if (error.kind !== 'circuit_open') await deps.health.report(LANGUAGE_MODEL, { kind: 'unavailable', message })
    return failedResult(message)
  }
}

/** Retries once when the server is busy. */
async function send(deps: ProviderDeps, prompt: ModelPrompt, model: string): Promise<OutboundResponse> {
  const { LLM_BASE_URL, LLM_API_KEY } = deps.config
  const body = JSON.stringify(bodyOf(prompt, model, withoutSchema.has(deps.config)))
  const call = () =>
    deps.outbound.request(`${LLM_BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(LLM_API_KEY && { authorization: `Bearer ${LLM_API_KEY}` }),
      },
      body,
      redirects: 'refuse',
      timeouts: TIMEOUTS,
      maxBytes: MAX_BYTES,
      overflow: 'refuse',
      pace: PACE,
      signal: deps.signal,
    })
  const response = await call()
  if (response.status !== 429 && response.status < 500) return response
  const retryAfter = readRetryAfter(response.headers['retry-after'])
  await wait(Math.min(retryAfter ? retryAfter * 1_000 : RETRY_MS, MAX_RETRY_MS), undefined, { signal: deps.signal })
  return call()
}

function bodyOf({ system, user, schema }: ModelPrompt, model: string, isPlain: boolean): object {
  const shape = `Answer with one JSON object and nothing else. It has to fit this JSON Schema: ${JSON.stringify(schema.schema)}`
  const messages = [
    { role: 'system', content: `${system}\n\n${shape}` },
    { role: 'user', content: cutText(user, MAX_USER_CHARS) },
  ]
  if (isPlain) return { model, messages }
  const response_format = { type: 'json_schema', json_schema: { ...schema, strict: true } }
  return { model, messages, temperature: 0, max_tokens: MAX_TOKENS, response_format }
}

function read(response: OutboundResponse): ProviderResponse<unknown> {
  const [choice] = listAt(tryParseJson(response.text()), 'choices') ?? []
  const content = textAt(choice, 'message', 'content')
  if (content === null) return failedResult(`${LANGUAGE_MODEL} responded in an unexpected format.`)
  if (textAt(choice, 'finish_reason') === 'length') return failedResult(`${LANGUAGE_MODEL} exceeded its output limit.`)
  const value = extractJson(content)
  return value === undefined ? failedResult(`${LANGUAGE_MODEL} responded with invalid JSON.`) : { outcome: 'ok', value }
}

/** The JSON object in a response, which may be surrounded by reasoning, code fences or text. */
function extractJson(content: string): unknown {
  const result = content.replace(/^\s*<think>[\s\S]*?<\/think>/, '')
  return tryParseJson(result) ?? tryParseJson(result.slice(result.indexOf('{'), result.lastIndexOf('}') + 1))
}
