import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Delivery } from '../../sandbox/receiver.ts'

type Operation = { responses: Record<string, { $ref?: string }> }
export type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, object>
  components: { schemas: Record<string, object>; parameters: Record<string, { name: string }> }
}

type Contract = { document: Document; ajv: Ajv2020 }

let contract: Contract | undefined

/** Validates an answer against what the OpenAPI document promises for this call and status. */
export function checkAnswer(method: string, url: string, status: number, body: unknown): void {
  contract ??= load()
  const { document, ajv } = contract
  const path = (url.split('?', 1)[0] as string).replace(/\/$/, '')
  // /people/lists before /people/{id}, as the router has it.
  const [template] = Object.keys(document.paths)
    .filter((candidate) => matches(candidate, path, method, document))
    .sort((a, b) => a.split('{').length - b.split('{').length)
  // Unknown paths and methods answer with the error body alone.
  let pointer = '#/components/schemas/Error'
  if (template) {
    const promised = document.paths[template]?.[method.toLowerCase()]?.responses[status]
    assert.ok(
      promised,
      `${method} ${template} answered ${status}, which its documentation does not list: ${JSON.stringify(body)}`,
    )
    const inline = `#/paths/${pointerTo(template)}/${method.toLowerCase()}/responses/${status}`
    pointer = `${promised.$ref ?? inline}/content/application~1json/schema`
  }
  if (body === null) return
  const validate = ajv.getSchema(`api${pointer}`)
  assert.ok(validate, `no schema at ${pointer}`)
  assert.ok(validate(body), `${method} ${url} ${status}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`)
}

/**
 * What is wrong with a delivery, against what the document says of webhooks: null when it is exactly one of them, so that a
 * receiver can tell which, and carries their headers.
 */
export function checkDelivery({ method, headers, body }: Pick<Delivery, 'method' | 'headers' | 'body'>): string | null {
  contract ??= load()
  const { document, ajv } = contract
  const missing = Object.values(document.components.parameters).filter(({ name }) => !headers[name])
  if (missing.length > 0) return `A delivery has no ${missing.map(({ name }) => name).join(', ')}: ${body}`
  if (method !== 'POST' || headers['content-type'] !== 'application/json') return `Not a POST of JSON: ${body}`
  const payload = JSON.parse(body)
  const problems: string[] = []
  const names = Object.keys(document.webhooks).filter((name) => {
    const pointer = `#/webhooks/${pointerTo(name)}/post/requestBody/content/application~1json/schema`
    const validate = ajv.getSchema(`api${pointer}`)
    assert.ok(validate, `no schema at ${pointer}`)
    if (validate(payload)) return true
    problems.push(`${name}: ${ajv.errorsText(validate.errors)}`)
    return false
  })
  return names.length === 1 ? null : `It is [${names}] of the documented webhooks: ${body}\n${problems.join('\n')}`
}

/** The document that global-setup.ts got from the service. */
function load(): Contract {
  const document = JSON.parse(readFileSync(process.env.TEST_OPENAPI as string, 'utf8')) as Document
  const formats = {
    'date-time': (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text),
    date: /^\d{4}-\d\d-\d\d$/,
    uuid: true as const,
    email: true as const,
  }
  // That the document is right is held elsewhere (openapi.test.ts).
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats })
  ajv.addSchema(document, 'api')
  return { document, ajv }
}

function matches(template: string, path: string, method: string, document: Document): boolean {
  if (!document.paths[template]?.[method.toLowerCase()]) return false
  const wanted = template.split('/')
  const given = path.split('/')
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('{') || part === given[at])
}

function pointerTo(pointer: string): string {
  return encodeURIComponent(pointer.replaceAll('~', '~0').replaceAll('/', '~1'))
}
