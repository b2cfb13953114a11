import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser.ts'
import { ADMIN_KEY } from '../support/service.ts'
import { open } from './world.ts'

test('whoever is not signed in pastes a key and comes to where they wanted to go', async () => {
  const page = await open('/signals', { key: null })
  await page.getByRole('heading', { name: 'Sign in to Bellwether' }).waitFor()
  await assertAccessible(page)
  await page.getByLabel('API key').fill('bw_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('unknown, revoked or expired').waitFor()
  await page.getByLabel('API key').fill(ADMIN_KEY)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/signals')
  assert.equal(await page.getByRole('dialog').count(), 0)
  page.assertQuiet()
})

test('every page can be reached by the menu and by keys', async () => {
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
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Knowledge base' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  page.assertQuiet()
})

test('a connection that is lost is said, and found again by itself', async () => {
  const page = await open('/signals')
  await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor()
  const unreachable = page.getByText('goes on by itself as soon as the connection is back')
  await page.route(/\/(v1\/|healthz)/, (route) => route.abort('connectionrefused'))
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await unreachable.waitFor()
  await page.unrouteAll()
  await unreachable.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'hidden' })
})
