import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { hubspotEdits } from '../../sandbox/vendors/crm-edits.ts'
import { saveMemberProfile } from '../../src/resources/me/profile-store.ts'
import { assertAccessible } from '../support/browser.ts'
import { unique } from '../support/scene.ts'
import { ADMIN_KEY } from '../support/service.ts'
import { open, sandbox, service } from './world.ts'

/** The URL without its origin, to be opened in another browser. */
const pathOf = (url: string) => url.slice(new URL(url).origin.length)

/** The open tab is scrolled into view. */
async function assertInView(page: Page): Promise<void> {
  const tab = page.getByRole('navigation', { name: 'Settings' }).locator('[aria-current=page]')
  await tab.waitFor()
  const { x = -1, width = 0 } = (await tab.boundingBox()) ?? {}
  assert.ok(x >= 0 && x + width <= 390, `at ${x}`)
}

test('a member is added, invited with a one-time link, edited and removed', async () => {
  const page = await open('/settings/members')
  await page.getByRole('button', { name: 'Add member' }).click()
  assert.equal(new URL(page.url()).search, '?add=true')
  const form = page.getByRole('dialog', { name: 'Add member' })
  await form.getByLabel('Name').fill('Robin Vance')
  await form.getByLabel('Email').fill('admin@localhost')
  await form.getByRole('radio', { name: 'Own accounts only' }).check()
  await assertAccessible(page)
  await form.getByRole('button', { name: 'Add member' }).click()
  // The browser itself validates the email address.
  await form.getByLabel('Email').fill('robin@northwind.example')
  await service.admin.expect(201, 'POST', '/v1/members', { name: 'First', email: 'robin@northwind.example' })
  await form.getByRole('button', { name: 'Add member' }).click()
  await form.getByText('Another member of this workspace has this email address.').waitFor()
  assert.equal(await form.getByLabel('Name').inputValue(), 'Robin Vance')
  await form.getByLabel('Email').fill('robin.vance@northwind.example')
  await form.getByRole('button', { name: 'Add member' }).click()

  const invitation = page.getByRole('dialog', { name: 'Sign-in link for Robin Vance' })
  const link = await invitation.getByLabel('Link').inputValue()
  await invitation.getByRole('button', { name: 'Done' }).click()
  const robin = await open(pathOf(link), { key: null, width: 390, dark: true })
  await assertAccessible(robin)
  await robin.getByRole('button', { name: 'Sign in' }).click()
  await robin.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  assert.ok(!robin.url().includes('token'))
  const late = await open(pathOf(link), { key: null })
  await late.getByRole('button', { name: 'Sign in' }).click()
  await late.getByText('This sign-in link was already used').waitFor()
  assert.ok(!late.url().includes('token'))
  await late.getByRole('button', { name: 'Sign in with an API key' }).click()
  await late.getByLabel('API key').fill(ADMIN_KEY)
  await late.getByRole('button', { name: 'Sign in', exact: true }).click()
  // An admin of a new workspace sets it up first.
  await late.getByRole('heading', { name: /^(Today|Set up Bellwether)$/, level: 1 }).waitFor()

  const row = page.getByRole('row', { name: 'Robin Vance' })
  const act = async (what: string) => {
    await row.getByRole('button', { name: 'Actions for Robin Vance' }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await row.getByRole('cell', { name: 'Own accounts only', exact: true }).waitFor()
  await act('Edit')
  const edit = page.getByRole('dialog', { name: 'Edit Robin Vance' })
  await edit.getByRole('radio', { name: 'Admin' }).check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await row.getByRole('cell', { name: 'Admin', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.getByRole('cell', { name: 'Member', exact: true }).waitFor()

  const members = await service.admin.expect(200, 'GET', '/v1/members')
  const { id } = members.find(({ name }: { name: string }) => name === 'Robin Vance')
  await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'Robin’s sync', member_id: id })
  await service.admin.expect(201, 'POST', '/v1/accounts', { name: 'Owned', domain: 'owned-by-robin.com', owner_id: id })
  await act('Remove')
  const removal = page.getByRole('dialog', { name: 'Remove Robin Vance?' })
  await removal.getByText('1 API key will stop working: Robin’s sync.').waitFor()
  await removal.getByText('1 account will have no owner.').waitFor()
  await removal.getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  await robin.reload()
  await robin.getByRole('heading', { name: 'Sign in to Bellwether' }).waitFor()
  for (const visit of [page, robin, late]) visit.assertQuiet()
})

test('a key is shown once; revoking it signs out its sessions without losing input', async () => {
  const page = await open('/settings/keys', { dark: true })
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Laptop')
  await form.getByLabel('Expires').selectOption('In 90 days')
  await form.getByRole('radio', { name: 'Admin' }).check()
  await form.getByRole('button', { name: 'Create key' }).click()
  const shown = page.getByRole('dialog', { name: 'API key Laptop' })
  const key = await shown.getByLabel('API key').inputValue()
  assert.match(key, /^bw_/)
  await shown.getByRole('button', { name: 'Done' }).click()
  const other = await open('/settings/members?add=true', { key })
  await other.getByLabel('Name').fill('Half a name')
  await other.getByLabel('Email').fill('half@northwind.example')

  await page.reload()
  const row = page.getByRole('row', { name: 'Laptop' })
  await row.getByText('1 active session').waitFor()
  await assertAccessible(page)
  assert.ok(!(await page.content()).includes(key))
  await row.getByRole('button', { name: 'Revoke Laptop' }).click()
  const revocation = page.getByRole('dialog', { name: 'Revoke Laptop?' })
  await revocation.getByText('1 session will be signed out.').waitFor()
  await assertAccessible(page)
  await revocation.getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })

  await other.getByRole('button', { name: 'Add member' }).last().click()
  const ended = other.getByRole('dialog', { name: 'Your session has ended' })
  await ended.getByLabel('API key').fill(ADMIN_KEY)
  await assertAccessible(other)
  await ended.getByRole('button', { name: 'Sign in' }).click()
  await ended.waitFor({ state: 'detached' })
  assert.equal(await other.getByLabel('Name').inputValue(), 'Half a name')
  await other.getByRole('button', { name: 'Add member' }).last().click()
  await other.getByRole('dialog', { name: 'Sign-in link for Half a name' }).waitFor()
  for (const visit of [page, other]) visit.assertQuiet()
})

test('a service account gets a key with one operation from one network, and is removed with it', async () => {
  const page = await open('/settings/keys')
  await page.getByRole('button', { name: 'Add service account' }).click()
  const adding = page.getByRole('dialog', { name: 'Add service account' })
  await adding.getByLabel('Name').fill('Warehouse sync')
  await adding.getByRole('button', { name: 'Add' }).click()
  await page.getByText('Warehouse sync added. Create a key that acts as it.').waitFor()

  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Nightly')
  await form.getByRole('combobox', { name: 'Acts as' }).click()
  await page.getByRole('option', { name: 'Warehouse sync' }).click()
  await form.getByRole('radio', { name: 'Read' }).check()
  await form.getByRole('button', { name: 'Add restrictions' }).click()
  await form.getByLabel('Only from these addresses').fill('203.0.113.300')
  await form.getByLabel('Only from these addresses').press('Enter')
  await form.getByRole('combobox', { name: 'Only these operations' }).fill('listAccounts')
  await page.getByRole('option', { name: 'listAccounts', exact: true }).click()
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText('must be an IP address or a network').waitFor()
  await form.getByLabel('Only from these addresses').press('Backspace')
  await form.getByLabel('Only from these addresses').fill('203.0.113.7')
  await form.getByLabel('Only from these addresses').press('Enter')
  await form.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog', { name: 'API key Nightly' }).getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: 'Nightly' })
  await row.getByText('Only listAccounts').waitFor()
  await row.getByText('Only from 203.0.113.7/32').waitFor()
  await row.getByRole('cell', { name: 'Warehouse sync' }).waitFor()
  await assertAccessible(page)

  await page.getByRole('button', { name: 'Remove Warehouse sync' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove Warehouse sync?' })
  await removal.getByText('1 key will stop working. Its alert rules are deleted too.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Server', exact: true }).count(), 1)
  await removal.getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  page.assertQuiet()
})

test('a member adds a rule, changes it, tests it, switches it off and deletes it', async () => {
  const { key, client } = await service.member({ name: 'Mira Holt' })
  const page = await open('/settings/alerts', { key })
  await page.getByText('No rules yet.').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Other members’ rules' }).count(), 0)
  await page.getByRole('button', { name: 'Use Europe/Berlin' }).click()
  await page.getByText('Time zone set to Europe/Berlin').waitFor()
  assert.equal((await client.expect(200, 'GET', '/v1/me')).member.time_zone, 'Europe/Berlin')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('vien')
  await page.getByRole('option', { name: 'Europe/Vienna' }).click()
  await page.getByText('Time zone set to Europe/Vienna').waitFor()

  await page.getByRole('button', { name: 'New rule' }).click()
  assert.equal(new URL(page.url()).search, '?add=true')
  const form = page.getByRole('dialog', { name: 'New rule' })
  await form.getByText('Signals and job changes at accounts I own, by email each weekday at 08:00').waitFor()
  await form.getByRole('button', { name: 'Score 80 or higher, immediately' }).click()
  await form.getByText('Signals from score 80 at all accounts, by Slack direct message at once').waitFor()
  await form.getByText('Slack is not connected. Ask an admin to connect it.').waitFor()
  await form.getByRole('button', { name: 'Monday summary' }).click()
  await form.getByText('Signals, suggested accounts and job changes, by email on Mondays at 08:00').waitFor()
  await form.getByRole('button', { name: 'My accounts, each weekday at 8' }).click()
  await assertAccessible(page)
  await form.getByRole('combobox', { name: 'Only these signals' }).click()
  await page.getByRole('option', { name: 'Funding' }).click()
  await form.getByRole('checkbox', { name: 'Job changes' }).uncheck()
  await form.getByLabel('Minimum account score').fill('70')
  await form.getByRole('combobox', { name: 'Tags' }).fill('Key')
  await form.getByRole('combobox', { name: 'Tags' }).press('Enter')
  await form.getByLabel('Name').fill(' ')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await form.getByText('Value must not be blank').waitFor()
  await form.getByLabel('Name').fill('Mornings')
  await form.getByRole('button', { name: 'Add rule' }).click()
  const rule = page.getByRole('region', { name: 'Mornings' })
  await rule.getByText('Funding from score 70 at accounts I own tagged Key, by email each weekday at 08:00').waitFor()

  const act = async (what: string) => {
    await rule.getByRole('button', { name: 'Actions for Mornings' }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await act('Send test')
  await rule.getByText('Test delivered').waitFor()
  await assertAccessible(page)
  await act('Edit')
  const edit = page.getByRole('dialog', { name: 'Edit Mornings' })
  await edit.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'On Mondays' }).click()
  await edit.getByRole('combobox', { name: 'Hour' }).click()
  await page.getByRole('option', { name: '07:00' }).click()
  await edit.getByRole('button', { name: 'Save' }).click()
  await rule.getByText(/by email on Mondays at 07:00$/).waitFor()
  await rule.getByRole('switch', { name: 'Alerts of Mornings' }).press('Space')
  await rule.getByRole('switch', { name: 'Alerts of Mornings', checked: false }).waitFor()
  const [saved] = await client.expect(200, 'GET', '/v1/alert-rules')
  const { is_enabled, signals, min_score, only_mine, tags, schedule, hour } = saved
  assert.deepEqual(
    { is_enabled, signals, min_score, only_mine, tags, schedule, hour },
    {
      is_enabled: false,
      signals: ['funding'],
      min_score: 70,
      only_mine: true,
      tags: ['Key'],
      schedule: 'mondays',
      hour: 7,
    },
  )
  await act('Delete')
  await page.getByRole('dialog', { name: 'Delete Mornings?' }).getByRole('button', { name: 'Delete' }).click()
  await rule.waitFor({ state: 'detached' })
  page.assertQuiet()
})

test('an admin sees the rules of all members and sends alerts to owners and shared places', async () => {
  const { key, client } = await service.stranger()
  const { id } = await client.expect(201, 'POST', '/v1/members', {
    name: 'Dana Whitfield',
    email: 'dana@halden.example',
  })
  const { key: danas } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Dana', member_id: id })
  const own = { name: 'Of Dana', events: ['people.job_changed'], channel: 'email' }
  await service.as(danas).expect(201, 'POST', '/v1/alert-rules', own)
  const page = await open('/settings/alerts?add=true', { key, width: 390, dark: true })
  const theirs = page.getByRole('region', { name: 'Of Dana', includeHidden: true })
  await theirs.getByText('Job changes at all accounts, to Dana Whitfield by email at once').waitFor()
  await theirs.getByText('Owner: Dana Whitfield').waitFor()

  const form = page.getByRole('dialog', { name: 'New rule' })
  const choose = async (field: string, option: string) => {
    await form.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await choose('To', 'The account owner')
  await form.getByText('to the account owner by email each weekday at 08:00').waitFor()
  assert.equal(await form.getByRole('checkbox', { name: /Only accounts/ }).count(), 0)
  await choose('Channel', 'Microsoft Teams')
  await form.getByLabel('Workflow URL').fill('https://10.0.0.1/workflow')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await form.getByText('public internet').waitFor()
  await assertAccessible(page)
  await choose('Channel', 'Webhook')
  await form.getByRole('link', { name: 'Add destination' }).waitFor()
  await form.getByRole('checkbox', { name: 'Work items marked done' }).check()
  await choose('Channel', 'Slack channel')
  assert.equal(await form.getByRole('checkbox', { name: 'Work items marked done' }).count(), 0)
  await form.getByRole('link', { name: 'Connect' }).waitFor()
  await form.getByLabel('Chat channel').fill('#deals')
  await form.getByLabel('Name').fill('Team')
  await form.getByRole('button', { name: 'Add rule' }).click()
  const shared = page.getByRole('region', { name: 'Team' })
  await shared.getByText('Signals and job changes at all accounts, to #deals in Slack at once').waitFor()
  await assertAccessible(page)
  await theirs.getByRole('switch', { name: 'Alerts of Of Dana' }).press('Space')
  await theirs.getByRole('switch', { name: 'Alerts of Of Dana', checked: false }).waitFor()
  const [rule] = await service.as(danas).expect(200, 'GET', '/v1/alert-rules')
  assert.deepEqual([rule.is_enabled, rule.member_id, rule.to_member_id], [false, id, id])
  page.assertQuiet()
})

test('a member saves their profile, views and ends sessions, and sees no admin actions', async () => {
  const { id, key, client } = await service.member({ name: 'Kit', visibility: 'scoped' })
  await saveMemberProfile(service.deps.db, service.workspaceId, id, { sign_off: 'Cheers', body_words: 80 })
  const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:144.0) Gecko/20100101 Firefox/144.0' }
  await service.as(null).post('/v1/sessions', { key }, { headers })
  const page = await open('/settings', { key, width: 390 })
  await page.getByLabel('Name').fill('Kit Marlowe')
  await page.getByLabel('Job title').fill('Sales Manager')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Cheers, Kit Marlowe Sales Manager').waitFor()
  await page.getByLabel('Signature').fill('Kit Marlowe\nHalden')
  await preview.getByText('Cheers, Kit Marlowe Halden').waitFor()
  await page.getByText('Warm', { exact: true }).click()
  for (const text of ['First sample', 'Second sample']) {
    await page.getByRole('button', { name: 'Add sample message' }).click()
    await page
      .getByLabel(/^Sample message/)
      .last()
      .fill(text)
  }
  await page.getByRole('button', { name: 'Remove sample message 1' }).click()
  await page.getByLabel('Calendar link').fill('http://cal.example/kit')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Value must be a link that begins with https://.').waitFor()
  await assertAccessible(page)
  await page.getByLabel('Calendar link').fill('https://cal.example/kit')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved').waitFor()
  await page.getByRole('button', { name: 'Forget length' }).click()
  await page.getByText('Length forgotten').waitFor()
  assert.deepEqual(await client.expect(200, 'GET', '/v1/me/profile'), {
    name: 'Kit Marlowe',
    job_title: 'Sales Manager',
    signature: 'Kit Marlowe\nHalden',
    tone: 'warm',
    calendar_url: 'https://cal.example/kit',
    sample_messages: ['Second sample'],
    greeting: null,
    sign_off: 'Cheers',
    body_words: null,
    is_complete: true,
  })

  await page.goto('/settings/members')
  await page.getByText('Kit Marlowe').first().waitFor()
  assert.equal(await page.getByRole('button', { name: /Add member|Actions for/ }).count(), 0)
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  assert.equal(await tabs.getByRole('link', { name: 'API keys' }).count(), 0)
  await assertAccessible(page)
  await tabs.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('row', { name: /This browser/ }).waitFor()
  await assertInView(page)
  assert.equal(await page.getByRole('row').count(), 3)
  await assertAccessible(page)
  await page.getByRole('button', { name: 'End session on Firefox on Windows' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await page.getByRole('row', { name: /Firefox/ }).waitFor({ state: 'detached' })
  await page.goto('/settings/plan')
  await assertInView(page)
  await page.getByText('0 people visible to you').waitFor()
  await page.goto('/settings/keys')
  await page.getByText('Admins only').waitFor()
  await page.goto('/settings/sessions')
  await page.getByRole('button', { name: 'Sign out of this browser' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Bellwether' }).waitFor()
  page.assertQuiet()
})

test('an admin sees what was read from the CRM, pauses, reads again, and disconnects with or without the records', async () => {
  const { key, client } = await service.stranger()
  const domain = `${unique('quarry')}.example`
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Quarry', domain })
  hubspotEdits(sandbox.hubspot).addCompany({ name: 'Quarry', domain, customer: 'present' })
  const relationship = async () => (await client.expect(200, 'GET', `/v1/accounts/${id}`)).relationship
  const sync = async () => (await client.expect(200, 'GET', '/v1/crm/sync'))[0]
  const page = await open('/settings/crm', { key })
  // Its admins may not read the settings of the server, which belong to the first workspace.
  await page.getByRole('link', { name: 'Audit log' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Server', exact: true }).count(), 0)
  await page.getByText('No CRM connected').waitFor()
  const connect = async () => {
    await client.expect(201, 'POST', '/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
    await page.reload()
  }
  await connect()
  const card = page.getByRole('region', { name: 'HubSpot sync' })
  const state = (name: string) => card.getByText(name, { exact: true }).waitFor()
  const act = (name: string) => card.getByRole('button', { name, exact: true }).click()
  await state('Up to date')
  await state('1 account')
  assert.equal(await relationship(), 'customer')
  await assertAccessible(page)

  await act('Pause')
  await state('Paused')
  assert.equal((await sync()).is_paused, true)
  await act('Resume')
  await state('Up to date')
  assert.equal((await sync()).is_paused, false)

  const { started_at } = await sync()
  await act('Read everything again')
  const again = page.getByRole('dialog', { name: 'Read everything in HubSpot again?' })
  await again.getByRole('button', { name: 'Read again' }).click()
  await page.getByText('HubSpot is read again').waitFor()
  await state('Up to date')
  assert.notEqual((await sync()).started_at, started_at)

  const disconnection = page.getByRole('dialog', { name: 'Disconnect HubSpot?' })
  await act('Disconnect')
  await assertAccessible(page)
  await disconnection.getByRole('button', { name: 'Disconnect' }).click()
  await state('Disconnected')
  await card.getByRole('button', { name: 'Remove records' }).waitFor()
  assert.equal(await card.getByRole('button', { name: 'Pause' }).count(), 0)
  assert.equal(await relationship(), 'customer', 'kept')

  await connect()
  await state('Up to date')
  await act('Disconnect')
  await disconnection.getByRole('radio', { name: 'Remove' }).check()
  await disconnection.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No CRM connected').waitFor()
  assert.equal(await relationship(), 'none')
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page
    .getByRole('button', { name: /: connect HubSpot \(account: / })
    .first()
    .waitFor()
  page.assertQuiet()
})

test('an admin reads who changed what, filters, opens an entry, and exports the log', async () => {
  const { admin } = service
  const kim = await admin.expect(201, 'POST', '/v1/members', {
    name: 'Kim Lee',
    email: `${unique('kim')}@team.example`,
  })
  await admin.expect(200, 'PATCH', `/v1/members/${kim.id}`, { role: 'admin', email: `${unique('kim')}@team.example` })
  const { client, id } = await service.member({ name: 'Sam Reed' })
  await client.post('/v1/members', { name: 'A', email: 'a@team.example' })
  const account = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Kestrel', domain: `${unique('k')}.example` })
  await admin.expect(200, 'POST', '/v1/accounts/bulk', { ids: [account.id], action: 'owner', owner_id: id })
  const page = await open('/settings/audit')
  await page.getByRole('button', { name: /: bulk accounts \(ids: 1, .*owner: Sam Reed/ }).waitFor()
  const entry = page.getByRole('button', { name: /: update member Kim Lee \(role: member → admin, email changed\)$/ })
  await entry.waitFor()
  await assertAccessible(page)
  await entry.click()
  const drawer = page.getByRole('dialog', { name: /^Entry \d+$/ })
  await drawer.getByRole('cell', { name: 'updateMember' }).waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await page.goto(`${new URL(page.url()).origin}/settings/audit?member=${id}`)
  await page.getByRole('button', { name: 'Sam Reed: create member' }).waitFor()
  assert.equal(await entry.count(), 0)
  await page.getByRole('combobox', { name: 'Result' }).click()
  await page.getByRole('option', { name: 'Done' }).click()
  await page.getByText('No matching entries').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  assert.equal(file.suggestedFilename(), 'audit.csv')
  page.assertQuiet()
})
