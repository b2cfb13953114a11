import { readFileSync } from 'node:fs'
import { detect } from './alerts.ts'
import type { Schema } from './arbitrary.ts'
import type { Answer } from './client.ts'
import { type Owner, scene } from './scene.ts'
import type { TestService } from './service.ts'

type Parameter = { name: string; in: string; schema: Schema }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema; example: unknown } } }
  responses: Record<string, { content: object }>
}
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

/** The OpenAPI document that global-setup.ts loaded from the service, and its operations. */
export function readDocument() {
  const document = JSON.parse(readFileSync(process.env.TEST_OPENAPI as string, 'utf8')) as Document
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
    )
    // Deletions last, so that other operations have records to work on.
    .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  const resolve = (ref: string) => document.components.schemas[ref.split('/').at(-1) as string] as Schema
  return { document, operations, resolve }
}

export const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json']

/** A workspace with a record of each kind; `mark` is part of all their names. */
export async function furnish(service: TestService, { owner, mark = 'Acme' }: { owner?: Owner; mark?: string } = {}) {
  const world = await scene(service, {
    owner,
    accounts: [
      { name: mark, domain: `${mark}.com`, tags: ['rail', mark] },
      `active-${mark}.com`,
      `rejected-${mark}.com`,
    ],
    people: [{ full_name: `Mara ${mark}`, title: 'VP Sales', network_url: `https://network.example/in/${mark}` }],
  })
  const { client, ids } = world
  const post = async (path: string, body?: object): Promise<Answer['data']> => (await client.post(path, body)).data
  await post(`/v1/accounts/${ids[1]}/activate`)
  await post(`/v1/accounts/${ids[2]}/reject`)
  const list = await post('/v1/people/lists', { name: `Q4 ${mark}` })
  await post(`/v1/people/lists/${list.id}/members`, { add: [world.people[0]?.id] })
  const member = await post('/v1/members', { name: `Bo ${mark}`, email: `bo@${mark}.com` })
  const destination = await post('/v1/webhook-destinations', { name: `To ${mark}`, url: 'https://93.184.216.34/hook' })
  const { url } = await post('/v1/sign-in-links')
  const session = await post('/v1/sessions', { token: url.split('=')[1] })
  const { ids: found } = await detect(service.deps, world.workspaceId, { account_id: ids[0] as string, run_id: null }, [
    { headline: `Raised, says ${mark}` },
  ])
  const push = { destination_id: destination.id, account_ids: Array.from({ length: 101 }, () => crypto.randomUUID()) }
  const records = {
    '/v1/accounts': ids,
    '/v1/people': world.people.map(({ id }) => id),
    '/v1/people/lists': [list.id],
    '/v1/knowledge-base': [
      (await post('/v1/knowledge-base', { title: mark, content_md: '- Railways', type: 'icp' })).id,
      (await post('/v1/knowledge-base', { title: 'What', content_md: mark })).id,
    ],
    '/v1/signals': [
      'funding',
      (await post('/v1/signals', { name: 'Robots', description: `Orders ${mark} robots` })).id,
    ],
    '/v1/members': [member.id],
    '/v1/api-keys': [(await post('/v1/api-keys', { name: `CRM ${mark}`, expires_at: '2100-01-01T00:00:00Z' })).id],
    '/v1/sessions': [session.id],
    '/v1/webhook-destinations': [destination.id],
    '/v1/push-runs': [(await post('/v1/accounts/webhook-push', push)).run_id],
    '/v1/alert-rules': [
      (await post('/v1/alert-rules', { name: `For ${mark}`, events: ['signal.detected'], channel: 'email' })).id,
    ],
    '/v1/runs': [(await post('/v1/runs', { signals: { any_of: ['funding'] } })).run_id],
  } as Record<string, string[]>
  return { ...world, records, member: member.id as string, detection: found[0] as string }
}

/** The records that the id in a path refers to: those of the longest collection before it. */
export const namedBy = (path: string, records: Record<string, string[]>) =>
  records[path.slice(0, path.indexOf('/{'))] ?? []
