import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { scene } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'
import { eventsWithoutErased } from './redact/found.ts'

const service = await testService()
const { deps } = service
const { db } = deps

const erase = (world: Awaited<ReturnType<typeof scene>>, id: string) =>
  world.client.expect(200, 'DELETE', `/v1/people/${id}`)

test('no spelling of their name or page brings an erased person back', async () => {
  const world = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.com' }] })
  const { save, workspaceId, ids } = world
  const saved = await save([
    { full_name: 'Ada Pike' },
    { full_name: 'Tom Hill', network_url: 'https://www.linkedin.com/in/tomhill' },
    { full_name: 'Eve Lund', network_url: 'https://www.acme.com/team/eve' },
  ])
  for (const { id } of saved) await erase(world, id)
  // Of whom only the hashes of an earlier version are left.
  const { secrets } = deps
  const old = ['name', 'pageless'].map((kind) =>
    createHmac('sha256', secrets.suppressionKey).update(`${workspaceId}\n${ids[0]} ${kind}:zoe quill`).digest(),
  )
  await db
    .insertInto('people_suppressions')
    .values(old.map((hash) => ({ workspace_id: workspaceId, hash })))
    .execute()

  const adas = [
    'Pike, Ada',
    'Pike Ada',
    'Dr. Ada Pike',
    'Ms Ada Pike',
    'Ada Pike, MBA',
    'Ada Pike MBA',
    'Ada Beatrice Pike',
  ]
  adas.push('Ada-Pike', 'Ada (Addie) Pike', 'Ada Pike (she/her)', 'A\u200bda Pike', 'Ada\u200bPike', 'PIKE, Ada B.')
  const zoes = ['Quill, Zoe', 'Dr. Zoe Quill', 'Zoe Quill MBA', 'Zoe Ann Quill', 'Zoe\u200b Quill']
  const network_url = 'https://network.example/in/another'
  const hers = [...adas, ...zoes].flatMap((full_name) => [
    { full_name, title: 'CFO' },
    { full_name, network_url: `${network_url}-${full_name}` },
  ])
  const toms = [
    '/in/tom%68ill',
    '//in/tomhill',
    '/in/tomhill%20',
    '/in/tomhill;x',
    '/in/tomhill%3Fx',
    '/mwlite/in/tomhill',
    '/comm/in/TomHill/de',
  ]
  const his = [
    ...toms.map((path) => ({ full_name: 'T. H.', network_url: `https://linkedin.com${path}` })),
    { full_name: 'Tom Hill', network_url: 'https://acme.com/about-us' },
    { full_name: 'Eve Lund', network_url: 'https://www.linkedin.com/in/eve-l' },
  ]
  for (const person of [...hers, ...his]) assert.deepEqual(await save([person]), [], JSON.stringify(person))

  const others = [
    { full_name: 'Tom Hill', network_url: 'https://www.linkedin.com/in/tom-hill-2' },
    { full_name: 'Ada Pikeman' },
    { full_name: 'Adam Pike' },
    { full_name: 'Beatrice Pike' },
  ]
  for (const person of others) assert.equal((await save([person])).length, 1, person.full_name)
})

test('a company that is called like somebody erased there keeps its name', async () => {
  const world = await scene(service, { accounts: [{ name: 'Ralph Lauren Corporation', domain: 'rl.example' }] })
  const people = await world.save([{ full_name: 'Ralph Lauren' }, { full_name: 'Jo Quill' }])
  for (const { id } of people) await erase(world, id)
  const reason = 'Ralph Lauren opens a store, says Jo Quill. Quill joined Ralph Lauren in May.'
  const event = { status: 'changed', url: 'https://rl.example/', reason }
  const [told] = await eventsWithoutErased(deps, world.workspaceId, world.ids[0] as string, [event])
  assert.equal(told?.reason, 'Ralph Lauren opens a store, says [erased]. [erased] joined Ralph Lauren in May.')
})
