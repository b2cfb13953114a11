import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { SandboxResponse } from '../../../sandbox/types.ts'
import { detect } from '../../../test/support/alerts.ts'
import { type EmulatedCrm, startCrms } from '../../../test/support/crm.ts'
import { newId } from '../../shared/ids.ts'
import { handOverToCrm } from './hand-over.ts'
import { openCrm } from './session.ts'

/** A hand-over writes a note and a task once, whatever happens in between. */
const { hubspot, salesforce, service, connected, crms } = await startCrms()
const { db } = service.deps

const TITLE = 'Write to Mara: Acme raised 20 million'
const TEXT = 'Acme raised 20 million.\nhttps://acme.example/news\n\nDraft:\nHi Mara, congratulations.'
const DUE = '2026-11-17'

type Connected = Awaited<ReturnType<typeof connected>>

/** Hands the first account over with its first person, unless the fields say otherwise. */
function handOver({ workspaceId, ids, personId }: Connected, fields: object = {}, wanted?: EmulatedCrm) {
  const given = {
    work_item_id: newId(),
    account_id: ids[0] as string,
    person_id: personId,
    title: TITLE,
    text: TEXT,
    due_on: DUE,
    ...fields,
  }
  const viewer = { workspace_id: workspaceId, scoped_to: null }
  return handOverToCrm(service.deps, viewer, given, wanted, AbortSignal.timeout(20_000))
}

const json = (status: number, body: object): SandboxResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The calls that create the note and the task. */
const CREATION = {
  crm_one: { note: /\/objects\/2026-09\/notes$/, task: /\/objects\/2026-09\/tasks$/ },
  crm_two: { note: /sobjects\/Task$/, task: /sobjects\/Task$/ },
}
const UNKNOWN = {
  crm_one: { company: '999999901', contact: '999999902' },
  crm_two: { company: '001999999999999AAA', contact: '003999999999999AAA' },
}
const vendors = { crm_one: hubspot, crm_two: salesforce }

for (const provider of ['crm_one', 'crm_two'] as const) {
  const crm = crms[provider]
  const vendor = vendors[provider]

  async function stored({ domains, fields }: Connected) {
    const company = crm.companies(domains[0] as string)[0]?.id as string
    const contact = crm.contacts(fields.email)[0]?.id as string
    return { company, contact, notes: crm.notes(company), tasks: crm.tasks(company) }
  }

  test(`${crm.label}: a hand-over writes company, contact, a note and an open task of both, due on the day`, async () => {
    const scene = await connected([provider])
    const [result, ...others] = await handOver(scene)
    const { company, contact, notes, tasks } = await stored(scene)
    assert.equal(others.length, 0)
    assert.deepEqual(result, {
      ...{ provider, ok: true, company_id: company, contact_id: contact },
      ...{ note_id: notes[0]?.id, task_id: tasks[0]?.id, created: true, error: null, notice: null },
    })
    assert.deepEqual([notes.length, tasks.length], [1, 1])
    for (const activity of [notes[0], tasks[0]])
      assert.deepEqual([activity?.companies, activity?.contacts], [[company], [contact]])
    assert.deepEqual([tasks[0]?.subject, tasks[0]?.dueOn, tasks[0]?.isOpen], [TITLE, DUE, true])
    assert.match(notes[0]?.text ?? '', /^Acme raised 20 million\.\nhttps:\/\/acme\.example\/news\n\nDraft:\nHi Mara/)
    assert.match(notes[0]?.text ?? '', /\n\nBellwether reference: [\da-f-]{36}$/)
  })

  test(`${crm.label}: markup of a web page is text in the note`, async () => {
    const scene = await connected([provider])
    const text = `<script>alert("1")</script> & <b>'bold'</b> &amp; <!-- "no" --> <img src=x onerror=alert(1)>\r\n</p>ünï 🎉`
    const title = `<b>Acme</b> & "Söhne"\nnow`
    const [result] = await handOver(scene, { text, title })
    const { notes, tasks } = await stored(scene)
    assert.equal(result?.error, null)
    assert.equal(notes[0]?.text.replace(/\n\nBellwether reference: .*$/, ''), text.replace('\r\n', '\n'))
    assert.equal(tasks[0]?.subject, '<b>Acme</b> & "Söhne" now')
  })

  test(`${crm.label}: a text that is too long is cut before the reference, and not within a character`, async () => {
    const scene = await connected([provider])
    const work_item_id = newId()
    const [result] = await handOver(scene, { work_item_id, text: 'a🎉&'.repeat(40_000), title: 'é'.repeat(300) })
    const { notes, tasks } = await stored(scene)
    assert.equal(result?.error, null)
    const [, body = ''] = /^(.*)…\n\nBellwether reference: /su.exec(notes[0]?.text ?? '') ?? []
    assert.match(body, /^(a🎉&)+(a|a🎉)?$/u)
    assert.ok(body.length > 25_000 && notes[0]?.text.endsWith(work_item_id))
    assert.equal(tasks[0]?.subject, `${'é'.repeat(254)}…`)
    assert.equal((await handOver(scene, { work_item_id }))[0]?.created, false)
  })

  test(`${crm.label}: the same work item is written once, another one again`, async () => {
    const scene = await connected([provider])
    const work_item_id = newId()
    const [first] = await handOver(scene, { work_item_id })
    const [second] = await handOver(scene, { work_item_id, text: 'Another text' })
    assert.deepEqual(second, { ...first, created: false })
    assert.equal((await handOver(scene))[0]?.created, true)
    const { notes, tasks } = await stored(scene)
    assert.deepEqual([notes.length, tasks.length], [2, 2])
  })

  test(`${crm.label}: two hand-overs at once write one note and one task`, async () => {
    const scene = await connected([provider])
    await handOver(scene)
    const work_item_id = newId()
    const results = (await Promise.all([1, 2, 3].map(() => handOver(scene, { work_item_id })))).flat()
    assert.deepEqual(results.map(({ ok, created }) => `${ok} ${created}`).toSorted(), [
      'true false',
      'true false',
      'true true',
    ])
    assert.equal(new Set(results.map(({ note_id, task_id }) => `${note_id} ${task_id}`)).size, 1)
    const { notes, tasks } = await stored(scene)
    assert.deepEqual([notes.length, tasks.length], [2, 2])
  })

  for (const [loss, lose] of [
    ['whose record is missing', sql`delete from crm_activities`],
    [
      'of a killed process',
      sql`update crm_activities set note_id = null, task_id = null, lease_id = gen_random_uuid(), lease_until = now() - interval '1 s'`,
    ],
  ] as const) {
    test(`${crm.label}: a note and a task ${loss} are found among others and recorded`, async () => {
      const scene = await connected([provider])
      const work_item_id = newId()
      const [first] = await handOver(scene, { work_item_id })
      const { company } = await stored(scene)
      addOthers(provider, company)
      await sql`${lose} where work_item_id = ${work_item_id}`.execute(db)
      const before = await stored(scene)
      const [second] = await handOver(scene, { work_item_id })
      assert.deepEqual(second, { ...first, created: false })
      const after = await stored(scene)
      assert.deepEqual([after.notes.length, after.tasks.length], [before.notes.length, before.tasks.length])
      const calls = crm.calls()
      assert.deepEqual(await handOver(scene, { work_item_id }), [second])
      const reads = vendor.calls.slice(calls).filter(({ path }) => /notes|tasks|Task/.test(path))
      assert.deepEqual(reads, [], 'what is recorded is not searched again')
    })
  }

  for (const [name, answer] of [
    ['a fault', { status: 502, headers: {}, body: '' }],
    ['a page of a proxy', { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Sign in</p>' }],
    ['another shape', json(201, { message: 'We have moved.' })],
  ] as const) {
    test(`${crm.label}: a creation that is answered with ${name} is not repeated`, async () => {
      const scene = await connected([provider])
      vendor.fail({ path: CREATION[provider].note, answer, isCarriedOut: true })
      if (provider === 'crm_one') vendor.fail({ path: CREATION[provider].task, answer, isCarriedOut: true })
      const [result] = await handOver(scene)
      const { notes, tasks } = await stored(scene)
      assert.deepEqual([result?.ok, result?.created, notes.length, tasks.length], [true, true, 1, 1])
      assert.deepEqual([result?.note_id, result?.task_id], [notes[0]?.id, tasks[0]?.id])
    })
  }

  test(`${crm.label}: a vendor that does not create is given up with a sentence, and asked again by the next hand-over`, async () => {
    const scene = await connected([provider])
    const down = { path: CREATION[provider].task, answer: { status: 503, headers: {}, body: '' } }
    vendor.fail(down, down, down)
    const work_item_id = newId()
    const [result] = await handOver(scene, { work_item_id })
    assert.deepEqual([result?.ok, result?.task_id], [false, null])
    assert.match(result?.error ?? '', /at the moment\. Try again in a few minutes\./)
    assert.equal((await handOver(scene, { work_item_id }))[0]?.created, true)
    const { notes, tasks } = await stored(scene)
    assert.deepEqual([notes.length, tasks.length], [1, 1])
  })

  test(`${crm.label}: a person without an email and a profile page is left out, and the result says so`, async () => {
    const scene = await connected([provider], { people: [{ email: null, network_url: null }] })
    const [result] = await handOver(scene)
    const { company, notes, tasks } = await stored(scene)
    assert.deepEqual([result?.ok, result?.company_id, result?.contact_id, result?.error], [true, company, null, null])
    assert.equal(
      result?.notice,
      'The person was left out: It has neither an email nor a profile page to identify it by.',
    )
    assert.deepEqual([notes[0]?.contacts, tasks[0]?.contacts], [[], []])
  })

  test(`${crm.label}: without a person only the company has the note and the task`, async () => {
    const scene = await connected([provider])
    const [result] = await handOver(scene, { person_id: null })
    const { company, contact, notes, tasks } = await stored(scene)
    assert.deepEqual(
      [result?.ok, result?.company_id, result?.contact_id, result?.notice, contact],
      [true, company, null, null, undefined],
    )
    for (const activity of [notes[0], tasks[0]])
      assert.deepEqual([activity?.companies, activity?.contacts], [[company], []])
  })

  test(`${crm.label}: a company that was deleted there is created again and has the note`, async () => {
    const scene = await connected([provider])
    const [first] = await handOver(scene)
    const deleted = first?.company_id as string
    if (provider === 'crm_one') hubspot.delete('companies', deleted)
    else salesforce.delete('Account', deleted)
    const [second] = await handOver(scene)
    const { company, notes, tasks } = await stored(scene)
    assert.deepEqual([second?.ok, second?.company_id, notes.length, tasks.length], [true, company, 1, 1])
    assert.notEqual(company, deleted)
  })

  test(`${crm.label}: a company or a contact that does not exist is refused, and nothing is written`, async () => {
    const scene = await connected([provider])
    await handOver(scene)
    const { company, contact } = await stored(scene)
    const target = await openCrm(service.deps, scene.workspaceId, provider, AbortSignal.timeout(20_000))
    const before = crm.notes(company).length
    for (const ids of [
      { company_id: UNKNOWN[provider].company, contact_id: contact },
      { company_id: company, contact_id: UNKNOWN[provider].contact },
      // A company in the place of a contact.
      { company_id: company, contact_id: company },
    ]) {
      const activity = { key: newId(), title: TITLE, text: TEXT, due_on: DUE, logged_at: `${DUE}T08:00:00.000Z` }
      const writing = target?.crm.logActivity({ ...activity, ...ids, owner_id: null })
      await assert.rejects(writing as Promise<unknown>, new RegExp(`^CrmError: ${crm.label} refused it: `))
    }
    assert.equal(crm.notes(company).length, before)
  })
}

/** Notes and tasks of other people at the company, more than one page of them. */
function addOthers(provider: EmulatedCrm, company: string) {
  for (let n = 0; n < 120; n++) {
    const id = `9${n}${company}`
    const held = { id, companies: [company], contacts: [] }
    const body = 'Bellwether reference: none'
    if (provider === 'crm_two') {
      const CreatedDate = new Date(0).toISOString()
      salesforce.tasks.set(id, { Id: id, CreatedDate, WhatId: company, Description: n % 2 ? null : body })
      continue
    }
    // Before the others, so that they fill the first page.
    const notes = { ...held, properties: { hs_timestamp: '1', hs_note_body: body } }
    const tasks = { ...held, properties: { hs_timestamp: '1', hs_task_body: body } }
    for (const [type, activity] of [
      ['notes', notes],
      ['tasks', tasks],
    ] as const) {
      const before = [...hubspot.activities[type]]
      hubspot.activities[type].clear()
      hubspot.activities[type].set(id, activity)
      for (const [key, value] of before) hubspot.activities[type].set(key, value)
    }
  }
}

const missingScopes = (scopes: string[]) =>
  json(403, {
    status: 'error',
    message: 'This app hasn’t been granted all required scopes to make this call.',
    category: 'MISSING_SCOPES',
    errors: scopes.length > 0 ? [{ message: 'x', context: { requiredGranularScopes: scopes } }] : [],
  })
const noAccess = json(403, [{ message: 'entity type cannot be inserted: Task', errorCode: 'INSUFFICIENT_ACCESS' }])
const noType = json(400, [{ message: "sObject type 'Task' is not supported.", errorCode: 'INVALID_TYPE' }])
const hidden = json(400, [
  { message: "No such column 'Description' on sobject of type Task", errorCode: 'INVALID_FIELD' },
])

for (const [name, provider, path, answer, expected, there] of [
  [
    'the right to write tasks',
    'crm_one',
    CREATION.crm_one.task,
    missingScopes(['crm.objects.contacts.write']),
    /^HubSpot does not let the connection write tasks: add the scope crm\.objects\.contacts\.write and connect it again\.$/,
    [1, 0],
  ],
  [
    'the right to write notes, which HubSpot does not name',
    'crm_one',
    CREATION.crm_one.note,
    missingScopes([]),
    /^HubSpot does not let the connection write notes: add the scope crm\.objects\.contacts\.write and connect it again\.$/,
    [0, 0],
  ],
  [
    'the right to read notes',
    'crm_one',
    /companies\/notes\/batch\/read/,
    missingScopes(['a.read', 'b.read']),
    /^HubSpot does not let the connection write notes: add the scopes a\.read, b\.read and connect it again\.$/,
    [0, 0],
  ],
  [
    'a right other than a scope',
    'crm_one',
    CREATION.crm_one.note,
    json(403, { status: 'error', message: 'Your plan has no notes', category: 'BANNED' }),
    /^HubSpot does not let the connection write notes: Your plan has no notes\.$/,
    [0, 0],
  ],
  [
    'the right to create tasks',
    'crm_two',
    CREATION.crm_two.task,
    noAccess,
    /^Salesforce does not let the connected user write tasks: entity type cannot be inserted: Task\. Give the user the permissions "Access Activities" and "Edit Tasks", and try again\.$/,
    [0, 0],
  ],
  [
    'access to activities',
    'crm_two',
    /\/query$/,
    noType,
    /^Salesforce does not let the connected user write tasks: sObject type 'Task' is not supported\. Give /,
    [0, 0],
  ],
  [
    'access to a field of tasks',
    'crm_two',
    CREATION.crm_two.task,
    hidden,
    /^Salesforce does not let the connected user write tasks: No such column 'Description' on sobject of type Task\. Give /,
    [0, 0],
  ],
] as const) {
  test(`a connection without ${name} is told what is missing, while company and contact are pushed`, async () => {
    const crm = crms[provider]
    const scene = await connected([provider])
    await handOver(scene, { person_id: null })
    const company = crm.companies(scene.domains[0] as string)[0]?.id as string
    const held = () => [crm.notes(company).length - 1, crm.tasks(company).length - 1]
    vendors[provider].fail({ path, answer })
    const work_item_id = newId()
    const [result] = await handOver(scene, { work_item_id })
    assert.match(result?.error ?? '', expected)
    const contact = crm.contacts(scene.fields.email)[0]?.id
    assert.deepEqual(
      [result?.ok, result?.company_id, result?.contact_id, result?.note_id, result?.task_id],
      [false, company, contact, null, null],
    )
    assert.deepEqual(held(), there)
    assert.equal((await scene.client.expect(200, 'GET', '/v1/integrations')).crm.problem, null)
    // Once it may, the rest is written.
    assert.equal((await handOver(scene, { work_item_id }))[0]?.ok, true)
    assert.deepEqual(held(), [1, 1])
  })
}

test('HubSpot: a task is due at the end of the day in the time zone of the account', async () => {
  const [result] = await handOver(await connected(['crm_one']))
  const { hs_timestamp } = hubspot.activities.tasks.get(result?.task_id ?? '')?.properties ?? {}
  assert.equal(hs_timestamp, '2026-11-18T02:00:00.000Z', '18:00 at -08:00')
})

test('a used-up quota is a problem of the connection', async () => {
  const scene = await connected(['crm_two'])
  const answer = json(403, [{ message: 'TotalRequests Limit exceeded.', errorCode: 'REQUEST_LIMIT_EXCEEDED' }])
  salesforce.fail({ path: CREATION.crm_two.task, answer })
  const [result] = await handOver(scene)
  assert.equal(result?.error, "Salesforce's daily limit of calls is used up.")
  assert.equal((await scene.client.expect(200, 'GET', '/v1/integrations')).crm.problem, result?.error)
})

test('every connected CRM has its own note and task, and the failure of one does not affect the other', async () => {
  const scene = await connected(['crm_one', 'crm_two'])
  salesforce.fail({ path: CREATION.crm_two.task, answer: noAccess })
  const work_item_id = newId()
  const results = await handOver(scene, { work_item_id })
  assert.deepEqual(
    results.map(({ provider, ok }) => [provider, ok]),
    [
      ['crm_one', true],
      ['crm_two', false],
    ],
  )
  const again = await handOver(scene, { work_item_id }, 'crm_two')
  assert.deepEqual(
    again.map(({ provider, ok, created }) => [provider, ok, created]),
    [['crm_two', true, true]],
  )
})

test('a contact that the CRM refuses is left out with its words; one that may succeed later fails the hand-over', async () => {
  const scene = await connected(['crm_one'], { people: [{ email: 'nonsense@x' }] })
  const [refused] = await handOver(scene)
  assert.deepEqual([refused?.ok, refused?.contact_id], [true, null])
  assert.equal(refused?.notice, 'The person was left out: HubSpot refused it: Email address nonsense@x is invalid.')
  const other = await connected(['crm_one'])
  const down = { path: /contacts\/batch\/read/, answer: { status: 503, headers: { 'retry-after': '0.01' }, body: '' } }
  hubspot.fail(...Array.from({ length: 8 }, () => down))
  const [failed] = await handOver(other)
  assert.deepEqual(
    [failed?.ok, failed?.error],
    [false, 'HubSpot has a fault at the moment. Try again in a few minutes.'],
  )
  const company = crms.crm_one.companies(other.domains[0] as string)[0]?.id as string
  assert.deepEqual(crms.crm_one.notes(company), [])
})

test('an account or a person that is not there, or a CRM that is not connected, is an error', async () => {
  const scene = await connected(['crm_one'], { accounts: 2 })
  const code = (fields: object, wanted?: EmulatedCrm) =>
    handOver(scene, fields, wanted).then(
      () => null,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    )
  assert.equal(await code({ account_id: newId() }), 'not_found: No such account in this workspace.')
  assert.equal(await code({ person_id: newId() }), 'not_found: No such person in this workspace.')
  assert.equal(await code({ account_id: scene.ids[1] }), 'not_found: No such person in this workspace.')
  assert.match((await code({}, 'crm_two')) ?? '', /^crm_not_connected: Salesforce is not connected\./)
})

test('a work item is pushed with its evidence and draft, closed as pushed, and never written twice', async () => {
  const { client, workspaceId, ids, domains } = await connected(['crm_one', 'crm_two'])
  const account_id = ids[0] as string
  const missing = crypto.randomUUID()
  await client.expect(404, 'POST', `/v1/work-items/${missing}/push`, {})
  await detect(service.deps, workspaceId, { account_id, run_id: null }, [{ headline: 'Raised <b>20</b> & more' }])
  const find = async (state = 'open') =>
    (await client.get(`/v1/work-items?view=suggested&account_id=${account_id}&state=${state}`)).data
  const [item] = await find()
  const { work_item, results } = await client.expect(200, 'POST', `/v1/work-items/${item.id}/push`, {})
  assert.deepEqual(
    results.map(({ provider, ok, created }: { provider: string; ok: boolean; created: boolean }) => [
      provider,
      ok,
      created,
    ]),
    [
      ['crm_one', true, true],
      ['crm_two', true, true],
    ],
  )
  assert.deepEqual([work_item.state, work_item.outcome], ['done', 'pushed'])
  const { data } = await client.get(`/v1/accounts/${account_id}/activities`)
  assert.deepEqual(
    data.map(({ kind, target, outcome }: Record<string, string>) => [kind, target ?? outcome]),
    [
      ['done', 'pushed'],
      ['pushed', 'Salesforce'],
      ['pushed', 'HubSpot'],
    ],
  )
  await client.expect(409, 'POST', `/v1/work-items/${item.id}/push`, {})
  await client.expect(200, 'POST', `/v1/work-items/${item.id}/reopen`)
  const again = await client.expect(200, 'POST', `/v1/work-items/${item.id}/push`, { provider: 'crm_one' })
  assert.equal(again.results[0].created, false)
  for (const provider of ['crm_one', 'crm_two'] as const) {
    const company = crms[provider].companies(domains[0] as string)[0]?.id as string
    const tasks = crms[provider].tasks(company)
    assert.equal(tasks.length, 1, provider)
    assert.match(JSON.stringify(tasks[0]), /Raised <b>20<\/b> & more/)
  }
})
