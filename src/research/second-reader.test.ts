import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { SandboxResponse } from '../../sandbox/types.ts'
import { llm } from '../../sandbox/vendors/llm.ts'
import { scene } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'
import { Classifier } from '../engine/classifier/index.ts'
import { compileCustomSignal } from '../engine/detect/custom-signal.ts'
import { DOUBT_RANGE } from '../engine/detect/doubt.ts'
import { detect, MIN_CONFIDENCE } from '../engine/detect/index.ts'
import { readContext } from './context.ts'
import { detectAndRecord } from './detect-and-record.ts'
import { redetectSignal } from './redetect.ts'

type Passage = { id: string; headline: string; before: string | null; sentence: string; after: string | null }
type Request = { untrusted_passages: Passage[]; questions: { id: string; signal: string; definition: string }[] }
type Proof = { judged_by: string; quote: string }
type Detected = { signal_id: string; confidence: number; evidence: [Proof] }
type Behaviour = string | ((passage: Passage) => object)

/**
 * The current behaviour of the model, by a name of the sandbox or by its answer to each passage, and the requests since
 * the last check.
 */
let behaviour: Behaviour = 'honest'
/** Runs while the model computes. */
let meanwhile: () => Promise<unknown> = async () => {}
const asked: string[] = []
const requests = () => asked.splice(0).map((one) => JSON.parse(one) as Request)

const model = createServer(async (incoming, response) => {
  const request = JSON.parse(await text(incoming))
  const { content } = request.messages[1]
  // It also rewrites the drafts of findings.
  if (content.startsWith('{"untrusted_passages":')) {
    asked.push(content)
    await meanwhile()
  }
  const world = { today: '', companies: [], stories: [], filings: [] }
  const name = typeof behaviour === 'string' ? behaviour : 'honest'
  const url = new URL(`https://llm.example${incoming.url}`)
  const body = JSON.stringify({ ...request, model: name })
  let answer = (await llm.answer({ method: 'POST', url, headers: {}, body }, world)) as SandboxResponse
  if (typeof behaviour !== 'string') {
    const answers = (JSON.parse(content) as Request).untrusted_passages.map(behaviour)
    const message = { role: 'assistant', content: JSON.stringify({ answers }) }
    answer = { ...answer, body: JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }) }
  }
  response.writeHead(answer.status, answer.headers).end(answer.body)
})
await new Promise<void>((listening) => model.listen(0, '127.0.0.1', listening))
after(() => model.close())
const at = `127.0.0.1:${(model.address() as AddressInfo).port}`
const LLM = { LLM_BASE_URL: `http://${at}/v1`, LLM_MODEL: 'house-model', OUTBOUND_ALLOW: at }
const service = await testService({ env: LLM })
const alone = await testService()
const frugal = await testService({ env: { ...LLM, SECOND_READER_DAILY: '1' } })
const without = await testService({ env: { ...LLM, SECOND_READER_DAILY: '0' } })

const today = new Date().toISOString().slice(0, 10)
const NAME = 'Halden Robotics'
const TEXTS: readonly (readonly [title: string, text: string])[] = [
  [
    'Back to Detroit',
    'Old halls find new tenants. Behind them sit 140 people from Halden Robotics, the robot maker, which moved its head office from San Jose in April. Ann Pike from the city is happy.',
  ],
  [
    'A bad week at the workshop',
    'Halden Robotics had a bad week. Its head of IT was dismissed on Friday. Ann Pike from the works council knows who will follow.',
  ],
  [
    'Back to Detroit',
    'Halden Robotics has an old hall in Detroit. Michigan sweetened it with a $9 million grant. Ann Pike from the city is happy.',
  ],
  [
    'Ticker tape',
    'Robot maker Halden Robotics sold 15% of its shares in an Oslo offering that was covered twice. Broker Ann Pike calls it a start.',
  ],
  [
    'Who buys robots?',
    'Early adopters of Halden Robotics include Kettle Moraine Stamping, which went live across its three plants in October. Ann Pike runs one of them.',
  ],
]

/**
 * A text in which the classifier finds one signal with a confidence in this range. The weights may change, the texts do
 * not.
 */
const classifier = new Classifier({ threads: 1 })
after(() => classifier.close())
const judged = await detect(
  TEXTS.map(([title, body], i) => ({ id: `${i}`, company: { name: NAME }, title, text: body, published_at: today })),
  { classifier, doubts: true },
)
function textIn(from: number, to: number) {
  for (const { id, detections } of judged) {
    const [best] = detections
    const [title, body] = TEXTS[Number(id)] ?? []
    if (!best || !title || !body || best.confidence < from || best.confidence >= to) continue
    const { signal_id, confidence, sentence } = best
    return { title, text: body, signal_id, confidence, sentence }
  }
  throw new Error(`No text has a confidence from ${from} to ${to}: add one.`)
}
const unlikely = textIn(DOUBT_RANGE.from, MIN_CONFIDENCE)
const likely = textIn(MIN_CONFIDENCE, DOUBT_RANGE.to)

let count = 0
async function accountOf({ admin, deps, workspaceId }: typeof service) {
  const domain = `halden-${++count}.example`
  const { id } = await admin.expect(201, 'POST', '/v1/accounts', { name: NAME, domain })
  await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  const target = { workspace_id: workspaceId, account_id: id, run_id: null }
  /** The findings in the documents. */
  const read = async (...texts: { title: string; text: string; site?: string }[]) => {
    const documents = texts.map(({ title, text, site = domain }, n) => ({
      url: `https://${site}/news/${title.replaceAll(/\W/g, '-')}-${n}`,
      kind: 'article' as const,
      source: 'website',
      title,
      text,
      published_date: today,
    }))
    await detectAndRecord(deps, await readContext(deps, workspaceId), target, { name: NAME, domain }, documents)
    return found()
  }
  const found = async () => {
    const signals = await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)
    return new Map<string, Proof & { confidence: number }>(
      signals
        .filter(({ signal_present }: { signal_present: boolean }) => signal_present)
        .map(({ signal_id, confidence, evidence: [proof] }: Detected) => [signal_id, { ...proof, confidence }]),
    )
  }
  return { id, read, found }
}

/** The texts are the same in every test, so cached verdicts are deleted where the model has to be asked. */
const forget = () => service.deps.db.deleteFrom('model_readings').execute()

test('a yes with a quote keeps a finding in doubt, raises its confidence and names the model', async () => {
  behaviour = 'honest'
  requests()
  const { read } = await accountOf(service)
  const findings = await read(unlikely, likely)
  for (const { signal_id, sentence } of [unlikely, likely]) {
    const { confidence, judged_by, quote } = findings.get(signal_id) ?? assert.fail(signal_id)
    assert.ok(confidence >= 0.9)
    assert.equal(judged_by, `${classifier.version} + house-model`)
    assert.equal(quote, sentence)
  }
  const [request, ...more] = requests()
  assert.equal(more.length, 0)
  const passage = request?.untrusted_passages.find(({ sentence }) => sentence === unlikely.sentence)
  assert.equal(passage?.headline, unlikely.title)
  assert.match(`${passage?.before} ${passage?.after}`, /Ann Pike/)
  assert.match(request?.questions.find(({ id }) => id === passage?.id)?.definition ?? '', /^Counts for /)
})

test('one request contains passages of one site', async () => {
  await forget()
  const { read } = await accountOf(service)
  await read(unlikely, { ...likely, site: 'herald.example' })
  assert.deepEqual(
    requests().map(({ questions }) => questions.length),
    [1, 1],
  )
})

test('a question is sent once, also when stored documents are searched again', async () => {
  const { read } = await accountOf(service)
  await read(unlikely, likely)
  assert.deepEqual(requests(), [])
  await service.run(redetectSignal, { workspace_id: service.workspaceId, signal_id: null })
  assert.deepEqual(requests(), [])
})

test('a no removes a finding that the classifier would have kept', async () => {
  behaviour = ({ id }) => ({ id, answer: 'no', quote: '' })
  await forget()
  const { read } = await accountOf(service)
  assert.equal((await read(likely)).has(likely.signal_id), false)
})

test('an answer without a quote that proves it changes nothing', async () => {
  const lies: Record<string, Behaviour> = {
    'with invented words': 'inventive',
    'with words too short': ({ id }) => ({ id, answer: 'yes', quote: 'Halden' }),
    'with the name of the company alone': ({ id }) => ({ id, answer: 'yes', quote: NAME }),
    'with a line that does not name the company': ({ id, after }) => ({ id, answer: 'yes', quote: after }),
    'with no words': ({ id }) => ({ id, answer: 'yes', quote: '' }),
    'with a no and invented words': ({ id }) => ({ id, answer: 'no', quote: 'The company denies everything' }),
    'with neither yes nor no': ({ id, sentence }) => ({ id, answer: 'maybe', quote: sentence }),
    'with the id of another question': ({ sentence }) => ({ id: '99', answer: 'yes', quote: sentence }),
    'with nonsense': 'broken',
    'with no time': 'busy',
  }
  for (const [name, lie] of Object.entries(lies)) {
    behaviour = lie
    requests()
    await forget()
    const { read } = await accountOf(service)
    const findings = await read(unlikely, likely)
    assert.ok(requests().length > 0, name)
    assert.equal(findings.has(unlikely.signal_id), false, name)
    const { confidence, judged_by } = findings.get(likely.signal_id) ?? assert.fail(name)
    assert.ok(confidence < DOUBT_RANGE.to, name)
    assert.equal(judged_by, classifier.version, name)
  }
})

test('questions end with the daily budget; failed and cached ones do not count', async () => {
  behaviour = 'busy'
  await (await accountOf(frugal)).read(likely)
  behaviour = 'honest'
  requests()
  const { read } = await accountOf(frugal)
  const findings = await read(unlikely, likely)
  const [request, ...more] = requests()
  assert.deepEqual([request?.questions.length, more.length], [1, 0])
  assert.equal(findings.get(unlikely.signal_id)?.judged_by, `${classifier.version} + house-model`)
  assert.equal(findings.get(likely.signal_id)?.judged_by, classifier.version)
  const again = await (await accountOf(frugal)).read(unlikely)
  assert.equal(again.has(unlikely.signal_id), true)
  await (await accountOf(frugal)).read(likely)
  assert.deepEqual(requests(), [])
})

test('an unusable answer counts for the budget', async () => {
  const one = await testService({ env: { ...LLM, SECOND_READER_DAILY: '1' } })
  behaviour = 'broken'
  await (await accountOf(one)).read(likely)
  behaviour = 'honest'
  requests()
  await (await accountOf(one)).read(likely)
  assert.deepEqual(requests(), [])
})

test('without a model, or with a budget of zero, no request is sent and the classifier decides', async () => {
  behaviour = 'honest'
  requests()
  for (const one of [alone, without]) {
    const findings = await (await accountOf(one)).read(unlikely, likely)
    assert.deepEqual([...findings.keys()], [likely.signal_id])
    assert.equal(findings.get(likely.signal_id)?.judged_by, classifier.version)
  }
  assert.deepEqual(requests(), [])
})

test('a question does not name erased people', async () => {
  behaviour = 'honest'
  requests()
  const account = await accountOf(service)
  const owner = { client: service.admin, workspaceId: service.workspaceId }
  const [person] = await (await scene(service, { owner })).save([{ account_id: account.id, full_name: 'Ann Pike' }])
  await service.admin.expect(200, 'DELETE', `/v1/people/${person?.id}`)
  const findings = await account.read(unlikely)
  const sent = JSON.stringify(requests())
  assert.ok(sent.includes('[erased]') && !sent.includes('Pike'), sent)
  assert.equal(findings.get(unlikely.signal_id)?.judged_by, `${classifier.version} + house-model`)
})

/** A long description whose essential part is at the end. */
const DESCRIPTION = `The company automates a warehouse of its own, for example with robots, shuttles or conveyors. ${'Companies that only sell such equipment do not count. '.repeat(14)}Only in Europe.`
const ORDERS = [
  'At the depot of Halden Robotics in Linz, shuttles took over from forklifts. Ann Pike is happy.',
  'Shuttles and conveyors have replaced forklifts in the warehouse of Halden Robotics in Linz. Ann Pike is happy.',
  'Sixty robots now fetch the parts in the warehouse of Halden Robotics in Linz. Ann Pike is happy.',
  'The warehouse of Halden Robotics in Linz runs without people at night since May. Ann Pike is not sure.',
]

test('a question about a custom signal contains its whole description, and a verdict on a former description is not stored', async () => {
  const { id: signal_id } = await service.admin.expect(201, 'POST', '/v1/signals', {
    name: 'Automates a warehouse',
    description: DESCRIPTION,
  })
  const judged = await detect(
    ORDERS.map((text, i) => ({ id: `${i}`, company: { name: NAME }, title: 'From Linz', text, published_at: today })),
    { classifier, doubts: true, builtins: false, customSignals: [compileCustomSignal(signal_id, DESCRIPTION)] },
  )
  const doubted = judged.find(({ detections: [best] }) => best?.shown) ?? assert.fail('No text is in doubt: add one.')
  const text = { title: 'From Linz', text: ORDERS[Number(doubted.id)] ?? '' }
  behaviour = 'honest'
  requests()
  const found = await (await accountOf(service)).read(text)
  const question = requests()
    .flatMap(({ questions }) => questions)
    .find(({ signal }) => signal === 'Automates a warehouse')
  assert.match(question?.definition ?? '', /Only in Europe\.$/)
  assert.equal(found.get(signal_id)?.judged_by, `${classifier.version} + house-model`)

  await forget()
  const description = 'The company sells a warehouse that it owned and leases another one.'
  meanwhile = async () => {
    meanwhile = async () => {}
    await service.admin.expect(200, 'PATCH', `/v1/signals/${signal_id}`, { description })
  }
  const account = await accountOf(service)
  assert.equal((await account.read(text)).has(signal_id), false)
})
