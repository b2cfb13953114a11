import { phoneDigitForms } from '../../engine/people/phone-number.ts'
import { spellingsOfName } from '../../engine/redact/homoglyphs.ts'
import { scopedMark } from '../../engine/redact/redactor.ts'
import { nameKeys, nameWords, surnamesOf } from '../name-forms.ts'
import { emailIdentifiers, type IdentifiedPerson, pageIdentifiers } from '../suppression.ts'

export type PersonWithPhones = IdentifiedPerson & { phone?: string | null; found_phone?: string | null }

/**
 * The identifiers by which a text mentions a person. `anywhere`: email addresses, profile pages and phone numbers, which
 * identify the person in any text. `words`: words of the name, which only show where a name may occur and which word is the
 * surname. `names`: full names, which identify the person only in texts about their company, because other people share them.
 */
export type PersonIdentifiers = { anywhere: string[]; words: string[]; names: string[] }

export function personIdentifiers(person: PersonWithPhones): PersonIdentifiers {
  const { full_name, phone, found_phone } = person
  // As written, and with Latin letters for homoglyphs.
  const spellings = spellingsOfName(full_name)
  const names = [...new Set(spellings.flatMap(nameKeys))]
  const words = new Set(spellings.flatMap(nameWords).map((word) => `word:${word}`))
  const surnames = new Set(spellings.flatMap(surnamesOf).map((word) => `surname:${word}`))
  const pages = pageIdentifiers({ ...person, identity: pageOf(person) })
  const phones = [phone, found_phone].flatMap((number) => (number ? phoneDigitForms(number) : []))
  return {
    anywhere: [...new Set([...emailIdentifiers(person), ...pages, ...phones.map((digits) => `phone:${digits}`)])],
    words: names.length > 0 ? [...words, ...surnames] : [],
    names: names.map((key) => `text:${key}`),
  }
}

const pageOf = ({ identity, network_url }: PersonWithPhones) =>
  identity.startsWith('page:') || !network_url ? identity : `page:${network_url}`

/** Returns the identifiers whose hashes are stored for an erased person, so that texts can be searched for them. */
export function storedIdentifiers(person: PersonWithPhones): string[] {
  const { anywhere, words, names } = personIdentifiers(person)
  return [...anywhere, ...words, ...names, ...names.map((name) => scopedMark(person.account_id, name))]
}
