import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { REDOCLY, SPECTRAL } from '../../tools/programs.ts'
import { readOperations, readTables } from '../support/operations.ts'
import { testService } from '../support/service.ts'

type Media = { 'application/json': { schema: object; example?: unknown } }
type Operation = {
  operationId: string
  summary: string
  tags: string[]
  parameters?: { name: string; in: string }[]
  'x-extension'?: boolean
  requestBody?: { content: Media }
  responses: Record<string, Response | { $ref: string }>
}
type Response = { description: string; content: Media }
type Document = {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  tags: { name: string }[]
  components: { responses: Record<string, Response> }
}

const PUBLIC_URL = 'https://bellwether.northwind.example'
const service = await testService({ env: { PUBLIC_URL } })
const { text } = await service.as(null).get('/openapi.json')
const document = JSON.parse(text) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method,
    operation,
  })),
)

const folder = mkdtempSync(join(tmpdir(), 'bellwether-openapi-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'openapi.json')
writeFileSync(file, text)

test('the document contains the public URL of the service', () => {
  assert.deepEqual(
    document.servers.map(({ url }) => url),
    [PUBLIC_URL],
  )
})

test('the document is OpenAPI 3.1 and passes redocly lint', async () => {
  assert.equal(document.openapi, '3.1.0')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [REDOCLY, 'lint', '--format=json', file], {
    env,
  })
  const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] }
  // The specification has both /people/{id}/owner and /people/lists/{id}.
  const others = problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths')
  assert.deepEqual(others, [], stderr)
})

test('the document passes spectral with its rules for OpenAPI', async () => {
  const ruleset = new URL('../fixtures/spectral.yaml', import.meta.url).pathname
  const lint = promisify(execFile)(process.execPath, [SPECTRAL, 'lint', '--quiet', '-f', 'json', '-r', ruleset, file])
  // It exits with 1 and prints the findings on standard output.
  const { stdout } = await lint.catch((error: { stdout: string }) => error)
  const problems = JSON.parse(stdout) as { code: string; message: string; path: string[] }[]
  assert.deepEqual(
    problems.map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`),
    [],
  )
})

test('operation ids are stable', () => {
  const known = readFileSync(new URL('../fixtures/operation-ids.txt', import.meta.url), 'utf8')
  const now = readOperations().map(({ operationId, name }) => `${operationId} ${name}`)
  // A new operation is a new line there; existing lines stay.
  assert.deepEqual(now.toSorted(), known.trim().split('\n').toSorted())
})

test('every operation has a unique id, a summary and a described tag', () => {
  assert.ok(operations.length >= 20)
  assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
  const tags = new Set(document.tags.map(({ name }) => name))
  for (const { name, operation } of operations) {
    assert.ok(operation.summary, name)
    assert.ok(
      operation.tags.every((tag) => tags.has(tag)),
      `${name}: ${operation.tags}`,
    )
  }
})

test('no operation has a header whose example an importer would send with every request', () => {
  for (const { name, operation } of operations)
    assert.ok(
      (operation.parameters ?? []).every((parameter) => parameter.in !== 'header'),
      name,
    )
})

test('every operation lists its error responses', () => {
  for (const { name, method, operation } of operations) {
    const statuses = Object.keys(operation.responses)
    for (const status of ['401', '429', '500', '503']) assert.ok(statuses.includes(status), `${name} lacks ${status}`)
    if (name.includes('{')) assert.ok(statuses.includes('404'), `${name} lacks 404`)
    if (operation.requestBody)
      for (const status of ['400', '413', '415']) assert.ok(statuses.includes(status), `${name} lacks ${status}`)
    if (method !== 'get') assert.ok(statuses.includes('403'), `${name} lacks 403`)
  }
})

test('every body and every response has an example that matches its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'api')
  const escaped = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
  const described = [...Object.entries(document.paths), ...Object.entries(document.webhooks)]
  for (const [name, methods] of described) {
    const isSent = name in document.webhooks
    for (const [method, operation] of Object.entries(methods)) {
      const at = `api#/${isSent ? 'webhooks' : 'paths'}/${escaped(name)}/${method}`
      // A receiver's response has no defined body.
      // Nor has 304.
      const responses = isSent ? [] : Object.entries(operation.responses).filter(([status]) => status !== '304')
      const places = responses.map(([status, response]): [string, Media] =>
        '$ref' in response
          ? [`api${response.$ref}`, refusal(response.$ref).content]
          : [`${at}/responses/${status}`, response.content],
      )
      if (operation.requestBody) places.push([`${at}/requestBody`, operation.requestBody.content])
      for (const [pointer, content] of places) {
        // A body that is not JSON has no schema, but examples.
        if (!content['application/json']) {
          assert.ok(
            Object.values(content).every(({ example }) => example),
            `${pointer} has no example`,
          )
          continue
        }
        const { example } = content['application/json']
        assert.ok(example !== undefined, `${pointer} has no example`)
        const validate = ajv.getSchema(`${pointer}/content/application~1json/schema`)
        assert.ok(validate?.(example), `${pointer}: ${ajv.errorsText(validate?.errors)}`)
      }
    }
  }
})

/** String literals in the source, with a placeholder for interpolations. */
function* literalsOf(source: string): Generator<RegExp> {
  for (const [, plain, template] of source.matchAll(/'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\]|\\.)+)`/g)) {
    const parts = (plain ?? template ?? '').split(/\$\{[^}]*\}/).map((part) => part.replaceAll("\\'", "'"))
    if (Math.max(...parts.map(({ length }) => length)) < 10) continue
    yield new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.+')}$`)
  }
}

test('the messages in error examples are those of the service', () => {
  const shown = Object.values(document.components.responses).map(({ content }) => {
    const { error } = content['application/json'].example as { error: { code: string; message: string } }
    return error.message
  })
  const root = new URL('../../src/', import.meta.url).pathname
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!error-examples|\.test)\.ts$/.test(name))
    .map((name) => readFileSync(join(root, name), 'utf8'))
  const said = sources.flatMap((source) => [...literalsOf(source)])
  // Composed of smaller parts.
  const others = ['name is required.', 'No CRM is connected. Connect it with POST /connections.']
  const unknown = new Set(shown.filter((message) => !said.some((literal) => literal.test(message))))
  assert.deepEqual(
    [...unknown].filter((message) => !others.includes(message)),
    [],
  )
})

function refusal(pointer: string): Response {
  const found = document.components.responses[pointer.replace('#/components/responses/', '')]
  assert.ok(found, `${pointer} names nothing`)
  return found
}

test('docs/conformance.md has a row for every operation, with extensions listed separately', () => {
  const [published, extensions] = readTables('docs/conformance.md').map((rows) => rows.map(([name]) => name).sort())
  const named = (isExtension: boolean) =>
    readOperations()
      .filter((operation) => operation.isExtension === isExtension)
      .map(({ name }) => name)
      .sort()
  assert.deepEqual(published, named(false))
  assert.equal(published?.length, 46)
  assert.deepEqual(extensions, named(true))
})

/** The fields of the specification by record; nullable ones are marked with a question mark. */
const PUBLISHED: Record<string, string> = {
  KnowledgeSection: 'id type title content_md source_url? is_ai_generated position created_at',
  CompanyProfile: 'name domain logo_url business_context scraped_meta updated_at',
  ListedAccount:
    'id name domain status score employees industry location country tags owner_id? network_url short_description ' +
    'logo_url created_at last_signal_at is_hot qualified',
  Account: 'why_now_md source last_scanned_at',
  Person:
    'id account_id full_name title headline network_url email? email_checked_at? phone? phone_checked_at? location ' +
    'country_code connections_count profile_picture_url job_level source icp_tier ranking owner_id? created_at',
  PersonWithLists: 'list_ids',
  WebhookDestination: 'id name url_masked secret created_at',
  PushRun: 'id channel record_type status total sent failed skipped error_sample created_at finished_at?',
  NotificationSettings: 'webhook_url? webhook_enabled chat_channel chat_enabled notify_realtime notify_suggested',
  Integrations:
    'crm.connected crm.provider crm.connected_at crms chat.connected chat.channel webhook.enabled webhook.url ' +
    'webhook_destinations.count mcp.enabled',
  SignalDetection:
    'id signal_id signal_present alpha icp_fit detected_at headline narrative why_reach_out_md drafted_message_md ' +
    'evidence key_facts personas sources created_at',
  MonitorEvent: 'id url status search_status meaningful confidence reason run_id created_at',
  Run: 'id signal_id name mode status stats timeframe_days started_at finished_at created_at',
}

test('a published field is null only where the specification or docs/conformance.md allows it', () => {
  type Field = { type?: string | string[]; properties?: Record<string, Field> }
  const schemas = (document.components as unknown as { schemas: Record<string, Field> }).schemas
  const undocumented = Object.entries(PUBLISHED).flatMap(([record, fields]) =>
    fields.split(' ').flatMap((field) => {
      const path = field.replace('?', '').split('.')
      const found = path.reduce<Field | undefined>((schema, name) => schema?.properties?.[name], schemas[record])
      assert.ok(found?.type, `${record} has no ${field}`)
      const isNullable = [found.type].flat().includes('null')
      return isNullable && !field.endsWith('?') ? [`${record} ${field}`] : []
    }),
  )
  const listed = readTables('docs/conformance.md')[2]?.map(([record, field]) => `${record} ${field}`)
  assert.deepEqual(listed, undocumented)
})

test('every test that docs/conformance.md names is in its file', () => {
  const [published = [], extensions = [], , within = []] = readTables('docs/conformance.md')
  for (const [operation, , file = '', name = ''] of [...published, ...extensions, ...within]) {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    const declared = ['"', "'", '`'].some((quote) => source.includes(`test(${quote}${name}${quote}`))
    assert.ok(declared, `${operation}: ${file} has no test "${name}"`)
  }
})
