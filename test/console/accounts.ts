import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { scene } from '../support/scene.ts'
import { open, sandbox, service } from './world.ts'

test('accounts are filtered by URL, selected across pages, updated in bulk, and the update is undone', async () => {
  const { key, ...owner } = await service.stranger()
  const accounts = Array.from({ length: 120 }, (_, n) => ({
    name: n === 0 ? '<img src=x onerror=alert(1)>' : `Bulk ${n}`,
    domain: `bulk-${n}.example`,
    tags: n % 2 ? ['odd'] : [],
  }))
  const { client } = await scene(service, { accounts, owner })
  const count = async (query: string) => (await client.get(`/v1/accounts?${query}`)).body.pagination.total
  const page = await open('/accounts', { key })
  await page.getByText('120 accounts', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Search accounts' }).fill('onerror')
  await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).waitFor()
  await page.waitForURL(/search=onerror/)
  await page.getByRole('button', { name: 'Clear search' }).click()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Tag', exact: true }).fill('odd')
  await page.getByText('60 accounts found').waitFor()
  await page.keyboard.press('Escape')
  assert.match(page.url(), /tag=odd/)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Select all 60 accounts' }).click()
  await page.getByText('All 60 accounts are selected.').waitFor()
  const bar = page.getByRole('region', { name: 'Bulk actions' })
  await bar.getByRole('button', { name: 'Tag', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Tag 60 accounts' })
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('fair')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByText('60 accounts tagged').waitFor()
  assert.equal(await count('tag=fair'), 60)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('60 accounts tagged').waitFor({ state: 'hidden' })
  await eventually('the tags are gone', async () => (await count('tag=fair')) === 0)

  await page.getByRole('button', { name: 'page 2' }).click()
  await page
    .getByRole('link', { name: /^Bulk \d+$/ })
    .nth(9)
    .waitFor()
  await page
    .getByRole('checkbox', { name: /^Select Bulk/ })
    .nth(0)
    .check()
  await page
    .getByRole('checkbox', { name: /^Select Bulk/ })
    .nth(1)
    .check()
  await bar.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('You have 1,000 activations left.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await page.getByText('2 accounts activated').waitFor()
  assert.equal(await count('status=active'), 2)
  await page.goBack()
  await page.getByText('60 accounts found').waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Select all 60 accounts' }).click()
  await bar.getByText('60 selected').waitFor()
  await bar.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('58 accounts rejected').waitFor()
  await page.getByText('2 accounts not rejected').waitFor()
  await page.getByText('An active account cannot be rejected. Deactivate it first.').waitFor()

  await page.goto('/accounts?status=rejected')
  await page
    .getByRole('checkbox', { name: /^Select Bulk/ })
    .nth(0)
    .check()
  await bar.getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('alert').getByText('Nothing was activated').waitFor()
  await page.goto('/accounts')

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Added' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Added' }).getByRole('button').click()
  await page.waitForURL(/sort=created_at/)
  await page.reload()
  await page.getByRole('columnheader', { name: 'Added' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'accounts.csv')
  page.assertQuiet()
})

test('the rows that fill a screen are rendered first, all at once where the page returns to its scroll position', async () => {
  const { key, ...owner } = await service.stranger()
  await scene(service, { accounts: 45, owner })
  const page = await open('/settings/sessions', { key })
  await page.evaluate(`
    window.rendered = []
    new MutationObserver(() => {
      const { length } = document.querySelectorAll('section[aria-label="Accounts"] tbody tr')
      if (length && length !== rendered.at(-1)) rendered.push(length)
    }).observe(document, { childList: true, subtree: true })`)
  const counts = () => page.evaluate<number[]>('rendered.splice(0)')
  const link = page.getByRole('link', { name: /^acme-/ })
  await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).click()
  await link.nth(44).scrollIntoViewIfNeeded()
  assert.deepEqual(await counts(), [25, 45])

  const readScroll = () => page.evaluate<number>(`document.querySelector('section[aria-label="Accounts"]').scrollTop`)
  const scrolled = await readScroll()
  assert.ok(scrolled > 0)
  await link.nth(44).click()
  await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/)
  await page.goBack()
  await link.nth(44).waitFor()
  assert.deepEqual(await counts(), [45])
  await eventually('the list is scrolled', async () => (await readScroll()) === scrolled)
  page.assertQuiet()
})

test('an account is added by domain and pushed with others to a webhook', async () => {
  const { key, ...owner } = await service.stranger()
  const { client } = await scene(service, { accounts: ['pushed.example'], owner })
  const url = `${sandbox.receiver.url}/accounts-page`
  await client.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Warehouse', url })
  const page = await open('/accounts?add=true', { key, width: 390, height: 844 })
  const dialog = page.getByRole('dialog', { name: 'Add account' })
  await dialog.getByLabel('Domain').fill('not a domain')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByText('must be a domain such as acme.com').waitFor()
  await dialog.getByLabel('Domain').fill('https://www.Added.example/about')
  await dialog.getByLabel('Name').fill('Added & Sons')
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByText('Added & Sons added').waitFor()
  await page.waitForURL(/\/accounts\/[0-9a-f-]{36}/)
  await page.goto('/accounts')
  const list = page.getByRole('list', { name: 'Accounts' })
  await list.getByRole('checkbox', { name: 'Select Added & Sons' }).check()
  await list.getByRole('checkbox', { name: 'Select pushed' }).check()
  await page.getByRole('button', { name: 'Push' }).click()
  await page.getByRole('dialog', { name: 'Push 2 accounts' }).getByRole('button', { name: 'Push' }).click()
  await page.getByText('Sent to Warehouse: 2 records.').waitFor()
  page.assertQuiet()
})

test('a CSV file is uploaded, previewed, mapped and imported', async () => {
  const { key, ...owner } = await service.stranger()
  const { client } = await scene(service, { accounts: ['there.example'], owner })
  const page = await open('/accounts/import', { key })
  const rows = [
    'Müller & Söhne;mueller.example;Köln',
    'Da;there.example;',
    'Kaputt;kein name;',
    'Müller;mueller.example;',
  ]
  const table = `Kunde;Wo;Ort\n${rows.join('\n')}\n`
  const buffer = Buffer.from(table, 'latin1')
  const choose = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer })
  await choose('book.xlsx', Buffer.from('PK\u0003\u0004'))
  await page.getByText('Excel files are not supported.').waitFor()
  await choose('kunden.csv', buffer)
  await page.getByText('4 rows', { exact: false }).first().waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Encoding' }).inputValue(), 'Western (Windows-1252)')
  assert.equal(await page.getByRole('combobox', { name: 'Delimiter' }).inputValue(), 'Semicolon ;')
  const importAs = async (column: string, field: string) => {
    await page.getByRole('combobox', { name: `Import ${column} as` }).click()
    await page.getByRole('option', { name: field, exact: true }).click()
  }
  // By header and by content; a column that is not imported is missed at once.
  const importedAs = (column: string) => page.getByRole('combobox', { name: `Import ${column} as` }).inputValue()
  assert.deepEqual(
    [await importedAs('Kunde'), await importedAs('Wo'), await importedAs('Ort')],
    ['Company name', 'Domain or website', 'Location'],
  )
  await importAs('Wo', 'Industry')
  await page.getByText('No column with domains or websites was found.', { exact: false }).waitFor()
  await assertAccessible(page)
  await importAs('Wo', 'Domain or website')
  await page.getByText('1 new, 2 existing, 1 skipped.').waitFor()
  await page.getByRole('row', { name: 'Line 3 Da Existing account there (there.example)' }).waitFor()
  await page.getByRole('row', { name: 'Line 5 Müller Same company as line 2' }).waitFor()
  await page.getByRole('row', { name: 'Line 4 "kein name" is not a domain' }).waitFor()
  await page.getByRole('row', { name: '2 New Müller & Söhne mueller.example Köln' }).waitFor()
  await assertAccessible(page)
  assert.deepEqual((await client.get('/v1/accounts')).body.pagination.total, 1)
  await page.getByLabel('Tag new accounts').fill('Messe')
  await page.getByRole('button', { name: 'Import 1 account' }).click()
  await page.getByText('1 account imported').waitFor()
  await page.waitForURL(/import\?id=/)
  await page.getByRole('link', { name: 'Review and activate' }).click()
  await page.getByRole('link', { name: 'Müller & Söhne' }).waitFor()
  await page.getByText(/^Imported from kunden\.csv, \d{4}-/).waitFor()
  assert.equal((await client.expect(200, 'GET', '/v1/accounts?tag=Messe'))[0].status, 'new')
  page.assertQuiet()
})

test('the list of accounts is accessible in dark mode and has an empty state', async () => {
  const { key, client } = await service.stranger()
  const page = await open('/accounts', { key, dark: true })
  await page.getByRole('heading', { name: 'No accounts yet' }).waitFor()
  await assertAccessible(page)
  await client.expect(201, 'POST', '/v1/accounts', [{ name: 'Dark', tags: ['a', 'b', 'c'] }, { name: 'Darker' }])
  await page.reload()
  await page.getByRole('checkbox', { name: 'Select Dark', exact: true }).check()
  await assertAccessible(page)
  page.assertQuiet()
})
