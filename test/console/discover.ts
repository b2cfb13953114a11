import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser.ts'
import { open, sandbox, service } from './world.ts'

test('companies are imported and looked through for signals; what matches stands beside the form', async () => {
  const { key, workspaceId } = await service.stranger()
  const companies = ['halden-robotics.example', 'tavrik.example'].map((domain) => sandbox.world.company(domain))
  const page = await open('/discover', { key })
  await page.getByRole('heading', { name: 'Find companies that show your signals' }).waitFor()
  await page.getByRole('button', { name: 'Import companies' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import companies' })
  const rows = companies.map(({ domain, name, country, industry, employees }) =>
    [domain, name, country, industry, employees].map((cell) => `"${cell}"`).join(','),
  )
  const csv = `domain,name,country,industry,employees\n${rows.join('\n')}\nnone,,,,\n`
  const file = { name: 'universe.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog.getByText(`${companies.length} new companies`).waitFor()
  await dialog.getByText('"none" is not a domain').waitFor()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText(`Looks through ${companies.length} companies of your universe`).waitFor()

  const form = page.getByRole('form', { name: 'What to look for' })
  assert.ok(await form.getByRole('button', { name: 'Start' }).isDisabled())
  await form.getByRole('combobox', { name: 'Signals, any of' }).click()
  await page.getByRole('option', { name: 'Funding' }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('combobox', { name: 'Where' }).fill('Atlantis')
  await page.keyboard.press('Enter')
  await form.getByRole('button', { name: 'Start' }).click()
  await form.getByText('must be a known region, country, state or city').waitFor()
  await form.getByRole('combobox', { name: 'Where' }).press('Backspace')
  await page.keyboard.press('Escape')
  await form.getByRole('combobox', { name: 'How recent' }).click()
  await page.getByRole('option', { name: 'Any time' }).click()
  await form.getByRole('textbox', { name: 'Name of this search' }).fill('Fresh money')
  await form.getByRole('button', { name: 'Start' }).click()
  const results = page.getByRole('region', { name: 'Results' })
  await results.getByRole('heading', { name: 'Fresh money' }).waitFor()
  await results.getByText(/^Looked into \d+ compan/).waitFor({ timeout: 60_000 })
  await results.getByRole('list', { name: 'Companies that match' }).getByRole('link').first().waitFor()
  await assertAccessible(page)
  assert.match(page.url(), /any=.*funding.*recency=all.*run=/)
  // What a run says of companies adds up.
  const stats = { candidates: 4, accounts: 1, matched: 1, existing: 3, unresolved: 1, failed: 1 }
  const spec = { signals: { any_of: ['funding', 'expansion'] }, geographies: ['DACH'] }
  const name = 'Funding or Expansion in DACH'
  const ended = {
    id: crypto.randomUUID(),
    name,
    mode: 'discovery',
    status: 'done',
    spec: JSON.stringify(spec),
  } as const
  await service.deps.db
    .insertInto('runs')
    .values({
      ...ended,
      workspace_id: workspaceId,
      timeframe_days: 90,
      finished_at: new Date(),
      stats: JSON.stringify(stats),
    })
    .execute()
  await page.reload()
  const earlier = page.getByRole('region', { name: 'Earlier runs' })
  await earlier.getByRole('link', { name }).click()
  await results.getByRole('heading', { name }).waitFor()
  assert.equal(
    // Beside it the list of what matches may still be loading.
    await results.getByRole('status').filter({ hasText: 'Found' }).textContent(),
    'Found 8 companies: 3 are accounts already, 1 in the news has no known web site. Looked into the other 4: 1 matches, 2 do not, 1 could not be researched.',
  )
  await page.goBack()
  await results.getByRole('link', { name: 'Open in Accounts' }).click()
  await page.getByText('Found by one discovery run').waitFor()
  page.assertQuiet()
})

test('discovery can be read in the dark on a telephone, by whoever may only read', async () => {
  const { key } = await service.member({}, { read_only: true })
  const page = await open('/discover?min=51&max=200', { key, width: 390, height: 844, dark: true })
  await page.getByRole('form', { name: 'What to look for' }).waitFor()
  await page.getByText('This key only reads').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Start' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Import companies' }).count(), 0)
  await assertAccessible(page)
  page.assertQuiet()
})
