import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detect } from '../support/alerts.ts'
import { assertAccessible } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { scene } from '../support/scene.ts'
import { open, sandbox, service } from './world.ts'

const PAGE = '/deliveries'

test('a destination is added and tested; failed deliveries are inspected and retried', async () => {
  const { key, ...owner } = await service.stranger()
  const accounts = [{ name: 'Halden Rail' }, { name: '<b>Bold</b> & Co' }, { name: 'Orbital' }]
  const { client, ids } = await scene(service, { accounts, owner })
  const page = await open(PAGE, { key })
  await page.getByRole('heading', { name: 'No destinations yet' }).waitFor()
  await page.getByRole('button', { name: 'Add destination' }).click()
  const form = page.getByRole('dialog', { name: 'Add destination' })
  await form.getByLabel('Name').fill('Warehouse')
  await form.getByLabel('URL').fill('https://10.0.0.1/hook')
  await form.getByRole('button', { name: 'Add' }).click()
  await form.getByText('public internet').waitFor()
  assert.equal(await form.getByLabel('Name').inputValue(), 'Warehouse', 'input is kept')
  await form.getByLabel('URL').fill(`${sandbox.receiver.url}/warehouse?token=secret`)
  await form.getByRole('button', { name: 'Add' }).click()
  const secret = page.getByRole('dialog', { name: 'Signing secret for Warehouse' })
  assert.match(await secret.getByLabel('Signing secret').inputValue(), /^whsec_/)
  await secret.getByRole('button', { name: 'Done' }).click()

  sandbox.receiver.behave({ do: 'answer', status: 422, body: 'no <i>such</i> field' }, '/warehouse')
  await page.getByRole('button', { name: 'Send test to Warehouse' }).click()
  await page.getByText(/\b422\b.* ms\)/).waitFor()
  const [{ id: destination_id }] = await client.expect(200, 'GET', '/v1/webhook-destinations')
  await client.expect(200, 'POST', '/v1/accounts/webhook-push', { destination_id, account_ids: ids })
  sandbox.receiver.behave({ do: 'answer' }, '/warehouse')
  await page.getByRole('button', { name: 'Send test to Warehouse' }).click()
  await page.getByText(/^Status 200 in \d+ ms/).waitFor()
  await assertAccessible(page)

  await page.getByRole('link', { name: 'Delivery log' }).click()
  await page.getByRole('switch', { name: 'Failed only' }).press('Space')
  await page.getByRole('button', { name: 'Details of <b>Bold</b> & Co, attempt 1' }).click()
  const drawer = page.getByRole('dialog', { name: 'Delivery to Warehouse' })
  await drawer.getByText('Status 422 in').waitFor()
  await drawer.getByText('no <i>such</i> field').waitFor()
  await drawer.getByRole('row', { name: 'name <b>Bold</b> & Co', exact: true }).waitFor()
  await drawer.getByRole('row', { name: 'webhook-signature v1,…' }).waitFor()
  await assertAccessible(page)
  assert.match(page.url(), /failed=true.*delivery=/, 'the URL contains the state')
  await drawer.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('<b>Bold</b> & Co delivered').waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Retry all failed' }).click()
  const push = page.getByRole('region', { name: '2 accounts to Warehouse' })
  await push.getByText('2 delivered').waitFor()

  await page.goBack()
  await page.getByRole('switch', { name: 'Failed only' }).waitFor()
  await page.getByRole('link', { name: 'Destinations' }).click()
  await page.getByRole('button', { name: 'More actions for Warehouse' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const sure = page.getByRole('dialog', { name: 'Remove Warehouse?' })
  await sure.getByText('delivery log and signing secret are deleted').waitFor()
  await sure.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'No destinations yet' }).waitFor()
  page.assertQuiet()
})

test('pushes show progress and errors; alerts show channel and status', async () => {
  const { key, ...owner } = await service.stranger()
  const { client, ids } = await scene(service, { accounts: [{ name: 'Halden Rail' }], active: true, owner })
  const url = `${sandbox.receiver.url}/pushes`
  const { id: destination_id } = await client.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Sheets', url })
  sandbox.receiver.behave({ do: 'answer', status: 422 }, '/pushes')
  await client.expect(200, 'POST', '/v1/accounts/webhook-push', { destination_id, account_ids: ids })
  const page = await open(`${PAGE}/pushes`, { key, dark: true })
  const push = page.getByRole('region', { name: '1 account to Sheets' })
  await push.getByText('Failed', { exact: true }).waitFor()
  await push.getByRole('button', { name: 'View errors' }).click()
  await push.getByRole('row', { name: 'Halden Rail The receiver answered 422.' }).waitFor()
  await assertAccessible(page)
  sandbox.receiver.behave({ do: 'answer' }, '/pushes')
  await push.getByRole('button', { name: 'Retry' }).click()
  await push.getByText('1 delivered').waitFor()
  await push.getByText('Done', { exact: true }).waitFor()

  const settings = { webhook_url: `${sandbox.receiver.url}/alerts`, webhook_enabled: true }
  await client.expect(200, 'PUT', '/v1/settings/notifications', settings)
  const found = [{ headline: 'Halden Rail raises $20M', alpha: 80 }, { headline: 'Halden Rail opens an office' }]
  await detect(service.deps, owner.workspaceId, { account_id: ids[0] as string, run_id: null }, found)
  await eventually('the alert goes out', async () => (await client.get('/v1/alerts?state=sent')).data.length > 0)
  await page.getByRole('link', { name: 'Alerts' }).click()
  await page.getByText('Halden Rail raises $20M · Halden Rail opens an office').waitFor()
  await page.getByRole('table').getByText('Sent', { exact: true }).waitFor()
  await assertAccessible(page)
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Failed' }).click()
  await page.getByRole('heading', { name: 'No alerts found' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'Halden Rail' }).click()
  await page.waitForURL(`**/accounts/${ids[0]}`)
  page.assertQuiet()
})

test('a failed alert shows its receiver, rule and reason, and is sent again', async () => {
  const { key, client, workspaceId } = await service.stranger()
  const { ids } = await scene(service, {
    accounts: [{ name: 'Halden Rail' }],
    active: true,
    owner: { client, workspaceId },
  })
  const { member } = await client.expect(200, 'GET', '/v1/me')
  const rule = { name: 'Straight to me', events: ['signal.detected'], channel: 'email' }
  await client.expect(201, 'POST', '/v1/alert-rules', rule)
  sandbox.smtp.behave(member.email, { do: 'refuse' })
  await detect(service.deps, workspaceId, { account_id: ids[0] as string, run_id: null }, [{ headline: 'Raises $20M' }])
  await eventually('the mail is refused', async () => (await client.get('/v1/alerts?state=failed')).data.length > 0)
  const page = await open(`${PAGE}/alerts`, { key })
  const row = page.getByRole('row', { name: 'Halden Rail' })
  for (const text of ['Email', member.email, 'Rule: Straight to me', 'Failed', /No such user here/])
    await row
      .getByText(text, { exact: typeof text === 'string' })
      .first()
      .waitFor()
  await assertAccessible(page)
  sandbox.smtp.behave(member.email, { do: 'slow', ms: 0 })
  await row.getByRole('button', { name: 'Send again: Halden Rail' }).click()
  await page.getByText('Sending the alert again').waitFor()
  await row.getByText('Sent', { exact: true }).waitFor()
  assert.equal(await row.getByRole('button').count(), 0)
  assert.ok(sandbox.smtp.mails.some(({ to, text }) => to.includes(member.email) && text?.includes('Straight to me')))
  page.assertQuiet()
})

test('a read-only key has no write actions', async () => {
  const client = service.admin
  const { key } = await service.member({}, { read_only: true })
  const url = `${sandbox.receiver.url}/read-only`
  const { id: destination_id } = await client.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Only read',
    url,
  })
  await client.expect(200, 'POST', `/v1/webhook-destinations/${destination_id}/test`)
  const page = await open(`${PAGE}/log?destination=${destination_id}`, { key, width: 390 })
  await page.getByRole('button', { name: 'Details of test, attempt 1' }).click()
  const drawer = page.getByRole('dialog', { name: 'Delivery to Only read' })
  await drawer.getByText('Only admins can view the response body').waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()
  assert.equal(await page.getByRole('button', { name: 'Retry all failed' }).count(), 0)
  page.assertQuiet()
})
