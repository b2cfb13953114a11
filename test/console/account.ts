import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { classifyOpening, countOpenings } from '../../src/engine/hiring/history.ts'
import { saveStructure } from '../../src/resources/account-relations/store.ts'
import { saveBoardSnapshot } from '../../src/resources/accounts/hiring-store.ts'
import { newId } from '../../src/shared/ids.ts'
import { detect } from '../support/alerts.ts'
import { assertAccessible, type Visit } from '../support/browser.ts'
import { day } from '../support/companies.ts'
import { crmRecords } from '../support/crm-records.ts'
import { eventually } from '../support/eventually.ts'
import { scene } from '../support/scene.ts'
import { desk, localDay, longDay } from './desk.ts'
import { open, sandbox, scanned, service } from './world.ts'

const DOMAIN = 'halden-robotics.example'
const addressOf = (page: Visit) => new URL(page.url()).search

const DETAILS = { amount: null, people: [], position: null, places: [], partners: [], product: null }

test('an account shows findings with evidence; marking one wrong removes it from the score until undo', async () => {
  const { id } = await scanned(DOMAIN)
  const page = await open(`/accounts/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Halden Robotics' }).waitFor()
  const finding = page.getByRole('article', { name: 'Halden Robotics raises €38 million in Series B' })
  // The sentence in context, with its source and date.
  const sentence = finding.getByText('announced that it has closed a €38 million Series B round.')
  const background = await sentence.evaluate((element) =>
    element.computedStyleMap().get('background-color')?.toString(),
  )
  assert.notEqual(background, 'rgba(0, 0, 0, 0)', 'the sentence is highlighted')
  await finding.getByText('The round was led by Fjellvind Growth').waitFor()
  // The page title is the heading, and the byline is not part of the evidence.
  const proof = (await finding.getByRole('figure').allInnerTexts()).join('\n')
  assert.doesNotMatch(proof, /by press|^Halden Robotics raises €38 million in Series B$/m)
  assert.equal(await finding.getByRole('link', { name: DOMAIN }).first().getAttribute('rel'), 'noopener noreferrer')
  await finding.getByText('very likely').waitFor()
  const about = page.getByRole('region', { name: 'About' })
  assert.equal(await about.getByRole('link', { name: 'HubSpot' }).getAttribute('href'), `https://${DOMAIN}/`)
  await about.getByText('Atlassian Cloud').waitFor()
  const score = page.getByRole('region', { name: 'Score' })
  const picture = score.getByRole('img', { name: /^Score \d+ of 100: Ideal customer fit .*Funding/ })
  await picture.waitFor()
  const row = score.getByRole('row', { name: /^Funding Strength \d+ of 100, \d+ days ago \+/ })
  await row.waitFor()
  await assertAccessible(page)

  await finding.getByRole('button', { name: 'Wrong' }).click()
  await row.waitFor({ state: 'detached' })
  const next = page.getByRole('region', { name: 'Write to' })
  // Which signals came together; what happened is in the findings below it.
  const newest = next.getByText(/\d signals in .*: .*Funding \(.*\)/)
  await newest.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Show 1 finding marked wrong' }).click()
  assert.equal(addressOf(page), '?wrong=true')
  await finding.getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()
  await newest.waitFor()

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // The button says so for two seconds only, which a busy machine can miss after the click.
  const copied = next.getByRole('button', { name: 'Copied' }).waitFor()
  await Promise.all([copied, next.getByRole('button', { name: 'Copy text' }).click()])
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^(?:Hello|Hi \S+),\n\n.*€38 million/)
  page.assertQuiet()
})

test('the next step has the person and the draft of the work item; a used draft is logged and closes it', async () => {
  const { key, client, ids, itemOf } = await desk([
    {
      name: 'Sorrel',
      found: [
        { headline: 'Sorrel raises $9 million', days: 1 },
        { headline: 'Sorrel opens in Oslo', days: 20 },
      ],
      people: [
        { full_name: 'Dr. Cy Lund', title: 'Chief Executive Officer', email: 'cy@sorrel.example', phone: '+4930555' },
      ],
    },
    { name: 'Tansy', found: [{ headline: 'Tansy raises $8 million', days: 2 }] },
  ])
  const page = await open(`/accounts/${ids[0]}`, { key })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const next = page.getByRole('region', { name: 'Write to Dr. Cy Lund, Chief Executive Officer' })
  await next.getByText('cy@sorrel.example').waitFor()
  await next.getByText(/^Funding \(.*\)\.$/).waitFor()
  await next.getByRole('button', { name: 'Choose another person' }).waitFor()
  await next.getByText('Hi Cy,').waitFor()
  await next.getByText('Short message', { exact: true }).click()
  await next.getByText('In short: Sorrel raises $9 million').waitFor()
  await next.getByText('Email', { exact: true }).click()
  await next.getByRole('link', { name: 'Add signature' }).waitFor()
  await next.getByRole('button', { name: 'Edit', exact: true }).click()
  const edited = page.getByRole('form', { name: 'Edit draft' })
  await edited.getByLabel('Message').fill('Hej Cy!\n\nAll the best for Oslo.\n\nCheers,\nDana')
  await edited.getByRole('button', { name: 'Save' }).click()
  await next.getByText('Edited').waitFor()
  await next.getByText('All the best for Oslo.').waitFor()
  assert.equal((await client.expect(200, 'GET', '/v1/me/profile')).greeting, 'Hej {first}!')
  await next.getByRole('button', { name: 'Wrong' }).click()
  await next.getByText('About Sorrel opens in Oslo').waitFor()
  await page.getByRole('button', { name: 'Undo: Marked as wrong' }).click()
  await next.getByText('About Sorrel raises $9 million').waitFor()
  await next.getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: 'Tomorrow' }).click()
  await next.getByText('Snoozed', { exact: true }).waitFor()
  assert.equal((await itemOf(0, 'snoozed')).snoozed_until, localDay(1))
  await next.getByRole('button', { name: 'Move to queue' }).click()
  await next.getByText('Next step').waitFor()
  await next.getByRole('button', { name: 'Copy text' }).click()
  await next.getByText('Contacted · You · just now').waitFor()
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^Hej Cy!/)
  // Its subject may still be needed.
  await next.getByRole('button', { name: 'Copy subject' }).click()
  await eventually('the subject is copied', async () =>
    (await page.evaluate<string>('navigator.clipboard.readText()')).endsWith('Sorrel raises $9 million'),
  )
  await assertAccessible(page)

  // The timeline says who did what; what was said is logged there.
  await client.expect(201, 'POST', '/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
  await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: [ids[0]], provider: 'crm_one' })
  await page.goto(`/accounts/${ids[0]}?tab=timeline`)
  const timeline = page.getByRole('tabpanel', { name: 'Timeline' })
  const log = timeline.getByRole('form', { name: 'Log a reply, call or note' })
  const [person] = (await client.get(`/v1/people?account_id=${ids[0]}`)).data
  await log.getByLabel('With').selectOption(person.id)
  await log.getByLabel('What was said').fill('Wants a demo in <b>May</b>.')
  await log.getByRole('button', { name: 'Log' }).click()
  await timeline.getByText('Dr. Cy Lund replied').waitFor()
  await timeline.getByText('Wants a demo in <b>May</b>.').waitFor()
  assert.equal(await log.getByLabel('What was said').inputValue(), '')
  for (const line of [
    'You sent it to HubSpot',
    'You copied the draft to Dr. Cy Lund',
    'You moved it back to the queue',
    `You snoozed it until ${longDay(localDay(1))}`,
    'Sorrel raises $9 million',
    'Funding',
    'Added',
  ])
    await timeline.getByText(line, { exact: true }).first().waitFor()
  assert.equal(await timeline.getByText('You marked it as contacted').count(), 0, 'the copied draft says so')
  await page.getByRole('button', { name: 'Push' }).click()
  const push = page.getByRole('dialog', { name: 'Push Sorrel' })
  await push.getByText('Creates or updates the company with its signals').waitFor()
  await push.getByRole('button', { name: 'Push' }).click()
  await push.getByText('Sent to HubSpot: 1 record.').waitFor()
  await push.getByRole('button', { name: 'Close' }).first().click()
  await assertAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await eventually('it fits the window', () =>
    page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
  )
  await assertAccessible(page)

  // Without a person, the item says who is missing.
  await page.goto(`/accounts/${ids[1]}`)
  const missing = page.getByRole('region', { name: 'Find someone to write to' })
  await missing.getByText((await itemOf(1, 'open')).missing).waitFor()
  await missing.getByRole('link', { name: 'Find people' }).waitFor()
  await missing.getByRole('button', { name: 'Done' }).click()
  await missing.getByText('Contacted · You').waitFor()
  page.assertQuiet()

  const wall = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Wall', read_only: true })
  const reader = await open(`/accounts/${ids[0]}?tab=timeline`, { key: wall.key })
  await reader.getByText('Dr. Cy Lund replied').waitFor()
  assert.equal(await reader.getByRole('form').count(), 0)
  assert.equal(await reader.getByRole('button', { name: /Done|Snooze|Wrong|Move to queue/ }).count(), 0)
  reader.assertQuiet()
})

test('an event with only a month has no day; evidence that was computed is no quote; titles are not repeated', async () => {
  const { client, ids, workspaceId } = await scene(service, { accounts: ['months.example'] })
  const id = ids[0] as string
  const { db } = service.deps
  await db.updateTable('accounts').set({ status: 'active' }).where('id', '=', id).execute()
  await detect(service.deps, workspaceId, { account_id: id, run_id: null }, [{ headline: 'It hires' }])
  const page = await open(`/accounts/${id}`, { key: client.key })

  // If the source gives only a month, no day is shown.
  const first = new Date(`${day(60).slice(0, 7)}-01`)
  const written = (month: 'long' | 'short') =>
    new Intl.DateTimeFormat('en-GB', { month, year: 'numeric', timeZone: 'UTC' }).format(first)
  const date = { text: written('long'), start: 0, end: 3 }
  await sql`update signal_detections set detected_at = ${first.toISOString().slice(0, 10)},
    evidence = jsonb_set(evidence, '{0,details}', ${JSON.stringify({ ...DETAILS, date })}) where account_id = ${id}`.execute(
    db,
  )
  await page.reload()
  await page.getByRole('article').getByText(written('short'), { exact: true }).waitFor()
  assert.equal(await page.getByText(`1 ${written('short').split(' ')[0]}`, { exact: true }).count(), 0)

  // Computed evidence is not shown as a quote.
  const [hiring] = await client.expect(200, 'GET', `/v1/accounts/${id}/signals?present=true`)
  const counted = { claim: 'It lists 9 open positions.', quote: null, source_url: 'https://jobs.example/it' }
  await db
    .updateTable('signal_detections')
    .set({
      signal_id: 'hiring',
      detected_at: day(5),
      evidence: JSON.stringify([{ ...counted, published_date: null }]),
    })
    .where('id', '=', hiring.id)
    .execute()
  const round = { headline: 'It raised a round', alpha: 88 }
  await detect(service.deps, workspaceId, { account_id: id, run_id: null }, [round])
  const parts = [
    { name: 'icp_fit', points: 20, because: 'fits: 240 employees (target 50–5,000); Freight (target logistics)' },
    { name: 'funding', points: 51.2, because: 'strength 88 of 100, 12 days ago' },
    { name: 'hiring', points: 4.1, because: 'strength 50 of 100, 5 days ago' },
  ]
  await db
    .updateTable('accounts')
    .set({ score: 75, score_components: JSON.stringify(parts), scored_at: new Date() })
    .where('id', '=', id)
    .execute()
  const article = { url: 'https://n0.com/news?a=1&b=2', source: 'news', title: 'It raised a round | N0' }
  await db
    .insertInto('documents')
    .values({
      ...{ workspace_id: workspaceId, id: crypto.randomUUID(), account_id: id, ...article, kind: 'article' },
      ...{ text: 'It raised a round, says the page.', published_date: '2026-11-01', hash: Buffer.alloc(32) },
    })
    .execute()
  await page.reload()
  const score = page.getByRole('region', { name: 'Score' })
  await score.getByText('240 employees (target 50–5,000)', { exact: true }).waitFor()
  await score.getByText('Updated just now').waitFor()
  await score.getByText('The strongest counts in full').waitFor()
  const kept = page.getByRole('article', { name: 'It raised a round' }).getByRole('figure')
  await kept.getByText('It raised a round, says the page.').waitFor()
  await kept.getByText('published').waitFor()
  assert.equal(await kept.getByText('It raised a round | N0').count(), 0, 'the title is the heading already')
  const listed = page.getByRole('article', { name: 'It hires' })
  await listed.getByText('Based on job listings at jobs.example').waitFor()
  assert.equal(await listed.getByRole('blockquote').count(), 0)
  assert.equal(await listed.getByRole('button', { name: 'Show context' }).count(), 0)
  page.assertQuiet()
})

test('people are loaded, revealed, added to a list and assigned; a running scan updates the page', async () => {
  const { id } = await scanned(DOMAIN)
  const page = await open(`/accounts/${id}?tab=people`, { dark: true })
  await page.getByRole('button', { name: 'Refresh people' }).click()
  await page
    .getByText(/\d people loaded/)
    .first()
    .waitFor()
  const person = page.getByRole('listitem').filter({ hasText: 'Marte Eikeland' })
  await person.getByRole('button', { name: 'Reveal email for Marte Eikeland' }).click()
  await person.getByRole('link', { name: `marte.eikeland@${DOMAIN}` }).waitFor()
  await person.getByRole('button', { name: 'Reveal phone for Marte Eikeland' }).click()
  await person.getByRole('button', { name: 'Retry phone for Marte Eikeland' }).waitFor()
  await person.getByRole('status').waitFor()
  await person.getByRole('button', { name: 'Lists for Marte Eikeland' }).click()
  await page.getByLabel('New list name').fill('Winter round')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Winter round', checked: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Owner of Marte Eikeland' }).click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await page.getByText('Describe anyone else in plain English').waitFor()
  await page.getByLabel('Find people at this account').fill('chief technology officer')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByText('1 person found').waitFor()
  await assertAccessible(page)

  const now = page.getByRole('region', { name: 'Scan in progress' })
  const [{ id: last }] = await service.admin.expect(200, 'GET', `/v1/runs?account_id=${id}`)
  const setLast = (status: 'running' | 'done') =>
    service.deps.db
      .updateTable('runs')
      .set({ status, finished_at: status === 'done' ? new Date().toISOString() : null })
      .where('id', '=', last)
      .execute()
  await setLast('running')
  await page.reload()
  await now.waitFor()
  await setLast('done')
  await now.waitFor({ state: 'detached' })
  await page.getByText('Scan completed').first().waitFor()
  await page.getByRole('button', { name: 'Scan', exact: true }).click()
  await page.getByRole('tab', { name: 'Scans' }).click()
  const outcome = page.getByRole('tabpanel', { name: 'Scans' }).getByText('no new findings').first()
  await outcome.waitFor()
  await page.getByRole('list', { name: 'Sources' }).getByText('Website').first().waitFor()
  await assertAccessible(page)
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByText('raises €38 million in Series B').first().waitFor()
  await page.getByRole('switch', { name: 'Show checks with no news' }).press('Space')
  assert.equal(addressOf(page), '?tab=timeline&all=true')
  await assertAccessible(page)
  await page.goBack()
  await outcome.waitFor()
  page.assertQuiet()
})

test('an account is rejected, edited, pushed and deleted; concurrent deletion is reported', async () => {
  const { client, ids } = await scene(service, { accounts: [{ name: 'Orbital Rail' }, { name: 'Gone' }] })
  const [id, gone] = ids
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Wall', read_only: true })
  const wall = await open(`/accounts/${id}`, { key })
  await wall.getByRole('heading', { name: 'Review this suggestion' }).waitFor()
  assert.deepEqual(await wall.getByRole('main').getByRole('button').allInnerTexts(), [], 'no action without permission')
  const page = await open(`/accounts/${id}`, { key: client.key, width: 390 })
  const more = async (what: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await page.getByRole('heading', { name: 'Review this suggestion' }).waitFor()
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('heading', { name: 'Rejected' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'Review this suggestion' }).waitFor()
  // Another change of the account ends the offer to undo the first one.
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('button', { name: 'Undo: Orbital Rail rejected' }).waitFor()
  await page.getByRole('button', { name: 'Move to Suggested' }).click()
  await page.getByRole('heading', { name: 'Review this suggestion' }).waitFor()
  await page.getByRole('button', { name: 'Undo: Orbital Rail rejected' }).waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Add tag' }).click()
  await page.getByLabel('New tag').fill('never mind')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await page.getByLabel('New tag').fill('rail')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove tag rail' }).waitFor()
  await page.getByRole('combobox', { name: 'Owner', exact: true }).click()
  await page.getByRole('option', { name: 'Other' }).click()
  await more('Edit details')
  const form = page.getByRole('dialog', { name: 'Edit Orbital Rail' })
  await form.getByLabel('Employees').fill('640')
  await form.getByLabel('Domain').fill('not a domain')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('must be a domain such as acme.com').waitFor()
  await assertAccessible(page)
  await form.getByLabel('Domain').fill('orbital-rail.com')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('640 employees').waitFor()
  const { tags, owner_id, domain } = await client.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.deepEqual([tags, domain, owner_id !== null], [['rail'], 'orbital-rail.com', true])

  await page.getByRole('button', { name: 'Push' }).click()
  const push = page.getByRole('dialog', { name: 'Push Orbital Rail' })
  await push.getByRole('heading', { name: 'No destinations yet' }).waitFor()
  const url = `${sandbox.receiver.url}/account-page`
  await client.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Warehouse', url })
  await page.reload()
  await push.getByRole('radio', { name: 'Warehouse' }).check()
  await push.getByRole('button', { name: 'Push' }).click()
  await push.getByText('Sent to Warehouse: 1 record.').waitFor()
  await push.getByRole('button', { name: 'Close' }).first().click()

  await more('Delete')
  const sure = page.getByRole('dialog', { name: 'Delete Orbital Rail?' })
  await sure.getByText('0 people with contact data').waitFor()
  await sure.getByRole('button', { name: 'Delete Orbital Rail' }).click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  await client.expect(404, 'GET', `/v1/accounts/${id}`)

  const other = await open(`/accounts/${gone}`, { key: client.key })
  await other.getByRole('heading', { name: 'Review this suggestion' }).waitFor()
  await client.expect(200, 'DELETE', `/v1/accounts/${gone}`)
  await other.getByRole('button', { name: 'Activate' }).click()
  await other.getByRole('heading', { name: 'Account not found' }).waitFor()
  await other.getByRole('link', { name: 'Go to accounts' }).click()
  for (const one of [page, other, wall]) one.assertQuiet()
})

test('HTML in names of accounts, people and findings is shown as text', async () => {
  const hostile = '<img src=x onerror="globalThis.broken = 1"><script>globalThis.broken = 1</script>'
  const people = [{ full_name: `Jo ${hostile}`, title: hostile, network_url: 'https://network.example/in/jo' }]
  const { client, ids, workspaceId } = await scene(service, {
    accounts: [{ name: hostile, domain: 'hostile-names.com', tags: ['<b>tag</b>'] }],
    people,
  })
  const id = ids[0] as string
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, {
    industry: hostile,
    location: hostile,
    short_description: hostile,
  })
  await detect(service.deps, workspaceId, { account_id: id, run_id: null }, [{ headline: `Raised ${hostile}` }])
  await service.deps.db
    .updateTable('signal_detections')
    .set({ drafted_message_md: `**Subject:** ${hostile}\n\n[Hi](javascript:globalThis.broken=1) ${hostile}` })
    .where('account_id', '=', id)
    .execute()
  const page = await open(`/accounts/${id}?tab=people`, { key: client.key })
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor()
  await page.getByText(`Jo ${hostile}`).waitFor()
  await page.getByRole('tab', { name: 'Findings' }).click()
  await page.getByRole('heading', { level: 3, name: `Raised ${hostile}` }).waitFor()
  await page.getByText('<b>tag</b>').waitFor()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    // Waits for the layout to update.
    await eventually('it fits the window', () =>
      page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
    )
  }
  await assertAccessible(page)
  assert.equal(await page.locator('a[href^="javascript"]').count(), 0)
  assert.equal(await page.evaluate(() => 'broken' in globalThis), false)
  page.assertQuiet()
})

test('an account shows its company structure, which members correct', async () => {
  const owner = { client: service.admin, workspaceId: service.workspaceId }
  const { ids } = await scene(service, { accounts: ['structure.example', 'orrin-sensors.example'], owner })
  const [id, orrin] = ids as [string, string]
  const source_url = 'https://search.gleif.org/#/record/5493001KJTIIGC8Y1R12'
  const record = { register: 'gleif' as const, register_id: '5493001KJTIIGC8Y1R12', legal_name: 'Halden Robotics GmbH' }
  const unknown = { domain: null, register: null, register_id: null, source: 'gleif', source_url }
  await service.deps.db.transaction().execute((db) =>
    saveStructure(db, service.workspaceId, id, {
      domain: 'structure.example',
      registrations: [{ ...record, proof: 'The website states its registration number.', source_url }],
      relations: [
        { ...unknown, id: newId(), kind: 'parent', name: 'Vantor Holding SE' },
        { ...unknown, id: newId(), kind: 'subsidiary', name: 'Orrin Sensors GmbH', domain: 'orrin-sensors.example' },
        { ...unknown, id: newId(), kind: 'former_name', name: 'Kestrel Automation GmbH' },
      ],
      read: [],
    }),
  )
  const page = await open(`/accounts/${id}`, { width: 390 })
  const panel = page.getByRole('region', { name: 'Company structure' })
  await panel.getByText('The website states its registration number.').waitFor()
  assert.equal(await panel.getByRole('link', { name: 'GLEIF' }).first().getAttribute('href'), source_url)
  assert.equal(await panel.getByRole('link', { name: 'Orrin Sensors GmbH' }).getAttribute('href'), `/accounts/${orrin}`)
  const act = async (name: string, action: string) => {
    await panel.getByRole('button', { name: `More actions for ${name}` }).click()
    await page.getByRole('menu').getByText(action, { exact: true }).click()
  }
  await act('Orrin Sensors GmbH', 'Include news about it')
  await panel.getByText('News included').waitFor()
  await act('Vantor Holding SE', 'Remove')
  await panel.getByRole('button', { name: '1 removed' }).click()
  await act('Vantor Holding SE', 'Restore')
  await panel.getByRole('button', { name: '1 removed' }).waitFor({ state: 'detached' })
  await act('Kestrel Automation GmbH', 'Edit…')
  const edit = page.getByRole('dialog', { name: 'Edit Kestrel Automation GmbH' })
  assert.equal(await edit.getByRole('checkbox', { name: 'Include news about it' }).isChecked(), true)
  await edit.getByLabel('Name').fill('Kestrel Automation AG')
  await edit.getByLabel('Website').fill('no domain')
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.getByText('must be a domain').waitFor()
  await edit.getByLabel('Website').fill('kestrel.example')
  await edit.getByRole('checkbox', { name: 'Include news about it' }).uncheck()
  await assertAccessible(page)
  await edit.getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Kestrel Automation AG').waitFor()
  await panel.getByText('kestrel.example · GLEIF').waitFor()
  await panel.getByText('News not included').waitFor()
  await edit.waitFor({ state: 'detached' })
  await act('Halden Robotics GmbH', 'Not this company')
  await panel.getByRole('button', { name: '1 removed' }).waitFor()
  await act('Halden Robotics GmbH', 'Restore')
  await panel.getByRole('button', { name: '1 removed' }).waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Add' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to company structure' })
  await dialog.getByLabel('Name').fill('Lumo Pick')
  await dialog.getByLabel('Website').fill('no domain')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByText('must be a domain').waitFor()
  await dialog.getByLabel('Website').fill('lumo-pick.example')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await panel.getByText('lumo-pick.example · Your team').waitFor()
  await assertAccessible(page)
  const { relations } = await service.admin.expect(200, 'GET', `/v1/accounts/${id}/relations`)
  const lumo = relations.find(({ name }: { name: string }) => name === 'Lumo Pick')
  await service.admin.expect(200, 'PATCH', `/v1/accounts/${id}/relations/${lumo.id}`, { status: 'rejected' })
  await page.reload()
  await panel.getByRole('button', { name: '1 removed' }).click()
  await act('Lumo Pick', 'Restore')
  await panel.getByRole('button', { name: '1 removed' }).waitFor({ state: 'detached' })
  await act('Lumo Pick', 'Delete')
  await panel.getByText('Lumo Pick').waitFor({ state: 'detached' })
  page.assertQuiet()
})

test('an account shows its open positions over time as a chart and a table', async () => {
  const owner = { client: service.admin, workspaceId: service.workspaceId }
  const { id } = await scene(service, { accounts: ['curve.example'], owner }).then(({ ids }) => ({
    id: ids[0] as string,
  }))
  for (const [weeks, count] of [14, 12, 16, 14, 0, 1].entries()) {
    const openings = Array.from({ length: count }, (_, n) => ({
      ...{ board: 'greenhouse:curve', url: `https://boards.greenhouse.io/curve/jobs/${n}`, title: 'Account Executive' },
      ...{ ...classifyOpening('Account Executive', null), location: 'Oslo', country_code: 'NO' },
      published_date: null,
    }))
    const look = { ...countOpenings(day(70 - weeks * 14), openings), boards: ['greenhouse:curve'], openings }
    await service.deps.db.transaction().execute((db) => saveBoardSnapshot(db, service.workspaceId, id, look))
  }
  const basis = {
    ...{ text: '', people: 7, postings: 1, postings_on: day(0), departments_of: 'people', countries_of: null },
    ...{ postings_by_department: { Sales: 1 }, postings_by_country: { Norway: 1 } },
  }
  const workforce = { workforce_by_department: '{"Sales":7}', workforce_basis: JSON.stringify(basis) }
  await service.deps.db
    .updateTable('accounts')
    .set({ ...workforce, workforce_based_on: 7 })
    .where('id', '=', id)
    .execute()
  const page = await open(`/accounts/${id}`, { width: 390 })
  await page.getByText('Based on 7 known people.').waitFor()
  await page.getByText('People by department').waitFor()
  const hiring = page.getByRole('region', { name: 'Open positions' })
  await hiring
    .getByRole('img', { name: /^Open positions by week: 14 in the week of .*, 1 in the week of .*, maximum 16$/ })
    .waitFor()
  await hiring.getByText('Job boards list 1 open position, after usually 14 (the median of 4 looks since').waitFor()
  await hiring.getByText('Norway').waitFor()
  await hiring.getByText('By week').click()
  assert.deepEqual(
    (await hiring.getByRole('row').allInnerTexts()).map((row) => row.split(/\s+/).slice(-3).join(' ')),
    ['Open New Closed', '1 1 0', '0 0 14', '14 0 2', '16 4 0', '12 0 2', '14 – –'],
  )
  await assertAccessible(page)
})

test('what the CRM knows is on Today, on the account and in the filters, and its customers draft the ideal customer', async () => {
  const { client, ids, key, save, find, workspaceId } = await desk([
    { name: 'Northwind', isMine: true, found: [] },
    { name: 'Cedarline', isMine: true, found: [] },
  ])
  const [lost, open_deal] = ids as [string, string]
  const { db } = service.deps
  const crm = await crmRecords(db, workspaceId)
  const [ada] = await save([{ full_name: 'Ada Pike', title: 'VP Operations', account_id: lost }])
  const northwind = await crm.company({ account_id: lost, name: 'Northwind' })
  const contact = await crm.contact(northwind, ada?.id as string)
  const amounts = { amount: '48000.00', currency: 'EUR' }
  await crm.deal(northwind, { name: 'Pilot', state: 'won', closes_on: '2023-03-14', contacts: [contact], ...amounts })
  await crm.deal(northwind, {
    ...{ name: 'Rollout in all terminals', state: 'lost', stage: 'Closed lost', lost_reason: 'price' },
    ...{ closes_on: '2025-06-02', ...amounts },
  })
  await crm.relate(lost, 'lost_deal', '2025-06-02', 'price')
  const cedarline = await crm.company({ account_id: open_deal, name: 'Cedarline' })
  await crm.deal(cedarline, { name: 'Rail rollout', stage: 'Negotiation', closes_on: '2026-12-15' })
  await crm.relate(open_deal, 'open_deal', '2026-10-01')
  const at = '2026-11-14T06:30:00.000Z'
  const crm_fields = {
    industry: { value: 'Transportation', provider: 'crm_one', at },
    employees: { value: 640, provider: 'crm_one', at },
  }
  await db
    .updateTable('accounts')
    .set({ crm_fields: JSON.stringify(crm_fields), from_crm: ['employees'], employees: 640, industry: 'Logistics' })
    .where('id', '=', lost)
    .execute()
  await find(0, [{ headline: 'Northwind raises €38 million', days: 2 }])
  await find(1, [{ headline: 'Cedarline raises €4 million', days: 2 }])

  const page = await open('/', { key })
  const card = page.getByRole('article', { name: 'Northwind' })
  await card.getByText('Lost on 2 June 2025 (price): now they have raised money').waitFor()
  await page
    .getByRole('article', { name: 'Cedarline' })
    .getByText('Open deal: Negotiation, closes 15 December 2026')
    .waitFor()
  await assertAccessible(page)
  await card.getByRole('link', { name: 'Northwind' }).click()
  const region = page.getByRole('region', { name: 'CRM' })
  await region.getByText('Rollout in all terminals').waitFor()
  await region.getByText('Closed lost · price · 2 Jun 2025').waitFor()
  await region.getByRole('link', { name: 'Ada Pike' }).waitFor()
  await region.getByText('VP Operations · 1 won deal').waitFor()
  await region.getByText('the researched value is used: Logistics').waitFor()
  await assertAccessible(page)

  await page.goto('/accounts')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Relationship' }).click()
  await page.getByRole('option', { name: 'Lost deal' }).click()
  await page.getByRole('row', { name: /Cedarline/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Northwind.*Lost deal/ }).waitFor()
  assert.equal(addressOf(page), '?relationship=lost_deal')
  await page.keyboard.press('Escape')

  await page.goto('/findings')
  await page.getByRole('article', { name: 'Cedarline raises €4 million' }).waitFor()
  await page.getByRole('combobox', { name: 'Relationship' }).selectOption('Lost deal')
  await page.getByRole('article', { name: 'Cedarline raises €4 million' }).waitFor({ state: 'detached' })
  await page.getByRole('article', { name: 'Northwind raises €38 million' }).waitFor()

  await page.goto('/knowledge/new')
  await page.getByRole('button', { name: 'From your best customers' }).click()
  await page.getByText('No account is a customer by your CRM. A draft needs at least 5.').waitFor()
  const more = await scene(service, { accounts: 5, owner: { client, workspaceId } })
  const facts = { industry: 'Logistics', country: 'Germany', employees: 420 }
  for (const id of more.ids) {
    await crm.relate(id, 'customer')
    await db.updateTable('accounts').set(facts).where('id', '=', id).execute()
  }
  await page.reload()
  await page.getByRole('button', { name: 'From your best customers' }).click()
  await page.getByText('Drafted from your 5 customers.').waitFor()
  await page.getByText('Logistics (5)').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Use as text' }).click()
  await page.getByLabel('Text').press('End')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“Companies like our best customers” saved').waitFor()
  const [section] = await client.expect(200, 'GET', '/v1/knowledge-base')
  assert.match(
    section.content_md,
    /- Company size: 400 to 500 employees\n- Industries: Logistics\n- Countries: Germany/,
  )
  page.assertQuiet()
})
