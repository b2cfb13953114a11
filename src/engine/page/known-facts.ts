import { parseSerializedList } from '../json/parse-list.ts'
import type { SerializedList } from '../json/serialized-list.ts'
import { searchFold } from '../text/fold.ts'
import type { Organization } from './organization.ts'
import type { PagePerson } from './person.ts'

/** The parts of a page that are searched for facts about the company from another source. */
export type FactPage = { shown: string; people: SerializedList<PagePerson>; organization: Organization | null }

/** Whether a page contains one of the facts: a name, a place, a street or a phone number. */
export function showsKnownFact({ shown, people, organization }: FactPage, facts: readonly string[]): boolean {
  const { location, street, phone } = organization ?? {}
  const names = parseSerializedList(people).map(({ full_name }) => full_name)
  const all = [shown, location ?? '', street ?? '', phone ?? '', ...names].join('\n')
  const folded = searchFold(all)
  const digits = all.replaceAll(/[^\d\n]/g, '')
  return facts.some((fact) => {
    const number = fact.replaceAll(/\D/g, '')
    const isNumber = /^[\d\s()+.-]+$/.test(fact)
    return isNumber ? number.length >= 7 && digits.includes(number.slice(-10)) : containsWords(folded, searchFold(fact))
  })
}

/** "12 High Street" is not in "112 High Street". */
function containsWords(text: string, words: string): boolean {
  const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char)
  for (let at = text.indexOf(words); at !== -1 && words !== ''; at = text.indexOf(words, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + words.length])) return true
  }
  return false
}
