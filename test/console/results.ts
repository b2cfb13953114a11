import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { detect } from '../support/alerts.ts'
import { assertAccessible } from '../support/browser.ts'
import { scene } from '../support/scene.ts'
import { open, sandbox, service } from './world.ts'

test('the results show what findings led to, with the rule, and are downloaded as CSV', async () => {
  const { key, ...owner } = await service.stranger()
  const { client, workspaceId, ids } = await scene(service, { accounts: 6, active: true, owner })
  for (const [n, account_id] of ids.entries()) {
    await detect(service.deps, workspaceId, { account_id, run_id: null }, [{ headline: 'Raised a round' }])
    if (n > 0) await client.expect(201, 'POST', `/v1/accounts/${account_id}/activities`, { kind: 'emailed' })
    if (n > 3) await client.expect(201, 'POST', `/v1/accounts/${account_id}/activities`, { kind: 'meeting' })
  }
  const page = await open('/results', { key })
  const line = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
  const cells = async (name: string) =>
    (await line(name).getByRole('cell').allInnerTexts()).map((text) => text.split(/\s+/))
  await line('Funding').waitFor()
  // Five were contacted, so the replies have a rate; there is no deal, so won deals have none.
  const counts = [['6'], ['5', '83%'], ['2', '40%'], ['0', '0%'], ['0'], ['0', '–']]
  assert.deepEqual(await cells('Funding'), counts)
  assert.deepEqual(await cells('Total'), counts)
  await page.getByText('counts up to 90 days after the account was contacted').waitFor()
  await assertAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  assert.match(await readFile(await (await download).path(), 'utf8'), /\r\nfunding,Funding,6,5,0.8333,2,0.4,/)
  await page.getByText('Owner', { exact: true }).click()
  await line('No owner').waitFor()
  await page.getByLabel('Found from').fill('2020-01-01')
  await page.getByLabel('to', { exact: true }).fill('2020-02-01')
  await page.getByRole('heading', { name: 'No findings in this time' }).waitFor()
  assert.equal(new URL(page.url()).search, '?by=owner&from=2020-01-01&to=2020-02-01')
  page.assertQuiet()
})

test('an admin chooses the fields of a CRM after a preview of ten records', async () => {
  const { key, ...owner } = await service.stranger()
  const { client, workspaceId } = await scene(service, { accounts: 1, owner })
  await service.deps.db
    .updateTable('accounts')
    .set({ why_now_md: 'Raised a round' })
    .where('workspace_id', '=', workspaceId)
    .execute()
  await client.expect(201, 'POST', '/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
  const written = sandbox.hubspot.records.companies.size
  const page = await open('/settings/connections', { key })
  await page.getByRole('region', { name: 'HubSpot' }).getByRole('link', { name: 'Fields' }).click()
  await page.getByRole('heading', { level: 1, name: 'HubSpot fields' }).waitFor()
  const whyNow = page.getByRole('combobox', { name: 'Why now of companies' })
  await whyNow.click()
  await page.getByRole('option', { name: 'city' }).click()
  await page.getByText('Unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Preview 10 companies' }).click()
  const record = page.getByRole('article')
  await record.getByText('New', { exact: true }).waitFor()
  await record.getByRole('row', { name: 'Why now city Empty Raised a round' }).waitFor()
  assert.equal(sandbox.hubspot.records.companies.size, written)
  const row = page.getByRole('row', { name: 'Why now' }).first()
  await row.getByText('Kept as it is').waitFor()
  await whyNow.click()
  await page.getByRole('option', { name: '(default)' }).click()
  await row.getByText('Only pushes fill it').waitFor()
  assert.equal(await record.count(), 0, 'the preview was of other choices')
  await whyNow.click()
  await page.getByRole('option', { name: 'city' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  const { companies } = await client.expect(200, 'GET', '/v1/crm/mapping/crm_one')
  assert.equal(companies.fields.find(({ field }: { field: string }) => field === 'why_now').target, 'city')
  // Back to the default of a field that was read as mapped, and a field that was deleted in the CRM.
  await whyNow.click()
  await page.getByRole('option', { name: '(default)' }).click()
  await row.getByText('Only pushes fill it').waitFor()
  const city = sandbox.hubspot.properties.companies.get('city')
  sandbox.hubspot.properties.companies.delete('city')
  await page.reload()
  await row.getByText('HubSpot no longer has this field').waitFor()
  assert.equal(await whyNow.inputValue(), 'city (no longer in HubSpot)')
  await page.getByRole('button', { name: 'Preview 10 companies' }).click()
  await record.getByRole('row', { name: 'Why now city' }).getByText('Not written.').waitFor()
  if (city) sandbox.hubspot.properties.companies.set('city', city)
  await assertAccessible(page)
  page.assertQuiet()
})
