import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setConnectionProblem } from '../../src/resources/connections/store.ts'
import { assertAccessible } from '../support/browser.ts'
import { scene } from '../support/scene.ts'
import { open, sandbox, service } from './world.ts'

const { db, health } = service.deps

test('notifications get a webhook and a channel, are switched on and tested', async () => {
  const { key, client } = await service.stranger()
  const page = await open('/settings/notifications', { key })
  const webhook = page.getByRole('region', { name: 'Webhook' })
  await webhook.getByLabel('Web address').fill('https://10.0.0.1/')
  await webhook.getByRole('button', { name: 'Save' }).click()
  await webhook.getByText('public internet').waitFor()
  await webhook.getByLabel('Web address').fill(`${sandbox.receiver.url}/notify`)
  await webhook.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Webhook saved.').waitFor()
  sandbox.receiver.behave({ do: 'answer', status: 500 }, '/notify')
  await webhook.getByRole('button', { name: 'Send a test to Webhook' }).click()
  await webhook.getByText('The receiver answered 500. It took').waitFor()
  sandbox.receiver.behave({ do: 'answer' }, '/notify')
  await webhook.getByRole('button', { name: 'Send a test to Webhook' }).click()
  await webhook.getByText('The receiver answered 200 after').waitFor()
  await page.getByRole('switch', { name: 'New suggested accounts' }).press('Space')
  await page.getByText('Alerts saved.').waitFor()
  await page.getByRole('switch', { name: 'People who change jobs' }).press('Space')
  await page.getByRole('switch', { name: 'People who change jobs', checked: true }).waitFor()
  await assertAccessible(page)
  const settings = await client.expect(200, 'GET', '/v1/settings/notifications')
  assert.deepEqual(
    [settings.webhook_enabled, settings.notify_suggested, settings.notify_job_changes],
    [true, true, true],
  )

  await page.getByRole('region', { name: 'Slack' }).getByRole('link', { name: 'Connect it' }).click()
  const slack = page.getByRole('region', { name: 'Slack' })
  await slack.getByRole('button', { name: 'Connect Slack' }).click()
  await slack.getByLabel('Bot token').fill('xoxb-sandbox')
  await slack.getByRole('button', { name: 'Connect', exact: true }).click()
  await slack.getByText('Connected', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Notifications' }).click()
  await slack.getByLabel('Channel').fill('#deals')
  await slack.getByRole('button', { name: 'Save' }).click()
  await slack.getByRole('button', { name: 'Send a test to Slack' }).click()
  await slack.getByText('The test arrived').waitFor()
  assert.ok(sandbox.slack.messages.some(({ channel }) => channel === '#deals'))
  page.assertQuiet()
})

test('a connection is named as people know it, says what is wrong and is mended', async () => {
  const { key, workspaceId } = await service.stranger()
  const page = await open('/settings/connections', { key, dark: true })
  const agents = page.getByRole('region', { name: 'Agents' })
  assert.equal(await agents.getByLabel('Address for agents').inputValue(), `${service.address}/mcp`)
  await agents.getByText('Last used: never').waitFor()
  // Whoever has the address needs a key next.
  assert.equal(await agents.getByRole('link', { name: 'API keys' }).getAttribute('href'), '/settings/keys')
  const crm = page.getByRole('region', { name: 'Salesforce' })
  await crm.getByRole('button', { name: 'Connect Salesforce' }).click()
  await crm.getByLabel('Access token').fill('wrong')
  await crm.getByLabel('Address of your organization').fill('https://elsewhere.example.com')
  await crm.getByRole('button', { name: 'Connect', exact: true }).click()
  await crm.getByText('such as https://northwind.my.salesforce.com').waitFor()
  assert.equal(await crm.getByLabel('Access token').inputValue(), 'wrong', 'nothing typed is lost')
  await crm.getByRole('button', { name: 'Cancel' }).click()

  const hubspot = page.getByRole('region', { name: 'HubSpot' })
  const connect = async () => {
    await hubspot.getByLabel('Service key').fill('sandbox-key')
    await hubspot.getByRole('button', { name: 'Connect', exact: true }).click()
    await hubspot.getByText('Connected', { exact: true }).waitFor()
  }
  await hubspot.getByRole('button', { name: 'Connect HubSpot' }).click()
  await connect()
  await setConnectionProblem(db, workspaceId, 'crm_one', 'HubSpot does not accept the key any more.')
  await page.reload()
  await hubspot.getByText('Needs mending').waitFor()
  await hubspot.getByText('HubSpot does not accept the key any more.').waitFor()
  await assertAccessible(page)
  await hubspot.getByRole('button', { name: 'Connect again' }).click()
  await connect()
  await hubspot.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog', { name: 'Disconnect HubSpot?' }).getByRole('button', { name: 'Disconnect' }).click()
  await hubspot.getByText('Not connected').waitFor()
  page.assertQuiet()
})

test('the plan is a meter with its history; sources say which fail; an address is named that verifies others', async () => {
  const { key, client, workspaceId } = await service.stranger()
  await scene(service, { accounts: 3, active: true, owner: { client, workspaceId } })
  const page = await open('/settings/plan', { key })
  await page.getByText('3 of 1,000 used').waitFor()
  await page.getByLabel('Activations in a period').fill('4')
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByText('3 of 4 used').waitFor()
  await page.getByText('This is the first period that was counted.').waitFor()
  await page.getByRole('listitem').getByText('3 activations').waitFor({ state: 'attached' })
  await assertAccessible(page)

  await health.report('Mail servers', { kind: 'unavailable', message: 'No mail server could be reached.' })
  await page.getByRole('link', { name: 'Sources' }).click()
  await page.getByText('Company web sites').waitFor()
  await page.getByRole('row', { name: /Mail servers.*No mail server could be reached\. Fails since/ }).waitFor()
  await page.getByRole('row', { name: /Wikidata.*can add wikidata to SOURCES\. Off/ }).waitFor()
  await page.getByRole('row', { name: /The reader.*Works/ }).waitFor()
  await assertAccessible(page)
  await health.report('Mail servers', null)

  await page.getByRole('link', { name: 'Email verification' }).click()
  await page.getByText('check@bellwether.example asks').waitFor()
  await page.getByLabel('Address that asks').fill('nonsense')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Address that asks').fill('sales@halden.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('sales@halden.example asks').waitFor()
  await assertAccessible(page)
  page.assertQuiet()
})

test('a member reads the settings of the outlets and changes none', async () => {
  const { key } = await service.member()
  const page = await open('/settings/notifications', { key, width: 390 })
  await page.getByText('Admins decide what the team is told of').waitFor()
  assert.ok(await page.getByRole('switch', { name: 'New suggested accounts' }).isDisabled())
  assert.equal(await page.getByRole('button', { name: /Save|Send a test/ }).count(), 0)
  await page.getByRole('link', { name: 'Connections' }).click()
  await page.getByText('Admins connect the CRM and the chat.').waitFor()
  assert.equal(await page.getByRole('button', { name: /Connect/ }).count(), 0)
  page.assertQuiet()
})
