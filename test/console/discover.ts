import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/browser.ts'
import { open, sandbox, service } from './world.ts'

test('companies are imported and searched for signals; matches become results', async () => {
  const { key, workspaceId } = await service.stranger()
  const companies = ['halden-robotics.example', 'tavrik.example'].map((domain) => sandbox.world.company(domain))
  const page = await open('/discover', { key })
  await page.getByRole('heading', { name: 'No searches yet' }).waitFor()
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
  await page.getByText(`Searches ${companies.length} companies`).waitFor()

  const form = page.getByRole('form', { name: 'Discovery filters' })
  assert.ok(await form.getByRole('button', { name: 'Find companies' }).isDisabled())
  await form.getByRole('combobox', { name: 'Any of these signals' }).click()
  await page.getByRole('option', { name: 'Funding' }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('combobox', { name: 'Location' }).fill('Atlantis')
  await page.keyboard.press('Enter')
  await form.getByRole('button', { name: 'Find companies' }).click()
  await form.getByText('must be a known region, country, state or city').waitFor()
  await form.getByRole('combobox', { name: 'Location' }).press('Backspace')
  await page.keyboard.press('Escape')
  await form.getByRole('combobox', { name: 'Time range' }).click()
  await page.getByRole('option', { name: 'Any time' }).click()
  await form.getByRole('textbox', { name: 'Search name' }).fill('Fresh money')
  await form.getByRole('button', { name: 'Find companies' }).click()
  const results = page.getByRole('region', { name: 'Results' })
  await results.getByRole('heading', { name: 'Fresh money' }).waitFor()
  await results.getByText(/^\d+ compan.* checked/).waitFor({ timeout: 60_000 })
  const match = results.getByRole('listitem').filter({ hasText: 'Halden Robotics' })
  await match.getByText('Halden Robotics raises €38 million in Series B').waitFor()
  await match.locator('time').waitFor()
  await assertAccessible(page)
  assert.match(page.url(), /any=.*funding.*recency=all.*run=/)
  // The numbers of a run add up.
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
  const earlier = page.getByRole('region', { name: 'Recent searches' })
  await earlier.getByRole('link', { name }).click()
  await results.getByRole('heading', { name }).waitFor()
  assert.equal(
    // The list of matches may still be loading.
    await results.getByRole('status').filter({ hasText: 'found' }).textContent(),
    '8 companies found (3 existing accounts, 1 without a known website). 4 checked: 1 match, 2 without a match, 1 failed.',
  )
  await page.goBack()
  await results.getByRole('link', { name: 'View in Accounts' }).click()
  await page.getByText('Discovery run').waitFor()
  page.assertQuiet()
})

test('discovery is accessible in dark mode on a phone with a read-only key', async () => {
  const { key } = await service.member({}, { read_only: true })
  const page = await open('/discover?min=51&max=200', { key, width: 390, height: 844, dark: true })
  await page.getByRole('form', { name: 'Discovery filters' }).waitFor()
  await page.getByText('Read-only access').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Find companies' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Import companies' }).count(), 0)
  await assertAccessible(page)
  page.assertQuiet()
})
