import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { article, readAbout } from '../../../test/support/documents.ts'
import { scene, unique } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { redactErasedPeople } from '../../privacy/redact.job.ts'
import { updateProfile } from '../../research/enrich.ts'
import { createKey } from '../api-keys/create.ts'
import { redraftAccounts } from './redraft.ts'

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
    { full_name: 'Bo Ek', title: 'Chief Executive Officer', country_code: 'PL' },
  ])
  const idOf = (title: string) => saved.find((person) => person.title === title)?.id
  await updateProfile(deps, workspaceId, account, { firmographics: [] })
  const read = async (id: string, company: typeof halden, path: string, title: string, text: string) => {
    await readAbout(deps, world, id, company, [article(`https://${company.domain}/${path}`, title, text)])
    return found(id)
  }
  const found = async (id: string) => client.expect(200, 'GET', `/v1/accounts/${id}/signals?present=true`)
  const workforce = async () => {
    const now = await client.expect(200, 'GET', `/v1/accounts/${account}`)
    return [now.workforce_by_department, now.workforce_by_country, now.workforce_basis?.people ?? null]
  }
  const appointment = (name: string) => `${name} today appointed Mira Solberg as Chief Financial Officer of ${name}.`
  const [before] = await read(account, halden, '1', 'Halden Robotics appoints a CFO', appointment('Halden Robotics'))
  const [elsewhere] = await read(
    ...([parent, group, '1', 'Halden Group appoints a CFO'] as const),
    `${appointment('Halden Group')} She was with Halden Robotics.`,
  )
  for (const { drafted_message_md } of [before, elsewhere]) assert.match(drafted_message_md, /\n\nHi Mira,\n\n/)
  assert.deepEqual(await workforce(), [{ Executive: 1, Finance: 1, Sales: 1 }, { Norway: 1, Poland: 2 }, 3])

  const toAnother = ({ drafted_message_md, draft, why_reach_out_md, headline }: typeof before, title: string) => {
    // Another company has no one else to write to.
    if (drafted_message_md) assert.match(drafted_message_md, /\n\nHi Bo,\n\n/)
    assert.doesNotMatch(`${drafted_message_md} ${JSON.stringify(draft)}`, /erased|ongratulations on your|Mira|Solberg/)
    assert.match(headline, new RegExp(`has a new ${title}`))
    assert.doesNotMatch(/\*\*Whom to ask:.*/.exec(why_reach_out_md)?.[0] ?? '', /erased/)
    assert.match(why_reach_out_md, /[^\\]\[erased\]/)
  }
  // As a process of the previous version that still runs counts.
  await deps.db
    .updateTable('accounts')
    .set({ workforce_by_country: JSON.stringify({ Norway: 9 }), workforce_based_on: 9 })
    .where('id', '=', account)
    .execute()
  const { workforce_basis } = await client.expect(200, 'GET', `/v1/accounts/${account}`)
  const { text, people, departments_of, countries_of } = workforce_basis
  assert.deepEqual([text, people, departments_of, countries_of], ['from 9 people', 9, 'people', 'people'])
  await deps.db
    .updateTable('accounts')
    .set({ workforce_basis: null, workforce_based_on: null })
    .where('id', '=', account)
    .execute()

  await client.expect(200, 'DELETE', `/v1/people/${idOf('Chief Financial Officer')}`)
  const [after] = await found(account)
  assert.equal(after.id, before.id)
  toAnother(after, 'Chief Financial Officer')
  assert.deepEqual(await workforce(), [{ Executive: 1, Sales: 1 }, { Poland: 2 }, 2])
  await service.run(redactErasedPeople, { workspace_id: workspaceId, account_id: account })
  toAnother((await found(parent))[0], 'Chief Financial Officer')

  const named = 'Halden Robotics today named Mira Solberg Chief Operating Officer.'
  const all = await read(account, halden, '2', 'Halden Robotics names Mira Solberg COO', named)
  const later = all.find(({ headline }: typeof before) => /Operating|COO/.test(headline))
  assert.ok(later, JSON.stringify(all))
  toAnother(later, 'Chief Operating Officer')
  assert.match((await client.expect(200, 'GET', `/v1/accounts/${account}`)).why_now_md, /has a new Chief Operating/)

  for (const title of ['Head of Sales', 'Chief Executive Officer'])
    await client.expect(200, 'DELETE', `/v1/people/${idOf(title)}`)
  assert.deepEqual(await workforce(), [null, null, null])
})

const ROUND = (name: string) =>
  article(`https://${name}.example/round`, `${name} raises`, `${name} today raised $40 million in Series B funding.`)

test('the owner signs, edits are kept and teach, and another owner or person redrafts what was not edited', async () => {
  const company = { name: 'Bramwell', domain: 'bramwell.example' }
  const world = await scene(service, { accounts: [company], active: true })
  const { client, save, workspaceId } = world
  const [id] = world.ids as [string]
  const redraft = () => service.run(redraftAccounts, { workspace_id: workspaceId, account_ids: [id] })
  const [person] = await save([{ full_name: 'Ewa Lis', title: 'Chief Financial Officer', account_id: id }])
  await readAbout(deps, world, id, company, [ROUND('Bramwell')])
  const found = async (by = client) => (await by.expect(200, 'GET', `/v1/accounts/${id}/signals?present=true`))[0]
  const unowned = await found()
  assert.deepEqual([unowned.draft.is_signed, unowned.draft.person_id], [false, (person as { id: string }).id])
  assert.match(unowned.draft.body, /^Hi Ewa,[\s\S]*\?$/)

  const { member } = await client.expect(200, 'GET', '/v1/me')
  await client.expect(200, 'PATCH', '/v1/me/profile', { name: 'Dana Whit', job_title: 'Account Executive' })
  await client.expect(200, 'PUT', `/v1/accounts/${id}/owner`, { owner_id: member.id })
  await redraft()
  const signed = await found()
  assert.match(signed.draft.body, /\n\nBest,\nDana Whit\nAccount Executive$/)
  assert.ok(signed.drafted_message_md.includes('Dana Whit'))

  const path = `/v1/accounts/${id}/signals/${signed.id}/draft`
  const body = 'Hej Ewa!\n\nShort and sweet.\n\nCheers,\nDana'
  const edited = await client.expect(200, 'PUT', path, { subject: 'Hej', body })
  assert.deepEqual([edited.draft.subject, edited.draft.body], ['Hej', body])
  assert.ok(edited.draft.edited_at && edited.draft.short_message === signed.draft.short_message)
  const profile = await client.expect(200, 'GET', '/v1/me/profile')
  assert.deepEqual([profile.greeting, profile.sign_off, profile.body_words], ['Hej {first}!', 'Cheers,', 3])
  await save([{ full_name: 'Ola Ny', title: 'Finance Director', account_id: id }])
  await redraft()
  assert.equal((await found()).draft.body, body, 'an edited draft stays')
  refused(await client.put(path, { subject: ' ', body }), 400, 'invalid_request')

  const reset = await client.expect(200, 'DELETE', path)
  assert.equal(reset.draft.edited_at, null)
  assert.match(reset.draft.body, /^Hej Ewa!\n\n[\s\S]*\$40 million[\s\S]*\n\nCheers,\nDana Whit/)

  // A member who may not see the person does not see the message to them either.
  const colleague = await client.expect(201, 'POST', '/v1/members', {
    ...{ name: 'Sam', email: 'sam@bramwell.example', visibility: 'scoped' },
  })
  const scoped = service.as((await createKey(deps.db, workspaceId, { member_id: colleague.id, name: 'test' })).key)
  const hidden = await found(scoped)
  assert.deepEqual([hidden.drafted_message_md, hidden.draft], [null, null])
  const listed = (await scoped.get('/v1/detections')).data
  assert.doesNotMatch(JSON.stringify(listed), /Ewa/)
  refused(await scoped.put(path, { subject: 'Hej', body }), 403, 'forbidden')
  await client.expect(200, 'PUT', `/v1/accounts/${id}/owner`, { owner_id: colleague.id })
  assert.match((await found(scoped)).draft.body, /Ewa/)

  // An edited draft that names an erased person is replaced; another one stays.
  await client.expect(200, 'PUT', path, { subject: 'Hej', body, short_message: 'Hello,\nEwa Lis told me.' })
  const other = (await client.expect(200, 'GET', `/v1/people?account_id=${id}`)).find(
    ({ full_name }: { full_name: string }) => full_name === 'Ola Ny',
  )
  await client.expect(200, 'DELETE', `/v1/people/${other.id}`)
  assert.equal((await found()).draft.body, body)
  await client.expect(200, 'DELETE', `/v1/people/${(person as { id: string }).id}`)
  assert.doesNotMatch(JSON.stringify(await found()), /Ewa|Lis/)
})

test('the playbook has a default for each signal and department, and can be edited and reset', async () => {
  const { client } = await scene(service, { accounts: 0 })
  const plays = await client.expect(200, 'GET', '/v1/playbook')
  assert.equal(plays.length, 12 * 6)
  for (const { problem, why_now, source } of plays) {
    assert.ok(problem.length > 10 && why_now.length > 30)
    assert.equal(source, 'default')
  }
  const wanted = { problem: 'slow books', why_now: 'Investors ask at once.', proof: null, ask: 'Are the books slow?' }
  const edited = await client.expect(200, 'PUT', '/v1/playbook/funding/finance', wanted)
  assert.deepEqual({ ...edited, ...wanted, source: 'edited' }, edited)
  const sections = await client.expect(200, 'GET', '/v1/knowledge-base')
  const [section] = sections.filter(({ type }: { type: string }) => type === 'playbook')
  assert.deepEqual([section.id, section.title], [edited.section_id, 'Funding × Finance'])
  await client.expect(200, 'PUT', '/v1/playbook/funding/finance', { ...wanted, ask: null })
  const first = () => client.expect(200, 'PUT', '/v1/playbook/hiring/people', wanted)
  await Promise.all([first(), first(), first()])
  assert.equal((await client.expect(200, 'GET', '/v1/knowledge-base')).length, 2, 'a section for each play')
  await client.expect(200, 'DELETE', '/v1/playbook/hiring/people')
  assert.equal((await client.expect(200, 'GET', '/v1/knowledge-base')).length, 1)
  assert.equal((await client.expect(200, 'DELETE', '/v1/playbook/funding/finance')).source, 'default')
  assert.deepEqual(await client.expect(200, 'GET', '/v1/knowledge-base'), [])
  // A custom signal keeps its plays under another name.
  const custom = { name: 'New wealth tax', description: 'The company pays a new tax on its wealth.' }
  const { id } = await client.expect(201, 'POST', '/v1/signals', custom)
  assert.equal((await client.expect(200, 'PUT', `/v1/playbook/${id}/people`, wanted)).source, 'edited')
  await client.expect(200, 'PATCH', `/v1/signals/${id}`, { name: 'Taxed' })
  const renamed = (await client.expect(200, 'GET', '/v1/playbook')).find(
    (play: { signal_id: string; department: string }) => play.signal_id === id && play.department === 'people',
  )
  assert.deepEqual([renamed.problem, renamed.source], ['slow books', 'edited'])
  refused(await client.put('/v1/playbook/nothing/finance', wanted), 404, 'not_found')
  refused(await client.put('/v1/playbook/funding/kitchen', wanted), 404, 'not_found')
})
