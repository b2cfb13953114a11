import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { ERROR_STATUS, type ErrorCode } from '../shared/errors.ts'
import type { OperationConfig } from './operation.ts'
import { refusalExample } from './refusal-examples.ts'
import { ErrorBody } from './schema.ts'
import { SENT_HEADERS, toPathItem, type Webhook } from './webhook.ts'

type Json = Record<string, unknown>

const TAGS = {
  'Knowledge base': 'What your company sells, to whom and why: the ground for detection and drafting.',
  Accounts: 'Companies you care about.',
  Detections: 'What was found at accounts, with its proofs, and what members say of it.',
  People: 'People at active accounts.',
  'People lists': 'Named collections of people.',
  'Webhook export': 'Records as flat JSON rows, one POST each, signed.',
  Runs: 'Research under way and done: scans and discovery.',
  Companies: 'The universe that discovery looks into.',
  'Company profile': 'What the service read about your own company.',
  Settings: 'Where alerts go.',
  Integrations: 'What is connected, as it truly is.',
  Signals: 'What the service looks for.',
  Members: 'Who works in this workspace.',
  'API keys': 'Keys of members.',
  Sessions: 'Browsers that are signed in, and who is.',
  Subscription: 'The plan and what was used of it.',
}

const INTRODUCTION = `Signal intelligence for B2B sales teams.

Every call sends \`Authorization: Bearer <key>\`, or comes from a browser that is signed in. An answer carries its payload under \`data\`, a list adds \`pagination\`, a
refusal is an \`error\` with a stable \`code\` and a message that says what to do. A POST with an \`Idempotency-Key\` happens
once, however often it is sent. A list with an \`ETag\` is not sent again to whoever names it in \`If-None-Match\` and has it still. A record that was read can be written back: fields that a call does not know are ignored, and
\`null\` for a field that may be left out is the field left out. What the service sends by itself stands under \`webhooks\`. Operations marked \`x-extension\` go beyond the published specification.`

type Parts = {
  version: string
  /** Where the service is reached, where it knows that: whoever imports the document has no other way to know. */
  publicUrl: string | null
  webhooks: readonly Webhook[]
}

/** `/openapi.json`, made from the route tables: what is documented is what validates and serialises. */
export function registerOpenapi(app: FastifyInstance, { version, publicUrl, webhooks }: Parts): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Bellwether', version, description: INTRODUCTION, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: publicUrl ?? '/', description: 'This service' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        parameters: SENT_HEADERS,
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of a member' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'bellwether_session',
            description: 'A browser that is signed in; under https the name begins with __Host-',
          },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    transform: ({ schema, url, route }) => {
      const config = (route.config ?? {}) as Partial<OperationConfig>
      if (!schema || schema.hide || !config.operationId) return { schema: { hide: true }, url }
      return { schema: withErrors(schema as Json, config as OperationConfig, [route.method].flat()[0] as string), url }
    },
    transformObject: (document) => {
      const { openapiObject } = document as { openapiObject: Json }
      const sent = webhooks.map((webhook) => [webhook.name, toPathItem(webhook)])
      return nameSchemas({ ...openapiObject, webhooks: Object.fromEntries(sent) })
    },
  })
  let document: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    document ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(document)
  })
}

/** Adds every refusal the call can answer with, grouped by status. */
function withErrors(schema: Json, config: OperationConfig, method: string): Json {
  const { errors, admin, shared, open, etag } = config
  const usual: ErrorCode[] = ['invalid_request', 'unauthenticated', 'rate_limited', 'internal', 'unavailable']
  const codes = new Set<ErrorCode>([...usual, ...errors])
  if (schema.params) codes.add('not_found')
  // Also where no body is wanted, one that comes is read.
  if (method !== 'GET') codes.add('payload_too_large').add('unsupported_media_type')
  if (admin || shared || method !== 'GET') codes.add('forbidden')
  if (method === 'POST' && !open) codes.add('idempotency_key_reused')
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code])
  const refusals = [...byStatus].map(([status, codes]) => [status, refusal(codes as [ErrorCode])])
  // Said by the parser, before anybody knows which call it is.
  const tooLong = {
    ...refusal(['invalid_request'], 'The request headers are too large.'),
    description: 'invalid_request: URL and headers are too large',
  }
  const description = [schema.description, whoMay(config, method), onceOnly(config, method)].filter(Boolean).join(' ')
  return {
    ...schema,
    description,
    ...(isStreamed(schema.body) ? { body: asText(schema.body) } : {}),
    ...(schema.querystring ? { querystring: withoutDefaults(schema.querystring as QuerySchema) } : {}),
    response: {
      ...describeAnswers(schema.response as Json, config),
      ...(etag ? { 304: UNCHANGED } : {}),
      ...Object.fromEntries(refusals),
      431: tooLong,
    },
  }
}

/** Who may make the call, in a sentence: what authentication asks of them. */
function whoMay({ open, admin, shared, self }: OperationConfig, method: string): string {
  if (open) return 'Needs no key.'
  const writes = method !== 'GET' && !self ? ' that may write' : ''
  const who = admin ? `Only with an admin’s key${writes}` : `With any key${writes}`
  return shared ? `${who}, of a member who sees the whole workspace.` : `${who}.`
}

/**
 * No parameter: whoever imports the document would send the example of one, the same with every call, or an empty one.
 * It is told in words instead.
 */
function onceOnly({ open, changesNothing }: OperationConfig, method: string): string {
  return method === 'POST' && !open && !changesNothing ? 'An `Idempotency-Key` header makes it happen once.' : ''
}

type Streamed = { content: Record<string, { schema: Json }> }

const isStreamed = (body: unknown): body is Streamed => typeof body === 'object' && body !== null && 'content' in body

/** Nothing is asked of such a body, so its schema is empty; whoever reads the document wants to know that it is text. */
function asText({ content }: Streamed): Streamed {
  const types = Object.entries(content).map(([type, { schema }]) => [type, { schema: { type: 'string', ...schema } }])
  return { content: Object.fromEntries(types) }
}

type QuerySchema = { required?: string[]; properties: Record<string, object> }

/** The handler always sees a parameter that has a default; a caller need not send it. */
function withoutDefaults({ required = [], ...schema }: QuerySchema): Json {
  return { ...schema, required: required.filter((name) => !('default' in (schema.properties[name] ?? {}))) }
}

function refusal(codes: [ErrorCode, ...ErrorCode[]], message?: string): Json {
  return { description: codes.join(', '), ...ErrorBody, examples: [refusalExample(codes[0], message)] }
}

const ANSWERS: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; the work goes on in the background',
}

const ETAG = {
  ETag: {
    type: 'string',
    description: 'Names what is shown, to be sent as `If-None-Match`. None where nothing tells when that changes.',
    examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
  },
}

const UNCHANGED = { type: 'null', description: 'Still what `If-None-Match` names', headers: ETAG }

function describeAnswers(response: Json, { csv, etag }: OperationConfig): Json {
  return Object.fromEntries(
    Object.entries(response).map(([status, schema]) => {
      const said = { description: ANSWERS[status], ...(etag ? { headers: ETAG } : {}) }
      if (!csv) return [status, { ...said, ...(schema as Json) }]
      const { examples } = schema as { examples: [{ data: object[] }] }
      const json = { schema, example: examples[0] }
      const table = { schema: { type: 'string' }, example: `${Object.keys(examples[0].data[0] ?? {}).join(',')}\r\n` }
      const content = csv === 'only' ? { 'text/csv': table } : { 'application/json': json, 'text/csv': table }
      return [status, { ...said, content }]
    }),
  )
}

/** Moves every schema with a title to `components.schemas` under that name, so that clients get named types. */
function nameSchemas(document: Json): Json {
  const named: Json = {}
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (node === null || typeof node !== 'object') return node
    const { description, ...rest } = node as Json
    const entries = Object.entries(description === undefined ? rest : { description, ...rest })
    const copy: Json = Object.fromEntries(
      entries.map(([key, value]) => [key, key === 'examples' ? value : walk(value)]),
    )
    // Known to few who read a document, and its branches say the same.
    if ('if' in copy) return { anyOf: [copy.else, copy.then], ...(copy.examples ? { examples: copy.examples } : {}) }
    // Not every language knows the classes of Unicode; what they are for stands in the description.
    if (typeof copy.pattern === 'string' && copy.pattern.includes('\\p{')) delete copy.pattern
    if (typeof copy.title !== 'string' || copy.type !== 'object') return copy
    const name = copy.title.replaceAll(/\W/g, '')
    named[name] ??= copy
    return { $ref: `#/components/schemas/${name}` }
  }
  const { info, paths, webhooks, components, ...rest } = document
  const walked = walk(paths) as Paths
  const sent = walk(webhooks)
  const responses = nameRefusals(walked)
  const parts = { ...(components as Json), schemas: named, responses }
  return { ...rest, info, components: parts, paths: walked, webhooks: sent }
}

type Response = { description: string }
type Paths = Record<string, Record<string, { responses: Record<string, Response | { $ref: string }> }>>

/** Puts a reference in the place of each refusal. They are the same in many calls, and written out half of the document. */
function nameRefusals(paths: Paths): Record<string, Response> {
  const named: Record<string, Response> = {}
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400 || !('description' in response)) continue
      const name = status === '431' ? 'HeadersTooLarge' : response.description.split(', ').map(pascal).join('Or')
      named[name] ??= response
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return named
}

const pascal = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
