import type { Bellwether } from '@bellwether/client'
import type {
  CallToolResult,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server'
import { Ajv, type ValidateFunction } from 'ajv'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { invalidRequest } from '../../http/errors.ts'
import { OneOf } from '../../http/schema.ts'
import { describeError, ToolError } from './errors.ts'
import { singleLine } from './untrusted-text.ts'

/** Passed to a tool along with its arguments. */
export type ToolContext = {
  /** Aborted when the caller stops waiting. Work that was started continues. */
  signal: AbortSignal
  /** Sends a progress notification if the caller requested progress. */
  progress: (done: number, total: number | null, message: string) => void
}

type Hints = Required<Omit<ToolAnnotations, 'title'>>

type Declared<I extends TObject, O extends TSchema> = {
  name: string
  title: string
  /** When to use it, and what it costs. */
  description: string
  input: I
  output: O
  annotations: Hints
  run: (client: Bellwether, args: Static<I>, context: ToolContext) => Promise<Static<O>>
  /** The result as short Markdown. */
  text: (result: Static<O>) => string
}

export type ToolDefinition = Pick<
  Declared<TObject, TSchema>,
  'name' | 'title' | 'description' | 'input' | 'annotations'
> & {
  inputSchema: StandardSchemaWithJSON<Record<string, unknown>>
  outputSchema: StandardSchemaWithJSON<Record<string, unknown>>
  call: (client: Bellwether, args: unknown, context: ToolContext) => Promise<CallToolResult>
}

/** Language models write the arguments, so `"5"` is accepted as a number and a single value as a list. */
const ajv = new Ajv({ allErrors: true, useDefaults: true, coerceTypes: 'array', strict: true, allowUnionTypes: true })

/** Wraps a tool for the server: validates arguments, formats results and describes errors. */
export function defineTool<I extends TObject, O extends TSchema>(declared: Declared<I, O>): ToolDefinition {
  const { name, title, description, input, annotations, run, text } = declared
  let validate: ValidateFunction | undefined
  return {
    ...{ name, title, description, input, annotations },
    inputSchema: described(input),
    outputSchema: described(declared.output),
    async call(client, given, context) {
      try {
        // Compiled on first use, because a server is created for every request.
        validate ??= ajv.compile(input)
        const args = given ?? {}
        if (!validate(args)) throw wrongArguments(input, validate)
        const result = await run(client, args as Static<I>, context)
        const ignored = Object.keys(args as object).filter((key) => !(key in input.properties))
        const note = ignored.length > 0 ? `\n\nNot an argument of ${name}, ignored: ${names(ignored)}.` : ''
        return {
          content: [{ type: 'text', text: text(result) + note }],
          structuredContent: result as Record<string, unknown>,
        }
      } catch (error) {
        const message = describeError(error)
        // Unexpected: server.ts reports it to the operator.
        if (message === null) throw error
        return { isError: true, content: [{ type: 'text', text: message }] }
      }
    },
  }
}

/** The schema for the SDK, without validation: the tool validates arguments with better messages, and results are typed. */
function described(schema: TSchema): StandardSchemaWithJSON<Record<string, unknown>> {
  const json = () => schema as unknown as Record<string, unknown>
  return {
    '~standard': {
      version: 1,
      vendor: 'bellwether',
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: json, output: json },
    },
  }
}

const names = (list: string[]) =>
  list
    .slice(0, 5)
    .map((one) => `\`${singleLine(one, 40)}\``)
    .join(', ')

function wrongArguments({ properties, examples }: TObject & { examples?: unknown[] }, { errors }: ValidateFunction) {
  const { details = [] } = invalidRequest(errors ?? [], 'arguments')
  const lines = details.slice(0, 5).map(({ path, message }) => {
    const [field = ''] = path.split('.')
    const { description } = (properties[field] ?? {}) as { description?: string }
    return `- \`${singleLine(path, 80)}\` ${singleLine(message, 300)}.${description ? ` Expected: ${description}` : ''}`
  })
  return new ToolError(
    ['The arguments are invalid; nothing was done.', ...lines, `Example: ${JSON.stringify(examples?.[0] ?? {})}`].join(
      '\n',
    ),
  )
}

export function contextOf({ mcpReq }: ServerContext): ToolContext {
  const { signal, _meta, notify } = mcpReq
  const progressToken = isShort(_meta?.progressToken) ? _meta?.progressToken : undefined
  let last = -1
  return {
    signal,
    progress(done, total, message) {
      // The protocol requires that progress increases.
      if (progressToken === undefined || signal.aborted || done <= last) return
      last = done
      const params = { progressToken, progress: done, message, ...(total === null ? {} : { total }) }
      // A disconnected caller needs no progress; the signal reports the disconnect.
      notify({ method: 'notifications/progress', params }).catch(() => {})
    },
  }
}

/** The token is part of every notification, and notifications are buffered for slow readers, so a long one is ignored. */
function isShort(token: unknown): boolean {
  return typeof token === 'number' || (typeof token === 'string' && token.length <= 200)
}

/** The arguments of a tool, with an example that error messages show. */
export function ToolArguments<T extends TProperties>(properties: T, example: object) {
  return Type.Object(properties, { examples: [example] })
}

/** An object schema without additional properties, so that a result contains only the fields listed. */
export function ClosedObject<T extends TProperties>(properties: T, options: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** Annotations of tools that only read, and of tools that add without destroying. */
export const READ_ONLY: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
export const ADDITIVE: Hints = { ...READ_ONLY, readOnlyHint: false }

/** An idempotency key for calls that an agent may repeat after it lost the response. */
export const requestKeyArgument = Type.Optional(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,200}$',
    description:
      'Any word without blanks. A repeated call with the same key within a day has no further effect and returns the first result',
  }),
)

/** Text on how many records remain and how to read them; empty when all are shown. */
export function formatRemaining({
  total,
  page,
  shown,
  perPage,
}: {
  total: number
  page: number
  shown: number
  perPage: number
}) {
  const left = total - (page - 1) * perPage - shown
  return left > 0 ? `\n\n${left} more: request page ${page + 1}, or narrow the search.` : ''
}

/** Argument for what the CRM says about the account of a record. */
export const relationshipArgument = Type.Optional(
  Type.Array(OneOf(['customer', 'open_deal', 'lost_deal', 'former_customer', 'none']), {
    maxItems: 5,
    description: 'Only accounts with one of these relationships, from the CRM',
  }),
)

/** Arguments for the page of a list and its length. */
export const pagingArguments = (usual: number, most: number) => ({
  page: Type.Integer({ minimum: 1, default: 1, description: 'Page number, from 1' }),
  limit: Type.Integer({
    minimum: 1,
    maximum: most,
    default: usual,
    description: `Records per page, at most ${most}; ${usual} by default`,
  }),
})
