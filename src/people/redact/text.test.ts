import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findContacts, tokenizeNames } from '../../engine/redact/mentions.ts'
import { applyCuts, findCuts, MAX_CUTS, shiftDetails } from '../../engine/redact/redacted-spans.ts'
import { personIdentifiers } from './identifiers.ts'

const ADA = {
  account_id: 'a',
  identity: 'page:linkedin.com/in/ada-p',
  full_name: 'Ada Beatrice O’Neill-Pike',
  network_url: 'https://de.linkedin.com/in/ada-p',
  email: 'ada@acme.com',
  phone: '+4940123456',
}

function without(person: typeof ADA | { full_name: string }, text: string): string {
  const { anywhere, words, names } = personIdentifiers({ account_id: 'a', identity: '', ...person })
  const marks = new Set([...anywhere, ...words, ...names])
  return applyCuts(
    text,
    findCuts(text, (mark) => marks.has(mark)),
  )
}

test('every form of a name, an email address or a phone number in a text is found', () => {
  for (const [text, expected] of [
    ['Ada Pike joins Acme.', '[erased] joins Acme.'],
    [
      "Ada B. O'Neill-Pike’s plan. Pike said so, and so did Ms O'Neill. When Pike left, A. Pike wept.",
      '[erased]’s plan. [erased] said so, and so did Ms [erased]. When [erased] left, A. [erased] wept.',
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

test('a number behind a switchboard is found with its extension, and the switchboard alone is not', () => {
  const ada = { ...ADA, phone: '+4940123456;ext=12' }
  for (const [text, expected] of [
    ['Call +49 40 123456 ext. 12 or (040) 123456, Durchwahl -12.', 'Call [erased] or [erased].'],
    ['Call +49 40 123456 or 040 123456 ext. 13.', 'Call +49 40 123456 or 040 123456 ext. 13.'],
    ['T +49 [0] 40 123456 x12', 'T [erased]'],
  ] as const)
    assert.equal(without(ada, text), expected)
})

test('names are found in other spellings', () => {
  for (const [full_name, texts] of [
    ['Jean d’Ormesson', ["Jean d'Ormesson", 'd’Ormesson, Jean', 'jean.dormesson@acme.com']],
    ['Jörg Müller', ['Joerg Mueller', 'JOERG MUELLER', 'Jorg Muller', 'joerg.mueller@acme.com']],
    ['Samuel Moeller', ['Samuel Möller', 'Moeller, Samuel']],
    ['Ada "Addie" Pike', ['Ada Pike', 'Ada “Addie” Pike']],
    ['Ada Pike', ['Ada "Addie" Pike', 'Ada (Addie) Pike', "Ada 'Addie May' Pike", 'Ada   Pike', 'Ada Bea Cleo Pike']],
    ['Ada Pike', [`Ada ${'\u200b'.repeat(70)}Pike`, `Ada${'\u200b'.repeat(10)} Pike`]],
    ['Ada Pike', ['**Ada** Pike', '**Ada** **Pike**', '_Ada_ Pike', '**Pike**, Ada']],
  ] as const)
    for (const text of texts)
      assert.match(
        without({ full_name }, `Then ${text} spoke.`),
        /^Then [*_]*(\[erased\]|erased@acme.com)[*_]* spoke\.$/,
        text,
      )
  for (const text of ['Ada (Acme) and Pike', 'Ada said "Pike" there', 'Ada “is Pike', 'Ada\n\n\nPike'])
    assert.equal(without({ full_name: 'Ada Pike' }, text), text)
})

test('text that only resembles a name is not redacted', () => {
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
  assert.equal(
    without({ full_name: 'Prince' }, 'Prince sang.'),
    'Prince sang.',
    'a name of one word is not searched for',
  )
})

test('ordinary words and names of other people are not redacted', () => {
  for (const [full_name, text, expected] of [
    [
      'May Grant',
      'May Grant came in May 2026, on 3 May 2026. Grant left.',
      '[erased] came in May 2026, on 3 May 2026. [erased] left.',
    ],
    ['Theresa May', 'Theresa May came. In May it rained. May 3.', '[erased] came. In May it rained. May 3.'],
    [
      'Mark Sales',
      'Acme names Mark Sales VP Sales. Sales grew 12%. Net Sales of $5m.',
      'Acme names [erased] VP Sales. Sales grew 12%. Net Sales of $5m.',
    ],
    [
      'Rob Pike',
      'Rob Pike met his sister Ann Pike. Ann Pike is the CEO, B. Pike is not. Pike sat.',
      '[erased] met his sister Ann Pike. Ann Pike is the CEO, B. Pike is not. [erased] sat.',
    ],
    ['Rob Field', 'Rob Field is in the field. Field trips help.', '[erased] is in the field. Field trips help.'],
    ['Rob Pike', 'There were Rob, Bob, Pike and Ann.', 'There were Rob, Bob, Pike and Ann.'],
    ['Rob Pike', 'Rob Pike, Rob Pike; Pike, Rob', '[erased], [erased]; [erased]'],
  ] as const)
    assert.equal(without({ full_name }, text), expected)
  const before = new Set(['word:rob', 'word:pike', 'text:pike rob'])
  const text = 'Rob Pike or Pike, Rob? Pike knows Rob.'
  assert.equal(
    applyCuts(
      text,
      findCuts(text, (mark) => before.has(mark)),
    ),
    '[erased] or [erased]? [erased] knows Rob.',
    'erased before surnames were kept',
  )
})

test('a hostile text is searched in linear time', () => {
  for (const part of ['a.', '1', 'a@', '(0)', 'http://', "a'", '- ', 'www.', 'Ada ', 'Ada Pike ', '+49 40 ', 'a@b.']) {
    const count = (times: number) => {
      const text = part.repeat(times)
      let steps = 0
      findCuts(text, (mark) => {
        steps++
        return mark.startsWith('word:')
      })
      return steps + tokenizeNames(text).length + findContacts(text).length
    }
    const [once, twice] = [count(4_000), count(8_000)]
    assert.ok(twice <= once * 2.2 + 20, `${part}: ${once}, ${twice}`)
  }
})

test('a text with too many mentions is truncated after the last cut', () => {
  const { anywhere, words, names } = personIdentifiers({ account_id: 'a', identity: '', full_name: 'Ada Pike' })
  const marks = new Set([...anywhere, ...words, ...names])
  for (const part of ['Pike, Ada ', 'Ada Pike spoke, and Pike sat. ']) {
    let asked = 0
    const text = `Acme. ${part.repeat(40_000)} Ada Pike left.`
    const isMarked = (mark: string) => {
      asked++
      return marks.has(mark)
    }
    const found = findCuts(text, isMarked)
    assert.equal(found.cuts.length, MAX_CUTS)
    assert.doesNotMatch(applyCuts(text, found), /Ada|Pike/)
    assert.ok(asked < 100 * MAX_CUTS, `${asked}`)
  }
})

test('details inside a cut or after the end are dropped; the offsets of the others are adjusted', () => {
  const text = 'Ada Pike and Bob Rook paid 5 and then 7.'
  const span = (words: string) => ({ text: words, start: text.indexOf(words), end: text.indexOf(words) + words.length })
  const details = {
    amount: span('5'),
    people: [span('Ada Pike'), span('Bob Rook')],
    position: null,
    places: [],
    partners: [],
    product: null,
    date: span('7'),
  }
  const cuts = [
    { ...span('Ada Pike'), with: '[erased]' },
    { ...span('and'), with: '&' },
  ]
  const moved = shiftDetails(details, { cuts, until: text.indexOf(' then') })
  const left = applyCuts(text, { cuts, until: text.indexOf(' then') })
  assert.equal(left, '[erased] & Bob Rook paid 5 and')
  assert.deepEqual([moved.people.map(({ text }) => text), moved.date], [['Bob Rook'], null])
  for (const { text, start, end } of [moved.amount, ...moved.people].filter((one) => one !== null)) {
    assert.equal(left.slice(start, end), text)
  }
})
