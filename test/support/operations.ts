import { readFileSync } from 'node:fs'

type Described = {
  operationId: string
  'x-extension'?: boolean
  responses: Record<string, { content?: { 'application/json'?: { example: unknown } } }>
  requestBody?: { content: { 'application/json'?: { example: unknown } } }
}

export type Operation = {
  /** `POST /accounts/{id}/scan`, as written in the docs. */
  name: string
  method: string
  /** With the version prefix, and `{id}` as the placeholder. */
  path: string
  /** The example of its body. */
  body: unknown
  operationId: string
  /** The examples of its responses, by status. */
  examples: Record<string, unknown>
  /** Whether it is an extension of the published specification. */
  isExtension: boolean
}

/** Every operation of the OpenAPI document that global-setup.ts loaded from the service. */
export function readOperations(): Operation[] {
  const document = JSON.parse(readFileSync(process.env.TEST_OPENAPI as string, 'utf8')) as {
    paths: Record<string, Record<string, Described>>
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      name: `${method.toUpperCase()} ${path.replace(/^\/v1/, '')}`,
      method: method.toUpperCase(),
      path,
      body: described.requestBody?.content['application/json']?.example,
      operationId: described.operationId,
      examples: Object.fromEntries(
        Object.entries(described.responses).map(([status, { content }]) => [
          status,
          content?.['application/json']?.example,
        ]),
      ),
      isExtension: described['x-extension'] === true,
    })),
  )
}

/** The rows of every table in a Markdown document, without headings and code marks. */
export function readTables(file: string): string[][][] {
  const lines = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n')
  const tables: string[][][] = []
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('|')) continue
    if (!lines[at - 1]?.startsWith('|')) tables.push([])
    const cells = line.split('|').slice(1, -1)
    tables.at(-1)?.push(cells.map((cell) => cell.trim().replaceAll('`', '')))
  }
  return tables.map((rows) => rows.slice(2))
}
