import { NAME_PARTICLES } from '../english/words.ts'
import { foldText } from '../text/fold.ts'
import vocabulary from './words.json' with { type: 'json' }

/** A spelling of a name for addresses: ASCII, lower case. */
export type NameForm = { first: string; last: string; weight: number }

const SUFFIXES = new Set('jr sr ii iii iv phd md mba esq cpa'.split(' '))
const TITLES = new Set('dr prof mr mrs ms sir dame ing dipl'.split(' '))

/** Short forms by given name, and given names by short form. */
const NICKNAMES = new Map<string, string[]>()
for (const [long, shorts] of Object.entries(vocabulary.short_forms)) {
  for (const short of shorts.split(',')) {
    NICKNAMES.set(long, [...(NICKNAMES.get(long) ?? []), short])
    NICKNAMES.set(short, [...(NICKNAMES.get(short) ?? []), long])
  }
}

/** A given name with its short and long forms. */
export function givenNameForms(first: string): string[] {
  return [first, ...(NICKNAMES.get(first) ?? [])]
}

const TRANSLITERATIONS: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
  đ: 'd',
  ß: 'ss',
}

/**
 * The spellings of a name in addresses, most likely first: accents dropped or transliterated, particles joined or omitted,
 * double names whole or split, short forms of given names. Empty for a name that is not in Latin script.
 */
export function nameForms(fullName: string): NameForm[] {
  const plain = fullName.slice(0, 120).toLowerCase()
  const forms = new Map<string, NameForm>()
  const add = (first: string, last: string, weight: number) => {
    const key = `${first} ${last}`
    const known = forms.get(key)
    if (first && last && (!known || known.weight < weight)) forms.set(key, { first, last, weight })
  }
  for (const [spelling, weight] of [
    [foldText(plain), 1],
    [spellOut(plain), 0.6],
  ] as const) {
    const words = spelling
      .replace(/[(“"][^)”"]{0,30}[)”"]/g, ' ')
      .replace(/,.*$/s, '')
      .split(/\s+/)
      .map((word) => word.replace(/[^a-z-]/g, ''))
      .filter((word) => word !== '' && !SUFFIXES.has(word) && !TITLES.has(word))
    if (words.length < 2) continue
    for (const [first, firstWeight] of firstNames(words)) {
      for (const [last, lastWeight] of lastNames(words)) add(first, last, weight * firstWeight * lastWeight)
    }
  }
  return [...forms.values()].sort((a, b) => b.weight - a.weight)
}

function spellOut(text: string): string {
  let out = ''
  for (const char of text.normalize('NFC')) out += TRANSLITERATIONS[char] ?? char
  return foldText(out)
}

function firstNames(words: readonly string[]): [string, number][] {
  const first = words[0] as string
  const second = words[1] as string
  const found: [string, number][] = [[first, 1]]
  if (first.includes('-')) found.push([first.replaceAll('-', ''), 0.5], [first.split('-')[0] as string, 0.4])
  // "Maria Elena Castellanos": a second given name is sometimes included.
  if (words.length > 2 && second.length > 1 && !NAME_PARTICLES.has(second))
    found.push([`${first}${second}`, 0.1], [`${first}.${second}`, 0.05])
  for (const other of NICKNAMES.get(first) ?? []) found.push([other, 0.3])
  return found
}

function lastNames(words: readonly string[]): [string, number][] {
  let start = words.length - 1
  while (start > 1 && NAME_PARTICLES.has(words[start - 1] as string)) start--
  const last = words[words.length - 1] as string
  const found: [string, number][] = []
  const particles = words.slice(start, -1)
  if (particles.length > 0) {
    found.push(
      [`${particles.join('')}${last.replaceAll('-', '')}`, 1],
      [last, 0.6],
      [`${particles.join('.')}.${last}`, 0.3],
      [`${particles.join('-')}-${last}`, 0.2],
    )
  } else {
    found.push([last, 1])
  }
  if (last.includes('-'))
    found.push(
      [last.replaceAll('-', ''), 0.6],
      [last.split('-')[0] as string, 0.3],
      [last.split('-')[1] as string, 0.3],
    )
  const before = words[words.length - 2] as string
  // "García López": usually the first of two surnames is used.
  if (particles.length === 0 && words.length > 2 && before.length > 1)
    found.push([before, 0.35], [`${before}${last}`, 0.25], [`${before}.${last}`, 0.1])
  return found
}
