import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../test/support/client.ts'
import { article, readAbout } from '../../test/support/documents.ts'
import { testReceiver } from '../../test/support/receiver.ts'
import { scene, unique } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'

const receiver = await testReceiver()
const service = await testService({ env: { OUTBOUND_ALLOW: receiver.host } })
const { deps } = service
const { db } = deps

test('an export finds the same spellings of a name as an erasure', async () => {
  const company = { name: 'Halden Robotics', domain: `${unique('halden')}.example` }
  const world = await scene(service, { accounts: [company, 'vantor.example'], active: true })
  const { client, save, workspaceId, ids } = world
  const [account, partner] = ids as [string, string]
  const url = 'https://vantor.example/'
  const seen = { status: 'changed', search_status: 'skipped', meaningful: true, confidence: 1, url } as const
  for (const [full_name, written] of [
    ['Jose Garcia', 'José García'],
    ["Ada O'Neill-Pike", 'Ada Pike'],
    ["Bea O'Neill-Rook", 'Bea O’Neill'],
    ['Jörg Müller', 'Joerg Mueller'],
  ] as const) {
    const [person] = await save([{ full_name }])
    const told = `Halden Robotics today appointed ${written} as Chief Financial Officer.`
    await readAbout(deps, world, account, company, [article(`https://${company.domain}/${unique('a')}`, 'News', told)])
    const event = {
      ...seen,
      id: crypto.randomUUID(),
      run_id: crypto.randomUUID(),
      reason: `Halden Robotics: ${written} spoke.`,
    }
    await db
      .insertInto('monitor_events')
      .values({ workspace_id: workspaceId, account_id: partner, ...event })
      .execute()
    const held = await client.expect(200, 'GET', `/v1/people/${person?.id}/export`)
    for (const kind of ['documents', 'detections', 'monitor_events'])
      assert.ok(JSON.stringify(held[kind]).includes(written), `${full_name}: ${kind}`)
  }
})

test('everything stored about a person is exported, only to members who may see them', async () => {
  const company = { name: 'Halden Robotics', domain: `${unique('halden')}.example` }
  const { member, admin, workspaceId } = service
  const world = await scene(service, {
    accounts: [company, 'vantor.example'],
    active: true,
    owner: { client: admin, workspaceId },
  })
  const { client, save, ids } = world
  const [account, partner] = ids as [string, string]
  const network_url = 'https://network.example/in/mira'
  const [mira] = await save([
    {
      full_name: 'Mira Solberg',
      title: 'CFO',
      network_url,
      given_email: 'mira@halden.example',
      published_email: 'mira.solberg@halden.example',
      published_url: 'https://halden.example/team',
      phone: '+4940123456',
    },
  ])
  const id = mira?.id as string
  const [twin] = await save([{ full_name: 'M. Solberg', network_url, account_id: partner }])
  const list = await client.expect(201, 'POST', '/v1/people/lists', { name: unique('List') })
  await client.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: [id] })
  const destination = await client.expect(201, 'POST', '/v1/webhook-destinations', {
    name: unique('Hook'),
    url: `${receiver.url}/hook`,
  })
  await client.expect(200, 'POST', '/v1/people/webhook-push', { destination_id: destination.id, contact_ids: [id] })
  const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'CFO', account_ids: [account] })
  await db
    .insertInto('crm_contacts')
    .values({
      workspace_id: workspaceId,
      provider: 'crm_one',
      portal: '1',
      crm_id: '501',
      person_id: id,
      written: '{}',
    })
    .execute()
  const filler = 'Nothing of note happened. '.repeat(40)
  await readAbout(deps, world, account, company, [
    article(
      `https://${company.domain}/1`,
      'Halden Robotics appoints a CFO',
      `Halden Robotics today appointed Mira Solberg as Chief Financial Officer. ${filler}`,
    ),
  ])
  await readAbout(deps, world, partner, { name: 'vantor', domain: 'vantor.example' }, [
    article('https://vantor.example/1', 'Panel', `${filler} On the panel: Solberg, Mira (Halden Robotics). ${filler}`),
    article('https://vantor.example/2', 'Award', 'The prize goes to Mira Solberg of Skien Opera.'),
  ])

  const held = await client.expect(200, 'GET', `/v1/people/${id}/export`)
  assert.deepEqual(
    [held.person.full_name, held.account.name, held.owner, held.has_more, held.other_records],
    ['Mira Solberg', 'Halden Robotics', null, false, [{ id: twin?.id, account_id: partner }]],
  )
  assert.deepEqual(
    held.contact_points.map(({ value, verified, source_url }: Record<string, unknown>) => [
      value,
      verified,
      source_url,
    ]),
    [
      ['mira@halden.example', false, null],
      ['mira.solberg@halden.example', false, 'https://halden.example/team'],
      ['+4940123456', false, null],
    ],
  )
  assert.deepEqual(held.lists, [{ id: list.id, name: list.name }])
  assert.deepEqual(
    held.searches.map(({ id, query }: Record<string, unknown>) => [id, query]),
    [[found.search_id, 'CFO']],
  )
  assert.deepEqual([held.crm_records[0].crm_id, held.pushes[0].destination], ['501', destination.name])
  assert.ok(held.deliveries.length > 0)
  assert.deepEqual(held.documents.map(({ url }: { url: string }) => url).toSorted(), [
    `https://${company.domain}/1`,
    'https://vantor.example/1',
  ])
  for (const { passages, published_by, language } of held.documents) {
    assert.deepEqual([published_by, language], ['byline', 'en'])
    assert.match(passages.at(-1).text, /Mira/)
    assert.ok(passages.at(-1).text.length < 400, 'a passage, and not the whole text')
  }
  assert.match(JSON.stringify(held.detections), /evidence\.0\.quote[\s\S]*Mira Solberg/)
  const beyond = await client.expect(200, 'GET', `/v1/people/${id}/export?page=2`)
  assert.deepEqual([beyond.person.id, beyond.documents, beyond.lists], [id, [], []])

  const scoped = await member({ visibility: 'scoped' })
  refused(await scoped.client.get(`/v1/people/${id}/export`), 404, 'not_found')
  await client.expect(200, 'PUT', `/v1/people/${id}/owner`, { owner_id: scoped.id })
  const seen = await scoped.client.expect(200, 'GET', `/v1/people/${id}/export`)
  assert.deepEqual([seen.owner.id, seen.other_records], [scoped.id, []])
  assert.deepEqual(seen.searches, [], 'what a colleague typed is not theirs to read')
  refused(await (await service.stranger()).client.get(`/v1/people/${id}/export`), 404, 'not_found')
})
