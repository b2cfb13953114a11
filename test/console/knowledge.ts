import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, type Visit } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { open, service } from './world.ts'

const titlesOf = (page: Visit) => page.getByRole('listitem').getByRole('heading', { level: 2 }).allInnerTexts()

test('the own website is imported with progress and source sentences, and products and proofs are added', async () => {
  const { client } = await service.stranger()
  const page = await open('/knowledge', { key: client.key })
  await page.getByRole('heading', { name: 'No sections yet' }).waitFor()
  await page.getByLabel('Your company’s domain').fill('no domain')
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByText('is not a domain such as').waitFor()
  await page.getByLabel('Your company’s domain').fill('halden-robotics.example')
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByText('Importing halden-robotics.example').waitFor()
  await page.getByRole('heading', { name: 'About Halden Robotics' }).waitFor()
  await page.getByText(/\d pages imported/).waitFor()
  const card = page.getByRole('listitem').filter({ hasText: 'About Halden Robotics' })
  await card.getByRole('button', { name: /from \d sentences on your website/ }).click()
  await card.getByText('“Halden Robotics builds mobile picking robots for cold-chain warehouses.”').waitFor()
  const source = card.getByRole('link', { name: 'halden-robotics.example/about' }).first()
  assert.equal(await source.getAttribute('href'), 'https://halden-robotics.example/about')
  assert.equal(await source.getAttribute('rel'), 'noopener noreferrer')
  await assertAccessible(page)

  await page.getByRole('button', { name: 'Edit company' }).click()
  const form = page.getByRole('dialog', { name: 'Edit company' })
  await form.getByLabel('Company name').fill('Halden')
  await form.getByLabel('Products').fill('Pickline')
  await form.getByLabel('Products').press('Enter')
  await form.getByRole('button', { name: 'Add proof' }).click()
  const proof = form.getByRole('group', { name: 'Proof 1' })
  await proof.getByLabel('Customer').fill('Nordkyl')
  await proof.getByLabel('Result').fill('picks 30 % more orders per shift')
  await proof.getByLabel('For industry').fill('Food')
  await proof.getByLabel('Employees from').fill('1200')
  await proof.getByLabel('Employees to').fill('50')
  await form.getByRole('button', { name: 'Save' }).click()
  await proof.getByText('Value must not be smaller than the minimum.').waitFor()
  await proof.getByLabel('Employees to').fill('')
  await assertAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Company saved').waitFor()
  const company = page.getByRole('region', { name: 'Your company' })
  await company.getByText('Nordkyl picks 30 % more orders per shift').waitFor()
  await company.getByText('For Food, 1,200 employees or more').waitFor()
  const { name, products, proofs } = await client.expect(200, 'GET', '/v1/company-profile')
  const saved = { customer: 'Nordkyl', result: 'picks 30 % more orders per shift', industry: 'Food' }
  assert.deepEqual(
    { name, products, proofs },
    { name: 'Halden', products: ['Pickline'], proofs: [{ ...saved, min_employees: 1200, max_employees: null }] },
  )
  page.assertQuiet()
})

test('sections are reordered by dragging and by keyboard, unsaved changes are kept, and plays are edited', async () => {
  const { client } = await service.stranger()
  for (const title of ['First', 'Second', 'Third']) {
    await client.expect(201, 'POST', '/v1/knowledge-base', { title, content_md: `About the **${title}**` })
  }
  const page = await open('/knowledge', { key: client.key, dark: true })
  const stored = async () =>
    (await client.expect(200, 'GET', '/v1/knowledge-base')).map(({ title }: { title: string }) => title)
  const isOrder = (...titles: string[]) =>
    eventually(
      titles.join(),
      async () => String(await stored()) === String(titles) && String(await titlesOf(page)) === String(titles),
    )
  await page.getByRole('button', { name: 'Move First' }).press('ArrowDown')
  await isOrder('Second', 'First', 'Third')
  await page.getByRole('button', { name: 'Move Third' }).dragTo(page.getByRole('heading', { name: 'Second' }))
  await isOrder('Third', 'Second', 'First')

  await page.getByRole('link', { name: 'Edit First' }).click()
  const hostile =
    '- one\n- **two**\n\n<img src=x onerror="document.title=1"> [go](javascript:alert(1)) [on](https://a.example/)'
  const preview = page.getByRole('region', { name: 'Preview' })
  // Triggers quadratic backtracking in a naive parser.
  await page.getByLabel('Text').fill(`# ${' '.repeat(5_000)}Slow ##\u2028going`)
  await preview.getByRole('heading', { name: 'Slow', exact: true }).waitFor()
  await page.getByLabel('Text').fill(hostile)
  await preview.getByText('<img src=x onerror').waitFor()
  assert.equal(await preview.locator('img').count(), 0)
  assert.deepEqual(await preview.getByRole('link').allInnerTexts(), ['on'])
  // Navigation and failed requests keep the unsaved changes.
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Signals' }).click()
  await page.getByRole('heading', { level: 1, name: 'Signals' }).waitFor()
  await page.goBack()
  await page.getByText('You have unsaved changes').waitFor()
  assert.equal(await page.getByLabel('Text').inputValue(), hostile)
  await page.route('**/v1/knowledge-base/*', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 'x', message: 'Not now.' } } }),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Not now.').waitFor()
  assert.equal(await page.getByLabel('Text').inputValue(), hostile)
  await page.unroute('**/v1/knowledge-base/*')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('“First” saved').waitFor()

  await page.getByRole('button', { name: 'More actions for Second' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByText('This deletes 3 words.').waitFor()
  await page.getByRole('button', { name: 'Delete section' }).click()
  await isOrder('Third', 'First')
  await page.getByRole('button', { name: 'Undo' }).click()
  await isOrder('Third', 'Second', 'First')

  // A concurrent deletion is reported, and the unsaved changes can be saved as a new section.
  await page.getByRole('link', { name: 'Edit Third' }).click()
  await page.getByLabel('Text').fill('Typed in vain?')
  const [third] = await client.expect(200, 'GET', '/v1/knowledge-base')
  await client.expect(200, 'DELETE', `/v1/knowledge-base/${third.id}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This section was deleted.').waitFor()
  await page.getByRole('button', { name: 'Save as new section' }).click()
  await isOrder('Second', 'First', 'Third')

  // An edited play is a section that only the playbook lists.
  await page.getByRole('link', { name: 'Playbook' }).click()
  await page.getByRole('combobox', { name: 'Signal' }).click()
  await page.getByRole('option', { name: 'Funding' }).click()
  const tabs = page.getByRole('navigation', { name: 'Knowledge base' })
  assert.deepEqual(await tabs.locator('[aria-current=page]').allInnerTexts(), ['Playbook'])
  const finance = page.getByRole('region', { name: 'Finance' })
  await finance.getByText('Chosen by industry and size').waitFor()
  await finance.getByRole('button', { name: 'Edit Finance' }).click()
  await finance.getByLabel('Problem').fill('closing the books on time')
  await finance.getByLabel('Ask').fill('Who closes the books today?')
  await assertAccessible(page)
  await finance.getByRole('button', { name: 'Save' }).click()
  await finance.getByText('Edited').waitFor()
  await finance.getByText('Who closes the books today?').waitFor()
  await tabs.getByRole('link', { name: 'Company' }).click()
  await eventually('the sections', async () => String(await titlesOf(page)) === 'Second,First,Third')
  assert.equal((await stored()).length, 4)
  await page.goBack()
  await finance.getByRole('button', { name: 'Reset Finance to default' }).click()
  await finance.getByText('closing the books on time').waitFor({ state: 'detached' })
  assert.equal((await stored()).length, 3)
  page.assertQuiet()
})
