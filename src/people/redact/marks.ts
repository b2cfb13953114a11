import { splitFullName } from '../../engine/person-name.ts'
import { writtenDigits } from '../../providers/phone/e164.ts'
import { addressesOf, type Identified, pagesOf } from '../identity.ts'
import { nameKeyOf, PARTICLES, wordsOf } from './mentions.ts'

export type Named = Identified & { phone?: string | null; found_phone?: string | null }

/**
 * By what a text is seen to speak of somebody. `anywhere`: addresses, pages and numbers are theirs in any text. `words` only
 * say where a name may stand, and which of them is a surname; `names` are theirs in texts about their company, for others have them too.
 */
export type Marks = { anywhere: string[]; words: string[]; names: string[] }

export function marksOf(person: Named): Marks {
  const { full_name, identity, network_url, phone, found_phone } = person
  const words = wordsOf(full_name.replaceAll(/\([^()]*\)/g, ' '))
  const names = [words, ...shortNames(full_name)].map(nameKeyOf).filter((key) => key !== null)
  const pages = network_url || identity.startsWith('page:') ? pagesOf({ ...person, identity: pageOf(person) }) : []
  const phones = [phone, found_phone].flatMap((number) => (number ? writtenDigits(number) : []))
  return {
    anywhere: [...new Set([...addressesOf(person), ...pages, ...phones.map((digits) => `phone:${digits}`)])],
    words:
      names.length > 0
        ? [...new Set(words.map((word) => `word:${word}`)), ...surnamesOf(full_name).map((word) => `surname:${word}`)]
        : [],
    names: [...new Set(names)].map((key) => `text:${key}`),
  }
}

function surnamesOf(fullName: string): string[] {
  const words = wordsOf(splitFullName(fullName).last_name)
  return [...new Set(words)].filter((word) => word.length > 1 && !PARTICLES.has(word))
}

/** Texts leave middle names out, and one of two surnames: "Ada Beatrice O'Neill-Pike" is "Ada Pike" there, or "Ada O'Neill". */
function shortNames(fullName: string): string[][] {
  const { first_name, last_name } = splitFullName(fullName)
  const [given] = first_name ? wordsOf(first_name).filter((word) => word.length > 1) : []
  const surnames = wordsOf(last_name)
  // Of "van den Berg" only the last is a surname of its own.
  return given
    ? surnames.filter((word, at) => word.length > 3 || at === surnames.length - 1).map((word) => [given, word])
    : []
}

const pageOf = ({ identity, network_url }: Named) => (identity.startsWith('page:') ? identity : `page:${network_url}`)

/** How a name is kept that was erased at an account. */
export const scoped = (accountId: string, name: string) => `${accountId} ${name}`

/** What is kept of somebody, as hashes, so that texts can be searched for them. */
export function keptMarks(person: Named): string[] {
  const { anywhere, words, names } = marksOf(person)
  return [...anywhere, ...words, ...names, ...names.map((name) => scoped(person.account_id, name))]
}
