import { NAME_PARTICLES } from '../engine/english/words.ts'
import { splitFullName } from '../engine/people/person-name.ts'
import { splitNameWords, unorderedNameKey } from '../engine/redact/mentions.ts'

/**
 * Returns the spellings of a name without nicknames and pronouns in brackets and without invisible characters, with and
 * without umlauts: "Joerg" for "Jörg". Umlauts are also replaced in one word at a time, because in "Samuel Moeller" only
 * the second word has one.
 */
function spellingsOf(fullName: string): string[] {
  const bare = fullName.normalize('NFC').replaceAll(/\([^()]*\)|"[^"]*"|“[^“”]*”|«[^«»]*»/g, ' ')
  const seen = ['', ' '].map((gap) =>
    bare
      .replaceAll(/\p{Cf}/gu, gap)
      .trim()
      .replaceAll(/\s+/g, ' '),
  )
  const all = seen.flatMap((name) => {
    const words = name.split(' ')
    const one = words.map((_, at) => words.map((word, n) => (n === at ? withUmlauts(word) : word)).join(' '))
    return [name, withoutUmlauts(name), withUmlauts(name), ...one]
  })
  return [...new Set(all)]
}

const SPELLED: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  Ø: 'Oe',
  Å: 'Aa',
}
const withoutUmlauts = (name: string) => name.replaceAll(/[äöüøå]/gi, (letter) => SPELLED[letter] as string)
/** Word comparison ignores the dots, so the plain vowel is enough. */
const withUmlauts = (name: string) => name.replaceAll(/([aou])e/gi, '$1')

/** Returns every word of every spelling of a name. */
export function nameWords(fullName: string): string[] {
  return [...new Set(spellingsOf(fullName).flatMap(splitNameWords))]
}

/** Returns keys that are equal for the same name in any word order, with or without titles and middle names. */
export function nameKeys(fullName: string): string[] {
  const keys = spellingsOf(fullName).flatMap((name) =>
    [splitNameWords(name), ...shortNames(name)].map(unorderedNameKey),
  )
  return [...new Set(keys.filter((key) => key !== null))]
}

/** Returns a name in spoken order as whole words: "ada pike" for "Pike, Ada B., MBA". */
export function nameVariants(fullName: string): string[] {
  const names = spellingsOf(fullName).flatMap((name) => [splitNameWords(name), ...shortNames(name)])
  return [...new Set(names.filter((words) => words.length > 1).map((words) => words.join(' ')))]
}

export function surnamesOf(fullName: string): string[] {
  const words = spellingsOf(fullName).flatMap((name) => splitNameWords(splitFullName(name).last_name))
  return [...new Set(words)].filter((word) => word.length > 1 && !NAME_PARTICLES.has(word))
}

/** Texts omit middle names and one of two surnames: "Ada Beatrice O'Neill-Pike" becomes "Ada Pike" or "Ada O'Neill". */
function shortNames(fullName: string): string[][] {
  const { first_name, last_name } = splitFullName(fullName)
  const [given] = first_name ? splitNameWords(first_name).filter((word) => word.length > 1) : []
  const surnames = splitNameWords(last_name)
  // In "van den Berg" only the last word can be used as a surname alone.
  return given
    ? surnames.filter((word, at) => word.length > 3 || at === surnames.length - 1).map((word) => [given, word])
    : []
}
