import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { home, teamPage } from '../../test/support/people.ts'
import { scene } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'
import { testWorld } from '../../test/support/world.ts'
import { scanAccount } from '../research/scan/scan.ts'
import { redactEvents } from './redact/redact-findings.ts'

const { env, sites } = await testWorld({ mail: [] })
const service = await testService({ env: { ...env, SOURCES: 'website' } })
const { deps } = service
const { db } = deps

const erase = (world: Awaited<ReturnType<typeof scene>>, id: string) =>
  world.client.expect(200, 'DELETE', `/v1/people/${id}`)

test('no spelling of the name or page restores an erased person', async () => {
  const world = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.com' }] })
  const { save, workspaceId, ids } = world
  const saved = await save([
    { full_name: 'Ada Pike' },
    { full_name: 'Tom Hill', network_url: 'https://www.linkedin.com/in/tomhill' },
    { full_name: 'Eve Lund', network_url: 'https://www.acme.com/team/eve' },
  ])
  for (const { id } of saved) await erase(world, id)
  // Only the hashes of an earlier version are stored.
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
  // Homoglyphs: Cyrillic, Greek, Armenian, fullwidth, mathematical.
  adas.push('\u0410da \u0420ike', 'Pik\u0435, \u0391da', 'Ada Pi\u043ae', '\uff21da Pike', '\u{1d400}da Pike')
  const zoes = [
    'Z\u0585e Quill',
    'Zoe Qui\u04cf\u04cf',
    'Quill, Zoe',
    'Dr. Zoe Quill',
    'Zoe Quill MBA',
    'Zoe Ann Quill',
    'Zoe\u200b Quill',
  ]
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

test('a company named like an erased person keeps its name', async () => {
  const world = await scene(service, { accounts: [{ name: 'Ralph Lauren Corporation', domain: 'rl.example' }] })
  const people = await world.save([{ full_name: 'Ralph Lauren' }, { full_name: 'Jo Quill' }])
  for (const { id } of people) await erase(world, id)
  const reason = 'Ralph Lauren opens a store, says Jo Quill. Quill joined Ralph Lauren in May.'
  const event = { status: 'changed', url: 'https://rl.example/', reason }
  const [redacted] = await redactEvents(deps, world.workspaceId, world.ids[0] as string, [event])
  assert.equal(redacted?.reason, 'Ralph Lauren opens a store, says [erased]. [erased] joined Ralph Lauren in May.')
})

test('an erased person is not stored again when spelled with homoglyphs', async () => {
  const domain = 'lookalike.example'
  const team = (name: string) => ({ '/': home(), '/team': teamPage([{ name, title: 'Head of Sales' }]) })
  sites.set(domain, team('Ada Pike'))
  const world = await scene(service, { accounts: [{ name: 'Quarry', domain }], active: true })
  const { client, workspaceId } = world
  const account_id = world.ids[0] as string
  const load = () => client.expect(200, 'POST', '/v1/people/sync', { account_id })
  assert.equal((await load()).synced, 1)
  const [ada] = await client.expect(200, 'GET', '/v1/people')
  await erase(world, ada.id)

  // Cyrillic А, а, Р, і and е.
  const spelled = '\u0410d\u0430 \u0420\u0456k\u0435'
  const article = `<p>Quarry today appointed ${spelled} as Chief Financial Officer, effective immediately.</p><p>${spelled.slice(4)} knows Pike. Ask Ada Pi\u00adke.</p><p>${'Quarry cuts stone in the north. '.repeat(20)}</p>`
  sites.set(domain, {
    ...team(spelled),
    '/': home(
      '<a href="/team">Our team</a> <a href="/news/a-new-cfo">Quarry appoints a new Chief Financial Officer</a>',
    ),
    '/news/a-new-cfo': `<html><head><title>Quarry appoints ${spelled}</title><meta property="article:published_time" content="${service.deps.now().toISOString()}"></head><body><article><h1>Quarry appoints ${spelled}</h1>${article}</article></body></html>`,
  })
  assert.equal((await load()).synced, 0)
  assert.deepEqual(await client.expect(200, 'GET', '/v1/people'), [])
  const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${account_id}/scan`)
  await service.run(scanAccount, { workspace_id: workspaceId, run_id, account_id })
  const signals = JSON.stringify(await client.expect(200, 'GET', `/v1/accounts/${account_id}/signals`))
  const documents = await db.selectFrom('documents').selectAll().where('account_id', '=', account_id).execute()
  assert.match(JSON.stringify(documents), /appointed \[erased\] as Chief Financial Officer/)
  assert.match(JSON.stringify(documents), /\[erased\] knows \[erased\]\. Ask \[erased\]/)
  const lookalikes = new RegExp(`Ada|Pike|${spelled.split(' ').join('|')}`)
  assert.doesNotMatch(signals + JSON.stringify(documents), lookalikes)
})

test('a person erased with a name in another script is not stored again with Latin letters', async () => {
  const world = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.com' }] })
  const [anna] = await world.save([{ full_name: 'Анна Попова' }])
  await erase(world, anna?.id as string)
  for (const full_name of ['Анна Попова', 'АННА ПОПОВА', 'Aннa Пoпoвa']) {
    assert.deepEqual(await world.save([{ full_name }]), [], full_name)
    const event = { status: 'changed', url: 'https://acme.com/', reason: `One new person: "${full_name}".` }
    const [redacted] = await redactEvents(deps, world.workspaceId, world.ids[0] as string, [event])
    assert.equal(redacted?.reason, 'One new person: "[erased]".', full_name)
  }
  assert.equal((await world.save([{ full_name: 'Анна Петрова' }])).length, 1)
})
