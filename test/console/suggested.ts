import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detect } from '../support/alerts.ts'
import { assertAccessible } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { moved } from '../support/moves.ts'
import { scene } from '../support/scene.ts'
import { open, service } from './world.ts'

test('suggestions are activated and rejected by keyboard, with reasons, and a decision is undone', async () => {
  const { key, ...owner } = await service.stranger()
  const { client, ids, save } = await scene(service, {
    accounts: [{ name: 'Alder' }, { name: '<b>Birch</b>' }, { name: 'Cedar' }],
    owner,
  })
  const [mara] = await save([{ full_name: 'Mara Lind', title: 'VP Sales', account_id: ids[2] as string }])
  assert.ok(mara)
  const move = await moved(service, owner.workspaceId, mara, { employer: 'Alder', title: 'CRO' })
  const { db } = service.deps
  for (const [at, id] of ids.entries())
    await db
      .updateTable('accounts')
      .set({ score: 90 - at * 10, suggested_by: at === 0 ? move.id : null })
      .where('id', '=', id)
      .execute()
  await detect(service.deps, owner.workspaceId, { account_id: ids[0] as string, run_id: null }, [
    { headline: 'Alder raises $20M' },
    { headline: 'Alder opens in Oslo', signal_id: 'expansion' },
  ])
  const keys = async (path: string, key: string) => {
    const page = await open(path, { key })
    await page.getByRole('heading', { level: 2, name: 'Alder' }).waitFor()
    return { page, shown: (await page.locator('kbd:not(button kbd)').allInnerTexts()).join(' ') }
  }
  const wall = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Wall', read_only: true })
  assert.equal((await keys('/suggested', wall.key)).shown, 'j k o')
  const { id: member_id } = await client.expect(201, 'POST', '/v1/members', {
    ...{ name: 'Sam', email: 'sam@alder.example', visibility: 'scoped' },
  })
  const scoped = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Sam', member_id })
  const theirs = await keys('/suggested', scoped.key)
  assert.equal(theirs.shown, 'j k a o u')
  // A scoped member cannot reject an account without an owner: the key does nothing.
  await theirs.page.keyboard.press('r')
  await theirs.page.keyboard.press('j')
  await theirs.page.getByRole('heading', { level: 2, name: '<b>Birch</b>' }).waitFor()
  theirs.page.assertQuiet()

  const status = async (at: number) => (await client.get(`/v1/accounts/${ids[at]}`)).data.status
  const page = await open('/suggested', { key })
  const title = (name: string) => page.getByRole('heading', { level: 2, name }).waitFor()
  await title('Alder')
  await page.getByText('Alder raises $20M, says the page.').waitFor()
  // The list says what happened, and when.
  const listed = page.getByRole('navigation', { name: 'Suggestions' }).getByRole('button', { name: 'Alder' })
  assert.match((await listed.textContent()) ?? '', /Alder (raises \$20M|opens in Oslo) · \S/)
  // Why now names the signals, and leaves what happened to the findings below it.
  await page.getByText(/^2 signals on one day: (Funding|Expansion) \(.*\), (Funding|Expansion) \(.*\)\.$/).waitFor()
  await page.getByText('Your contact Mara Lind is now CRO there').waitFor()
  await assertAccessible(page)
  await page.keyboard.press('j')
  await title('<b>Birch</b>')
  assert.match(page.url(), new RegExp(`id=${ids[1]}`))
  await page.keyboard.press('k')
  await title('Alder')
  // After g a letter opens a page: nothing is activated.
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  assert.equal(await status(0), 'suggested')
  await page.goBack()
  await title('Alder')
  await page.keyboard.press('a')
  await title('<b>Birch</b>')
  await eventually('Alder is active', async () => (await status(0)) === 'active')
  await page.keyboard.press('r')
  await title('Cedar')
  await eventually('Birch is rejected', async () => (await status(1)) === 'rejected')
  await page.keyboard.press('u')
  await title('<b>Birch</b>')
  assert.equal(await status(1), 'suggested')
  await page.keyboard.press('o')
  await page.waitForURL(`**/accounts/${ids[1]}`)
  page.assertQuiet()
})

test('a refused decision is reverted; phones have buttons, and the empty inbox has a next step', async () => {
  const { key, ...owner } = await service.stranger()
  const { client, ids } = await scene(service, { accounts: [{ name: 'Only' }], owner })
  const page = await open('/suggested', { key, width: 390, height: 844, dark: true })
  const activate = page.getByRole('button', { name: 'Activate' })
  await activate.and(page.locator(':enabled')).waitFor()
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 0 })
  await activate.click()
  await page.getByText('Could not activate Only').waitFor()
  await page.getByRole('heading', { level: 2, name: 'Only' }).waitFor()
  await page.getByText(/^No activations left until \d+ \w+\. An admin can raise the limit/).waitFor()
  assert.ok(await activate.isDisabled())
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor()
  const undo = page.getByRole('button', { name: 'Undo' })
  assert.ok(
    await undo
      .locator('span')
      .last()
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth),
  )
  assert.ok(((await undo.boundingBox())?.y ?? 844) < 422, 'not over the action buttons')
  assert.equal(await undo.getAttribute('aria-label'), 'Undo: Only rejected')
  await eventually(
    'it is rejected',
    async () => (await client.get(`/v1/accounts/${ids[0]}`)).data.status === 'rejected',
  )
  // Undone with the key, so there is nothing left to undo.
  await page.keyboard.press('u')
  await page.getByRole('heading', { level: 2, name: 'Only' }).waitFor()
  await undo.waitFor({ state: 'hidden' })
  page.assertQuiet()
})
