import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { playRecordedAnswers } from '../../../test/support/recorded-answers.ts'
import { vendorNet } from '../../../test/support/vendors.ts'
import { createEventsQuestion, extractEvents } from './events.ts'

let answered: unknown = null
const net = await vendorNet({}, ({ url }) => {
  if (url.host !== 'model.example') return null
  const message = { role: 'assistant', content: JSON.stringify(answered) }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ choices }) }
})
after(() => net[Symbol.asyncDispose]())

const deps = () => net.deps({ LLM_BASE_URL: 'https://model.example/v1', LLM_MODEL: 'any' })
const SIGNALS = ['funding', 'layoffs'].map((id) => ({ id, name: id, description: `It is about ${id}.` }))

type Event = { signal_id: string; quote: string; claim: string; date: string | null }
type Page = { title?: string; text: string; published_date?: string | null }

/** The events accepted from a model's response about a document. */
async function read(name: string, page: Page, ...events: Partial<Event>[]) {
  const event = { signal_id: 'funding', claim: 'It raised money.', date: null }
  answered = { events: events.map((one) => ({ ...event, ...one })) }
  const document = { title: null, published_date: '2026-11-10', ...page }
  const { config } = deps()
  const asked = await extractEvents(deps(), createEventsQuestion(config, { name, domain: null }, document, SIGNALS))
  assert.equal(asked.outcome, 'ok')
  return asked.outcome === 'ok' ? asked.value : { events: [], unproven: 0 }
}

const GERMAN = `Die Wexcombe GmbH & Co. KG mit Sitz in Köln hat am 3. November 2026 rund 20 Mio. Euro
erhalten. Die Mittel kommen von der Bank. Damit wird das Werk in der Stadt ausgebaut, und es wird auch für die Schule Platz sein.
Globex dementiert, dass es 400 Stellen streicht. Zu den Kunden von Globex zählt die Wexcombe KG. Im Jahr 2019 wurde Wexcombe von der Bank gerettet.`
const ROUND = 'Die Wexcombe GmbH & Co. KG mit Sitz in Köln hat am 3. November 2026 rund 20 Mio. Euro erhalten.'

test('a sentence of the document is accepted verbatim, with its company and date', async () => {
  const told = { signal_id: 'funding', quote: ROUND, claim: 'It raised money.', date: null }
  assert.deepEqual(await read('Wexcombe', { text: GERMAN }, { quote: ROUND }), { events: [told], unproven: 0 })
  // A different line break, and no full stop.
  const { events } = await read('Wexcombe', { text: GERMAN }, { quote: ROUND.replace('Köln ', 'Köln\n').slice(0, -1) })
  assert.equal(events[0]?.quote, ROUND)
  for (const date of ['2026-11-03', '2026-11-10']) {
    assert.equal((await read('Wexcombe', { text: GERMAN }, { quote: ROUND, date })).events[0]?.date, date)
  }
  const before = await read('Wexcombe', { text: GERMAN }, { quote: 'Die Mittel kommen von der Bank.' })
  assert.equal(before.events.length, 1)
  const titled = {
    title: 'Wexcombe baut aus',
    text: 'Das Werk in der Stadt wird nun von der Bank mit Geld gestützt. Ja.',
  }
  const quote = 'Das Werk in der Stadt wird nun von der Bank mit Geld gestützt.'
  assert.equal((await read('Wexcombe', titled, { quote })).events.length, 1)
  // A claim with more facts than the sentence is replaced.
  const claims = await read(
    'Wexcombe',
    { text: GERMAN },
    { quote: ROUND, claim: 'Wexcombe raised 35 million from Larch.' },
  )
  assert.equal(claims.events[0]?.claim, `Wexcombe: ${ROUND}`)
})

test('names are found in inflected and unspaced languages, and not within other words', async () => {
  const cases: [name: string, text: string, quote: string, isNamed: boolean][] = [
    [
      '株式会社オルロバ',
      'オルロバは本日、20億円の資金調達を発表した。工場を建てる。',
      'オルロバは本日、20億円の資金調達を発表した。',
      true,
    ],
    [
      'Orlova',
      '本日、Orlovaは20億円の資金調達を発表しました。工場を建てる予定です。',
      '本日、Orlovaは20億円の資金調達を発表しました。',
      true,
    ],
    [
      'Ova',
      '本日、Orlovaは20億円の資金調達を発表しました。工場を建てる予定です。',
      '本日、Orlovaは20億円の資金調達を発表しました。',
      false,
    ],
    [
      'Wexcombe',
      'Tänään kerrottiin Wexcomben uudesta rahoituskierroksesta, joka on jo kolmas. Tehdas kasvaa nyt nopeasti.',
      'Tänään kerrottiin Wexcomben uudesta rahoituskierroksesta, joka on jo kolmas.',
      true,
    ],
    [
      'Wexcombe Robotics',
      'Wexcombe Robotics ist mit der Lage zufrieden.\nDie Bank hat Wexcombe für das Werk Geld gegeben.',
      'Die Bank hat Wexcombe für das Werk Geld gegeben.',
      true,
    ],
    [
      'Still',
      'Die Stilllegung des Werks ist nun für die Stadt und den Kreis beschlossen.',
      'Die Stilllegung des Werks ist nun für die Stadt und den Kreis beschlossen.',
      false,
    ],
    [
      'Still',
      'Es ist still um das Werk in der Stadt und den Kreis, und die Bank hat Geld.',
      'Es ist still um das Werk in der Stadt und den Kreis, und die Bank hat Geld.',
      false,
    ],
  ]
  for (const [name, text, quote, isNamed] of cases) {
    assert.equal((await read(name, { text }, { quote })).events.length, isNamed ? 1 : 0, `${name}: ${quote}`)
  }
})

test('events that the document does not prove are dropped and counted', async () => {
  const unproven: [string, Partial<Event>][] = [
    ['a sentence that is not there', { quote: 'Wexcombe hat 45 Mio. Euro erhalten.' }],
    ['a part of a denial', { signal_id: 'layoffs', quote: 'dass es 400 Stellen streicht.' }],
    ['a part up to a day', { quote: 'November 2026 rund 20 Mio. Euro erhalten.' }],
    [
      'the event of another company',
      { signal_id: 'layoffs', quote: 'Globex dementiert, dass es 400 Stellen streicht.' },
    ],
    ['a signal that nobody asked for', { signal_id: 'expansion', quote: ROUND }],
    ['a day that nobody wrote', { quote: ROUND, date: '2026-11-04' }],
    ['an event of earlier years', { quote: 'Im Jahr 2019 wurde Wexcombe von der Bank gerettet.' }],
    ['nothing', { quote: ' … ' }],
  ]
  for (const [what, event] of unproven) {
    assert.deepEqual(await read('Wexcombe', { text: GERMAN }, event), { events: [], unproven: 1 }, what)
  }
  const undated = { text: GERMAN, published_date: null }
  const rescue = { quote: 'Im Jahr 2019 wurde Wexcombe von der Bank gerettet.' }
  assert.deepEqual(await read('Wexcombe', undated, rescue), { events: [], unproven: 1 })
  const twice = await read('Wexcombe', { text: GERMAN }, { quote: ROUND }, { quote: ROUND })
  assert.deepEqual([twice.events.length, twice.unproven], [1, 1])
  // In a truncated text, the last words may be half a sentence.
  const opening = 'Die Bank ist in der Stadt. '.repeat(500).slice(0, 12_000 - 50)
  const denied = `${opening}\nWexcombe hat Geld von der Bank für das neue Werk`.padEnd(12_000, '.')
  assert.equal(denied.length, 12_000)
  const quote = 'Wexcombe hat Geld von der Bank für das neue Werk'
  assert.equal((await read('Wexcombe', { text: denied }, { quote })).events.length, 1)
  assert.equal((await read('Wexcombe', { text: `${denied} Oder nicht.` }, { quote })).events.length, 0)
})

test('a response in an unexpected format and a prompt that is too long are failures', async () => {
  const document = { title: null, text: GERMAN, published_date: null }
  const company = { name: 'Wexcombe', domain: null }
  const { config } = deps()
  answered = { events: [{ signal_id: 'funding', quote: ROUND }] }
  const misshapen = await extractEvents(deps(), createEventsQuestion(config, company, document, SIGNALS))
  assert.match(misshapen.outcome === 'failed' ? misshapen.reason : '', /unexpected response format/)
  net.asked()
  const many = Array.from({ length: 200 }, (_, n) => ({ id: `s${n}`, name: 'One', description: 'x'.repeat(900) }))
  const long = await extractEvents(deps(), createEventsQuestion(config, company, document, many))
  assert.match(long.outcome === 'failed' ? long.reason : '', /this many signals/)
  assert.deepEqual(net.asked(), [])
})

test('of recorded answers about pages in five languages, no false event is accepted', async () => {
  for (const { language, pages, proven, accepted } of await playRecordedAnswers()) {
    assert.ok(pages >= 20 && proven >= pages * 0.9, `${language}: ${proven} of ${pages}`)
    assert.equal(accepted, 0, language)
  }
})
