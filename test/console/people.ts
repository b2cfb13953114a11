import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { moved } from '../support/moves.ts'
import { scene } from '../support/scene.ts'
import { open, scanned, service } from './world.ts'

test('a plain-English search is previewed in tiers, runs with progress and returns people', async () => {
  const account = await scanned('halden-robotics.example')
  const page = await open('/people?view=find')
  await page.getByLabel('Who are you looking for?').fill('CFO, not in Sweden')
  const preview = page.getByRole('region', { name: 'Search preview' })
  await preview.getByText('Ideal role').waitFor()
  await preview.getByText('Chief Financial Officer').first().waitFor()
  await preview.getByText('Sweden').waitFor()
  await page.getByLabel('20 most recently activated accounts').waitFor()
  await page.getByLabel('Specific accounts').check()
  await page.getByRole('combobox', { name: 'Accounts to search' }).fill('halden')
  await page.locator('[role=option][data-combobox-selected]').getByText(account.name).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Remove ${account.name}` }).waitFor()
  const held = Promise.withResolvers<void>()
  await page.route('**/v1/people/find', async (route) => {
    await held.promise
    await route.continue()
  })
  const sent = page.waitForRequest('**/v1/people/find')
  await page.getByRole('button', { name: 'Find people' }).click()
  assert.deepEqual((await sent).postDataJSON().account_ids, [account.id])
  await page.getByRole('progressbar', { name: 'Search progress' }).waitFor()
  held.resolve()
  const found = page.getByRole('region', { name: 'Search results' })
  await found.getByText(/found for “CFO, not in Sweden”/).waitFor()
  await found
    .getByRole('row', { name: /Marte Eikeland/ })
    .getByText('Ideal role')
    .waitFor()
  await found.getByText('1 found').first().waitFor()
  await assertAccessible(page)
  // The URL contains the whole search.
  const again = await open(page.url())
  await again.getByRole('row', { name: /Marte Eikeland/ }).waitFor()
  assert.equal(await again.getByLabel('Who are you looking for?').inputValue(), 'CFO, not in Sweden')
  await again.getByRole('button', { name: `Remove ${account.name}` }).waitFor()
  page.assertQuiet()
  again.assertQuiet()
})

test('people are filtered, added to a list, viewed, exported and deleted', async () => {
  const { client, save, workspaceId } = await scene(service, {
    accounts: [{ name: 'Acme <script>alert(1)</script>', domain: 'acme.example' }],
  })
  const saved = await save([
    { full_name: 'Mara <b>Lind</b>', title: 'VP Sales', job_level: 'VP', country_code: 'DE' },
    { full_name: 'Jo Brand', title: 'Chief Financial Officer', job_level: 'C-Team' },
  ])
  const jo = saved.find(({ full_name }) => full_name === 'Jo Brand')
  assert.ok(jo)
  await moved(service, workspaceId, jo, { employer: 'Globex', title: 'CEO' })
  const page = await open('/people', { key: client.key })
  const people = page.getByRole('table', { name: 'People' })
  await people.getByText('Acme <script>alert(1)</script>').first().waitFor()
  await page.getByRole('textbox', { name: 'Search people' }).fill('financial')
  await page.getByText('1 person', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Search people' }).fill('')
  await page.getByRole('combobox', { name: 'Level' }).click()
  await page.getByRole('option', { name: 'VP' }).click()
  await page.getByText('1 person', { exact: true }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('level'), 'VP')
  await page.goBack()

  await page.goto('/people')
  await page.getByRole('button', { name: 'New list' }).click()
  await page.getByLabel('List name').fill('Q4')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'This list is empty' }).waitFor()
  await page.getByRole('button', { name: 'All people' }).click()
  await people.getByRole('checkbox', { name: 'Select Jo Brand' }).check()
  await page.getByRole('button', { name: 'Add to list' }).click()
  await page.getByRole('menuitem', { name: 'Q4' }).click()
  await page.getByText('1 person added to “Q4”').waitFor()
  await page.getByRole('button', { name: /^Q4/ }).click()
  await page.getByText('1 person', { exact: true }).waitFor()
  await assertAccessible(page)

  await people.getByRole('link', { name: 'Jo Brand' }).click()
  const drawer = page.getByRole('dialog', { name: 'Jo Brand' })
  await drawer.getByText('Company roster').waitFor()
  await drawer.getByText('CEO at Globex').waitFor()
  const revealing = page.waitForResponse(/\/email$/)
  await drawer.getByRole('button', { name: /^Reveal email/ }).click()
  const { data: revealed } = await (await revealing).json()
  assert.equal(revealed.email, null)
  await drawer.getByText(revealed.reason).waitFor()
  const download = page.waitForEvent('download')
  await drawer.getByRole('button', { name: 'Export data' }).click()
  assert.equal((await download).suggestedFilename(), 'Jo-Brand.json')
  await drawer.getByRole('button', { name: 'Delete…' }).click()
  await page.getByText('1 list membership').waitFor()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByRole('heading', { name: 'This list is empty' }).waitFor()
  await eventually('gone', async () => (await client.get('/v1/people?search=brand')).body.pagination.total === 0)
  page.assertQuiet()
})

test('people are viewed and selected on a narrow screen in dark mode', async () => {
  const { client, save } = await scene(service, { accounts: ['narrow.example'] })
  await save([{ full_name: 'Mara Lind', title: 'VP Sales' }])
  const page = await open('/people', { key: client.key, width: 390, height: 844, dark: true })
  await page.getByRole('checkbox', { name: 'Select Mara Lind' }).check()
  await page.getByText('1 person selected').waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true)
  await page.getByRole('link', { name: 'Mara Lind' }).click()
  await page.getByRole('dialog', { name: 'Mara Lind' }).getByText('VP Sales').waitFor()
  await assertAccessible(page)
  const { id: member_id } = await client.expect(201, 'POST', '/v1/members', {
    ...{ name: 'Sam', email: 'sam@narrow.example', visibility: 'scoped' },
  })
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Sam', member_id })
  const theirs = await open('/people', { key })
  await theirs.getByRole('heading', { name: 'No people yet' }).waitFor()
  await theirs.getByText('You only see people at accounts you own.').waitFor()
  page.assertQuiet()
})
