import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { ERROR_STATUS, type ErrorCode } from '../shared/errors.ts'
import { errorExample } from './error-examples.ts'
import type { OperationConfig } from './operation.ts'
import { ErrorBody } from './schema.ts'
import { DELIVERY_HEADERS, toPathItem, type Webhook } from './webhook.ts'

type Json = Record<string, unknown>

const TAGS = {
  'Knowledge base': 'What your company sells, who buys it and why: the basis for detection and drafting.',
  Accounts: 'Companies you care about.',
  Detections: 'Signals found at accounts, with their evidence and the feedback of members.',
  'Work items': 'Whom to contact now: one item per account, its state, and what the team did.',
  Reports: 'What became of findings.',
  People: 'People at active accounts.',
  'People lists': 'Named collections of people.',
  'Webhook export': 'Records as flat JSON rows, one signed POST each.',
  Runs: 'Running and finished research: scans and discovery.',
  Companies: 'The companies that discovery searches.',
  'Company profile': 'The profile of your company, read from its website.',
  Settings: 'Alert settings.',
  Integrations: 'The state of each integration.',
  Signals: 'The events that the service detects.',
  Members: 'The members of this workspace.',
  'API keys': 'API keys of members.',
  Sessions: 'Browser sessions, and the signed-in member.',
  Subscription: 'The plan and its usage.',
  'Audit log': 'Who did what, when and from where, in a chain of hashes.',
}

const INTRODUCTION = `Signal intelligence for B2B sales teams.

Every request sends \`Authorization: Bearer <key>\` or the session cookie of a signed-in browser. A response has its payload
under \`data\`; a list also has \`pagination\`. An error response has an \`error\` with a stable \`code\` and a message that
states what to do. A POST with an \`Idempotency-Key\` is executed once, however often it is sent. A list with an \`ETag\` is
answered with 304 while the etag in \`If-None-Match\` is current. A record can be written back as it was read: unknown fields are
ignored, and \`null\` for an optional field is the same as omitting it. Webhooks that the service sends are listed under
\`webhooks\`. Operations marked \`x-extension\` are not part of the published specification.`

type Parts = {
  version: string
  /** The public URL, if configured: importers of the document need it to call the service. */
  publicUrl: string | null
  webhooks: readonly Webhook[]
}

/** `/openapi.json`, generated from the route tables: the same schemas validate requests and serialize responses. */
export function registerOpenapi(app: FastifyInstance, { version, publicUrl, webhooks }: Parts): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Bellwether', version, description: INTRODUCTION, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: publicUrl ?? '/', description: 'This service' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        parameters: DELIVERY_HEADERS,
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

/** Adds every error response of the operation, grouped by status. */
function withErrors(schema: Json, config: OperationConfig, method: string): Json {
  const { errors, open, etag } = config
  // A key may be restricted to other operations or addresses, so every operation can respond with forbidden.
  const usual = ['invalid_request', 'unauthenticated', 'forbidden', 'rate_limited', 'internal', 'unavailable'] as const
  const codes = new Set<ErrorCode>([...usual, ...errors])
  if (schema.params) codes.add('not_found')
  // A body is parsed even when the operation takes none.
  if (method !== 'GET') codes.add('payload_too_large').add('unsupported_media_type')
  if (method === 'POST' && !open) codes.add('idempotency_key_reused')
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code])
  const refusals = [...byStatus].map(([status, codes]) => [status, refusal(codes as [ErrorCode])])
  // Sent by the HTTP parser, before routing.
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

/** The required rights, as a sentence. */
function whoMay({ open, admin, shared, self }: OperationConfig, method: string): string {
  if (open) return 'Needs no key.'
  const writes = method !== 'GET' && !self ? ' that may write' : ''
  const who = admin ? `Only with an admin’s key${writes}` : `With any key${writes}`
  return shared ? `${who}, of a member who sees the whole workspace.` : `${who}.`
}

/**
 * Idempotency-Key is described in text instead of as a parameter: tools that import the document would send its example, the
 * same with every request, or an empty value.
 */
function onceOnly({ open, changesNothing }: OperationConfig, method: string): string {
  return method === 'POST' && !open && !changesNothing ? 'An `Idempotency-Key` header makes it happen once.' : ''
}

type Streamed = { content: Record<string, { schema: Json }> }

const isStreamed = (body: unknown): body is Streamed => typeof body === 'object' && body !== null && 'content' in body

/** A streamed body is not validated, so its schema is empty; the document still declares it as text. */
function asText({ content }: Streamed): Streamed {
  const types = Object.entries(content).map(([type, { schema }]) => [type, { schema: { type: 'string', ...schema } }])
  return { content: Object.fromEntries(types) }
}

type QuerySchema = { required?: string[]; properties: Record<string, object> }

/** A parameter with a default is required in the handler's type, but optional for callers. */
function withoutDefaults({ required = [], ...schema }: QuerySchema): Json {
  return { ...schema, required: required.filter((name) => !('default' in (schema.properties[name] ?? {}))) }
}

function refusal(codes: [ErrorCode, ...ErrorCode[]], message?: string): Json {
  return { description: codes.join(', '), ...ErrorBody, examples: [errorExample(codes[0], message)] }
}

const ANSWERS: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; the work continues in the background',
}

const ETAG = {
  ETag: {
    type: 'string',
    description: 'Identifies the content, to be sent as `If-None-Match`. Absent where changes are not tracked.',
    examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
  },
}

const UNCHANGED = { type: 'null', description: 'Unchanged since the etag in `If-None-Match`', headers: ETAG }

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
    // Few tools support `if`; its branches are equivalent.
    if ('if' in copy) return { anyOf: [copy.else, copy.then], ...(copy.examples ? { examples: copy.examples } : {}) }
    // Not every regex engine supports Unicode classes; the description states the rule.
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

/** Replaces each error response with a reference: inlined, they would be half of the document. */
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
