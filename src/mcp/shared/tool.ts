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
import { describeError, ToolError } from './errors.ts'
import { singleLine } from './untrusted-text.ts'

/** What a call is told beside its arguments. */
export type ToolContext = {
  /** Aborted when the caller no longer waits. What was started goes on. */
  signal: AbortSignal
  /** Tells the caller how far it is, where they asked for that. */
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
  /** The result for a reader: short, in Markdown. */
  text: (result: Static<O>) => string
}

export type ToolDefinition = Pick<
  Declared<TObject, TSchema>,
  'name' | 'title' | 'description' | 'input' | 'annotations'
> & {
  inputSchema: StandardSchemaWithJSON<Record<string, unknown>>
  outputSchema: StandardSchemaWithJSON<Record<string, unknown>>
  call: (client: Bellwether, args: unknown, context: ServerContext) => Promise<CallToolResult>
}

/** Arguments are written by language models: `"5"` is a number, and one value is a list of one. */
const ajv = new Ajv({ allErrors: true, useDefaults: true, coerceTypes: 'array', strict: true, allowUnionTypes: true })

/** A tool as the server registers it: arguments are checked, results written, and errors said, in one place. */
export function defineTool<I extends TObject, O extends TSchema>(declared: Declared<I, O>): ToolDefinition {
  const { name, title, description, input, annotations, run, text } = declared
  let validate: ValidateFunction | undefined
  return {
    ...{ name, title, description, input, annotations },
    inputSchema: described(input),
    outputSchema: described(declared.output),
    async call(client, given, context) {
      try {
        // Compiled at the first use: a server is made for every request.
        validate ??= ajv.compile(input)
        const args = structuredClone(given ?? {})
        if (!validate(args)) throw wrongArguments(input, validate)
        const result = await run(client, args as Static<I>, contextOf(context))
        const ignored = Object.keys(args as object).filter((key) => !(key in input.properties))
        const note = ignored.length > 0 ? `\n\nNot an argument of ${name}, ignored: ${names(ignored)}.` : ''
        return {
          content: [{ type: 'text', text: text(result) + note }],
          structuredContent: result as Record<string, unknown>,
        }
      } catch (error) {
        const message = describeError(error)
        // A mistake of ours: server.ts has it reported.
        if (message === null) throw error
        return { isError: true, content: [{ type: 'text', text: message }] }
      }
    },
  }
}

/** The schema as the SDK wants it. Arguments are checked by the tool itself, whose words are better; results by their types. */
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
    return `- \`${singleLine(path, 80)}\` ${singleLine(message, 300)}.${description ? ` It is: ${description}` : ''}`
  })
  return new ToolError(
    [
      'The arguments are not right; nothing was done.',
      ...lines,
      `Example: ${JSON.stringify(examples?.[0] ?? {})}`,
    ].join('\n'),
  )
}

function contextOf({ mcpReq }: ServerContext): ToolContext {
  const { signal, _meta, notify } = mcpReq
  const progressToken = isShort(_meta?.progressToken) ? _meta?.progressToken : undefined
  let last = -1
  return {
    signal,
    progress(done, total, message) {
      // It must rise with every notification.
      if (progressToken === undefined || signal.aborted || done <= last) return
      last = done
      const params = { progressToken, progress: done, message, ...(total === null ? {} : { total }) }
      // Whoever has gone needs no progress; that they have is told by the signal.
      notify({ method: 'notifications/progress', params }).catch(() => {})
    },
  }
}

/** It comes back with every notification, and whoever reads slowly has them all kept for them. */
function isShort(token: unknown): boolean {
  return typeof token === 'number' || (typeof token === 'string' && token.length <= 200)
}

/** Arguments of a tool, with an example that errors show. */
export function ToolArguments<T extends TProperties>(properties: T, example: object) {
  return Type.Object(properties, { examples: [example] })
}

/** What leaves: every field named, and no other. */
export function ClosedObject<T extends TProperties>(properties: T, options: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** The hints of tools, by what they do. */
export const READ_ONLY: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
export const ADDITIVE: Hints = { ...READ_ONLY, readOnlyHint: false }

/** What must not happen twice when an agent repeats a call whose answer it lost. */
export const requestKeyArgument = Type.Optional(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,200}$',
    description:
      'Any word without blanks. A repeat with the same one within a day does nothing anew and gets the first answer',
  }),
)
