// The API reference as Markdown pages: one for each tag of the OpenAPI document, one for webhooks, one for shared objects.

type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  additionalProperties?: Schema | boolean
}
type Media = { schema?: Schema; example?: unknown }
type Response = { $ref?: string; description?: string; content?: Record<string, Media> }
type Parameter = {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}
type Operation = {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
  security?: unknown[]
}
export type OpenapiDocument = {
  info: { title: string; version: string; description?: string }
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
  }
}

/** A generated page: where it is on the site, its title and its Markdown. */
export type Page = { path: string; title: string; markdown: string }

type Call = { method: string; path: string; operation: Operation }

export function apiReference(document: OpenapiDocument): Page[] {
  const { components } = document
  const calls = callsOf(document.paths)

  const deref = <T extends { $ref?: string }>(value: T): T => {
    if (value.$ref === undefined) return value
    const [section, name] = value.$ref.split('/').slice(2) as [keyof typeof components, string]
    const found = components[section]?.[name]
    if (!found) throw new Error(`The OpenAPI document refers to ${value.$ref}, which it does not contain.`)
    return found as unknown as T
  }

  /** The type of a field in one phrase, with links to shared objects. */
  const typeOf = (schema: Schema): string => {
    if (schema.$ref) {
      const name = schema.$ref.split('/').at(-1) as string
      return `[${name}](/api/objects.md#${name.toLowerCase()})`
    }
    if (schema.const !== undefined) return code(JSON.stringify(schema.const))
    if (schema.enum) return schema.enum.map((value) => code(value === null ? 'null' : String(value))).join(', ')
    if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
    const types = [schema.type ?? 'any'].flat()
    const named = types.map((type) => {
      if (type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'any'}`
      return schema.format && type !== 'null' ? `${type} (${schema.format})` : type
    })
    return named.join(' or ')
  }

  /** The rows of a field and of what is inline below it: `pagination.total`, `details[].path`. */
  const fieldRows = (name: string, schema: Schema, isRequired: boolean, follow: number): string[][] => {
    const own = [code(name), typeOf(schema), isRequired ? 'yes' : 'no', describe(schema)]
    return [own, ...nestedRows(name, schema, follow)]
  }

  /** Shared objects are opened `follow` levels deep; below that their type links to them. */
  const nestedRows = (name: string, schema: Schema, follow: number): string[][] => {
    if (schema.$ref && follow === 0) return []
    const depth = schema.$ref ? follow - 1 : follow
    const target = deref(schema)
    if (target.items) return nestedRows(`${name}[]`, target.items, depth)
    if (target.anyOf) {
      // "One, or a list of them" shows the fields of one.
      const single = target.anyOf.filter((one) => deref(one).items === undefined)
      const shown = single.some((one) => deref(one).properties) ? single : target.anyOf
      return shown.flatMap((one) => nestedRows(name, one, depth))
    }
    return Object.entries(target.properties ?? {}).flatMap(([field, value]) =>
      fieldRows(name ? `${name}.${field}` : field, value, target.required?.includes(field) ?? false, depth),
    )
  }

  const fieldTable = (schema: Schema, follow: number): string => {
    const rows = nestedRows('', schema, follow)
    // A choice between objects lists each of their fields once.
    const unique = [...new Map(rows.map((row) => [row[0], row])).values()]
    return unique.length > 0 ? table(['Field', 'Type', 'Required', 'Description'], unique) : `${typeOf(schema)}\n`
  }

  const body = (content: Record<string, Media>, follow: number): string =>
    Object.entries(content)
      .map(([type, { schema = {} }]) => {
        const choice = schema.anyOf && type === 'application/json' ? `${typeOf(schema)}\n\n` : ''
        return type === 'application/json'
          ? `${choice}${fieldTable(schema, follow)}`
          : `${code(type)}: ${oneLine(schema.description ?? 'a file')}\n`
      })
      .join('\n')

  const errorRows = (responses: Record<string, Response>): string[][] =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => {
        const { description = '', content } = deref(response)
        const example = content?.['application/json']?.example as { error?: { message?: string } } | undefined
        return [
          status,
          description
            .split(/,? or |, /)
            .map(code)
            .join(', '),
          oneLine(example?.error?.message ?? ''),
        ]
      })

  const operationSection = ({ method, path, operation }: Call): string => {
    const { summary, description, parameters = [], requestBody, responses, operationId } = operation
    const known = parameters.map(deref)
    const parts = [`## ${summary ?? operationId} {#${operationId}}`, fence('http', `${method} ${path}`)]
    if (description) parts.push(text(description))
    parts.push(`Operation id: ${code(operationId)}`)
    if (known.length > 0) {
      const rows = known.map(({ name, in: place, schema = {}, required, description: words }) => [
        code(name),
        place,
        typeOf(schema),
        required ? 'yes' : 'no',
        [oneLine(words ?? ''), limits(schema)].filter(Boolean).join('. '),
      ])
      parts.push('**Parameters**', table(['Name', 'In', 'Type', 'Required', 'Description'], rows))
    }
    if (requestBody) parts.push('**Request body**', body(requestBody.content, 1))
    for (const [status, response] of Object.entries(responses).filter(([code]) => Number(code) < 400)) {
      const { content, description: words = '' } = deref(response)
      if (!content) parts.push(`**Response ${status}**: ${oneLine(words)}`)
      else parts.push(`::: details Response ${status}: fields\n\n${body(content, 1)}\n:::`)
    }
    const errors = errorRows(responses)
    if (errors.length > 0)
      parts.push(`::: details Errors\n\n${table(['Status', 'Code', 'Example message'], errors)}\n:::`)
    parts.push('**Example**', fence('sh', curl(method, path, operation)))
    const answer = Object.entries(responses).find(([status]) => Number(status) < 300)
    const example = answer && deref(answer[1]).content?.['application/json']?.example
    if (example !== undefined) parts.push(fence('json', JSON.stringify(example, null, 2)))
    return parts.join('\n\n')
  }

  const webhookSection = (name: string, operation: Operation): string => {
    const media = operation.requestBody?.content['application/json']
    return [
      `## ${name} {#${operation.operationId}}`,
      text([operation.summary, operation.description].filter(Boolean).join('.\n\n')),
      '**Headers**',
      table(
        ['Name', 'Description'],
        (operation.parameters ?? []).map(deref).map((one) => [code(one.name), oneLine(one.description ?? '')]),
      ),
      '**Body**',
      media?.schema ? fieldTable(media.schema, 1) : '',
      '**Responses of the receiver**',
      table(
        ['Status', 'Meaning'],
        Object.entries(operation.responses).map(([status, one]) => [status, oneLine(deref(one).description ?? '')]),
      ),
      '**Example**',
      fence('json', JSON.stringify(media?.example ?? {}, null, 2)),
    ].join('\n\n')
  }

  const tagPages = document.tags.map(({ name, description }) => {
    const own = calls.filter(({ operation }) => operation.tags?.includes(name))
    const path = `api/${slug(name)}`
    const index = table(
      ['Call', 'Summary'],
      own.map((call) => [
        code(`${call.method} ${call.path}`),
        `[${oneLine(call.operation.summary ?? call.operation.operationId)}](#${call.operation.operationId})`,
      ]),
    )
    const sections = own.map(operationSection)
    return { path, title: name, markdown: [`# ${name}`, text(description ?? ''), index, ...sections].join('\n\n') }
  })

  const overview = [
    '# API reference',
    text(document.info.description ?? ''),
    `Version ${document.info.version}. The service serves the same document at \`/openapi.json\` and a page to try calls at \`/docs\`.`,
    table(
      ['Page', 'Calls', 'About'],
      document.tags.map(({ name, description }) => [
        `[${name}](/api/${slug(name)}.md)`,
        String(calls.filter(({ operation }) => operation.tags?.includes(name)).length),
        oneLine(description ?? ''),
      ]),
    ),
    '[Webhooks](/api/webhooks.md) lists the calls the service makes, [Objects](/api/objects.md) the shapes that several calls share.',
    '## Errors',
    'Every error has the same body. `code` is stable; `message` is for people.',
    fieldTable({ $ref: '#/components/schemas/Error' }, 1),
  ]

  const webhooks = Object.entries(document.webhooks ?? {}).flatMap(([name, methods]) =>
    Object.values(methods).map((operation) => webhookSection(name, operation)),
  )
  const objects = Object.entries(components.schemas).map(([name, schema]) => {
    const description = schema.description && name !== 'Error' ? `${text(schema.description)}\n\n` : ''
    return `## ${name} {#${name.toLowerCase()}}\n\n${description}${fieldTable(schema, 0)}`
  })
  return [
    { path: 'api/index', title: 'API reference', markdown: overview.join('\n\n') },
    ...tagPages,
    { path: 'api/webhooks', title: 'Webhooks', markdown: ['# Webhooks', ...webhooks].join('\n\n') },
    {
      path: 'api/objects',
      title: 'Objects',
      markdown: ['# Objects', 'The shapes that requests and responses share.', ...objects].join('\n\n'),
    },
  ].map((page) => ({ ...page, markdown: `${page.markdown}\n` }))
}

function callsOf(paths: OpenapiDocument['paths']): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function describe(schema: Schema): string {
  return [oneLine(schema.description ?? ''), limits(schema)].filter(Boolean).join('. ')
}

function limits(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const range = (low: number | undefined, high: number | undefined, unit: string) => {
    if (low === undefined && high === undefined) return ''
    if (high === undefined) return `at least ${low}${unit}`
    return low === undefined ? `at most ${high}${unit}` : `${low} to ${high}${unit}`
  }
  const parts = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    schema.default === undefined ? '' : `default ${code(JSON.stringify(schema.default))}`,
  ].filter(Boolean)
  const sentence = parts.join(', ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function curl(method: string, path: string, operation: Operation): string {
  const url = `"http://127.0.0.1:3000${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`
  const lines = [method === 'GET' ? `curl -s ${url}` : `curl -s -X ${method} ${url}`]
  if (operation.security === undefined || operation.security.length > 0) lines.push(`-H "Authorization: Bearer $KEY"`)
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type) lines.push(`-H 'Content-Type: ${type}'`)
  if (type === 'application/json') lines.push(`-d '${JSON.stringify(media?.example ?? {}).replaceAll("'", `'\\''`)}'`)
  else if (type) lines.push(`--data-binary @${type === 'text/csv' ? 'file.csv' : 'file.ndjson'}`)
  return lines.join(' \\\n  ')
}

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
const code = (value: string): string => `\`${value}\``
const fence = (language: string, content: string): string => `\`\`\`${language}\n${content}\n\`\`\``
const text = (value: string): string => value.trim()
const oneLine = (value: string): string => value.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
