import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { SetupError } from '../shared/errors.ts'
import { parseCsvRecords } from './csv-records.ts'

const cell = fc.oneof(
  fc.constantFrom('', 'a', ' b ', 'c d', 'é\u00a0', '漢'),
  fc.constantFrom('""', '"a"', '"b,c"', '"d""e"', '" f "', '"g\nh"', '""""'),
)
/** Invalid forms that occur in real files. */
const slip = fc.constantFrom('"', ' "x"', '"x" ', '"x"y', 'x"y', '\r', '\n', '\ufeff', ',,')
const table = fc
  .record({
    mark: fc.constantFrom('', '\ufeff'),
    ending: fc.constantFrom('\n', '\n', '\r\n', '\r'),
    lines: fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 12 }),
    slip: fc.option(fc.tuple(fc.nat(100), slip)),
    isEnded: fc.boolean(),
  })
  .map(({ mark, ending, lines, slip, isEnded }) => {
    const text = lines.map((cells) => cells.join(',')).join(ending) + (isEnded ? ending : '')
    const at = slip ? slip[0] % (text.length + 1) : 0
    return mark + text.slice(0, at) + (slip?.[1] ?? '') + text.slice(at)
  })

/** What the library that reads any table makes of it; null where it refuses. Its lines are right only without returns. */
function expected(text: string): unknown[] | null {
  try {
    const all = parse(text, { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true })
    return (all as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) =>
      text.includes('\r') ? [record] : [record, info.lines],
    )
  } catch {
    return null
  }
}

async function records(text: string, size: number): Promise<unknown[] | null> {
  const letters = [...text]
  async function* pieces() {
    for (let at = 0; at < letters.length; at += size) yield Buffer.from(letters.slice(at, at + size).join(''))
  }
  const found: unknown[] = []
  try {
    for await (const some of parseCsvRecords('x', pieces(), ',')) {
      for (const { record, line } of some) found.push(text.includes('\r') ? [record] : [record, line])
    }
    return found
  } catch (error) {
    assert.ok(error instanceof SetupError, String(error))
    return null
  }
}

test('records equal those of csv-parse for any chunk boundaries', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 60 }), async (text, size) => {
      assert.deepEqual(await records(text, size), expected(text))
    }),
    { numRuns: 500 },
  )
})
