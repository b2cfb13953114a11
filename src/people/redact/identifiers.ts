import { phoneDigitForms } from '../../engine/people/phone-number.ts'
import { looksOf } from '../../engine/redact/homoglyphs.ts'
import { scoped } from '../../engine/redact/redactor.ts'
import { nameKeys, nameWords, surnamesOf } from '../name-forms.ts'
import { emailIdentifiers, type IdentifiedPerson, pageIdentifiers } from '../suppression.ts'

export type PersonWithPhones = IdentifiedPerson & { phone?: string | null; found_phone?: string | null }

/**
 * By what a text is seen to speak of somebody. `anywhere`: addresses, pages and numbers are theirs in any text. `words` only
 * say where a name may stand, and which of them is a surname; `names` are theirs in texts about their company, for others have them too.
 */
export type PersonIdentifiers = { anywhere: string[]; words: string[]; names: string[] }

export function personIdentifiers(person: PersonWithPhones): PersonIdentifiers {
  const { full_name, phone, found_phone } = person
  // As it is written, and with Latin letters for those that look like them.
  const looks = looksOf(full_name)
  const names = [...new Set(looks.flatMap(nameKeys))]
  const words = new Set(looks.flatMap(nameWords).map((word) => `word:${word}`))
  const surnames = new Set(looks.flatMap(surnamesOf).map((word) => `surname:${word}`))
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

/** What is kept of somebody, as hashes, so that texts can be searched for them. */
export function storedIdentifiers(person: PersonWithPhones): string[] {
  const { anywhere, words, names } = personIdentifiers(person)
  return [...anywhere, ...words, ...names, ...names.map((name) => scoped(person.account_id, name))]
}
