import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { rescoreAccounts } from '../assess.ts'
import { readContext } from '../context.ts'
import { detectAndRecord } from '../detect-and-record.ts'

const service = await testService()
const { deps } = service
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

const DESCRIPTION = 'The company orders robots for a warehouse'
const ORDER = 'Northwind has ordered forty picking robots for its Graz warehouse.'
const SALE = 'Northwind sells picking robots to operators of large warehouses.'
const CFO = 'Northwind today named Jane Doe chief financial officer.'

type Sentence = { sentence: string; confidence: number }

/** An account in its own workspace, and a function that has it read an article. */
async function world(name = 'Northwind') {
  const { client, workspaceId, ids } = await scene(service, { accounts: [{ name, domain: 'northwind.example' }] })
  const account_id = ids[0] as string
  let pages = 0
  const read = async (title: string, text: string) => {
    const target = { workspace_id: workspaceId, account_id, run_id: null }
    const url = `https://northwind.example/news/${++pages}`
    const document = { url, kind: 'article' as const, source: 'website', title, text, published_date: day(3) }
    const context = await readContext(deps, workspaceId)
    await detectAndRecord(deps, context, target, { name, domain: 'northwind.example' }, [document])
    return (await client.expect(200, 'GET', `/v1/accounts/${account_id}/signals?present=true`)) as {
      id: string
      signal_id: string
      alpha: number
    }[]
  }
  return { client, workspaceId, account_id, read }
}

const previewOf = async (client: typeof service.admin, body: object): Promise<Sentence[]> =>
  (await client.expect(200, 'POST', '/v1/signals/preview', { company: 'Northwind', ...body })).matches

test('an unclear description is rejected with advice, and a similar built-in signal is offered', async () => {
  const { client } = await service.stranger()
  const nonsense = await client.post('/v1/signals', { name: 'N', description: 'asdf qwer zxcv' })
  refused(nonsense, 422, 'unclear_description')
  assert.match(nonsense.error.message, /Describe in an English sentence/)
  const little = await client.post('/v1/signals/preview', { description: 'Robots', text: ORDER })
  refused(little, 422, 'unclear_description')
  const same = await client.post('/v1/signals', { name: 'S', description: 'The company goes public, or files to.' })
  refused(same, 409, 'builtin_signal')
  assert.match(same.error.message, /built-in signal “IPO” \(ipo\)/)
  const narrower = await client.expect(201, 'POST', '/v1/signals', { name: 'CFO', description: 'A new CFO started' })
  const offered = { id: 'leadership_change', name: 'Leadership change' }
  assert.deepEqual(narrower.similar, offered)
  const { similar } = await client.expect(200, 'POST', '/v1/signals/preview', { description: 'new CEO', text: CFO })
  assert.deepEqual(similar, offered)
  refused(await client.patch('/v1/signals/cfo', { description: 'company news' }), 422, 'unclear_description')
})

test('matches of a preview can be marked, and the marks decide about similar sentences', async () => {
  const { client, read } = await world()
  const text = `${ORDER} ${SALE}`
  const asked = { description: DESCRIPTION, text }
  const before = await previewOf(client, asked)
  const order = before.find(({ sentence }) => sentence === ORDER)
  assert.ok(order, JSON.stringify(before))
  const wrong = { ...order, verdict: 'wrong' }
  assert.ok((await previewOf(client, { ...asked, examples: [wrong] })).every(({ sentence }) => sentence !== ORDER))

  const signal = { name: 'Robots', description: DESCRIPTION, examples: [wrong] }
  const { id } = await client.expect(201, 'POST', '/v1/signals', signal)
  const like = ORDER.replace('forty', 'sixty').replace('Graz', 'Linz')
  const found = async () => (await read('Northwind in Linz', like)).filter(({ signal_id }) => signal_id === id).length
  assert.equal(await found(), 0, 'much like a wrong one')
  const examples = `/v1/signals/${id}/examples`
  const [kept] = await client.expect(200, 'GET', examples)
  assert.deepEqual([kept.sentence, kept.verdict, kept.confidence], [ORDER, 'wrong', order.confidence])
  const changed = await client.expect(201, 'POST', examples, { sentence: ORDER, verdict: 'right' })
  assert.deepEqual([changed.id, changed.verdict], [kept.id, 'right'], 'said again, what is said last counts')
  assert.equal(await found(), 1, 'much like a right one')
  await client.expect(200, 'DELETE', `${examples}/${kept.id}`)
  assert.deepEqual(await client.expect(200, 'GET', examples), [])
  refused(await client.delete(`${examples}/${kept.id}`), 404, 'not_found')
})

test('examples are limited, of one workspace, and for custom signals; a new description keeps only the marks', async () => {
  const { client } = await service.stranger()
  const sentences = Array.from({ length: 100 }, (_, i) => ({ sentence: `Acme ordered ${i} robots.`, verdict: 'right' }))
  const body = {
    name: 'Robots',
    description: DESCRIPTION,
    examples: sentences.map((one) => ({ ...one, confidence: 0.7 })),
  }
  const { id } = await client.expect(201, 'POST', '/v1/signals', body)
  const examples = `/v1/signals/${id}/examples`
  const further = { sentence: 'Acme ordered one more robot.', verdict: 'right' }
  const many = await client.post(examples, further)
  refused(many, 400, 'invalid_request')
  assert.match(many.error.message, /at most 100 examples\. Remove one/)
  refused(await client.post('/v1/signals/funding/examples', further), 409, 'builtin_signal')
  await client.expect(200, 'PATCH', `/v1/signals/${id}`, { description: 'The company buys robots for its plants' })
  const kept: { confidence: number | null }[] = await client.expect(200, 'GET', examples)
  assert.deepEqual([kept.length, kept.every(({ confidence }) => confidence === null)], [100, true])
  const { client: stranger } = await service.stranger()
  refused(await stranger.get(examples), 404, 'not_found')
  refused(await stranger.post(examples, further), 404, 'not_found')
})

test('a label or a link on a page is not evidence', async () => {
  const { client } = await service.stranger()
  const asked = { description: 'A new CFO started', title: 'Northwind names new CFO' }
  const found = await previewOf(client, { ...asked, text: `${CFO}\nOn the web: Northwind\nNew CFO at Northwind` })
  assert.ok(
    found.some(({ sentence }) => sentence === CFO),
    JSON.stringify(found),
  )
  assert.ok(
    found.every(({ sentence }) => !/^(?:On the web|New CFO)/.test(sentence)),
    JSON.stringify(found),
  )
  const labels = await previewOf(client, { ...asked, text: 'On the web: Northwind\nAbout Northwind' })
  assert.deepEqual(labels, [], 'labels do not bear out the headline')
})

test('an event of both a custom and a built-in signal counts once in the score', async () => {
  const { client, account_id, read } = await world()
  await client.expect(201, 'POST', '/v1/signals', { name: 'New CFO', description: 'A new CFO started' })
  const found = await read('Northwind names new chief financial officer', CFO)
  assert.deepEqual(found.map(({ signal_id }) => signal_id).sort(), ['leadership_change', 'new_cfo'])
  const { components, score } = await client.expect(200, 'GET', `/v1/accounts/${account_id}/score`)
  const counted = components.filter(({ name }: { name: string }) => name !== 'icp_fit')
  assert.equal(counted.length, 1, JSON.stringify(components))
  assert.match(counted[0].because, /also found as (?:New CFO|Leadership change)/)
  await client.expect(200, 'PATCH', `/v1/signals/${counted[0].name === 'new_cfo' ? 'leadership_change' : 'new_cfo'}`, {
    enabled: false,
  })
  await service.run(rescoreAccounts, {})
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${account_id}`)).score, score, 'the other added nothing')
})

test('feedback shifts the confidence of a signal, and the signal shows the shift', async () => {
  const { client, account_id, read } = await world()
  // A moderate confidence: at a high one the shift would be too small to see.
  const [found] = await read('Who runs Northwind', 'Jane Doe takes the chair at Northwind next week.')
  assert.ok(found)
  const feedback = async () => (await client.expect(200, 'GET', '/v1/signals/leadership_change')).feedback
  assert.deepEqual(await feedback(), { right: 0, wrong: 0, shift: 0 })
  const others: string[] = []
  for (const name of ['Mira Solberg', 'Ewa Lis', 'Tomas Berg', 'Ada Pike']) {
    const all = await read(`${name} leaves Northwind`, `${name}, chief operating officer of Northwind, has resigned.`)
    others.push(...all.filter(({ id }) => id !== found.id && !others.includes(id)).map(({ id }) => id))
  }
  assert.equal(others.length, 4)
  const say = (id: string, verdict: string) =>
    client.expect(200, 'PUT', `/v1/accounts/${account_id}/signals/${id}/feedback`, { verdict })
  const alpha = async () =>
    (await client.expect(200, 'GET', `/v1/accounts/${account_id}/signals?present=true`)).find(
      ({ id }: { id: string }) => id === found.id,
    ).alpha
  for (const id of others) await say(id, 'wrong')
  assert.deepEqual(await feedback(), { right: 0, wrong: 4, shift: -0.69 })
  const lowered = await alpha()
  assert.ok(lowered < found.alpha, `${lowered} < ${found.alpha}`)
  for (const id of others) await say(id, 'right')
  assert.deepEqual(await feedback(), { right: 4, wrong: 0, shift: 0.22 })
  assert.ok((await alpha()) > lowered)
})
