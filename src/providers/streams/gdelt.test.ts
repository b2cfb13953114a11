import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import type { Story } from '../../../sandbox/types.ts'
import { gdelt as gdeltVendor, zip } from '../../../sandbox/vendors/gdelt.ts'
import { altering, itemsOf, OUTAGES, startStreamVendors } from '../../../test/support/streams.ts'
import { daysAgo } from '../../../test/support/vendors.ts'
import { gdelt } from './gdelt.ts'
import type { FeedResult, FeedState } from './types.ts'

const { net, accountNames, alter, reading, setWorld } = await startStreamVendors()
type Alteration = Parameters<typeof alter>[0]

const PERIOD_MS = 15 * 60_000
// The last period of a day that has ended, so that no other begins meanwhile.
const TODAY = daysAgo(1)
const latest = Date.parse(TODAY) + 86_400_000 - PERIOD_MS
const setNews: typeof setWorld = (told, outages) => setWorld({ today: TODAY, ...told }, outages)
/** A number of periods before the newest. */
const stamp = (before: number) => new Date(latest - before * PERIOD_MS).toISOString().replaceAll(/\D/g, '').slice(0, 14)
const dayOf = (before: number) => new Date(latest - before * PERIOD_MS).toISOString().slice(0, 10)
const one = { stream: gdelt, feed: 'articles' }
const from = (before: number) => ({ file: stamp(before + 1) })

let stories = 0
function story(title: string, organisations: string[], before = 0, more: Partial<Story> = {}): Story {
  const [id, url] = [String(++stories), `https://news.example/${stories}`]
  const period = { published: dayOf(before), period: stamp(before) }
  return { id, url, title, text: '', points: 1, about: '', organisations, ...period, ...more }
}

/** Reads until there is no more, and returns what each run found. */
async function readAll(state: FeedState['state']): Promise<FeedResult[]> {
  const results: FeedResult[] = []
  for (;;) {
    const { read } = await reading(one, state)
    results.push(read)
    state = read.outcome === 'failed' ? (read.state ?? null) : read.state
    if (!read.more) return results
  }
}

const titles = (results: readonly FeedResult[]) =>
  results.flatMap((read) => (read.outcome === 'items' ? read.items.map(({ document }) => document.title) : []))
const reasons = (results: readonly FeedResult[]) =>
  results.flatMap((read) => (read.outcome !== 'nothing' && read.reason !== undefined ? [read.reason] : []))
const askedFor = (part: string) => net.asked().filter((url) => url.includes(part)).length

/** Responses in which the rows of a table are changed, with the checksums of the changed files. */
function changing(kind: 'gkg.csv' | 'mentions.CSV', change: (columns: string[]) => string[]): Alteration {
  const changed = (archive: Buffer) => {
    const from = 30 + archive.readUInt16LE(26)
    const rows = inflateRawSync(archive.subarray(from, from + archive.readUInt32LE(18)))
      .toString()
      .trimEnd()
      .split('\n')
    return zip('changed', `${rows.map((row) => change(row.split('\t')).join('\t')).join('\n')}\n`)
  }
  return (answer, request) => {
    if (answer === null || typeof answer === 'string') return answer
    const { href } = request.url
    if (href.endsWith(`.${kind}.zip`)) return { ...answer, body: changed(answer.body as Buffer) }
    if (!href.endsWith('.txt')) return answer
    const body = String(answer.body).replaceAll(/^\d+ \w+ http:\S+?(\d{14}\.\S+)$/gm, (line, file: string) => {
      if (!file.endsWith(`.${kind}.zip`)) return line
      const url = new URL(`https://storage.googleapis.com/data.gdeltproject.org/gdeltv2/${file}`)
      const given = gdeltVendor.answer({ ...request, url }, net.world) as unknown as { body: Buffer }
      const other = changed(given.body)
      return `${other.length} ${createHash('md5').update(other).digest('hex')} ${url.href}`
    })
    return { ...answer, body }
  }
}

function setAccounts(...names: string[]): void {
  accountNames.clear()
  for (const name of names) accountNames.add(name)
}

test('articles that name an account and unambiguous headlines become items; other rows are not stored', async () => {
  setAccounts('Tern Ltd', 'Acme Robotics')
  setNews({
    stories: [
      story('Acme Robotics raises $20M – “for arms” & legs', ['Acme Robotics', 'Vantor Capital']),
      story('The market for arms', ['Tern Ltd', 'Somebody Else']),
      story('Nimbrel acquires Meridon for $300M', ['Nimbrel', 'Meridon'], 0, {
        url: 'https://nimbrel.example/news/1',
      }),
      story('Why nobody raises $5M these days', ['Nobody']),
      story('Nimbrel raises $20M (2019)', ['Nimbrel']),
    ],
  })
  const { read, reported } = await reading(one, from(0))
  assert.deepEqual(
    itemsOf(read).map(({ company, about, document }) => [company.name, company.domain, about, document.title]),
    [
      ['Acme Robotics', null, ['funding'], 'Acme Robotics raises $20M – “for arms” & legs'],
      ['Tern Ltd', null, [], 'The market for arms'],
      ['Nimbrel', 'nimbrel.example', ['acquisition'], 'Nimbrel acquires Meridon for $300M'],
    ],
  )
  const [first] = itemsOf(read)
  assert.deepEqual([first?.document.kind, first?.document.published_date], ['mention', dayOf(0)])
  assert.deepEqual([read.more, read.outcome === 'items' && read.state?.file], [false, stamp(0)])
  assert.equal(reported.get('GDELT'), null)
  assert.equal(askedFor('masterfilelist'), 0)
  assert.equal((await reading(one, { file: stamp(0) })).read.outcome, 'nothing')
})

test('a run reads one file and the next one continues after it; a day is caught up, and older files are skipped, which is reported', async () => {
  setAccounts('Acme Robotics')
  const made = [300, 95, 40, 1, 0].map((before) =>
    story(`Acme Robotics, ${before} periods ago`, ['Acme Robotics'], before),
  )
  setNews({ stories: made })
  const all = await readAll({ file: stamp(200) })
  assert.deepEqual(
    titles(all),
    [95, 40, 1, 0].map((before) => `Acme Robotics, ${before} periods ago`),
  )
  assert.deepEqual([all.length, reasons(all).length], [96, 1])
  assert.match(reasons(all)[0] ?? '', /^GDELT was not read for a day: its files before .* UTC were skipped\.$/)
  // Without a state, the same day is read, and nothing is missing.
  const { read: first } = await reading(one, null)
  assert.deepEqual([titles([first]), reasons([first]), first.more], [['Acme Robotics, 95 periods ago'], [], true])
  // A run that was killed is repeated, with the same keys.
  const keys = async () => itemsOf((await reading(one, from(40))).read).map(({ key }) => key)
  assert.deepEqual(await keys(), await keys())
  assert.match(net.internet.requests.findLast(({ url }) => url.includes('masterfile'))?.headers.range ?? '', /^bytes=-/)
})

test('a listed file that does not exist and periods that are not listed are reported, and the following files are read', async () => {
  setAccounts('Acme Robotics')
  setNews({ stories: [0, 1, 2, 3].map((before) => story(`Acme Robotics ${before}`, ['Acme Robotics'], before)) })
  alter((answer, { url }) => (url.href.includes(`${stamp(2)}.gkg`) ? { status: 404 } : answer))
  const all = await readAll(from(3))
  assert.deepEqual(titles(all), ['Acme Robotics 3', 'Acme Robotics 1', 'Acme Robotics 0'])
  assert.match(reasons(all).join(), /^GDELT lists a file that does not exist: that of \S+ \S+ UTC\.$/)
  const unlisted = new RegExp(`^.*(?:${stamp(2)}|${stamp(1)}).*\n`, 'gm')
  alter(altering((body) => body.replaceAll(unlisted, '')))
  const rest = await readAll(from(3))
  assert.deepEqual(titles(rest), ['Acme Robotics 3', 'Acme Robotics 0'])
  assert.match(reasons(rest).join(), /^GDELT lists no files for 2 periods of 15 minutes before/)
})

test('an outage, and files that are damaged or in another format, have failed and are read again', async () => {
  setAccounts('Acme Robotics')
  const stories = [1, 0].map((before) => story(`Acme Robotics ${before}`, ['Acme Robotics'], before))
  for (const outage of OUTAGES) {
    setNews({ stories }, { gdelt: outage })
    const { read, reported } = await reading(one, from(1), outage === 'stall' ? 100 : undefined)
    assert.ok(read.outcome === 'failed' && (read.state?.file ?? from(1).file) === from(1).file, outage)
    assert.ok(reported.get('GDELT'), outage)
  }
  // A file that cannot be fetched does not delay the following ones for ever either.
  setNews({ stories })
  alter((answer, { url }) => (url.href.includes('.gkg.') ? { status: 403 } : answer))
  const { read: refused } = await reading(one, { ...from(1), attempts: 10 })
  assert.ok(refused.outcome === 'failed' && !refused.more && refused.state?.attempts === 11)
  const { read: skipped } = await reading(one, refused.state)
  assert.ok(skipped.outcome === 'failed' && skipped.more && skipped.state?.file === stamp(1))
  assert.match(skipped.reason, /It was skipped\.$/)
  const damaging = (damage: (body: Buffer) => Buffer): Alteration => {
    return (answer, { url }) => {
      const isFile = answer !== null && typeof answer === 'object' && url.href.includes('.gkg.')
      return isFile ? { ...answer, body: damage(Buffer.from(answer.body as Buffer)) } : answer
    }
  }
  const format = /^GDELT failed: unexpected response format\./
  const damage = /^The file of GDELT of .* UTC could not be read\. The (?:file differs|archive is damaged)/
  const without = (column: number) => (columns: string[]) => columns.toSpliced(column, 1)
  const cases: [name: string, change: Alteration, reason: RegExp][] = [
    ['truncated', damaging((body) => body.subarray(0, body.length / 2)), damage],
    ['one byte', damaging((body) => body.fill(body[60] === 1 ? 2 : 1, 60, 61)), damage],
    ['no list', altering(() => 'moved'), format],
    ['a column less', changing('gkg.csv', without(17)), format],
    ['a column more', changing('gkg.csv', (columns) => [...columns, '']), format],
    ['no titles', changing('gkg.csv', (columns) => columns.with(26, '<PAGE_LINKS></PAGE_LINKS>')), format],
    ['other organisations', changing('gkg.csv', (columns) => columns.with(14, '["Acme Robotics"]')), format],
    ['no addresses', changing('gkg.csv', (columns) => columns.with(4, 'news.example')), format],
    ['no tone', changing('gkg.csv', (columns) => columns.with(15, 'neutral')), format],
  ]
  for (const [name, change, reason] of cases) {
    setNews({ stories })
    alter(change)
    const state = name === 'no list' ? null : from(1)
    const { read, reported } = await reading(one, state)
    assert.ok(read.outcome === 'failed' && !read.more, `${name} ${JSON.stringify(read)}`)
    assert.match(read.reason, reason, name)
    assert.match(reported.get('GDELT')?.message ?? '', reason, name)
    if (name === 'no list') continue
    // It is read again, and after the third time the following files are no longer delayed.
    const again = (await reading(one, read.state)).read
    assert.deepEqual([again.outcome, again.more ?? false], ['failed', false], name)
    const last = (await reading(one, again.outcome === 'failed' ? (again.state ?? null) : null)).read
    assert.ok(last.outcome === 'failed' && last.more && last.state?.file === stamp(1), name)
    assert.match(last.reason, /It was skipped\.$/, name)
    alter((answer) => answer)
    assert.deepEqual(titles(await readAll(read.state ?? null)), ['Acme Robotics 1', 'Acme Robotics 0'], name)
  }
})

test('an archive that decompresses to too much or differs from its header or its listed checksum is damaged', async () => {
  setAccounts()
  const bomb = zip('bomb', Buffer.alloc(50 * 1024 * 1024, 'a'))
  const lying = Buffer.from(bomb)
  lying.writeUInt32LE(100, lying.length - 22 - 46 - 4 + 24)
  const wrong = zip('wrong', 'one\ttwo\n')
  wrong.writeUInt8(wrong.readUInt8(wrong.length - 22 - 51 + 16) ^ 1, wrong.length - 22 - 51 + 16)
  const sumOf = (body: Buffer) => createHash('md5').update(body).digest('hex')
  for (const [body, md5, reason] of [
    [bomb, sumOf(bomb), /The file has a row that is too long/],
    [lying, sumOf(lying), /The archive is damaged/],
    [wrong, sumOf(wrong), /The archive is damaged/],
    [zip('other', 'one\ttwo\n'), sumOf(wrong), /The file differs/],
  ] as const) {
    const line = `${body.length} ${md5} http://data.gdeltproject.org/gdeltv2/${stamp(0)}.gkg.csv.zip\n`
    setNews({})
    alter((answer, { url }) => {
      if (answer === null || typeof answer === 'string') return answer
      return { ...answer, body: url.href.endsWith('.txt') ? line : body }
    })
    const { read } = await reading(one, from(0))
    assert.match(read.outcome === 'failed' ? read.reason : '', reason)
  }
})

test('a story is kept once, of a company those that most sites report, and of a day a limited number', async () => {
  setAccounts('Acme Robotics', 'Tern Ltd')
  const many = Array.from({ length: 8 }, (_, n) =>
    story(`Story ${n} of the market`, ['Acme Robotics'], 0, { outlets: 1 + ((n * 3) % 8) }),
  )
  const copies = [1, 2, 3].map(() => story('The same everywhere', ['Tern Ltd']))
  setNews({ stories: [...many, ...copies] })
  const { read } = await reading(one, from(0))
  const most = ['Story 5', 'Story 2', 'Story 7', 'Story 4', 'Story 1'].map((name) => `${name} of the market`)
  assert.deepEqual([...titles([read])].sort(), [...most, 'The same everywhere'].sort())
  // Without the mentions there is no such order, which is reported.
  alter((answer, { url }) => (url.href.includes('mentions') ? { status: 404 } : answer))
  const unordered = (await reading(one, from(0))).read
  assert.equal(itemsOf(unordered).length, 6)
  assert.match(reasons([unordered]).join(), /mentions of events in GDELT .* could not be read/)
  alter(changing('mentions.CSV', (columns) => columns.slice(1)))
  assert.match(reasons([(await reading(one, from(0))).read]).join(), /mentions of events in GDELT/)
  alter((answer) => answer)
  const full = { ...from(0), day: dayOf(0), kept: 4_998 }
  const rest = (await reading(one, full)).read
  assert.equal(itemsOf(rest).length, 2)
  assert.match(reasons([rest]).join(), /more articles than are kept of a day: 4 of .* were left out/)
  assert.equal(rest.outcome === 'items' && rest.state?.kept, full.kept + 2)
  // Leads are chosen in the same way, and of them a limited number in every file.
  const names = Array.from({ length: 15 }, (_, n) => `Nimbrel${'abcdefghijklmno'[n]}`)
  setNews({ stories: names.map((name, n) => story(`${name} raises $5M`, [], 0, { outlets: n + 1 })) })
  const leads = itemsOf((await reading(one, full)).read).map(({ company }) => company.name)
  assert.deepEqual(leads, names.slice(5).reverse())
  // An account among them is stored beyond this number, but is no lead; one that is among the first is a lead like the others.
  setAccounts(names[0] as string, names[14] as string)
  const marked = itemsOf((await reading(one, from(0))).read).map(({ company, isLead }) => [company.name, isLead])
  assert.deepEqual(marked.slice(0, 2), [
    [names[14], undefined],
    [names[0], false],
  ])
  assert.equal(marked.length, 11)
  // The first period of a day leaves most of the day's articles to the others.
  setAccounts('Acme Robotics')
  setNews({ stories: ['first', 'second', 'third'].map((n) => story(`The ${n} robot`, ['Acme Robotics'], 95)) })
  const early = (await reading(one, { ...from(95), day: dayOf(95), kept: 415 })).read
  assert.deepEqual([itemsOf(early).length, early.outcome === 'items' && early.state?.kept], [1, 416])
})
