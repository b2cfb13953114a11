import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findCompanyMentions } from '../companies/company-names.ts'
import { compileCustomSignal } from '../detect/custom-signal.ts'
import { parseDocument } from '../detect/document.ts'
import { type DetectInput, type DetectResult, detect } from '../detect/index.ts'
import { Classifier, type ScoreCache } from './index.ts'
import { RuntimeUnavailable } from './inference-thread.ts'
import { loadModelCard, WEIGHTS_FOLDER, WeightsError } from './weights.ts'
import { WindowBuilder } from './windows.ts'
import { WordPieceTokenizer } from './word-piece-tokenizer.ts'

const classifier = new Classifier({ threads: 2 })
after(() => classifier.close())
const { vocabulary } = loadModelCard()
const pieces = new WordPieceTokenizer(vocabulary)
const spell = (text: string, most = 100) => pieces.encode(text, most).map((id) => vocabulary[id])

const input = (name: string, title: string, text = ''): DetectInput => ({ id: 'x', company: { name }, title, text })
async function find(name: string, title: string, text = ''): Promise<DetectResult['detections']> {
  const [result] = await detect([input(name, title, text)], { classifier })
  return (result as DetectResult).detections
}
const signals = async (name: string, title: string, text = '') =>
  (await find(name, title, text)).map((d) => d.signal_id)

test('words become tokens without case and accents, and digits and signs are tokens of their own', () => {
  assert.deepEqual(spell('LAYOFFS at Café Ø: $20M'), ['layoffs', 'at', 'cafe', 'ø', ':', '$', '20', 'm'])
  assert.deepEqual(spell('Zzyzxqual'), ['z', '##zy', '##z', '##x', '##qu', '##al'])
  assert.deepEqual(spell('x'.repeat(41)), ['[UNK]'])
  assert.deepEqual(spell('one two three', 2), ['one', 'two'])
})

const builder = new WindowBuilder(pieces)
function windowsOf(name: string, title: string, text: string, description?: string) {
  const document = parseDocument(title, text)
  const { mentions } = findCompanyMentions(document.tokens, document.lower, { name }, document.titleEnd)
  return builder.build(document, mentions, description === undefined ? {} : { description })
}
const read = (ids: readonly number[]) => ids.map((id) => vocabulary[id]).join(' ')

test('a window holds the title and the sentences, with the company marked in them', () => {
  const [window, ...rest] = windowsOf('Acme', "Acme's new hub", 'Acme Inc. opens "Hub One". It is big.')
  assert.equal(rest.length, 0)
  assert.equal(
    read(window?.ids ?? []),
    '[CLS] [S] [TGT] \' s new hub [SEP] [S] [TGT] . opens " hub one " . [S] it is big .',
  )
  assert.deepEqual(
    window?.sentencePositions.map((place) => vocabulary[window.ids[place] as number]),
    ['[S]', '[S]', '[S]'],
  )
  const [described] = windowsOf('Acme', '', 'Acme opens a hub.', 'opens a warehouse')
  assert.equal(read(described?.ids ?? []), '[CLS] opens a warehouse [SEP] [S] [TGT] opens a hub .')
})

test('the number and length of windows are bounded, however long the text is', async () => {
  const texts = {
    'ten megabytes': 'Acme opened a plant in Gdańsk on Monday. '.repeat(250_000),
    'no sentence end': 'Acme opened a plant and '.repeat(20_000),
    'the name again and again': 'Acme '.repeat(100_000),
    'one word': 'Acme',
    'another language': 'Die Acme hat am Montag ein Werk in Danzig eröffnet, sagte der Sprecher der Firma.',
  }
  for (const [kind, text] of Object.entries(texts)) {
    const windows = windowsOf('Acme', 'Acme', text)
    assert.ok(windows.length <= 16, `${kind}: ${windows.length} windows`)
    for (const { ids } of windows) assert.ok(ids.length <= 256 + 111, `${kind}: ${ids.length} pieces`)
  }
  for (const text of Object.values(texts).slice(1)) await find('Acme', 'Acme', text)
})

test('the company an event is about gets it, a company that is only named does not', async () => {
  const title = 'Kettlewell poaches Tesco veteran to run its grocery arm'
  assert.deepEqual(await signals('Kettlewell', title), ['leadership_change'])
  assert.deepEqual(await signals('Tesco', title), [])
  const round = 'Northern payments firm Pennyroyal pockets €20m from Vantor Capital'
  assert.deepEqual(await signals('Pennyroyal', round), ['funding'])
  assert.deepEqual(await signals('Vantor Capital', round), [])
  const attack = 'Hackers stole the records of 40,000 patients from Sankt Anna, the hospital said on Monday.'
  assert.deepEqual(await signals('Sankt Anna', '', attack), ['security_incident'])
})

test('an incident that did not affect the company is not attributed to it', async () => {
  const attack =
    'Attackers broke into the hosting firm Cloudberry and took the records of 8,000 customers of Tamber. ' +
    'Among those whose data was stolen are patients, pupils and customers of banks.'
  assert.ok((await signals('Tamber', 'Data stolen from Tamber', attack)).includes('security_incident'))
  for (const denial of ['Tamber was not affected.', 'Tamber said it was not involved.', 'We were not affected.']) {
    assert.deepEqual(await signals('Tamber', 'Data stolen from Tamber', `${attack} ${denial}`), [], denial)
  }
  for (const blow of ['We have never been hit like this before.', 'Tamber was not hit as hard as its bank.'])
    assert.ok((await signals('Tamber', 'Data stolen from Tamber', `${attack} ${blow}`)).length > 0, blow)
})

test('a product for the two sides of a contract is no partnership', async () => {
  const text =
    'AUSTIN, Texas, October 3, 2026 -- Quillstack today launched Negotiate, a shared workspace in which both parties to a contract can mark it up at the same time.'
  assert.deepEqual(await signals('Quillstack', '', text), ['product_launch'])
})

test('a headline counts as much when it is passed as the text', async () => {
  const headline = 'Globex Acquires Mobile Platform Operator Zingara'
  assert.deepEqual(await signals('Globex', '', headline), ['acquisition'])
  assert.deepEqual(await signals('Zingara', '', headline), ['acquisition'])
})

test('an award, a rumour and a report are no events', async () => {
  assert.deepEqual(await signals('Ledgermoor', 'Ledgermoor Named a Leader in the Summer Grid for Accounting'), [])
  assert.deepEqual(await signals('Globex', 'Globex denies it is in talks to buy Tessera'), [])
  assert.deepEqual(await signals('Birchfield', 'Birchfield survey: half of all chief executives plan to hire'), [])
})

test('the sides of a deal are distinguished', async () => {
  const roleOf = async (name: string, title: string, text: string) =>
    (await find(name, title, text)).find((d) => d.signal_id === 'acquisition')?.role
  const bought = 'Globex announced today that it has acquired Tessera, a maker of scales, for $40 million.'
  assert.equal(await roleOf('Globex', 'Globex acquires Tessera', bought), 'acquirer')
  assert.equal(await roleOf('Tessera', 'Globex acquires Tessera', bought), 'acquired')
  const sold = 'Umbrella Foods has sold its bakery business to Globex, the company said on Tuesday.'
  assert.equal(await roleOf('Umbrella Foods', 'Umbrella Foods sells bakeries to Globex', sold), 'seller')
  assert.equal(await roleOf('Globex', '', sold), 'acquirer')
  const passed = 'Tessera, the scales business, was sold to Globex on Monday for $40 million.'
  assert.equal(await roleOf('Tessera', '', passed), 'acquired')
})

test('a signal described in words is found by its meaning', async () => {
  const customSignals = [
    compileCustomSignal('robots', 'The company is automating a warehouse or has ordered robots for one.'),
  ]
  const of = async (text: string) => {
    const [result] = await detect([input('Northwind', '', text)], { classifier, builtins: false, customSignals })
    return result?.detections.map((d) => d.signal_id)
  }
  assert.deepEqual(await of('Northwind has installed 40 autonomous picking machines at its depot in Graz.'), ['robots'])
  assert.deepEqual(await of('Northwind reported higher revenue for the third quarter, helped by exports.'), [])
})

test('cached windows are not scored again and give the same result', async () => {
  const kept = new Map<string, Buffer>()
  const asked: number[] = []
  const scoreCache: ScoreCache = {
    read: async (keys) => new Map(keys.flatMap((key) => (kept.has(key) ? [[key, kept.get(key) as Buffer]] : []))),
    write: async (judgements) => {
      asked.push(judgements.size)
      for (const [key, logits] of judgements) kept.set(key, logits)
    },
  }
  const story = input('Pennyroyal', 'Pennyroyal raises €20m', 'Pennyroyal said on Monday that it had raised €20m.')
  const first = await detect([story], { classifier, scoreCache })
  const second = await detect([story], { classifier, scoreCache })
  assert.deepEqual(asked, [1])
  assert.deepEqual(second, first)
  assert.deepEqual(await detect([story], { classifier }), first)
})

function copyOfWeights(): { folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-weights-'))
  cpSync(join(WEIGHTS_FOLDER, 'reader.json'), join(folder, 'reader.json'))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

test('a check of the runtime does not disturb judging, at the same time or later', async () => {
  const checked = new Classifier({ threads: 1 })
  const ready = { ready: true, version: checked.version }
  assert.deepEqual(await Promise.all([checked.checkRuntime(), checked.checkRuntime(), checked.status()]), [
    ready,
    ready,
    ready,
  ])
  const later = new Classifier({ threads: 1 })
  assert.deepEqual(await later.checkRuntime(), ready)
  assert.deepEqual(await later.status(), ready)
  await Promise.all([checked.close(), later.close()])
})

test('damaged weights are rejected with a one-line message', () => {
  using copy = copyOfWeights()
  writeFileSync(join(copy.folder, 'reader.onnx'), 'half a file')
  const isOneLine = (error: unknown) =>
    error instanceof WeightsError && /is damaged/.test(error.message) && !/\n/.test(error.message)
  assert.throws(() => new Classifier({ threads: 1, weights: copy.folder }), isOneLine)
})

test('where the network cannot run, nothing is judged and the status gives the reason', async () => {
  using copy = copyOfWeights()
  const content = 'no network at all'
  const card = JSON.parse(readFileSync(join(copy.folder, 'reader.json'), 'utf8'))
  writeFileSync(join(copy.folder, 'reader.onnx'), content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  writeFileSync(join(copy.folder, 'reader.json'), JSON.stringify({ ...card, sha256 }))
  const lame = new Classifier({ threads: 1, weights: copy.folder })
  const status = await lame.status()
  assert.equal(status.ready, false)
  assert.ok(!status.ready && status.reason.length > 0)
  const story = input(
    'Globex',
    'Globex Acquires Tessera',
    'Globex announced that it has acquired Tessera for $40 million.',
  )
  await assert.rejects(detect([story], { classifier: lame }), RuntimeUnavailable)
  await lame.close()
})
