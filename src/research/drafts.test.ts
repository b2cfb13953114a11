import assert from 'node:assert/strict'
import { test } from 'node:test'
import { article, readAbout } from '../../test/support/documents.ts'
import { scene, unique } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'
import { redactErasedPeople } from '../privacy/redact.job.ts'
import { updateProfile } from './enrich.ts'

const service = await testService()
const { deps } = service

test('an erased person is removed from stored drafts and counts, and from later ones', async () => {
  const halden = { name: 'Halden Robotics', domain: `${unique('halden')}.example` }
  const group = { name: 'Halden Group', domain: `group.${halden.domain}` }
  const world = await scene(service, { accounts: [halden, group], active: true })
  const { client, save, workspaceId } = world
  const [account, parent] = world.ids as [string, string]
  await client.expect(201, 'POST', '/v1/knowledge-base', {
    ...{ type: 'icp', title: 'Who', content_md: 'Personas: Chief Financial Officer, Chief Operating Officer' },
  })
  const saved = await save([
    { full_name: 'Mira Solberg', title: 'Chief Financial Officer', country_code: 'NO' },
    { full_name: 'Ewa Lis', title: 'Head of Sales', country_code: 'PL' },
  ])
  const idOf = (title: string) => saved.find((person) => person.title === title)?.id
  await updateProfile(deps, workspaceId, account, [])
  const read = async (id: string, company: typeof halden, path: string, title: string, text: string) => {
    await readAbout(deps, world, id, company, [article(`https://${company.domain}/${path}`, title, text)])
    return found(id)
  }
  const found = async (id: string) => client.expect(200, 'GET', `/v1/accounts/${id}/signals?present=true`)
  const workforce = async () => {
    const now = await client.expect(200, 'GET', `/v1/accounts/${account}`)
    return [now.workforce_by_department, now.workforce_by_country, now.workforce_based_on]
  }
  const appointment = (name: string) => `${name} today appointed Mira Solberg as Chief Financial Officer of ${name}.`
  const [before] = await read(account, halden, '1', 'Halden Robotics appoints a CFO', appointment('Halden Robotics'))
  const [elsewhere] = await read(
    ...([parent, group, '1', 'Halden Group appoints a CFO'] as const),
    `${appointment('Halden Group')} She was with Halden Robotics.`,
  )
  for (const { drafted_message_md } of [before, elsewhere]) assert.match(drafted_message_md, /\n\nHi Mira,\n\n/)
  assert.deepEqual(await workforce(), [{ Finance: 1, Sales: 1 }, { Norway: 1, Poland: 1 }, 2])

  const toNobody = ({ drafted_message_md, why_reach_out_md, headline }: typeof before, title: string) => {
    assert.match(drafted_message_md, /\n\nHello,\n\n/)
    assert.doesNotMatch(drafted_message_md, /erased|ongratulations|Mira|Solberg/)
    assert.match(`${headline}\n${drafted_message_md}`, new RegExp(`has a new ${title}[\\s\\S]*has a new ${title}`))
    assert.doesNotMatch(/\*\*Whom to ask:.*/.exec(why_reach_out_md)?.[0] ?? '', /erased/)
    assert.match(why_reach_out_md, /[^\\]\[erased\]/)
  }
  await client.expect(200, 'DELETE', `/v1/people/${idOf('Chief Financial Officer')}`)
  const [after] = await found(account)
  assert.equal(after.id, before.id)
  toNobody(after, 'Chief Financial Officer')
  assert.deepEqual(await workforce(), [{ Sales: 1 }, { Poland: 1 }, 1])
  await service.run(redactErasedPeople, { workspace_id: workspaceId, account_id: account })
  toNobody((await found(parent))[0], 'Chief Financial Officer')

  const named = 'Halden Robotics today named Mira Solberg Chief Operating Officer.'
  const all = await read(account, halden, '2', 'Halden Robotics names Mira Solberg COO', named)
  const later = all.find(({ headline }: typeof before) => /Operating|COO/.test(headline))
  assert.ok(later, JSON.stringify(all))
  toNobody(later, 'Chief Operating Officer')
  assert.match((await client.expect(200, 'GET', `/v1/accounts/${account}`)).why_now_md, /has a new Chief Operating/)

  await client.expect(200, 'DELETE', `/v1/people/${idOf('Head of Sales')}`)
  assert.deepEqual(await workforce(), [null, null, null])
})
