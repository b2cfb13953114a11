import { phoneDigitForms } from '../../engine/people/phone-number.ts'
import { spellingsOfName } from '../../engine/redact/homoglyphs.ts'
import { scopedMark } from '../../engine/redact/redactor.ts'
import { nameKeys, nameWords, surnamesOf } from '../name-forms.ts'
import { addressesOf, type Identified, pagesOf } from '../suppression.ts'

export type Named = Identified & { phone?: string | null; found_phone?: string | null }

/**
 * By what a text is seen to speak of somebody. `anywhere`: addresses, pages and numbers are theirs in any text. `words` only
 * say where a name may stand, and which of them is a surname; `names` are theirs in texts about their company, for others have them too.
 */
export type Marks = { anywhere: string[]; words: string[]; names: string[] }

export function marksOf(person: Named): Marks {
  const { full_name, phone, found_phone } = person
  // As it is written, and with Latin letters for those that look like them.
  const looks = spellingsOfName(full_name)
  const names = [...new Set(looks.flatMap(nameKeys))]
  const words = new Set(looks.flatMap(nameWords).map((word) => `word:${word}`))
  const surnames = new Set(looks.flatMap(surnamesOf).map((word) => `surname:${word}`))
  const pages = pagesOf({ ...person, identity: pageOf(person) })
  const phones = [phone, found_phone].flatMap((number) => (number ? phoneDigitForms(number) : []))
  return {
    anywhere: [...new Set([...addressesOf(person), ...pages, ...phones.map((digits) => `phone:${digits}`)])],
    words: names.length > 0 ? [...words, ...surnames] : [],
    names: names.map((key) => `text:${key}`),
  }
}

const pageOf = ({ identity, network_url }: Named) =>
  identity.startsWith('page:') || !network_url ? identity : `page:${network_url}`

/** What is kept of somebody, as hashes, so that texts can be searched for them. */
export function keptMarks(person: Named): string[] {
  const { anywhere, words, names } = marksOf(person)
  return [...anywhere, ...words, ...names, ...names.map((name) => scopedMark(person.account_id, name))]
}
