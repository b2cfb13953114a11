import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setConnectionProblem } from '../../src/resources/connections/store.ts'
import { assertAccessible } from '../support/browser.ts'
import { scene } from '../support/scene.ts'
import { open, sandbox, service } from './world.ts'

const { db, health } = service.deps

test('the workspace default is configured with a webhook and a chat channel, and tested', async () => {
  const { key, client, workspaceId } = await service.stranger()
  const page = await open('/settings/alerts', { key })
  const webhook = page.getByRole('region', { name: 'Webhook' })
  await webhook.getByLabel('URL').fill('https://10.0.0.1/')
  await webhook.getByRole('button', { name: 'Save' }).click()
  await webhook.getByText('public internet').waitFor()
  await webhook.getByLabel('URL').fill(`${sandbox.receiver.url}/notify`)
  await webhook.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Webhook saved').waitFor()
  sandbox.receiver.behave({ do: 'answer', status: 500 }, '/notify')
  await webhook.getByRole('button', { name: 'Send test to Webhook' }).click()
  await webhook.getByText(/\b500\b.* ms\)/).waitFor()
  sandbox.receiver.behave({ do: 'answer' }, '/notify')
  await webhook.getByRole('button', { name: 'Send test to Webhook' }).click()
  await webhook.getByText(/^Status 200 in \d+ ms/).waitFor()
  await page.getByRole('switch', { name: 'New suggested accounts' }).press('Space')
  await page.getByText('Alerts saved').waitFor()
  await page.getByRole('switch', { name: 'Job changes' }).press('Space')
  await page.getByRole('switch', { name: 'Job changes', checked: true }).waitFor()
  await assertAccessible(page)
  const settings = await client.expect(200, 'GET', '/v1/settings/notifications')
  assert.deepEqual(
    [settings.webhook_enabled, settings.notify_suggested, settings.notify_job_changes],
    [true, true, true],
  )

  await page.getByRole('region', { name: 'Slack' }).getByRole('link', { name: 'Connect' }).click()
  const slack = page.getByRole('region', { name: 'Slack' })
  await slack.getByRole('button', { name: 'Connect Slack' }).click()
  await slack.getByLabel('Bot token').fill('xoxb-sandbox')
  await slack.getByRole('button', { name: 'Connect', exact: true }).click()
  await slack.getByText('Connected', { exact: true }).waitFor()
  assert.equal(await slack.getByLabel('Request URL').count(), 0, 'without the signing secret there are no buttons')
  await slack.getByRole('button', { name: 'Replace token' }).click()
  await slack.getByLabel('Bot token').fill('xoxb-sandbox')
  await slack.getByLabel('Signing secret (optional)').fill('two words')
  await assertAccessible(page)
  await slack.getByRole('button', { name: 'Connect', exact: true }).click()
  await slack.getByText('Value has characters it must not have').waitFor()
  await slack.getByLabel('Signing secret (optional)').fill(sandbox.slack.signingSecret)
  await slack.getByRole('button', { name: 'Connect', exact: true }).click()
  const url = await slack.getByLabel('Request URL').inputValue()
  assert.equal(url, `${service.address}/chat/${workspaceId}/interactions`)
  await slack.getByText('under Interactivity & Shortcuts').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // The button says so for two seconds only, which a busy machine can miss after the click.
  const copied = slack.getByRole('button', { name: 'Copied' }).waitFor()
  await Promise.all([copied, slack.getByRole('button', { name: 'Copy' }).click()])
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Alerts', exact: true }).click()
  await slack.getByLabel('Channel').fill('#deals')
  await slack.getByRole('button', { name: 'Save' }).click()
  await slack.getByRole('button', { name: 'Send test to Slack' }).click()
  await slack.getByText('Test delivered').waitFor()
  assert.ok(sandbox.slack.messages.some(({ channel }) => channel === '#deals'))
  page.assertQuiet()
})

test('a connection shows its error and is reconnected', async () => {
  const { key, workspaceId } = await service.stranger()
  const page = await open('/settings/connections', { key, dark: true })
  const agents = page.getByRole('region', { name: 'AI assistants (MCP)' })
  assert.equal(await agents.getByLabel('MCP URL').inputValue(), `${service.address}/mcp`)
  await agents.getByText('Last used: Never').waitFor()
  // Using the URL requires a key.
  assert.equal(await agents.getByRole('link', { name: 'API keys' }).getAttribute('href'), '/settings/keys')
  const crm = page.getByRole('region', { name: 'Salesforce' })
  await crm.getByRole('button', { name: 'Connect Salesforce' }).click()
  await crm.getByLabel('Access token').fill('wrong')
  await crm.getByLabel('Address of your organization').fill('https://elsewhere.example.com')
  await crm.getByRole('button', { name: 'Connect', exact: true }).click()
  await crm.getByText('such as https://northwind.my.salesforce.com').waitFor()
  assert.equal(await crm.getByLabel('Access token').inputValue(), 'wrong', 'input is kept')
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
  await hubspot.getByText('Error', { exact: true }).waitFor()
  await hubspot.getByText('HubSpot does not accept the key any more.').waitFor()
  await assertAccessible(page)
  await hubspot.getByRole('button', { name: 'Reconnect' }).click()
  await connect()
  await hubspot.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog', { name: 'Disconnect HubSpot?' }).getByRole('button', { name: 'Disconnect' }).click()
  await hubspot.getByText('Not connected').waitFor()
  page.assertQuiet()
})

test('the plan shows usage; sources show failures; email verification gets a sender address', async () => {
  const { key, client, workspaceId } = await service.stranger()
  await scene(service, { accounts: 3, active: true, owner: { client, workspaceId } })
  const page = await open('/settings/plan', { key })
  await page.getByText('3 of 1,000 used').waitFor()
  await page.getByLabel('Activations per period').fill('4')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('3 of 4 used').waitFor()
  await page.getByText('No past periods.').waitFor()
  // Without a limit there is no meter.
  await page.getByLabel('Activations per period').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('No limit. 3 accounts activated in this period.').waitFor()
  assert.equal(await page.getByRole('progressbar').count(), 0)
  await page.getByRole('listitem').getByText('3 activations').waitFor({ state: 'attached' })
  await assertAccessible(page)

  await health.report('Mail servers', { kind: 'unavailable', message: 'No mail server could be reached.' })
  await page.getByRole('link', { name: 'Sources' }).click()
  await page.getByText('Company web sites').waitFor()
  await page.getByRole('row', { name: /Mail servers.*No mail server could be reached\. Failing since/ }).waitFor()
  await page.getByRole('row', { name: /Wikidata.*can add wikidata to SOURCES\. Off/ }).waitFor()
  await page.getByRole('row', { name: /The reader.*Working/ }).waitFor()
  await assertAccessible(page)
  await health.report('Mail servers', null)

  await page.getByRole('link', { name: 'Email verification' }).click()
  await page.getByText('Sender address for checks: check@bellwether.example').waitFor()
  await page.getByLabel('Sender address for checks').fill('nonsense')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Sender address for checks').fill('sales@halden.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Sender address for checks: sales@halden.example').waitFor()
  await assertAccessible(page)
  page.assertQuiet()
})

test('a member can view alert and connection settings but not change them', async () => {
  const { key } = await service.member()
  const page = await open('/settings/notifications', { key, width: 390 })
  await page.waitForURL('**/settings/alerts')
  await page.getByText('Only admins can change it.').waitFor()
  assert.ok(await page.getByRole('switch', { name: 'New suggested accounts' }).isDisabled())
  assert.equal(
    await page
      .getByRole('region', { name: /Webhook|Slack/ })
      .getByRole('button')
      .count(),
    0,
  )
  await page.getByRole('link', { name: 'Connections' }).click()
  await page.getByText('Only admins can manage connections.').waitFor()
  assert.equal(await page.getByRole('button', { name: /Connect/ }).count(), 0)
  page.assertQuiet()
})
