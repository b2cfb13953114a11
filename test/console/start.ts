import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { assertAccessible, finishTransitions } from '../support/browser.ts'
import { open, sandbox, service } from './world.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** The width and height of a PNG, from its header. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })

/** The picture of a step on a desktop and a phone: nothing is cut off, and the title and the button are visible. */
async function assertPicture(page: Page, ...visible: Locator[]): Promise<void> {
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size)
    // The navigation moves out of the window, or into it.
    await finishTransitions(page)
    const picture = await page.screenshot()
    assert.deepEqual(sizeOf(picture), size)
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    assert.equal(await page.evaluate(overflow), 0, `no overflow at ${size.width}`)
    for (const part of [page.getByRole('heading', { name: 'Set up Bellwether', level: 1 }), ...visible]) {
      const { x, y, width, height } = (await part.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 }
      const isInside = x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height
      assert.ok(isInside && width > 0, `${part} at ${size.width}: ${[x, y, width, height]}`)
    }
  }
  await assertAccessible(page)
}

test('a new user gets from the sign-in link to the first finding, and Today shows the next step until then', async () => {
  const { client } = await service.stranger()
  const { url } = await client.expect(201, 'POST', '/v1/sign-in-links', {})
  const page = await open(url.slice(new URL(url).origin.length), { key: null })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/start')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const [own, ...companies] = sandbox.world.companies.slice(0, 3)

  await page.getByLabel('Your company’s website').fill('no-such-site.example')
  await button('Read website').click()
  await page.getByText('no-such-site.example could not be read').waitFor()
  await page.getByLabel('Your company’s website').fill(own?.domain ?? '')
  await assertPicture(page, button('Read website'))
  await button('Read website').click()
  await page.getByText(/so far/).waitFor()
  await page.getByLabel('Company name').fill('Halden')
  assert.match(await page.getByLabel('What you do').inputValue(), /Halden Robotics/)
  await page.getByLabel('Your ideal customer').fill('Logistics companies in Europe')
  await assertPicture(page, button('Continue'))
  await button('Continue').click()

  await page.getByRole('textbox', { name: /^Name/ }).fill('Dana Whitfield')
  await page.getByLabel('Job title').fill('Account Executive')
  assert.equal(await page.getByLabel('Signature').inputValue(), 'Dana Whitfield\nAccount Executive, Halden')
  await assertPicture(page, button('Continue'))
  await button('Later').click()
  await button('Connect Salesforce').waitFor()
  await assertPicture(page, button('Connect HubSpot'))
  await button('Connect HubSpot').click()
  await page.getByLabel('Service key').fill('sandbox-key')
  await button('Connect').click()
  await page.getByText(/^HubSpot is connected: /).waitFor()
  await assertPicture(page, button('Continue'))
  await button('Continue').click()
  await page.getByRole('textbox', { name: 'Companies' }).waitFor()
  await page.goto('/')
  const card = page.getByRole('region', { name: 'Set up Bellwether' })
  await card.getByText('Set up Bellwether: 2 of 6 done').waitFor()
  await card.getByRole('link', { name: 'Next: Your companies' }).click()
  await button('Name and signature Later').click()
  await page.getByRole('textbox', { name: /^Name/ }).fill('Dana Whitfield')
  await page.getByLabel('Job title').fill('Account Executive')
  await button('Continue').click()

  await page
    .getByRole('textbox', { name: 'Companies' })
    .fill([...companies.map(({ domain }) => domain), `${'a'.repeat(64)}.com`].join('\n'))
  await assertPicture(page, button('Monitor 3 companies'))
  await button('Monitor 3 companies').click()
  await page.getByText('2 companies added, 1 company not').waitFor()
  await page.getByText(/^a{64}\.com: must be a domain/).waitFor()
  await button('Continue').click()
  await page.getByRole('checkbox', { name: 'Layoffs' }).click()
  await assertPicture(page, button('Track 11 signals'))
  await button('Track 11 signals').click()
  await page.getByRole('radio', { name: 'Email each weekday at 8:00' }).check()
  await assertPicture(page, button('Continue'))
  await button('Continue').click()

  await page.getByText('6 of 6 done').waitFor()
  const link = page.getByRole('link', { name: 'Open finding' })
  await link.waitFor()
  await assertPicture(page, link)
  await link.click()
  await page.waitForURL('**/accounts/*')
  await page.getByRole('article').first().waitFor()
  const { steps, finding } = await client.expect(200, 'GET', '/v1/setup')
  assert.deepEqual(
    steps.map(({ state }: { state: string }) => state),
    Array(6).fill('done'),
  )
  const account = await client.expect(200, 'GET', `/v1/accounts/${finding.account_id}`)
  assert.ok(
    companies.some(({ name, domain }) => name === account.name && domain === account.domain),
    `its name is that of its site: ${account.name}`,
  )
  await page.goto('/')
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
  assert.equal(await card.count(), 0)
  page.assertQuiet()
})
