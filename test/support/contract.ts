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

type Contract = { document: Document; templates: Template[]; ajv: Ajv2020 }
type Template = { template: string; parts: string[] }

let contract: Contract | undefined

/** Validates a response against the OpenAPI document for this operation and status. */
export function checkAnswer(method: string, url: string, status: number, body: unknown): void {
  contract ??= load()
  const { document, templates, ajv } = contract
  const given = (url.split('?', 1)[0] as string).replace(/\/$/, '').split('/')
  const template = templates.find(
    ({ template, parts }) =>
      parts.length === given.length &&
      document.paths[template]?.[method.toLowerCase()] &&
      parts.every((part, at) => part.startsWith('{') || part === given[at]),
  )?.template
  // Unknown paths and methods return only the error body.
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
 * Validates a delivery against the webhooks of the document: null when it matches exactly one of them, so that a
 * receiver can identify it, and has their headers; otherwise the error.
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

/** The document that global-setup.ts loaded from the service. */
function load(): Contract {
  const document = JSON.parse(readFileSync(process.env.TEST_OPENAPI as string, 'utf8')) as Document
  const formats = {
    'date-time': (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text),
    date: /^\d{4}-\d\d-\d\d$/,
    uuid: true as const,
    email: true as const,
  }
  // openapi.test.ts checks that the document is valid. A process sees few responses of each kind, so fast compilation
  // matters more than fast validation.
  const made = { inlineRefs: false, code: { optimize: false } }
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats, ...made })
  ajv.addSchema(document, 'api')
  const templates = Object.keys(document.paths)
    .map((template) => ({ template, parts: template.split('/') }))
    // /people/lists before /people/{id}, as in the router.
    .sort((a, b) => a.template.split('{').length - b.template.split('{').length)
  return { document, templates, ajv }
}

function pointerTo(pointer: string): string {
  return encodeURIComponent(pointer.replaceAll('~', '~0').replaceAll('/', '~1'))
}
