import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, refused } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()
const { db } = service.deps

test('activation takes one credit; activating again costs nothing', async () => {
  const { client, add } = await scene(service)
  const [{ id: adminId }] = await client.expect(200, 'GET', '/v1/members')
  const { id } = await add({ name: 'A' })
  const active = await client.expect(200, 'POST', `/v1/accounts/${id}/activate`, { owner_id: adminId })
  assert.deepEqual([active.status, active.owner_id], ['active', adminId])
  assert.ok(Date.parse(active.activated_at) > Date.now() - 60_000)
  assert.equal((await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)).status, 'active')
  assert.equal((await client.expect(200, 'GET', '/v1/subscription')).credits_used, 1)
})

test('activation lists the limitations of an account without a domain', async () => {
  const { client, ids } = await scene(service, {
    accounts: [{ name: 'Nameless' }, { name: 'Acme', domain: 'acme.com' }],
  })
  const limits = async (id: string | undefined) =>
    (await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)).limitations
  const [pages, people, mend] = await limits(ids[0])
  assert.match(pages, /no domain, so its web site and job boards cannot be read/)
  assert.match(people, /email addresses can be neither found nor verified/)
  assert.match(mend, /PATCH \/accounts\/:id/)
  await client.expect(200, 'PATCH', `/v1/accounts/${ids[0]}`, { domain: 'nameless.com' })
  assert.deepEqual([await limits(ids[0]), await limits(ids[1])], [[], []])
})

test('activating again costs nothing in the same period and one credit in the next', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A' })
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  assert.equal((await client.expect(200, 'POST', `/v1/accounts/${id}/deactivate`)).status, 'suggested')
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  const used = async () => (await client.expect(200, 'GET', '/v1/subscription')).credits_used
  assert.equal(await used(), 1)
  await client.expect(200, 'POST', `/v1/accounts/${id}/deactivate`)
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  await db
    .updateTable('subscriptions')
    .set({ period_start: ago(40), period_end: ago(5) })
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.equal(await used(), 0)
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  assert.equal(await used(), 1)
})

test('twenty concurrent activations with five credits activate five accounts', async () => {
  const { client, add } = await scene(service)
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 5 })
  const accounts = await add(Array.from({ length: 20 }, (_, n) => ({ name: `N${n}` })))
  const answers = await Promise.all(
    accounts.map(({ id }: { id: string }) => client.post(`/v1/accounts/${id}/activate`)),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, 402, 'plan_limit_reached')
  assert.equal((await client.expect(200, 'GET', '/v1/subscription')).credits_used, 5)
  assert.equal((await client.get('/v1/accounts?status=active')).body.pagination.total, 5)
})

test('twenty concurrent activations of one account take one credit', async () => {
  const { client, add } = await scene(service)
  const { id } = await add({ name: 'A' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(`/v1/accounts/${id}/activate`)))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal((await client.expect(200, 'GET', '/v1/subscription')).credits_used, 1)
})

test('without an active subscription no account is activated or scanned', async () => {
  const { client, add } = await scene(service)
  const { id } = await add({ name: 'A' })
  await client.expect(200, 'PUT', '/v1/subscription', { status: 'inactive' })
  refused(await client.post(`/v1/accounts/${id}/activate`), 402, 'subscription_required')
  refused(await client.post(`/v1/accounts/${id}/scan`), 402, 'subscription_required')
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${id}`)).status, 'suggested')
})

test('a suggested account can be rejected, an active one cannot', async () => {
  const { client, add } = await scene(service)
  const [one, two] = await add([{ name: 'A' }, { name: 'B' }])
  assert.equal((await client.expect(200, 'POST', `/v1/accounts/${one.id}/reject`)).status, 'rejected')
  assert.equal((await client.expect(200, 'POST', `/v1/accounts/${one.id}/reject`)).status, 'rejected')
  refused(await client.post(`/v1/accounts/${one.id}/activate`), 409, 'invalid_transition')
  await client.expect(200, 'POST', `/v1/accounts/${two.id}/activate`)
  refused(await client.post(`/v1/accounts/${two.id}/reject`), 409, 'account_active')
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${two.id}`)).status, 'active')
})

test('PATCH sets a rejected, unqualified or new account to suggested, and accepts no other status', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A' })
  for (const status of ['rejected', 'unqualified', 'new'] as const) {
    await db.updateTable('accounts').set({ status }).where('workspace_id', '=', workspaceId).execute()
    assert.equal((await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { status: 'suggested' })).status, 'suggested')
  }
  refused(await client.patch(`/v1/accounts/${id}`, { status: 'active' }), 409, 'invalid_transition')
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  refused(await client.patch(`/v1/accounts/${id}`, { status: 'suggested' }), 409, 'invalid_transition')
  for (const status of ['new', 'unqualified'] as const) {
    await db.updateTable('accounts').set({ status }).where('workspace_id', '=', workspaceId).execute()
    assert.equal((await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)).status, 'active')
  }
})

test('only an active account can be deactivated or enriched', async () => {
  const { client, add } = await scene(service)
  const { id } = await add({ name: 'A' })
  refused(await client.post(`/v1/accounts/${id}/deactivate`), 409, 'account_not_active')
  refused(await client.post(`/v1/accounts/${id}/enrich`), 409, 'account_not_active')
})

test('a scoped member claims a suggestion by activating it, where the workspace allows it, and can then read its people', async () => {
  const { admin, workspaceId } = service
  const rep = await service.member({ visibility: 'scoped' })
  const other = await service.member({ visibility: 'scoped' })
  const owner = { client: admin, workspaceId }
  const { ids, save } = await scene(service, {
    accounts: [{ name: 'Free' }, { name: 'Taken', owner_id: other.id }, { name: 'Busy' }, { name: 'Free too' }],
    owner,
  })
  const [free, taken, busy, freeToo] = ids as [string, string, string, string]
  const [person] = await save([{ full_name: 'Ada Pike' }])
  refused(await rep.client.get(`/v1/people/${person?.id}`), 404, 'not_found')
  const activate = (client: Client, id: string, body: object = {}) => client.post(`/v1/accounts/${id}/activate`, body)

  // Not for another member, not an account with an owner, and not an active one.
  refused(await activate(rep.client, free, { owner_id: other.id }), 403, 'forbidden')
  refused(await activate(rep.client, taken), 403, 'forbidden')
  await admin.expect(200, 'POST', `/v1/accounts/${busy}/activate`)
  refused(await activate(rep.client, busy), 403, 'forbidden')

  const settings = '/v1/settings/workspace'
  assert.deepEqual(await rep.client.expect(200, 'GET', settings), { scoped_members_claim: true, lost_deal_months: 9 })
  refused(await rep.client.put(settings, { scoped_members_claim: true }), 403, 'forbidden')
  await admin.expect(200, 'PUT', settings, { scoped_members_claim: false })
  assert.equal((await rep.client.expect(200, 'GET', '/v1/me')).workspace.scoped_members_claim, false)
  const off = await activate(rep.client, free)
  refused(off, 403, 'forbidden')
  assert.match(off.error.message, /Ask an admin/)
  assert.equal((await admin.expect(200, 'GET', `/v1/accounts/${free}`)).status, 'suggested')

  await admin.expect(200, 'PUT', settings, { scoped_members_claim: true })
  // Of two concurrent claims, one becomes the owner.
  const claims = await Promise.all([rep, other].map(({ client }) => activate(client, freeToo)))
  assert.deepEqual(claims.map(({ status }) => status).sort(), [200, 403])
  const claimed = (await activate(rep.client, free)).data
  assert.deepEqual([claimed.status, claimed.owner_id], ['active', rep.id])
  assert.equal((await rep.client.expect(200, 'GET', `/v1/people/${person?.id}`)).full_name, 'Ada Pike')
  await rep.client.expect(200, 'PATCH', `/v1/accounts/${free}`, { name: 'Mine' })
  // A member who sees all accounts activates without becoming the owner.
  const { id } = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Plain' })
  assert.equal((await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)).owner_id, null)
})

test('a scoped member changes only accounts they own, with any operation', async () => {
  const { admin, workspaceId } = service
  const rep = await service.member({ visibility: 'scoped' })
  const colleague = await service.member({ visibility: 'scoped' })
  const { ids } = await scene(service, {
    accounts: [
      { name: 'Theirs', owner_id: rep.id, tags: ['a'] },
      { name: 'Nobody’s', tags: ['a'] },
      { name: 'Another’s', owner_id: colleague.id, tags: ['a'] },
    ],
    owner: { client: admin, workspaceId },
  })
  const calls: [string, string, object][] = [
    ['PATCH', '', { name: 'Renamed' }],
    ['PATCH', '', { industry: 'Rail', employees: 3 }],
    ['PATCH', '', { tags: ['mine'] }],
    ['PATCH', '', { owner_id: rep.id }],
    ['POST', '/tags', { tags: ['mine'] }],
    ['DELETE', '/tags', { tags: ['a'] }],
    ['PUT', '/owner', { owner_id: rep.id }],
    ['POST', '/reject', {}],
    ['POST', '/scan', {}],
  ]
  for (const id of ids.slice(1)) {
    const before = await admin.expect(200, 'GET', `/v1/accounts/${id}`)
    for (const [method, path, body] of calls)
      refused(await rep.client.send(method, `/v1/accounts/${id}${path}`, body), 403, 'forbidden')
    refused(await rep.client.delete(`/v1/accounts/${id}`), 403, 'forbidden')
    assert.deepEqual(await admin.expect(200, 'GET', `/v1/accounts/${id}`), before)
  }
  for (const [method, path, body] of calls) {
    const { status, text } = await rep.client.send(method, `/v1/accounts/${ids[0]}${path}`, body)
    assert.ok(status < 300, `${method} ${path}: ${text}`)
  }
  // Importing or posting an existing domain does not change the account.
  const domain = 'unchanged.example.com'
  await admin.expect(201, 'POST', '/v1/accounts', { name: 'Kept', domain })
  const again = await rep.client.expect(200, 'POST', '/v1/accounts', {
    name: 'X',
    domain,
    owner_id: rep.id,
    tags: ['x'],
  })
  assert.deepEqual([again.name, again.owner_id, again.tags], ['Kept', null, []])
})
