import '../support/steps.ts' // first: it counts only what is compiled after it

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { ACCOUNT_COLUMNS } from '../../src/imports/column-names.ts'
import { readCsvSource } from '../../src/imports/csv-file.ts'
import { readNdjson } from '../../src/imports/ndjson-file.ts'
import type { ImportSource } from '../../src/imports/source.ts'
import { SetupError } from '../../src/shared/errors.ts'
import { different, type Maker, many, testLinear } from '../support/linear.ts'

/** A file that arrives in small chunks, so that a line spans many of them. */
function sourceOf(text: string): ImportSource {
  const file = Buffer.from(text, 'latin1')
  const pieces = Array.from({ length: Math.ceil(file.length / 512) }, (_, i) => file.subarray(i * 512, (i + 1) * 512))
  return { name: 'x', head: text.slice(0, 65_536), progress: () => null, bytes: Readable.from(pieces) }
}

async function drain(rows: AsyncGenerator<unknown>): Promise<void> {
  try {
    for await (const _ of rows);
  } catch (error) {
    assert.ok(error instanceof SetupError, String(error))
  }
}

const HEAD = 'name,domain\n'
const TABLES: Record<string, Maker> = {
  rows: many('Acme,acme.example\n', HEAD),
  quotes: many('"', HEAD),
  'quoted fields': many('"a""b",x\n', HEAD),
  'a quoted text without an end': many('\n', `${HEAD}"`),
  commas: many(',', HEAD),
  'one long field': many('a', `${HEAD}"`, '"'),
  blanks: many(' ', HEAD),
  'wide headers': different((word) => `${word},`),
  'wide headers over rows': (chars) =>
    different((word) => `${word},`, '', 'domain\n')(chars / 2) + many('x\n')(chars / 2),
  'letters of an old alphabet': many('Acm\xe9,x\n', HEAD),
}
testLinear(TABLES, (text) => drain(readCsvSource(sourceOf(text), ACCOUNT_COLUMNS, [['domain']])), {
  name: 'a CSV file',
  chars: 16_000,
  perChar: 150,
})

const OBJECTS: Record<string, Maker> = {
  objects: many('{"name":"a","domain":"b"}\n'),
  'objects of different shapes': different((word) => `{"k${word}":1}\n`),
  'one wide object': different((word) => `"k${word}":1,`, '{', '"a":1}'),
  'wide objects': (chars) => `{${different((word) => `"k${word}":1,`)(4_000)}"a":1}\n`.repeat(chars / 4_000),
  'one line': many('a'),
  'one long name': many('a', '{"domain":"a.example","', '":1}'),
  'lines that are no objects': many('x\n'),
  'letters of an old alphabet': many('{"name":"\xe9"}\n'),
}
testLinear(OBJECTS, (text) => drain(readNdjson(sourceOf(text), ACCOUNT_COLUMNS)), {
  name: 'an NDJSON file',
  chars: 16_000,
  perChar: 250,
})
