import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { scene } from '../support/scene.ts'
import { ADMIN_KEY } from '../support/service.ts'
import { oidc, open, service } from './world.ts'

test('a visitor signs in with a key and returns to the requested page', async () => {
  const page = await open('/signals', { key: null })
  await page.getByRole('heading', { name: 'Sign in to Bellwether' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with an API key' }).click()
  await assertAccessible(page)
  await page.getByLabel('API key').fill('bw_wrong')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('unknown, revoked or expired').waitFor()
  await page.getByLabel('API key').fill(ADMIN_KEY)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/signals')
  assert.equal(await page.getByRole('dialog').count(), 0)
  page.assertQuiet()
})

test('a visitor signs in with a provider, returns to the requested page, and signs out of both', async () => {
  const page = await open('/signals', { key: null })
  await page.getByRole('button', { name: 'Continue with Northwind SSO' }).click()
  await page.getByRole('link', { name: 'Dana Whitfield' }).click()
  await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/signals')
  await page.getByRole('button', { name: 'Dana Whitfield' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Bellwether' }).waitFor()
  assert.match(oidc.signOuts.at(-1)?.id_token_hint ?? '', /^ey/)
  // The requested page is one of this console, whatever a link says.
  await page.goto('/sign-in?to=//evil.example/')
  await page.getByRole('button', { name: 'Continue with Northwind SSO' }).click()
  oidc.misbehave('forged signature')
  await page.getByRole('link', { name: 'Dana Whitfield' }).click()
  await page.getByText('signature verification failed').waitFor()
  oidc.misbehave(null)
  assert.equal(new URL(page.url()).search, '')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Continue with Northwind SSO' }).click()
  await page.getByRole('link', { name: 'Dana Whitfield' }).click()
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).origin, service.address)
})

test('a sign-in link asks before it replaces the session of another member', async () => {
  const [dana, bo] = [await service.member({ name: 'Dana Lee' }), await service.member({ name: 'Bo Falk' })]
  const page = await open('/signals', { key: dana.key })
  await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor()
  const visitLink = async () => {
    const { url } = await service.admin.expect(201, 'POST', '/v1/sign-in-links', { member_id: bo.id })
    await page.goto('about:blank')
    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Use this link?' }).waitFor()
    await page.getByText('You are signed in as Dana Lee.').waitFor()
  }
  const memberName = async () => {
    const response = await page.request.get(`${service.address}/v1/me`)
    return (await response.json()).data.member.name
  }
  await visitLink()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Stay signed in as Dana Lee' }).press('Enter')
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  assert.equal(await memberName(), 'Dana Lee')
  await visitLink()
  await page.getByRole('button', { name: 'Sign out and use link' }).press('Enter')
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  assert.equal(await memberName(), 'Bo Falk')
  page.assertQuiet()
})

test('every page can be reached by the menu and by shortcuts', async () => {
  const page = await open('/')
  const menu = page.getByRole('navigation', { name: 'Pages' })
  await menu.getByRole('link', { name: 'Today' }).waitFor()
  for (const name of await menu.getByRole('link').allInnerTexts()) {
    await menu.getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name: name.split('\n')[0] as string }).waitFor()
  }
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: 'Search', exact: true }).fill('knowledge')
  await page.getByText('your ideal customer matters most').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Knowledge base' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.goto('/nope')
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  assert.equal(await page.title(), 'Not found · Bellwether')
  await menu.getByRole('link', { name: 'Today' }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  page.assertQuiet()
})

test('Today and Accounts request neither the member nor their first list, which are in the page', async () => {
  const { client } = await scene(service, { accounts: [{ name: 'Ardent Quarry' }] })
  const page = await open('/sign-in', { key: client.key })
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url().slice(service.address.length)))
  for (const [path, title] of [
    ['/', 'Today'],
    ['/accounts', 'Accounts'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  assert.ok(requested.some((url) => url.startsWith('/v1/members')))
  assert.deepEqual(
    requested.filter((url) => /^\/v1\/(me$|work-items\?view=queue|accounts\?page=1&)/.test(url)),
    [],
  )
  page.assertQuiet()
})

test('the palette opens a company by name and Enter, even if it is typed before the palette has loaded', async () => {
  const { client, ids } = await scene(service, { accounts: [{ name: 'Ardent Quarry' }, { name: 'Brook' }] })
  const page = await open(`/suggested?id=${ids[0]}`, { key: client.key })
  const code = Promise.withResolvers<void>()
  await page.route(/\/assets\/Palette[^/]*\.js/, async (route) => {
    await code.promise
    await route.continue()
  })
  const found = Promise.withResolvers<void>()
  await page.route(/\/v1\/accounts\?.*search=/, async (route) => {
    await found.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('heading', { level: 2, name: 'Ardent Quarry' }).waitFor()
  // Some of these letters are also shortcuts of the page.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ardent q')
  code.resolve()
  const search = page.getByRole('textbox', { name: 'Search', exact: true })
  await eventually('it has all letters', async () => (await search.inputValue()) === 'ardent q')
  await page.keyboard.press('Enter')
  found.resolve()
  await page.waitForURL(`**/accounts/${ids[0]}`)
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)).status, 'suggested')
  await search.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await search.fill('brook')
  const first = page.locator('[data-action][data-selected]')
  await first.getByText('Brook').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/accounts/${ids[1]}`)
  page.assertQuiet()
})

test('a lost connection shows a banner until it is back, and keeps the frame around a page that cannot be loaded', async () => {
  const page = await open('/signals')
  await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor()
  const unreachable = page.getByText('Connection lost.')
  const isDown = { now: true }
  await page.route(/\/(v1\/|healthz)/, (route) => (isDown.now ? route.abort('connectionrefused') : route.continue()))
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await unreachable.waitFor()
  isDown.now = false
  await unreachable.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  const retry = page.getByRole('button', { name: 'Try again' })
  await retry.waitFor({ state: 'hidden' })

  // The code of a page that was not opened before cannot be loaded either.
  isDown.now = true
  await page.route(/\/assets\/Discover[^/]*\.js/, (route) =>
    isDown.now ? route.abort('connectionrefused') : route.continue(),
  )
  const menu = page.getByRole('navigation', { name: 'Pages' })
  await menu.getByRole('link', { name: 'Discover' }).click()
  await page.getByText('Could not reach the server.').waitFor()
  await menu.getByRole('link', { name: 'Today' }).waitFor()
  await assertAccessible(page)
  isDown.now = false
  await retry.click()
  await page.getByRole('heading', { name: 'Discover', level: 1 }).waitFor()
})
