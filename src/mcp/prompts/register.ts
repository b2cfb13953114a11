import type { Bellwether } from '@bellwether/client'
import { completable, type McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { throwProtocolError } from '../shared/errors.ts'
import type { PromptDefinition } from './define.ts'

type Given = Record<string, string | undefined>

export function registerPrompt(server: McpServer, client: Bellwether, prompt: PromptDefinition): void {
  const { name, title, description, messages } = prompt
  const argsSchema = argumentsOf(client, prompt)
  server.registerPrompt(name, { title, description, argsSchema }, async (given) => ({
    description,
    messages: await messages(client, given).catch(throwProtocolError),
  }))
}

/** The arguments of a prompt as the SDK reads them: their schema, and in `shape` who completes them. */
function argumentsOf(client: Bellwether, { arguments: list }: PromptDefinition): StandardSchemaWithJSON<Given> {
  const required = list.filter((one) => one.required).map(({ name }) => name)
  const properties = Object.fromEntries(
    list.map(({ name, description }) => [name, { type: 'string', description }] as const),
  )
  const schema = schemaOf<Given>({ type: 'object', properties, required }, (given) =>
    required.filter((name) => !given[name]?.trim()).map((name) => ({ message: 'is required', path: [name] })),
  )
  const shape = Object.fromEntries(
    list.map(({ name, complete }) => {
      const field = schemaOf<string>({ type: 'string' }, () => [])
      return [name, completable(field, (typed, context) => complete(client, typed ?? '', context?.arguments ?? {}))]
    }),
  )
  return Object.assign(schema, { shape })
}

type Issue = { message: string; path: string[] }

function schemaOf<T>(json: Record<string, unknown>, check: (given: T) => Issue[]): StandardSchemaWithJSON<T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'bellwether',
      jsonSchema: { input: () => json, output: () => json },
      validate(value) {
        const issues = check(value as T)
        return issues.length > 0 ? { issues } : { value: value as T }
      },
    },
  }
}
