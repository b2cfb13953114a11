import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, type Visit } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { DRAFT, desk, localDay, longDay, type Plan } from './desk.ts'
import { open, service } from './world.ts'

/** The card of an account. */
const card = (page: Visit, name: string) => page.getByRole('article', { name })
const names = (page: Visit) => page.getByRole('article').getByRole('heading', { level: 3 }).allInnerTexts()
const focused = (page: Visit) =>
  page.evaluate<string | null>("document.activeElement?.closest('article')?.querySelector('h3')?.textContent ?? null")
const isFocused = (page: Visit, name: string) =>
  eventually(`${name} has the focus`, async () => (await focused(page)) === name)
const gone = (page: Visit, name: string) => card(page, name).waitFor({ state: 'detached' })

/** Keeps the URL of a mailto: or tel: link instead of leaving the browser. */
const catchLinks = (page: Visit) =>
  page.evaluate(`addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="mailto:"], a[href^="tel:"]')
    if (!link || !event.isTrusted && link.isConnected === false) return
    if (!link.closest('article')) { window.opened = link.href; event.preventDefault() }
  }, true)`)

const MORNING: Plan[] = [
  {
    ...{ name: 'Alder', isMine: true, tags: ['emea'] },
    found: [{ headline: 'Alder raises $9 million', days: 1 }],
    people: [
      {
        full_name: 'Mara Lindqvist',
        title: 'Chief Executive Officer',
        email: 'mara@alder.example',
        phone: '+49 30 1234567',
      },
    ],
  },
  { name: 'Birch', isMine: true, found: [{ headline: 'Birch raises $8 million', days: 3 }] },
  {
    ...{ name: 'Cedar', isMine: true },
    found: [
      { headline: 'Cedar raises $7 million', days: 5 },
      { headline: 'Cedar opens in Oslo', days: 25 },
    ],
  },
  { name: 'Dogwood', found: [{ headline: 'Dogwood raises $6 million', days: 1 }] },
  { name: 'Elm', found: [{ headline: 'Elm raises $5 million', days: 4 }] },
  { name: 'Fir', found: [{ headline: 'Fir raises $4 million', days: 9 }] },
]

test('a morning by keyboard: every item is read, emailed, pushed, snoozed, done or refused, and undone', async () => {
  const { key, client, ids, items, itemOf, lines } = await desk(MORNING)
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 6 })
  const page = await open('/', { key })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByText('6 to do').waitFor()
  await catchLinks(page)
  const press = (key: string) => page.keyboard.press(key)

  // The order of the API: own accounts first.
  const ranked = (await items()).map(({ account }: { account: { name: string } }) => account.name)
  assert.deepEqual(ranked, ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir'])
  assert.deepEqual(await names(page), ranked)
  const tiers = page.getByRole('heading', { level: 2, name: /My accounts|No owner/ })
  assert.deepEqual(await tiers.allInnerTexts(), ['My accounts', 'No owner'])

  // What a card says.
  const alder = card(page, 'Alder')
  await alder.getByText('Alder raises $9 million').waitFor()
  await alder.getByText('yesterday').waitFor()
  await alder.getByText('Owner: You').waitFor()
  await alder.getByText('#emea').waitFor()
  await alder.getByText('Mara Lindqvist').waitFor()
  await alder.getByText('mara@alder.example').waitFor()
  assert.equal(await alder.getByRole('link', { name: '+49 30 1234567' }).getAttribute('href'), 'tel:+49 30 1234567')
  assert.equal(await alder.getByText('I read your news. It is about growth.').count(), 1)
  assert.equal(await alder.getByText('Shall we talk?').count(), 0, 'the opening only')
  const source = alder.getByRole('link', { name: 'news.example' })
  assert.deepEqual(
    [await source.getAttribute('href'), await source.getAttribute('rel')],
    ['https://news.example/a', 'noopener noreferrer'],
  )
  const [first] = await items()
  await alder.getByRole('button', { name: `Urgency ${first.act_now} of 100: why this order` }).click()
  const order = alder.getByRole('list', { name: 'Why this order' })
  assert.equal(await order.getByRole('listitem').count(), first.factors.length)
  await order.getByText('This finding, ').waitFor()
  await alder.getByRole('button', { name: 'Draft to Alder' }).click()
  await alder.getByRole('region', { name: 'Drafted message' }).getByText('Hi Mara,').waitFor()
  const cedar = card(page, 'Cedar')
  await cedar.getByRole('button', { name: '1 more at Cedar' }).click()
  await cedar.getByText('They say: Cedar opens in Oslo.').waitFor()
  const birch = card(page, 'Birch')
  await birch.getByText((await itemOf(1, 'open')).missing).waitFor()
  assert.match(
    (await birch.getByRole('link', { name: 'Find people' }).getAttribute('href')) ?? '',
    new RegExp(`view=find.*${ids[1]}`),
  )
  const attention = page.getByRole('region', { name: 'Needs attention' })
  assert.equal(await attention.getByRole('link', { name: 'Plan' }).count(), 0)
  await assertAccessible(page)

  // Keys do nothing in a field, with a modifier or in a dialog.
  await page.getByRole('combobox', { name: 'View' }).press('d')
  await page.getByRole('heading', { level: 1 }).click()
  await press('Alt+d')
  await press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('On Today').waitFor()
  await help.getByRole('cell', { name: 'Not relevant' }).waitFor()
  await press('d')
  await press('Escape')
  await help.waitFor({ state: 'detached' })
  assert.deepEqual(await names(page), ranked)

  // j and k move, o opens the account, and Back returns to the card.
  await alder.click({ position: { x: 4, y: 4 } })
  await press('j')
  await isFocused(page, 'Birch')
  await press('j')
  await isFocused(page, 'Cedar')
  await press('k')
  await isFocused(page, 'Birch')
  await press('Enter')
  await page.waitForURL(`**/accounts/${ids[1]}`)
  await page.goBack()
  await birch.and(page.locator('[aria-current]')).waitFor()
  await press('k')
  await isFocused(page, 'Alder')
  await press('o')
  await page.waitForURL(`**/accounts/${ids[0]}`)
  await page.goBack()
  await alder.and(page.locator('[aria-current]')).waitFor()

  // e opens the mail app, u takes it back, d closes it.
  await press('e')
  await gone(page, 'Alder')
  await isFocused(page, 'Birch')
  await page.getByText('Alder marked as contacted').first().waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: 'Alder marked as contacted. 5 left.' })
    .waitFor({ state: 'attached' })
  assert.match(
    await page.evaluate<string>('window.opened'),
    /^mailto:mara%40alder\.example\?subject=About%20Alder%20raises%20%249%20million&body=Hi%20Mara%2C/,
  )
  assert.deepEqual(await lines(0), ['done', 'emailed'])
  assert.equal((await itemOf(0, 'done')).outcome, 'contacted')
  await press('u')
  await isFocused(page, 'Alder')
  assert.deepEqual((await names(page))[0], 'Alder', 'in its old place')
  assert.equal((await itemOf(0, 'open')).state, 'open')
  await press('d')
  await gone(page, 'Alder')
  await eventually('it is done', async () => (await itemOf(0, 'done'))?.outcome === 'contacted')

  // Without an email, e copies the draft.
  await isFocused(page, 'Birch')
  await press('e')
  await gone(page, 'Birch')
  assert.equal(
    await page.evaluate('navigator.clipboard.readText()'),
    `Subject: About Birch raises $8 million\n\n${DRAFT}`,
  )
  await eventually('it is logged', async () => `${await lines(1)}` === 'done,copied')

  // x shows the next finding in place, u brings the first one back.
  await isFocused(page, 'Cedar')
  const lead = cedar.locator('p').filter({ hasText: 'news.example' }).first()
  await press('x')
  await lead.getByText('Cedar opens in Oslo').waitFor()
  assert.equal((await itemOf(2, 'open')).total_events, 1)
  await press('u')
  await lead.getByText('Cedar raises $7 million').waitFor()
  await isFocused(page, 'Cedar')
  await press('x')
  await lead.getByText('Cedar opens in Oslo').waitFor()
  await eventually('it is not busy', async () => (await cedar.getAttribute('aria-busy')) === null)
  await press('x')
  await gone(page, 'Cedar')
  await eventually('it is closed', async () => (await itemOf(2, 'done'))?.outcome === 'wrong')

  // p without a CRM says where to connect one; the card stays.
  await isFocused(page, 'Dogwood')
  const dogwood = card(page, 'Dogwood')
  assert.ok(await dogwood.getByRole('button', { name: 'Push to CRM' }).isDisabled())
  await press('p')
  const refused = page.getByRole('alert').filter({ hasText: 'Could not send Dogwood to the CRM' })
  assert.equal(
    await refused.getByRole('link', { name: 'Open Settings → Connections' }).getAttribute('href'),
    '/settings/connections',
  )
  await client.expect(201, 'POST', '/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
  await page.reload()
  await catchLinks(page)
  await dogwood.getByRole('button', { name: 'Push to CRM' }).and(page.locator(':enabled')).waitFor()
  await press('p')
  await gone(page, 'Dogwood')
  await page.getByText('Sent to HubSpot: Dogwood').first().waitFor()
  await eventually('it is pushed', async () => (await itemOf(3, 'done'))?.outcome === 'pushed')

  // s opens the days; Escape closes them, Enter takes tomorrow.
  await isFocused(page, 'Elm')
  await press('s')
  await page.getByRole('menuitem', { name: 'Next Monday' }).waitFor()
  await press('Escape')
  await page.getByRole('menuitem', { name: 'Next Monday' }).waitFor({ state: 'detached' })
  await press('s')
  const tomorrow = page.getByRole('menuitem', { name: 'Tomorrow' })
  await tomorrow.and(page.locator(':focus')).waitFor()
  await press('Enter')
  await gone(page, 'Elm')
  await page
    .getByText(`Elm snoozed until ${longDay(localDay(1))}`)
    .first()
    .waitFor()
  await eventually('it is snoozed', async () => (await itemOf(4, 'snoozed'))?.snoozed_until === localDay(1))

  await isFocused(page, 'Fir')
  await press('n')
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor()
  await page.getByText('New findings appear here.').waitFor()
  await page.getByText(`5 done today. 1 account snoozed, the next returns on ${longDay(localDay(1))}.`).waitFor()
  assert.equal((await itemOf(5, 'done')).outcome, 'not_relevant')
  await assertAccessible(page)

  // What is snoozed or done can be moved back.
  await page.getByRole('button', { name: 'Show snoozed' }).click()
  await page.getByText('1 snoozed').waitFor()
  assert.match(page.url(), /state=snoozed/)
  await card(page, 'Elm').getByRole('button', { name: 'Move to queue' }).click()
  await page.getByRole('heading', { name: 'Nothing snoozed' }).waitFor()
  await page.getByRole('combobox', { name: 'State' }).selectOption('Done')
  await page.getByText('5 done').first().waitFor()
  assert.equal((await names(page))[0], 'Fir', 'the latest first')
  await card(page, 'Fir').getByText('Not relevant · You').waitFor()
  await page.getByRole('combobox', { name: 'State' }).selectOption('Open')
  await card(page, 'Elm').waitFor()
  page.assertQuiet()
})

test('on a phone, cards have buttons and are swiped: right is done, left is tomorrow, both with undo', async () => {
  const { key, itemOf, lines, client, ids } = await desk([
    {
      name: 'Gorse Freight Forwarding and Logistics',
      found: [{ headline: 'Gorse raises $9 million', days: 1 }],
      people: [{ full_name: 'Ida Holm', title: 'Chief Executive Officer', phone: '+4930123' }],
    },
    { name: 'Hazel', found: [{ headline: 'Hazel raises $8 million', days: 3 }] },
    { name: 'Iris', found: [{ headline: 'Iris raises $7 million', days: 5 }] },
    { name: 'Juniper', found: [{ headline: 'Juniper raises $6 million', days: 8 }] },
  ])
  const page = await open('/', { key, width: 390, height: 844, dark: true })
  const gorse = card(page, 'Gorse Freight Forwarding and Logistics')
  await gorse.waitFor()
  await catchLinks(page)
  assert.ok(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'))
  for (const name of ['Copy draft', 'Done', 'Snooze', 'Push to CRM', 'Not relevant', 'Wrong']) {
    const box = await gorse.getByRole('button', { name, exact: true }).boundingBox()
    assert.ok(box && box.height >= 32 && box.x >= 0 && box.x + box.width <= 390, name)
  }
  await assertAccessible(page)

  const swipe = async (name: string, by: number) => {
    const target = card(page, name)
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    assert.ok(box)
    const [x, y] = [195 - by / 2, box.y + 20]
    const touch = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', to: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: to, y }] })
    await send('touchStart', x)
    for (const part of [0.1, 0.3, 0.6, 1]) await send('touchMove', x + by * part)
    await send('touchEnd', x + by)
    await touch.detach()
  }
  await swipe('Hazel', 60)
  await card(page, 'Hazel').waitFor()
  await swipe('Hazel', 200)
  await gone(page, 'Hazel')
  await eventually('it is done', async () => (await itemOf(1, 'done'))?.outcome === 'contacted')
  await page.getByRole('button', { name: 'Undo' }).click()
  await card(page, 'Hazel').waitFor()
  assert.equal((await itemOf(1, 'open')).state, 'open')
  await swipe('Iris', -200)
  await gone(page, 'Iris')
  await eventually('it is snoozed', async () => (await itemOf(2, 'snoozed'))?.snoozed_until === localDay(1))
  await page.getByText('Iris snoozed until').first().waitFor()

  await card(page, 'Juniper').getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('menuitem', { name: 'Pick a day' }).click()
  const dialog = page.getByRole('dialog', { name: 'Snooze until' })
  await dialog.getByLabel('Day').fill(localDay(30))
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await gone(page, 'Juniper')
  await eventually('it is snoozed', async () => (await itemOf(3, 'snoozed'))?.snoozed_until === localDay(30))
  // A call closes the item too.
  await gorse.getByRole('link', { name: '+4930123' }).click()
  await gone(page, 'Gorse Freight Forwarding and Logistics')
  assert.equal(await page.evaluate('window.opened'), 'tel:+4930123')
  await eventually('it is logged', async () => `${await lines(0)}` === 'done,called')
  assert.equal((await client.get(`/v1/accounts/${ids[0]}/activities`)).data[1].person.full_name, 'Ida Holm')
  page.assertQuiet()
})

test('a refused action returns the card; new items are offered and move nothing; those done elsewhere leave', async () => {
  const { key, client, find, itemOf } = await desk([
    { name: 'Kapok', found: [{ headline: 'Kapok raises $9 million', days: 3 }] },
    { name: 'Larch', found: [{ headline: 'Larch raises $8 million', days: 6 }] },
    { name: 'Maple', found: [{ headline: 'Maple raises $7 million', days: 9 }] },
    { name: 'Nutmeg', found: [] },
  ])
  const page = await open('/', { key })
  await page.getByText('3 to do').waitFor()
  await page.route('**/done', (route) => route.fulfill({ status: 409, json: { error: { message: 'Out of order.' } } }))
  await page.keyboard.press('j')
  await isFocused(page, 'Larch')
  await page.keyboard.press('d')
  await page.getByRole('alert').filter({ hasText: 'Could not update Larch' }).getByText('Out of order.').waitFor()
  await isFocused(page, 'Larch')
  await page.getByText('3 to do').waitFor()
  assert.equal((await itemOf(1, 'open')).state, 'open')
  await page.unroute('**/done')

  const refetch = () => page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  await find(3, [{ headline: 'Nutmeg raises $99 million', days: 0 }])
  await refetch()
  const offer = page.getByRole('button', { name: 'Show 1 new' })
  await offer.waitFor()
  assert.deepEqual(await names(page), ['Kapok', 'Larch', 'Maple'])
  assert.equal(await focused(page), 'Larch')
  const { id } = await itemOf(2, 'open')
  await client.expect(200, 'POST', `/v1/work-items/${id}/done`, { outcome: 'contacted' })
  await refetch()
  await gone(page, 'Maple')
  assert.equal(await focused(page), 'Larch')
  await offer.click()
  await isFocused(page, 'Nutmeg')
  assert.deepEqual(await names(page), ['Nutmeg', 'Kapok', 'Larch'])
  page.assertQuiet()
})

test('without permission there are no actions; views and suggestions have their own accounts', async () => {
  const { client, ids, key } = await desk([
    { name: 'Oak', found: [{ headline: 'Oak raises $9 million', days: 1 }] },
    { name: 'Pine', isMine: true, found: [{ headline: 'Pine raises $8 million', days: 4 }] },
    { name: 'Quince', found: [{ headline: 'Quince raises $7 million', days: 4 }] },
    { name: 'Rowan', status: 'suggested', found: [{ headline: 'Rowan raises $60 million', days: 0 }] },
  ])
  const { id: sam } = await client.expect(201, 'POST', '/v1/members', {
    ...{ name: 'Sam', email: 'sam@oak.example', visibility: 'scoped' },
  })
  await client.expect(200, 'PUT', `/v1/accounts/${ids[2]}/owner`, { owner_id: sam })
  const wall = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Wall', read_only: true })
  const page = await open('/', { key: wall.key })
  await page.getByText('2 to do').waitFor()
  await card(page, 'Pine').waitFor()
  const buttons = await page.getByRole('article').getByRole('button').allInnerTexts()
  assert.deepEqual(
    buttons.filter((name) => !/^(?:\d+|Quote|Draft)$/.test(name)),
    [],
    'only what shows more',
  )
  await page.keyboard.press('d')
  await page.keyboard.press('j')
  await isFocused(page, 'Oak')
  assert.deepEqual(await names(page), ['Pine', 'Oak'])
  assert.equal((await client.get('/v1/work-items?view=all')).data.length, 3)
  page.assertQuiet()

  const scoped = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Sam', member_id: sam })
  const theirs = await open('/', { key: scoped.key })
  await card(theirs, 'Quince').getByRole('button', { name: 'Done' }).waitFor()
  assert.deepEqual(await names(theirs), ['Quince'])
  theirs.assertQuiet()

  const mine = await open('/', { key })
  const suggested = mine.getByRole('region', { name: 'Suggested companies' })
  await suggested.getByText('Rowan raises $60 million').waitFor()
  assert.equal(await suggested.getByRole('link', { name: 'Review all 1' }).getAttribute('href'), '/suggested')
  const below = await suggested.boundingBox()
  const last = await mine.getByRole('article').last().boundingBox()
  assert.ok(below && last && below.y > last.y)
  const shows = async (view: string, ...expected: string[]) => {
    await mine.getByRole('combobox', { name: 'View' }).selectOption(view)
    await eventually(`${view} shows ${expected}`, async () => `${await names(mine)}` === `${expected}`)
  }
  await shows('My accounts', 'Pine')
  await shows('No owner', 'Oak')
  await shows('Everyone’s', 'Oak', 'Pine', 'Quince')
  assert.match(mine.url(), /view=all/)
  await shows('Queue', 'Pine', 'Oak')
  await suggested.getByRole('link', { name: 'Rowan' }).click()
  await mine.waitForURL(`**/suggested?id=${ids[3]}`)
  mine.assertQuiet()
})

test('HTML in work items is text, only http links work, and a new workspace has a next step', async () => {
  const evil = '<img src=x onerror="window.hacked = 1"><b>raised</b>'
  const { key, client } = await desk([
    {
      ...{ name: `Evil ${evil}`, tags: ['<i>'] },
      found: [{ headline: evil, days: 1, draft: `Hello,\n\n${evil}`, url: 'javascript://evil.example/%0Aalert(1)' }],
      people: [{ full_name: `Jo ${evil}`, title: `Chief Executive Officer ${evil}`, email: 'jo@evil.example' }],
    },
  ])
  const page = await open('/', { key })
  await page.getByRole('article').getByText(`Jo ${evil}`).waitFor()
  await page.getByRole('button', { name: 'Quote about' }).click()
  await page.getByText(`They say: ${evil}.`).waitFor()
  assert.equal(await page.locator('a[href^="javascript"]').count(), 0)
  assert.equal(await page.evaluate('window.hacked'), undefined)
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 0 })
  await page.reload()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  assert.equal(await attention.getByRole('link', { name: 'Plan' }).getAttribute('href'), '/settings/plan')
  page.assertQuiet()

  const newcomer = await open('/', { key: (await service.stranger()).key })
  await newcomer.getByRole('button', { name: 'Dismiss setup' }).click()
  await newcomer.getByRole('region', { name: 'Set up Bellwether' }).waitFor({ state: 'detached' })
  await newcomer.getByRole('heading', { name: 'No accounts yet' }).waitFor()
  await newcomer.getByRole('link', { name: 'Set up Bellwether' }).click()
  await newcomer.waitForURL('**/start')
  newcomer.assertQuiet()
})
