import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { TerminalOutput, withStyle } from './output.ts'
import { ProgressDisplay } from './progress.ts'
import { sanitizedJson, sanitizeText } from './sanitize.ts'
import { textWidth, truncateToWidth, wrapText } from './width.ts'

function output({ columns, env = {} }: { columns?: number; env?: Record<string, string> } = {}) {
  const written = { text: '' }
  const write = (text: string) => {
    written.text += text
  }
  return {
    written,
    out: new TerminalOutput({ write, ...(columns === undefined ? {} : { isTTY: true, columns }) }, env),
  }
}

test('the width of a text is its width in terminal columns', () => {
  for (const [text, width] of [
    ['Acme', 4],
    ['Zürich', 6],
    ['Zu\u0308rich', 6],
    ['東京エレクトロン', 16],
    ['삼성', 4],
    ['ﾃｽﾄ', 3],
    ['Ａ社', 4],
    ['👩‍👩‍👧‍👦', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['❤', 1],
    ['☕', 2],
    ['a\u200bb', 2],
    ['𠮷', 2],
    ['', 0],
  ] as const)
    assert.equal(textWidth(text), width, text)
})

test('a text is truncated between graphemes, with an ellipsis', () => {
  assert.equal(truncateToWidth('Acme Rail', 9), 'Acme Rail')
  assert.equal(truncateToWidth('Acme Rail', 6), 'Acme…')
  assert.equal(truncateToWidth('東京エレクトロン', 6), '東京…')
  assert.equal(truncateToWidth('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3), '👩‍👩‍👧‍👦…')
  assert.equal(truncateToWidth('Acme', 1), '…')
  assert.equal(truncateToWidth('Acme', 0), '')
  assert.deepEqual(wrapText('one two three', 7), ['one two', 'three'])
  const unsized = output({ columns: 0 })
  unsized.out.text('Nothing was changed.')
  assert.equal(unsized.written.text, 'Nothing was changed.\n')
  assert.deepEqual(wrapText('  one two', 6), ['  one', 'two'])
  assert.deepEqual(wrapText('see https://a.example/long now', 6), ['see', 'https://a.example/long', 'now'])
})

const HOSTILE = 'A\u001b]0;pwned\u0007B\u009b2JC\u202eD\rE\u0000F\u2028G\tH\ud800I'

test('text from a page cannot send control characters to the terminal', () => {
  for (const columns of [undefined, 80]) {
    const { written, out } = output({ ...(columns ? { columns } : {}), env: { NO_COLOR: '1' } })
    out.line(HOSTILE, withStyle('bold', HOSTILE))
    out.text(HOSTILE, { indent: '  ' })
    out.table([{ title: HOSTILE, value: (text: string) => text }], [HOSTILE])
    out.pairs([['name', HOSTILE]])
    out.json({ HOSTILE })
    if (columns) out.chunk(HOSTILE)
    assert.doesNotMatch(written.text, /(?!\n)\p{Cc}|\p{Cs}|[\u202e\u2028]/u)
  }
  assert.equal(sanitizeText('\u001b[31mred'), '�[31mred')
  assert.deepEqual(JSON.parse(sanitizedJson(HOSTILE)), HOSTILE)
})

test('a table is aligned by visible width and truncated to the terminal; ids stay whole', () => {
  type Row = { name: string; n: number; id: string }
  const rows: Row[] = [
    { name: '東京エレクトロン', n: 5, id: 'id-1' },
    { name: 'Acme Rail and Logistics of the North', n: 100, id: 'id-2' },
  ]
  const columns = [
    { title: 'NAME', value: ({ name }: Row) => name },
    { title: 'N', value: ({ n }: Row) => n, right: true },
    { title: 'ID', value: ({ id }: Row) => id, whole: true },
  ]
  const narrow = output({ columns: 29, env: { NO_COLOR: '1' } })
  narrow.out.table(columns, rows)
  assert.equal(
    narrow.written.text,
    ['NAME                  N  ID', '東京エレクトロン      5  id-1', 'Acme Rail and Log…  100  id-2', ''].join('\n'),
  )
  const piped = output()
  piped.out.table(columns, rows)
  assert.match(piped.written.text, /Acme Rail and Logistics of the North {2}100 {2}id-2\n$/)
  const tiny = output({ columns: 10 })
  tiny.out.table(columns, rows)
  for (const line of stripVTControlCharacters(tiny.written.text).split('\n')) assert.ok(textWidth(line) <= 10, line)
})

test('colours are used on terminals, disabled by NO_COLOR and forced by FORCE_COLOR', () => {
  for (const [columns, env, coloured] of [
    [80, {}, true],
    [80, { NO_COLOR: '1' }, false],
    [80, { NO_COLOR: '' }, true],
    [80, { TERM: 'dumb' }, false],
    [undefined, {}, false],
    [undefined, { FORCE_COLOR: '1' }, true],
    [80, { FORCE_COLOR: '0' }, false],
    [80, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ] as const) {
    const { written, out } = output({ ...(columns ? { columns } : {}), env: env as Record<string, string> })
    out.line(withStyle('good', 'yes'))
    assert.equal(written.text, coloured ? '\u001b[32myes\u001b[0m\n' : 'yes\n', JSON.stringify([columns, env]))
  }
})

test('progress is one rewritten line on a terminal, else a line per step, and nothing when quiet', () => {
  const steps = (quiet: boolean, columns?: number) => {
    const { written, out } = output(columns ? { columns } : {})
    const progress = new ProgressDisplay(out, quiet)
    progress.show(null, 'begun')
    progress.show(0.5, 'half')
    progress.show(0.5, 'half')
    progress.end()
    return written.text
  }
  assert.equal(
    steps(false, 60),
    `\r\u001b[K[${'·'.repeat(24)}]       begun\r\u001b[K[${'#'.repeat(12)}${' '.repeat(12)}]  50 %  half\r\u001b[K`,
  )
  assert.equal(steps(false), 'begun\nhalf\n')
  assert.equal(steps(true, 60), '')
})
