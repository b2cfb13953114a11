import { textAt, textsAt } from '../../engine/json/fields.ts'
import { employmentEndDate, enrichPerson, PDL } from '../people-data/people-data-labs.ts'
import type { PhoneSource } from '../types.ts'

/** Phone numbers in the vendor's record of a person, which also contains the end of their job. */
const peopleDataLabsPhones: PhoneSource = {
  name: PDL,
  isOn: ({ PDL_API_KEY }) => PDL_API_KEY !== null,
  async find(deps, person) {
    const response = await enrichPerson(deps, person)
    if (response.outcome !== 'ok') return response
    const mobile = textAt(response.value, 'mobile_phone')
    const phones = [...(mobile ? [mobile] : []), ...textsAt(response.value, 'phone_numbers')]
    return { outcome: 'items', items: [{ phones, left_on: employmentEndDate(response.value, person.company.domain) }] }
  },
}

/** Sources of phone numbers, in addition to those on the roster. */
export const PHONE_SOURCES: PhoneSource[] = [peopleDataLabsPhones]
