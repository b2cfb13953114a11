import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, idle } from '../../test/support/eventually.ts'
import { scene } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'
import { lockForAssessment } from '../resources/accounts/assessment-store.ts'
import { redraftAccount } from '../resources/drafts/redraft.ts'
import { newId } from '../shared/ids.ts'
import type { AssessedAccount } from './assess.ts'
import { rescoreAccounts } from './assess.ts'
import { readContext } from './context.ts'
import { detectAndRecord } from './detect-and-record.ts'
import { findSignals } from './find-signals.ts'
import { redactAndIngest } from './ingest.ts'
import { rejudgeDocuments } from './redetect.ts'

const service = await testService({ worker: true })
const { admin, deps, workspaceId } = service
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

const article = (path: string, title: string, text: string, ago: number | null) => ({
  url: `https://halden-robotics.example/news/${path}`,
  kind: 'article' as const,
  source: 'website',
  title,
  text,
  published_date: ago === null ? null : day(ago),
})

const ROUND =
  'Halden Robotics today announced that it has raised $40 million in Series B funding led by Vantor Capital. "We will double our team," said Mira Solberg, CEO of Halden Robotics.'
const FUNDING = article('round', 'Halden Robotics raises $40 million in Series B funding', ROUND, 5)

const SIGNALS = (await admin.expect(200, 'GET', '/v1/signals')).map(({ id }: { id: string }) => id)

let count = 0
async function account({ active = true, name = 'Halden Robotics' } = {}) {
  const { id } = await admin.expect(201, 'POST', '/v1/accounts', { name, domain: `halden-${++count}.example` })
  if (active) await deps.db.updateTable('accounts').set({ status: 'active' }).where('id', '=', id).execute()
  const target = { workspace_id: workspaceId, account_id: id, run_id: null }
  const company = { name, domain: `halden-${count}.example` }
  const detect = async (documents: ReturnType<typeof article>[], complete = false) => {
    const context = await readContext(deps, workspaceId)
    if (!complete) return detectAndRecord(deps, context, target, company, documents)
    const { findings } = await findSignals(deps, workspaceId, company, documents, [], context.signals, {
      today: context.today,
      windowDays: null,
    })
    const discovered = { documents, findings, visible: SIGNALS }
    return redactAndIngest(deps, context, target, discovered, 'detections')
  }
  const signals = async (present = true) =>
    (await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)).filter(
      (one: { signal_present: boolean }) => one.signal_present === present,
    )
  return { id, detect, signals }
}

test('a page yields a detection with its sentence, address and day, and scores the account', async () => {
  const { id, detect, signals } = await account()
  await detect([FUNDING])
  const [found, ...rest] = await signals()
  assert.equal(rest.length, 0)
  assert.equal(found.signal_id, 'funding')
  assert.equal(found.detected_at, day(5))
  assert.ok(found.alpha > 50, `${found.alpha}`)
  assert.match(found.evidence[0].claim, /\$40 million/)
  assert.deepEqual(
    [found.evidence[0].source_url, found.evidence[0].published_date, found.sources],
    [FUNDING.url, day(5), [FUNDING.url]],
  )
  const stored = await admin.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.ok(stored.score > 30)
  assert.match(stored.why_now_md, /\$40 million/)
  assert.equal(stored.last_signal_at, `${day(5)}T00:00:00.000Z`)
  const { components, score } = await admin.expect(200, 'GET', `/v1/accounts/${id}/score`)
  assert.equal(score, stored.score)
  assert.ok(components.some((component: { name: string }) => component.name === 'funding'))
})

test('a draft addresses a person of the account, and uses the offer and the proof of the knowledge base', async () => {
  const made = []
  for (const section of [
    { type: 'icp', title: 'Who', content_md: 'Personas: Chief Financial Officer' },
    { type: 'value_prop', title: 'What', content_md: 'We double the output of a team that grows.' },
    { type: 'custom', title: 'Customers', content_md: 'Osterley Parts saved 210,000 euros with us.' },
  ])
    made.push(await admin.expect(201, 'POST', '/v1/knowledge-base', section))
  const { id, detect, signals } = await account()
  const person = { workspace_id: workspaceId, account_id: id, sources: ['employee' as const], identity: 'ewa' }
  const titled = { ...person, id: newId(), full_name: 'Ewa Lis', title: 'Finance Chief', ranking: 1 }
  await deps.db.insertInto('people').values(titled).execute()
  await detect([FUNDING])
  const [{ drafted_message_md: message, draft, personas }] = await signals()
  assert.match(message, /^\*\*Subject:\*\* [\s\S]*\$40 million in a Series B round led by Vantor Capital/)
  assert.match(message, /\n\nHi Ewa,\n\n[\s\S]*double the output[\s\S]*210,000 euros[\s\S]*\?$/)
  assert.deepEqual([draft.person_id, draft.full_name, draft.title], [titled.id, 'Ewa Lis', 'Finance Chief'])
  assert.deepEqual(personas, ['Chief Financial Officer'])
  for (const section of made) await admin.expect(200, 'DELETE', `/v1/knowledge-base/${section.id}`)
})

test('the same event on a second page is one detection with two proofs; reading again adds nothing', async () => {
  const { detect, signals } = await account()
  const retold = {
    ...article(
      'x',
      'Vantor Capital leads $40 million round in Halden Robotics',
      `${ROUND} The round closed on Monday.`,
      3,
    ),
    url: 'https://news.example/halden',
  }
  await detect([FUNDING])
  const [before] = await signals()
  const recorded = await detect([FUNDING, retold])
  assert.deepEqual([recorded?.added, recorded?.updated], [[], [before.id]])
  const again = await detect([FUNDING, retold])
  assert.deepEqual([again?.added, again?.updated], [[], []])
  const [found, ...rest] = await signals()
  assert.equal(rest.length, 0)
  assert.deepEqual(found.sources.sort(), [FUNDING.url, retold.url].sort())
  assert.equal(found.detected_at, day(5))
  assert.ok(found.alpha > before.alpha)
})

test('one event from five sources, read sequentially, is one detection with five proofs; another event is a separate one', async () => {
  const { detect, signals } = await account()
  const articleOn = (host: string, title: string, text: string, ago: number) => ({
    ...article('x', title, text, ago),
    url: `https://${host}.example/halden`,
  })
  const release = articleOn(
    'halden-robotics',
    'Halden Robotics acquires Corvane Vision',
    'Halden Robotics today announced that it has acquired Corvane Vision, a maker of cameras for robots. Corvane Vision was founded in Lindemark by Tilda Marsh.',
    9,
  )
  const local = articleOn(
    'lindemark-post',
    'Camera maker from Lindemark is sold',
    'Halden Robotics has acquired a maker of cameras in Lindemark. Founder Tilda Marsh stays with her forty colleagues.',
    8,
  )
  const trade = articleOn(
    'robot-trade',
    'Halden Robotics buys camera maker Corvane',
    'Halden Robotics has bought Corvane Vision for an undisclosed sum, its first acquisition.',
    8,
  )
  const wire = articleOn(
    'wire',
    'Halden Robotics completes purchase of Corvane Vision',
    `${release.text} Terms apply.`,
    9,
  )
  const investor = articleOn(
    'fund',
    'Halden Robotics takes over our portfolio company',
    'Halden Robotics has acquired Corvane Vision. Our fund held a fifth of the shares.',
    6,
  )
  const other = articleOn(
    'robot-trade-2',
    'Halden Robotics acquires Beltane Grippers',
    'Halden Robotics today announced that it has acquired Beltane Grippers, a maker of hands for robots. Beltane Grippers was founded in Osterby by Ivo Lund.',
    2,
  )
  for (const documents of [[release], [local, trade], [wire, investor, other]]) await detect(documents)
  const found = (await signals()).filter((one: { signal_id: string }) => one.signal_id === 'acquisition')
  assert.deepEqual(
    found.map(({ sources }: { sources: string[] }) => sources.toSorted()).toSorted(),
    [[release, local, trade, wire, investor].map(({ url }) => url).toSorted(), [other.url]].toSorted(),
  )
})

test('two concurrent passes store one detection', async () => {
  const { detect, signals } = await account()
  await Promise.all(Array.from({ length: 6 }, () => detect([FUNDING])))
  assert.equal((await signals()).length, 1)
})

test('a complete pass stores one row for each absent signal, and updates it in place', async () => {
  const { detect, signals } = await account()
  await detect([FUNDING], true)
  await detect([FUNDING], true)
  const absent = await signals(false)
  assert.equal(absent.length, 11)
  assert.ok(absent.every((one: { alpha: number; evidence: [] }) => one.alpha === 0 && one.evidence.length === 0))
  assert.ok(!absent.some((one: { signal_id: string }) => one.signal_id === 'funding'))
  const launch = article(
    'launch',
    'Halden Robotics launches the Halden Lift picking robot',
    'Halden Robotics today launched the Halden Lift, a picking robot for small warehouses. The Halden Lift is available now.',
    1,
  )
  await detect([launch])
  assert.ok((await signals()).some((one: { signal_id: string }) => one.signal_id === 'product_launch'))
  assert.ok(!(await signals(false)).some((one: { signal_id: string }) => one.signal_id === 'product_launch'))
})

test('an event outside the window, or without a date, is not present', async () => {
  const { detect, signals } = await account()
  await detect([article('old', 'Halden Robotics raises $40 million', ROUND.replace('today ', ''), 200)])
  await detect([article('undated', 'Halden Robotics raises $40 million', ROUND.replace('today ', ''), null)])
  assert.deepEqual(await signals(), [])
})

test('a page that has just appeared counts without a date', async () => {
  const { detect, signals } = await account()
  const undated = article('undated', 'Halden Robotics raises $40 million', ROUND.replace('today ', ''), null)
  await detect([{ ...undated, fresh: true } as typeof undated])
  const [found] = await signals()
  assert.equal(found.detected_at, day(0))
  assert.equal(found.evidence[0].published_date, null)
})

test('a new custom signal is detected in stored documents, without fetching them again', async () => {
  const { id, detect, signals } = await account()
  const text =
    'Halden Robotics ordered 40 picking robots for its warehouse in Graz. The warehouse will be automated this spring.'
  await detect([article('graz', 'Halden Robotics automates Graz', text, 2)])
  const created = await admin.expect(201, 'POST', '/v1/signals', {
    name: `Warehouse automation ${id}`,
    description: 'The company orders robots for a warehouse',
  })
  await idle(service)
  const find = async () => (await signals()).find((one: { signal_id: string }) => one.signal_id === created.id)
  const found = await find()
  assert.match(found.evidence[0].claim, /40 picking robots/)
  const label = `**Warehouse automation: Graz ${id}`
  await admin.expect(200, 'PATCH', `/v1/signals/${created.id}`, { name: `Warehouse automation: Graz ${id}` })
  await admin.expect(200, 'PATCH', `/v1/signals/${created.id}`, { enabled: false })
  const assessed = { ...(await lockForAssessment(deps.db, workspaceId, id)) } as AssessedAccount
  await redraftAccount(deps.db, workspaceId, assessed, await readContext(deps, workspaceId))
  assert.ok((await find()).why_reach_out_md.startsWith(label), 'a signal that was switched off keeps its name')
  await admin.expect(200, 'DELETE', `/v1/signals/${created.id}`)
})

test('a new version of the classifier judges stored documents once and without an alert; evidence names the version', async () => {
  const { id, detect, signals } = await account()
  await detect([FUNDING])
  const [found] = await signals()
  assert.equal(found.evidence[0].judged_by, deps.classifier.version)
  const forget = () => deps.db.deleteFrom('signal_detections').where('account_id', '=', id).execute()
  const rejudge = async () => {
    await deps.jobs.enqueue(deps.db, rejudgeDocuments, {})
    await idle(service)
    return (await signals()).filter((one: { signal_id: string }) => one.signal_id === 'funding').length
  }
  const alerts = () => deps.db.selectFrom('alerts').select('id').execute()
  await idle(service)
  const before = await alerts()
  await forget()
  // As after a start with another version: no record that this version has read the documents.
  await deps.db.deleteFrom('readings').execute()
  assert.equal(await rejudge(), 1)
  assert.deepEqual(await alerts(), before)
  await forget()
  assert.equal(await rejudge(), 0)
})

test('changing the description of a signal deletes its detections', async () => {
  const { id, detect, signals } = await account()
  const { id: signalId } = await admin.expect(201, 'POST', '/v1/signals', {
    name: `Picking robots ${id}`,
    description: 'The company orders picking robots',
  })
  await detect([article('graz', 'Halden Robotics in Graz', 'Halden Robotics ordered 40 picking robots for Graz.', 2)])
  const of = async () => (await signals()).filter((one: { signal_id: string }) => one.signal_id === signalId)
  assert.equal((await of()).length, 1)
  await admin.expect(200, 'PATCH', `/v1/signals/${signalId}`, { description: 'The company closes a school' })
  assert.equal((await of()).length, 0)
})

test('an event with a vague date stays one event when it is read again', async () => {
  const { detect, signals } = await account()
  const vague = article(
    'vague',
    'Halden Robotics raises $40 million',
    ROUND.replace('today announced', 'this year announced'),
    2,
  )
  for (let n = 0; n < 3; n++) await detect([vague])
  const found = (await signals()).filter((one: { signal_id: string }) => one.signal_id === 'funding')
  assert.deepEqual(
    found.map((one: { detected_at: string }) => one.detected_at),
    [day(2)],
  )
})

test('an event with a future date is dated today at most', async () => {
  const { detect, signals } = await account()
  await detect([article('future', 'Halden Robotics raises $40 million', ROUND, -900)])
  for (const { detected_at } of await signals()) assert.ok(detected_at <= day(0), detected_at)
})

test('lone surrogates and NUL characters in a text cause no errors', async () => {
  const { detect, signals } = await account()
  await detect([
    article(
      'odd',
      'Halden Robotics raises $40 million \ud83d',
      `\0${ROUND.replace('raised', 'raised \0\ud83d')} \ud83d`,
      2,
    ),
  ])
  const found = (await signals()).filter((one: { signal_id: string }) => one.signal_id === 'funding')
  assert.equal(found.length, 1)
  const [{ quote, details }] = found[0].evidence
  assert.equal(quote.slice(details.amount.start, details.amount.end), details.amount.text)
})

test('the fit sets the status of accounts from discovery, until a member sets it', async () => {
  const { client, workspaceId } = await service.stranger()
  await client.expect(201, 'POST', '/v1/knowledge-base', {
    type: 'icp',
    title: 'ICP',
    content_md: 'Hospitals in Brazil.',
  })
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Halden', domain: 'halden.example' })
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { country: 'Norway', industry: 'Robotics' })
  await deps.db.updateTable('accounts').set({ source: 'discovery' }).where('id', '=', id).execute()
  const assess = async () => {
    const context = await readContext(deps, workspaceId)
    const target = { workspace_id: workspaceId, account_id: id, run_id: null }
    await detectAndRecord(deps, context, target, { name: 'Halden', domain: null }, [])
    return (await client.expect(200, 'GET', `/v1/accounts/${id}`)).status
  }
  assert.equal(await assess(), 'unqualified')
  // Unknown facts do not disqualify.
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { country: null, industry: null })
  assert.equal(await assess(), 'suggested')
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${id}`)).qualified, false)
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { country: 'Brazil', industry: 'Hospitals' })
  assert.equal(await assess(), 'suggested')
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { country: 'Norway', industry: 'Robotics' })
  assert.equal(await assess(), 'unqualified')
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { status: 'suggested' })
  assert.equal(await assess(), 'suggested')
})

test('scores decrease from day to day', async () => {
  const { id, detect } = await account()
  await detect([FUNDING])
  const { score } = await admin.expect(200, 'GET', `/v1/accounts/${id}`)
  // As if it had been found three months ago.
  await deps.db
    .updateTable('signal_detections')
    .set({
      detected_at: day(90),
      evidence: JSON.stringify([{ claim: 'x', source_url: FUNDING.url, published_date: day(90) }]),
    })
    .where('account_id', '=', id)
    .execute()
  await deps.db
    .updateTable('accounts')
    .set({ scored_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  await deps.jobs.enqueue(deps.db, rescoreAccounts, {})
  await idle(service)
  const faded = await admin.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.ok(faded.score < score, `${faded.score} is less than ${score}`)
})

test('a description can be tried on a text before it is used', async () => {
  const preview = await admin.expect(200, 'POST', '/v1/signals/preview', {
    description: 'The company orders robots for a warehouse',
    text: 'Northwind ordered 40 robots for its warehouse in Graz. The weather was fine.',
  })
  assert.equal(preview.matches.length, 1)
  assert.match(preview.matches[0].sentence, /40 robots/)
  const { detect } = await account({ name: 'Northwind' })
  await detect([
    article('robots', 'Northwind in Graz', 'Northwind has ordered forty picking robots for its Graz depot.', 2),
  ])
  const own = await admin.expect(200, 'POST', '/v1/signals/preview', { description: 'buys robots for a warehouse' })
  assert.ok(own.documents > 1, `${own.documents}`)
  const found = own.findings.find((one: { account_name: string }) => one.account_name === 'Northwind')
  assert.match(found.sentence, /forty picking robots/)
  // The preview of a period: no older and no undated documents, with their number.
  await detect([
    article('robots-before', 'Northwind in Linz', 'Northwind has ordered sixty picking robots for its Linz depot.', 45),
    article('robots-undated', 'Northwind in Wels', 'Northwind has ordered ten robots for Wels.', null),
  ])
  const tried = async (days: number) => {
    const answer = await admin.expect(200, 'POST', '/v1/signals/preview', {
      description: 'buys robots for a warehouse',
      days,
    })
    const sentences = answer.findings.filter((one: { account_name: string }) => one.account_name === 'Northwind')
    return { ...answer, text: JSON.stringify(sentences) }
  }
  const month = await tried(30)
  assert.equal(month.since, day(30))
  assert.match(month.text, /forty picking robots/)
  assert.doesNotMatch(month.text, /sixty picking|ten robots/)
  assert.equal(month.documents, Math.min(month.documents_published, 40))
  const longer = await tried(60)
  assert.match(longer.text, /sixty picking robots/)
  assert.ok(longer.documents_published > month.documents_published)
  assert.deepEqual([own.documents_published, own.since], [null, null])
})

test('edits of the knowledge base update fit, score and drafts of active accounts without an alert', async () => {
  const { client, workspaceId, ids, save } = await scene(service, { accounts: ['halden.example', 'other.example'] })
  const [id, inactive] = ids as [string, string]
  const { db } = deps
  for (const account_id of ids) await save([{ full_name: 'Ewa Lis', title: 'Chief Executive Officer', account_id }])
  await db.updateTable('accounts').set({ status: 'active' }).where('id', '=', id).execute()
  await client.expect(200, 'PUT', '/v1/settings/notifications', {
    webhook_url: 'https://hooks.example/alerts',
    webhook_enabled: true,
  })
  const context = await readContext(deps, workspaceId)
  for (const account_id of ids) {
    const profile = { employees: 220, industry: 'Robotics', country: 'Norway' }
    await client.expect(200, 'PATCH', `/v1/accounts/${account_id}`, { name: 'Halden Robotics', ...profile })
    const company = { name: 'Halden Robotics', domain: 'halden.example' }
    const target = { workspace_id: workspaceId, account_id, run_id: null }
    await detectAndRecord(deps, context, target, company, [FUNDING], { isKnown: true })
  }
  const read = async (account_id = id) => {
    const [found] = await client.expect(200, 'GET', `/v1/accounts/${account_id}/signals?present=true`)
    return { ...(await client.expect(200, 'GET', `/v1/accounts/${account_id}`)), found }
  }
  const before = await read()
  const untouched = await read(inactive)
  const add = (type: string, content_md: string) =>
    client.expect(201, 'POST', '/v1/knowledge-base', { type, title: type, content_md })
  const icp = await add('icp', 'Robotics companies in Norway with 50 to 500 employees.')
  await add('value_prop', 'Fundwatch tells sales teams who has just raised funding.')
  const fitting = await eventually('an account that fits', async () => {
    const now = await read()
    const isApplied = now.found.icp_fit > before.found.icp_fit && /Fundwatch/.test(now.found.drafted_message_md)
    return now.qualified && isApplied && now
  })
  assert.ok(fitting.score > before.score, `${fitting.score} after ${before.score}`)
  assert.doesNotMatch(before.found.drafted_message_md, /Fundwatch/)
  // As a language model would rewrite it.
  const worded = { headline: 'Halden has the money' }
  await db.updateTable('signal_detections').set(worded).where('id', '=', fitting.found.id).execute()
  await client.expect(200, 'PATCH', `/v1/knowledge-base/${icp.id}`, {
    content_md: 'Hospitals in Brazil with 20,000 to 50,000 employees.',
  })
  const outside = await eventually('an account that no longer fits', async () => {
    const now = await read()
    return !now.qualified && now.found.icp_fit < fitting.found.icp_fit && now
  })
  assert.ok(outside.score < fitting.score)
  assert.equal(outside.found.headline, worded.headline, 'an edit that changes no draft leaves its wording alone')
  // A pass that started before the edit does not restore the old fit.
  const target = { workspace_id: workspaceId, account_id: id, run_id: null }
  await redactAndIngest(deps, context, target, {}, 'detections')
  assert.deepEqual(await read(), outside)
  assert.deepEqual(await read(inactive), untouched, 'others are assessed at night')
  const alerts = await db.selectFrom('alerts').select('id').where('workspace_id', '=', workspaceId).execute()
  assert.deepEqual(alerts, [])
})

test('what the kind of a document asserts counts where feedback lowers the confidence in its text', async () => {
  const { signals, today } = await readContext(deps, workspaceId)
  const tells = [{ signal_id: 'customer_win', claim: 'The port of Graz awarded Halden Robotics a contract.' }]
  const documents = [
    'Halden Robotics delivers an order to the port of Graz.',
    'Halden Robotics was chosen to supply arms to the city.',
    'Halden Robotics will supply the port with robots.',
    'Halden Robotics got a contract, people say.',
    'Halden Robotics is to deliver arms to the port of Graz.',
    'Halden Robotics serves the port of Graz under a contract.',
  ].map((text, i) => ({ ...article(`award-${i}`, 'News', text, 3), tells }))
  const company = { name: 'Halden Robotics', domain: 'halden-robotics.example' }
  const find = async (verdicts: { right: number; wrong: number }) => {
    const judged = signals.filter(({ id }) => id === 'customer_win').map((one) => ({ ...one, verdicts }))
    return (await findSignals(deps, workspaceId, company, documents, [], judged, { today, windowDays: 90 })).findings
  }
  const trusted = await find({ right: 0, wrong: 0 })
  const unsure = trusted.find(({ quote, confidence }) => quote !== null && confidence < 0.73)
  assert.ok(unsure, JSON.stringify(trusted))
  const doubted = await find({ right: 0, wrong: 100 })
  const asserted = doubted.filter(({ source_url }) => source_url === unsure.source_url)
  assert.deepEqual(
    asserted.map(({ claim, quote }) => [claim, quote]),
    [[tells[0]?.claim, null]],
  )
})
