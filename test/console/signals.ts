import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { open, scanned, service } from './world.ts'

test('a custom signal is described, previewed, trained with examples and saved', async () => {
  await scanned('meridon-freight.example')
  const page = await open('/signals')
  await page.getByRole('link', { name: 'New signal' }).click()
  const form = page.getByRole('form', { name: 'New signal' })
  await form.getByLabel('Description').fill('The company opens a new terminal')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Meridon Freight opens trimodal terminal in Basel').waitFor()
  await preview.getByText(/findings? in \d+ documents?/).waitFor()
  await preview
    .getByText(/^(very likely|likely|possible)$/)
    .first()
    .waitFor()
  await assertAccessible(page)
  await preview.getByRole('link', { name: 'Expansion' }).waitFor({ state: 'detached' })
  const wrong = preview
    .getByRole('group', { name: /^Is “.*” right/ })
    .first()
    .getByRole('button', { name: 'Wrong' })
  await wrong.click()
  await preview.getByText('Excluded').first().waitFor()
  const marked = page.getByRole('region', { name: 'Marked examples' })
  await marked.getByText('0 right, 1 wrong').waitFor()
  await assertAccessible(page)
  await wrong.click()
  await marked.waitFor({ state: 'detached' })
  await preview.getByRole('button', { name: 'Right' }).first().click()
  await marked.getByText('1 right, 0 wrong').waitFor()
  await form.getByLabel('Name').fill('Funding')
  await form.getByRole('button', { name: 'Create signal' }).click()
  await form.getByText('Another signal of this workspace has this name').waitFor()
  await page.reload()
  assert.equal(await form.getByLabel('Description').inputValue(), 'The company opens a new terminal')
  await form.getByLabel('Name').fill('New terminals')
  await form.getByRole('button', { name: 'Create signal' }).click()
  const own = page.getByRole('region', { name: 'Custom' })
  await own.getByRole('link', { name: 'New terminals' }).waitFor()

  await own.getByRole('link', { name: 'New terminals' }).click()
  await marked.getByText('1 right, 0 wrong').waitFor()
  await marked.getByRole('button', { name: /^Remove/ }).click()
  await marked.waitFor({ state: 'detached' })
  await page.getByText('No feedback yet.').waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByText('This deletes all its findings.').waitFor()
  await page.getByRole('button', { name: 'Delete signal' }).click()
  await own.waitFor({ state: 'detached' })
  page.assertQuiet()
})

test('unclear descriptions and similar built-in signals are reported while typing', async () => {
  const page = await open('/signals/new')
  const form = page.getByRole('form', { name: 'New signal' })
  const preview = page.getByRole('region', { name: 'Preview' })
  await form.getByLabel('Description').fill('asdf qwer zxcv')
  await preview.getByText('Describe in an English sentence what happens').waitFor()
  await form.getByLabel('Description').fill('A new CFO started')
  await preview.getByRole('link', { name: 'Leadership change' }).waitFor()
  await assertAccessible(page)
  await form.getByRole('button', { name: 'Discard' }).click()
})

test('a signal is turned off and on, and only with permission', async () => {
  const { client } = await service.stranger()
  const page = await open('/signals?q=layoffs', { key: client.key, dark: true })
  const isOn = (wanted: boolean) =>
    eventually(
      `it is ${wanted}`,
      async () => (await client.expect(200, 'GET', '/v1/signals/layoffs')).enabled === wanted,
    )
  const layoffs = page.getByRole('switch', { name: 'Track Layoffs' })
  await layoffs.press('Space')
  await isOn(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await isOn(true)
  await eventually('it shows', () => layoffs.isChecked())
  await assertAccessible(page)
  page.assertQuiet()
  const scoped = await service.member({ visibility: 'scoped' })
  const theirs = await open('/signals', { key: scoped.key })
  await theirs.getByRole('switch', { name: 'Track Layoffs' }).waitFor()
  assert.equal(await theirs.getByRole('switch', { name: 'Track Layoffs' }).isDisabled(), true)
  assert.equal(await theirs.getByRole('link', { name: 'New signal' }).count(), 0)

  // Disabled switches still show whether they are on.
  await client.expect(200, 'PATCH', '/v1/signals/layoffs', { enabled: false })
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Wall', read_only: true })
  const wall = await open('/signals', { key })
  const colour = (name: string) =>
    wall.evaluate<string>(
      `getComputedStyle(document.querySelector('[aria-label="Track ${name}"] + *')).backgroundColor`,
    )
  await wall.getByRole('switch', { name: 'Track Layoffs' }).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await wall.emulateMedia({ colorScheme })
    await wall.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await eventually(
      `on is not off, ${colorScheme}`,
      async () => (await colour('Funding')) !== (await colour('Layoffs')),
    )
  }
})
