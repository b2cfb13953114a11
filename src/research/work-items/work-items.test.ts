import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Client } from '../../../test/support/client.ts'
import { idle } from '../../../test/support/eventually.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { recordMoves } from '../../people/moves/record.ts'
import { createKey } from '../../resources/api-keys/create.ts'
import { readContext } from '../context.ts'
import { detectAndRecord } from '../detect-and-record.ts'
import { wakeWorkItems } from './change.ts'

const service = await testService({ worker: true })
const { deps } = service
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

const ROUND = (name: string) =>
  `${name} today announced that it has raised $40 million in Series B funding led by Vantor Capital.`
const OFFICE = (name: string) => `${name} has opened a new office in Lisbon, Portugal, where it will employ 80 people.`
const CRO = (name: string) => `${name} today announced that it has appointed Ada Stone as Chief Revenue Officer.`

let serial = 0
/** A workspace with active accounts, and a function that reads a page about one of them. */
async function desk(
  accounts: { owner?: boolean; people?: { full_name: string; title: string; email?: string }[] }[] = [{}],
) {
  const number = ++serial
  const names = accounts.map(
    (_, at) => `Halden Robotics ${String.fromCharCode(65 + number)}${String.fromCharCode(65 + at)}`,
  )
  const made = await scene(service, {
    accounts: names.map((name, at) => ({ name, domain: `halden-${number}-${at}.example` })),
    active: true,
  })
  const { client, workspaceId, ids } = made
  const me = (await client.expect(200, 'GET', '/v1/me')).member
  for (const [at, { owner, people }] of accounts.entries()) {
    const id = ids[at] as string
    if (owner) await client.expect(200, 'PUT', `/v1/accounts/${id}/owner`, { owner_id: me.id })
    if (people) await made.save(people.map((person) => ({ ...person, account_id: id })))
    for (const { full_name, email } of people ?? [])
      if (email) await deps.db.updateTable('people').set({ email }).where('full_name', '=', full_name).execute()
  }
  async function read(at: number, texts: ((name: string) => string)[], ago = 1) {
    const name = names[at] as string
    const documents = texts.map((text) => ({
      url: `https://halden-${number}-${at}.example/news/${++serial}`,
      kind: 'article' as const,
      source: 'website',
      title: text(name).slice(0, 60),
      text: text(name),
      published_date: day(ago),
    }))
    const target = { workspace_id: workspaceId, account_id: ids[at] as string, run_id: null }
    const company = { name, domain: `halden-${number}-${at}.example` }
    await detectAndRecord(deps, await readContext(deps, workspaceId), target, company, documents)
  }
  const queue = async (query = '') => (await client.get(`/v1/work-items${query}`)).data
  return { ...made, names, me, read, queue }
}

const lines = async (client: Client, id: string) =>
  (await client.get(`/v1/accounts/${id}/activities`)).data.map(({ kind }: { kind: string }) => kind)

test('a finding opens one work item per account, with the event, the reasons, the person and the draft', async () => {
  const { read, queue, ids, names, client } = await desk([
    { people: [{ full_name: 'Ewa Nowak', title: 'Chief Executive Officer', email: 'ewa@halden.example' }] },
  ])
  await read(0, [ROUND])
  const [item, ...others] = await queue()
  assert.equal(others.length, 0)
  assert.equal(item.account.id, ids[0])
  assert.equal(item.state, 'open')
  assert.match(item.events[0].headline, /\$40 million/)
  assert.match(item.events[0].quote, /Vantor Capital/)
  assert.equal(item.person.email, 'ewa@halden.example')
  assert.equal(item.missing, null)
  assert.ok(item.drafted_message_md.length > 40)
  assert.ok(item.act_now > 20 && item.factors[0].why.includes('$40 million'), JSON.stringify(item.factors))
  // A later event joins the item of the account.
  await read(0, [OFFICE])
  const [both, ...more] = await queue()
  assert.equal(more.length, 0)
  assert.deepEqual([both.id, both.total_events], [item.id, 2])
  assert.deepEqual(await client.expect(200, 'GET', `/v1/work-items/${item.id}`), both)
  assert.match(names[0] as string, /Halden/)
})

test('without a suitable person the item says who is missing', async () => {
  const { read, queue } = await desk([{ people: [{ full_name: 'Kim Park', title: 'Accountant' }] }])
  await read(0, [ROUND])
  const [item] = await queue()
  assert.equal(item.person, null)
  assert.equal(item.missing, 'No contact yet.')
  assert.deepEqual([item.drafted_message_md, item.draft.body], [null, null])
  assert.match(item.draft.note, /^No contact yet\. Find people at Halden Robotics/)
})

test('a new executive is written to by name, also before they are in People', async () => {
  const { read, queue } = await desk([{ people: [{ full_name: 'Mara Lind', title: 'VP Sales' }] }])
  await read(0, [CRO])
  const [item] = await queue()
  assert.equal(item.person, null)
  assert.equal(item.missing, 'Ada Stone, Chief Revenue Officer, is not in People yet.')
  assert.match(item.drafted_message_md, /\n\nHi Ada,\n\n/)
  assert.deepEqual([item.draft.person_id, item.draft.full_name], [null, 'Ada Stone'])
})

test('own accounts come first, then accounts without an owner, each by urgency; those of others are theirs', async () => {
  const { read, queue, names, client, ids } = await desk([{}, { owner: true }, { owner: true }, {}])
  await read(0, [ROUND])
  await read(1, [OFFICE], 20)
  await read(2, [ROUND], 20)
  await read(3, [ROUND])
  const named = async (query = '') =>
    (await queue(query)).map((item: { account: { name: string } }) => item.account.name)
  assert.deepEqual((await named()).slice(0, 2), [names[2], names[1]])
  assert.equal((await named()).length, 4)
  assert.deepEqual(await named('?view=mine'), [names[2], names[1]])
  assert.equal((await named('?view=unowned')).length, 2)
  const colleague = await client.expect(201, 'POST', '/v1/members', { name: 'Col', email: `col-${serial}@n.example` })
  await client.expect(200, 'PUT', `/v1/accounts/${ids[2]}/owner`, { owner_id: colleague.id })
  assert.deepEqual(await named('?view=mine'), [names[1]])
  assert.equal((await named()).length, 3)
  assert.equal((await named('?view=all')).length, 4)
  const { pagination } = (await client.get('/v1/work-items?per_page=2&page=2')).body
  assert.deepEqual([pagination.total, pagination.has_more], [3, false])
})

test('done keeps who, when, the outcome and a note; the same event never opens it again, a later one does', async () => {
  const { read, queue, client, ids, me } = await desk()
  await read(0, [ROUND])
  const [item] = await queue()
  const done = await client.expect(200, 'POST', `/v1/work-items/${item.id}/done`, {
    outcome: 'contacted',
    note: ' Left a message. ',
  })
  assert.deepEqual(
    [done.state, done.outcome, done.note, done.changed_by],
    ['done', 'contacted', 'Left a message.', me.id],
  )
  assert.deepEqual(await queue(), [])
  await read(0, [ROUND])
  assert.deepEqual(await queue(), [], 'another page about the same event')
  await read(0, [OFFICE])
  const [later] = await queue()
  assert.notEqual(later.id, item.id)
  assert.equal(later.total_events, 1)
  const closed = await queue('?state=done')
  assert.deepEqual(
    closed.map(({ id }: { id: string }) => id),
    [item.id],
  )
  await client.expect(409, 'POST', `/v1/work-items/${item.id}/reopen`)
  await client.expect(409, 'POST', `/v1/work-items/${item.id}/done`, { outcome: 'not_relevant' })
  await client.expect(200, 'POST', `/v1/work-items/${item.id}/done`, { outcome: 'contacted' })
  assert.deepEqual(await lines(client, ids[0] as string), ['done'])
})

test('a snoozed item comes back on its day, at once after a later event, and by undo', async () => {
  const { read, queue, client, ids, workspaceId } = await desk()
  await client.expect(400, 'POST', `/v1/work-items/${ids[0]}/snooze`, { until: 'soon' })
  await read(0, [ROUND])
  const [item] = await queue()
  const snooze = (until: string, status = 200) =>
    client.expect(status, 'POST', `/v1/work-items/${item.id}/snooze`, { until })
  await snooze(day(1), 400)
  await snooze(day(0), 400)
  await snooze(day(-400), 400)
  assert.equal((await snooze(day(-3))).snoozed_until, day(-3))
  assert.equal((await snooze(day(-3))).state, 'snoozed', 'again, without a line')
  assert.deepEqual(await queue(), [])
  assert.equal((await queue('?state=snoozed')).length, 1)
  await client.expect(200, 'POST', `/v1/work-items/${item.id}/reopen`)
  assert.equal((await queue()).length, 1)
  await snooze(day(-3))
  await read(0, [OFFICE])
  assert.equal((await queue()).length, 1, 'a later event opens it')
  await snooze(day(-1))
  await service.run(wakeWorkItems, {})
  assert.deepEqual(await queue(), [], 'its day has not come')
  await deps.db
    .updateTable('work_items')
    .set({ wakes_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .execute()
  await service.run(wakeWorkItems, {})
  assert.equal((await queue()).length, 1)
  assert.deepEqual(await lines(client, ids[0] as string), ['snoozed', 'reopened', 'snoozed', 'reopened', 'snoozed'])
})

test('wrong hides the finding, moves on to the next one, and closes with the last; undo shows it again', async () => {
  const { read, queue, client, ids } = await desk()
  await read(0, [ROUND, OFFICE])
  const [item] = await queue()
  assert.equal(item.total_events, 2)
  const first = await client.expect(200, 'POST', `/v1/work-items/${item.id}/done`, { outcome: 'wrong' })
  assert.deepEqual([first.state, first.total_events], ['open', 1])
  assert.notEqual(first.events[0].id, item.events[0].id)
  const note = 'x'.repeat(2_000)
  const second = await client.expect(200, 'POST', `/v1/work-items/${item.id}/done`, { outcome: 'wrong', note })
  assert.deepEqual([second.state, second.outcome, second.total_events], ['done', 'wrong', 0])
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${ids[0]}/signals?wrong=true`)).length, 2)
  const undone = await client.expect(200, 'POST', `/v1/work-items/${item.id}/reopen`)
  assert.deepEqual([undone.state, undone.total_events], ['open', 2])
  // The same feedback on the page of the account closes it, too.
  for (const { id } of undone.events)
    await client.expect(200, 'PUT', `/v1/accounts/${ids[0]}/signals/${id}/feedback`, { verdict: 'wrong' })
  assert.deepEqual(await queue(), [])
  assert.equal((await queue('?state=done'))[0].outcome, 'wrong')
})

test('a copied or mailed draft and a call close the item; a reply and a note only add a line', async () => {
  const { read, queue, client, ids, people } = await desk([{ people: [{ full_name: 'Ewa Nowak', title: 'CEO' }] }])
  assert.ok(people)
  const id = ids[0] as string
  await read(0, [ROUND])
  const [item] = await queue()
  const log = (body: object) => client.expect(201, 'POST', `/v1/accounts/${id}/activities`, body)
  assert.deepEqual(await log({ kind: 'noted', note: 'Met at the fair.' }), { work_item_id: null })
  assert.equal((await queue()).length, 1)
  assert.deepEqual(await log({ kind: 'emailed', person_id: item.person.id }), { work_item_id: item.id })
  assert.equal((await queue('?state=done'))[0].outcome, 'contacted')
  await log({ kind: 'replied', person_id: item.person.id, note: 'Wants a demo.' })
  const { data } = await client.get(`/v1/accounts/${id}/activities`)
  assert.deepEqual(
    data.map(({ kind, note, person }: { kind: string; note: string; person: { full_name: string } | null }) => [
      kind,
      note,
      person?.full_name ?? null,
    ]),
    [
      ['replied', 'Wants a demo.', 'Ewa Nowak'],
      ['done', null, null],
      ['emailed', null, 'Ewa Nowak'],
      ['noted', 'Met at the fair.', null],
    ],
  )
  await client.expect(404, 'POST', `/v1/accounts/${id}/activities`, { kind: 'called', person_id: id })
  const [other] = await client.expect(201, 'POST', '/v1/accounts', [{ name: 'Other' }])
  const call = { kind: 'called', person_id: item.person.id }
  await client.expect(404, 'POST', `/v1/accounts/${other.id}/activities`, call)
})

test('an item of a signal that is switched off is not listed, and comes back with the signal', async () => {
  const { client, read, queue } = await desk()
  await read(0, [ROUND])
  const [item] = await queue()
  const switchTo = async (enabled: boolean) => {
    await client.expect(200, 'PATCH', '/v1/signals/funding', { enabled })
    await idle(service)
  }
  await switchTo(false)
  assert.deepEqual(await queue(), [])
  await switchTo(true)
  assert.deepEqual((await queue())[0].events, item.events)
})

test('an item whose finding was marked wrong after it was done cannot be reopened', async () => {
  const { client, read, queue, ids } = await desk()
  await read(0, [ROUND])
  const [item] = await queue()
  await client.expect(200, 'POST', `/v1/work-items/${item.id}/done`, { outcome: 'contacted' })
  const verdict = { verdict: 'wrong' }
  await client.expect(200, 'PUT', `/v1/accounts/${ids[0]}/signals/${item.events[0].id}/feedback`, verdict)
  await client.expect(409, 'POST', `/v1/work-items/${item.id}/reopen`)
  assert.equal((await client.expect(200, 'GET', `/v1/work-items/${item.id}`)).state, 'done')
})

test('a person who moved is a work item at the company they joined, once', async () => {
  const { workspaceId, ids, names, queue, save, client, read } = await desk([{}, {}])
  const [person] = await save([{ full_name: 'Mara Lind', title: 'Chief Executive Officer' }])
  await read(0, [ROUND])
  assert.equal((await queue())[0].person.full_name, 'Mara Lind')
  const move = {
    person_id: (person as { id: string }).id,
    account_id: ids[0] as string,
    kind: 'joined' as const,
    from: { employer: names[0] as string, domain: null, account_id: ids[0] as string, title: 'VP Sales' },
    to: { employer: names[1] as string, domain: null, account_id: ids[1] as string, title: 'Chief Revenue Officer' },
    is_gone: true,
    happened_on: day(2),
    evidence: [{ url: 'https://news.example/a', source: 'website', seen_on: day(1) }],
  }
  const record = () => deps.db.transaction().execute((db) => recordMoves({ ...deps, db }, workspaceId, [move], day(0)))
  await record()
  const all = await queue()
  const at = (id: string | undefined) => all.find(({ account }: { account: { id: string } }) => account.id === id)
  assert.equal(all.length, 2)
  assert.equal(at(ids[0]).person, null, 'who left is no contact any more')
  const item = at(ids[1])
  assert.match(item.events[0].headline, /^Mara Lind is now Chief Revenue Officer/)
  // A scoped owner of the company does not see people of other accounts.
  const made = await client.expect(201, 'POST', '/v1/members', {
    ...{ name: 'Bob', email: `bob-${serial}@n.example`, visibility: 'scoped' },
  })
  await client.expect(200, 'PUT', `/v1/accounts/${ids[1]}/owner`, { owner_id: made.id })
  const { key } = await createKey(deps.db, workspaceId, { member_id: made.id, name: 'test' })
  const scoped = service.as(key)
  assert.deepEqual((await scoped.get('/v1/work-items')).data, [])
  assert.doesNotMatch(JSON.stringify(await scoped.expect(200, 'GET', `/v1/work-items/${item.id}`)), /Mara/)
  await read(1, [ROUND])
  const [shown] = (await scoped.get('/v1/work-items')).data
  assert.deepEqual([shown.id, shown.total_events], [item.id, 1])
  assert.match(JSON.stringify(shown.factors), /40 million/)
  assert.doesNotMatch(JSON.stringify(shown), /Mara/)
  await client.expect(200, 'POST', `/v1/work-items/${item.id}/done`, { outcome: 'wrong' })
  const wrong = await client.expect(200, 'POST', `/v1/work-items/${item.id}/done`, { outcome: 'wrong' })
  assert.equal(wrong.state, 'done')
  const undone = await client.expect(200, 'POST', `/v1/work-items/${item.id}/reopen`)
  assert.ok(undone.factors.length > 0)
  await client.expect(200, 'POST', `/v1/work-items/${item.id}/done`, { outcome: 'not_relevant' })
  await record()
  assert.equal((await client.expect(200, 'GET', `/v1/work-items/${item.id}`)).state, 'done')
})

test('a scoped member sees and changes only the items of their own accounts', async () => {
  const { client, read, queue, ids, workspaceId } = await desk([{}, {}])
  await read(0, [ROUND])
  await read(1, [ROUND])
  const made = await client.expect(201, 'POST', '/v1/members', {
    ...{ name: 'Sam', email: `sam-${serial}@n.example`, visibility: 'scoped' },
  })
  await client.expect(200, 'PUT', `/v1/accounts/${ids[0]}/owner`, { owner_id: made.id })
  const { key } = await createKey(deps.db, workspaceId, { member_id: made.id, name: 'test' })
  const scoped = service.as(key)
  for (const view of ['queue', 'mine', 'all'])
    assert.deepEqual(
      (await scoped.get(`/v1/work-items?view=${view}`)).data.map(
        (item: { account: { id: string } }) => item.account.id,
      ),
      [ids[0]],
      view,
    )
  assert.deepEqual((await scoped.get('/v1/work-items?view=unowned')).data, [])
  const [foreign] = (await queue('?view=unowned')) as { id: string }[]
  await scoped.expect(404, 'GET', `/v1/work-items/${foreign?.id}`)
  await scoped.expect(404, 'POST', `/v1/work-items/${foreign?.id}/done`, { outcome: 'contacted' })
  await scoped.expect(403, 'POST', `/v1/accounts/${ids[1]}/activities`, { kind: 'noted', note: 'x' })
  const [own] = (await scoped.get('/v1/work-items')).data
  assert.equal(
    (await scoped.expect(200, 'POST', `/v1/work-items/${own.id}/done`, { outcome: 'contacted' })).state,
    'done',
  )
  assert.equal((await scoped.get('/v1/work-items?state=done')).data.length, 1)
  await client.expect(200, 'PUT', `/v1/accounts/${ids[0]}/owner`, { owner_id: null })
  assert.deepEqual((await scoped.get('/v1/work-items?state=done')).data, [], 'it is not their account any more')
  const stranger = await service.stranger()
  await stranger.client.expect(404, 'GET', `/v1/work-items/${foreign?.id}`)
  assert.deepEqual((await stranger.client.get('/v1/work-items?view=all')).data, [])
})
