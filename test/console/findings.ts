import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, type Visit } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { scene } from '../support/scene.ts'
import { open, service } from './world.ts'

const HOUR_MS = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

type Found = { account_id: string; signal_id: string; quote: string; hours: number; url?: string; details?: object }

/** A workspace with two accounts, their findings and an API key. */
async function workspace(found: (ids: string[]) => Found[], accounts: object[]) {
  const world = await scene(service, { accounts, active: true })
  const { client, ids, workspaceId } = world
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'console' })
  const { db } = service.deps
  const find = async (...all: Found[]) => {
    const rows = all.map(({ account_id, signal_id, quote, hours, url, details = null }) => ({
      ...{ workspace_id: workspaceId, account_id, id: crypto.randomUUID(), signal_id, signal_present: true },
      ...{ alpha: 70, icp_fit: 50, confidence: 0.93, headline: `News: ${quote}` },
      ...{ detected_at: ago(hours).toISOString().slice(0, 10), created_at: ago(hours) },
      why_reach_out_md: '**Proof:** They grow.',
      drafted_message_md: `**Subject:** About ${signal_id}\n\nHello,\n\nI read your news.`,
      evidence: JSON.stringify([
        { claim: quote, quote, details, source_url: url ?? 'https://news.example/a', published_date: null },
      ]),
    }))
    await db.insertInto('signal_detections').values(rows).execute()
  }
  await find(...found(ids))
  await db
    .updateTable('accounts')
    .set({
      why_now_md:
        '2 signals at Brisk:\n\n- **Funding**: News: Brisk raised $9 million from Tern.\n- **Hiring**: They **hire**.',
    })
    .where('id', '=', ids[0] as string)
    .execute()
  await db
    .updateTable('accounts')
    .set({ is_hot: true })
    .where('id', '=', ids[1] as string)
    .execute()
  return { ...world, key: key as string, find }
}

const headings = (page: Visit) => page.getByRole('article').getByRole('heading').allInnerTexts()

test('the feed shows findings with evidence, a message to copy, and feedback with undo', async () => {
  const round = 'Brisk raised $9 million from Tern.'
  const amount = { text: '$9 million', start: 13, end: 23 }
  const details = { amount, people: [], position: null, places: [], partners: [], product: null, date: null }
  const { client, key, ids } = await workspace(
    ([one, two]) => [
      { account_id: one as string, signal_id: 'funding', quote: round, hours: 2, details },
      { account_id: two as string, signal_id: 'hiring', quote: 'Cordial hires 40 people.', hours: 3 },
      { account_id: one as string, signal_id: 'expansion', quote: 'Brisk opens in Oslo.', hours: 30 },
    ],
    [
      { name: 'Brisk', domain: 'brisk.example', tags: ['q4'] },
      { name: 'Cordial Freight Forwarding', domain: 'cordial.example' },
    ],
  )
  const page = await open('/findings', { key })
  const news = page.getByRole('article', { name: round })
  await news.waitFor()
  assert.deepEqual(await headings(page), [
    `News: ${round}`,
    'News: Cordial hires 40 people.',
    'News: Brisk opens in Oslo.',
  ])
  assert.equal(await news.locator('mark').textContent(), '$9 million')
  assert.match((await news.textContent()) ?? '', /Funding[\s\S]*very likely/)
  const source = news.getByRole('link', { name: 'news.example' })
  assert.deepEqual(
    [await source.getAttribute('href'), await source.getAttribute('rel')],
    ['https://news.example/a', 'noopener noreferrer'],
  )
  await page.getByRole('button', { name: 'Why now: Brisk' }).first().click()
  await page.getByText('Hiring: They hire.').waitFor()
  assert.equal(await page.getByText('Brisk raised $9 million from Tern.').count(), 2, 'the heading and the quote')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // The button says so for two seconds only, which a busy machine can miss after the click.
  const copied = news.getByRole('button', { name: 'Copied' }).waitFor()
  await Promise.all([copied, news.getByRole('button', { name: 'Copy message' }).click()])
  assert.equal(
    await page.evaluate('navigator.clipboard.readText()'),
    'Subject: About funding\n\nHello,\n\nI read your news.',
  )
  await news.getByRole('button', { name: 'View draft' }).click()
  await news.getByText('They grow.').waitFor()
  await news.getByRole('button', { name: 'Show context' }).click()
  await news.getByText('full page no longer stored').waitFor()
  await page.getByRole('button', { name: 'Show table' }).click()
  const table = page.getByRole('table')
  await table.getByRole('row', { name: /^Expansion \d 1 1$/ }).waitFor()
  assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), [
    ...['Signal', 'This week', '4 weeks', '12 weeks'],
  ])
  const card = page.getByRole('region', { name: 'Signals by week' })
  assert.ok(await card.evaluate((element) => element.scrollWidth <= element.clientWidth), 'all of it shows')
  await assertAccessible(page)

  // Marked wrong with a reason, then undone.
  const wrong = () => client.expect(200, 'GET', `/v1/accounts/${ids[0]}/signals?wrong=true`)
  await news.getByRole('button', { name: 'Wrong' }).click()
  await news.getByText('Marked wrong').waitFor()
  await news.getByLabel('Why is it wrong?').fill('A namesake')
  await news.getByRole('button', { name: 'Save reason' }).click()
  await news.getByRole('button', { name: 'Saved' }).waitFor()
  assert.equal((await wrong())[0].feedback.reason, 'A namesake')
  await news.getByRole('button', { name: 'Undo' }).click()
  await news.getByRole('heading').waitFor()
  await eventually('it is taken back', async () => (await wrong()).length === 0)
  await news.getByRole('button', { name: 'Right' }).click()
  await eventually('it is right', async () => {
    const [found] = await client.expect(200, 'GET', `/v1/accounts/${ids[0]}/signals`)
    return found.feedback?.verdict === 'right'
  })
  page.assertQuiet()

  const later = await open('/findings', { key, dark: true, width: 390 })
  await later.getByRole('article').first().waitFor()
  // Names and badges are not truncated on narrow screens.
  const head = later.getByRole('region', { name: 'Cordial Freight Forwarding' })
  for (const part of [head.getByRole('heading', { level: 3 }), head.getByText('Hot', { exact: true })])
    assert.ok(await part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
  await assertAccessible(later)
  later.assertQuiet()
})

test('feed filters are in the URL, empty results are explained, and new findings are offered', async () => {
  const { key, ids, find } = await workspace(
    ([one, two]) => [
      { account_id: one as string, signal_id: 'funding', quote: 'Dapper raised.', hours: 1 },
      { account_id: two as string, signal_id: 'hiring', quote: 'Eager hires.', hours: 2 },
    ],
    [
      { name: 'Dapper', domain: 'dapper.example', tags: ['rail'] },
      { name: 'Eager', domain: 'eager.example' },
    ],
  )
  const page = await open('/findings?hot=true', { key })
  const shows = (...expected: string[]) =>
    eventually(
      `it shows ${expected}`,
      async () => `${await headings(page)}` === `${expected.map((one) => `News: ${one}`)}`,
    )
  await shows('Eager hires.')
  assert.ok((await page.getByRole('button', { name: 'Hot only' }).getAttribute('aria-pressed')) === 'true')
  await page.getByRole('button', { name: 'Hot only' }).click()
  await shows('Dapper raised.', 'Eager hires.')
  await page.getByRole('button', { name: /^Funding/ }).click()
  await shows('Dapper raised.')
  assert.equal(new URL(page.url()).searchParams.get('signal'), 'funding')
  await page.getByLabel('Tag').fill('road')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await shows('Dapper raised.', 'Eager hires.')
  // New findings are offered without moving the list.
  await find({ account_id: ids[0] as string, signal_id: 'ipo', quote: 'Dapper lists.', hours: 0 })
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  await page.getByRole('button', { name: 'Show 1 new finding' }).click()
  await shows('Dapper lists.', 'Dapper raised.', 'Eager hires.')
  page.assertQuiet()
})

test('HTML in names and evidence of the feed is text, and only http links work', async () => {
  const evil = '<img src=x onerror="window.hacked = 1"><b>raised</b>'
  const { key } = await workspace(
    ([one]) => [
      {
        account_id: one as string,
        signal_id: 'funding',
        quote: `${evil} money`,
        hours: 1,
        url: 'javascript://evil.example/%0Aalert(1)',
      },
    ],
    [
      { name: `Evil ${evil}`, domain: 'evil.example', tags: ['<i>'] },
      { name: 'Other', domain: 'other.example' },
    ],
  )
  const page = await open('/findings', { key })
  await page.getByText(`${evil} money`).first().waitFor()
  await page.getByText('javascript://evil.example').waitFor()
  assert.equal(await page.getByRole('link', { name: /javascript|evil/ }).count(), 0)
  assert.equal(await page.evaluate('window.hacked'), undefined)
  page.assertQuiet()
})
