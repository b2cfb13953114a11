import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marksOf } from './marks.ts'
import { readContacts, readTokens } from './mentions.ts'
import { applyCuts, findCuts } from './text.ts'

const ADA = {
  account_id: 'a',
  identity: 'page:linkedin.com/in/ada-p',
  full_name: 'Ada Beatrice O’Neill-Pike',
  network_url: 'https://de.linkedin.com/in/ada-p',
  email: 'ada@acme.com',
  phone: '+4940123456',
}

function without(person: typeof ADA | { full_name: string }, text: string): string {
  const { anywhere, words, names } = marksOf({ account_id: 'a', identity: '', ...person })
  const marks = new Set([...anywhere, ...words, ...names])
  return applyCuts(text, findCuts(text, (mark) => marks.has(mark)).cuts)
}

test('every way in which texts write a name, an address or a number is found', () => {
  for (const [text, expected] of [
    ['Ada Pike joins Acme.', '[erased] joins Acme.'],
    [
      "Ada B. O'Neill-Pike’s plan. Pike said so, and so did Ada.",
      '[erased]’s plan. [erased] said so, and so did [erased].',
    ],
    ['O’NEILL-PIKE, ADA (CFO)', '[erased] (CFO)'],
    ['Contact Ada Quinn Pike', 'Contact [erased]'],
    ['ADA@Acme.com, ada.pike@acme.com', '[erased], erased@acme.com'],
    ['T +49 (0)40 123-456, 040/123456, 0049 40 12 34 56', 'T [erased], [erased], [erased]'],
    ['See linkedin.com/in/ada-p/?x=1.', 'See [erased].'],
    ['https://acme.com/team/ada-oneill-pike.html', 'https://acme.com/team/erased.html'],
  ] as const)
    assert.equal(without(ADA, text), expected)
})

test('what only resembles a name stays', () => {
  for (const text of [
    'Ada Lovelace wrote it. Zebulon Pike climbed.',
    'Pike Industries and Ada Ltd were there.',
    'an ada pike in lower case is a fish',
    'We met Ada. Pike was not there.',
    'ada@acme.de, +49 40 1234567, linkedin.com/in/ada-q',
  ])
    assert.equal(without(ADA, text), text)
  assert.equal(without({ full_name: 'Jan van den Berg' }, 'Said Jan van den Berg, CEO.'), 'Said [erased], CEO.')
  assert.equal(without({ full_name: 'Mark Will' }, 'We will mark it.'), 'We will mark it.')
  assert.equal(without({ full_name: 'Prince' }, 'Prince sang.'), 'Prince sang.', 'one word is no name to look for')
})

test('a hostile text is read in work that grows with its length alone', () => {
  for (const part of ['a.', '1', 'a@', '(0)', 'http://', "a'", '- ', 'www.', 'Ada ', 'Ada Pike ', '+49 40 ', 'a@b.']) {
    const count = (times: number) => {
      const text = part.repeat(times)
      let steps = 0
      findCuts(text, (mark) => {
        steps++
        return mark.startsWith('word:')
      })
      return steps + readTokens(text).length + readContacts(text).length
    }
    const [once, twice] = [count(4_000), count(8_000)]
    assert.ok(twice <= once * 2.2 + 20, `${part}: ${once}, ${twice}`)
  }
})
