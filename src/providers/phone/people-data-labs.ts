import { textAt, textsAt } from '../../engine/json/fields.ts'
import { enrichPerson, leftOn, PDL } from '../people-data/people-data-labs.ts'
import type { PhoneSource } from '../types.ts'

/** Numbers of the vendor's record of a person; the record also says when they have left. */
export const peopleDataLabsPhones: PhoneSource = {
  name: PDL,
  isOn: ({ PDL_API_KEY }) => PDL_API_KEY !== null,
  async find(deps, person) {
    const asked = await enrichPerson(deps, person)
    if (asked.outcome !== 'answer') return asked
    const mobile = textAt(asked.value, 'mobile_phone')
    const phones = [...(mobile ? [mobile] : []), ...textsAt(asked.value, 'phone_numbers')]
    return { outcome: 'items', items: [{ phones, left_on: leftOn(asked.value, person.company.domain) }] }
  },
}
