import { parseSerializedList } from '../json/parse-list.ts'
import type { SerializedList } from '../json/serialized-list.ts'
import { searchFold } from '../text/fold.ts'
import type { Organization } from './organization.ts'
import type { PagePerson } from './person.ts'

/** A page as far as it shows somebody or something that another source tells of the company. */
export type FactPage = { shown: string; people: SerializedList<PagePerson>; organization: Organization | null }

/** Whether a page shows one of the witnesses: a name, a street, a phone number. */
export function showsKnownFact({ shown, people, organization }: FactPage, witnesses: readonly string[]): boolean {
  const { location, street, phone } = organization ?? {}
  const names = parseSerializedList(people).map(({ full_name }) => full_name)
  const all = [shown, location ?? '', street ?? '', phone ?? '', ...names].join('\n')
  const folded = searchFold(all)
  const digits = all.replaceAll(/[^\d\n]/g, '')
  return witnesses.some((witness) => {
    const number = witness.replaceAll(/\D/g, '')
    const isNumber = /^[\d\s()+.-]+$/.test(witness)
    return isNumber ? number.length >= 7 && digits.includes(number.slice(-10)) : folded.includes(searchFold(witness))
  })
}
