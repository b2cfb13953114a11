import { Parser } from 'htmlparser2'
import { findCountryCode, US_STATES } from '../countries.ts'
import { lookupTable } from '../text/lookup-table.ts'

const MAX_XML_CHARS = 1_000_000

/** A person on the form; missing values are absent. */
export type Officer = { full_name: string; title: string; location?: string; country_code?: string }

type Related = Record<'first' | 'middle' | 'last' | 'clarification' | 'city' | 'state' | 'place', string> & {
  roles: string[]
}
const FIELDS = lookupTable<Exclude<keyof Related, 'roles'>>({
  firstname: 'first',
  middlename: 'middle',
  lastname: 'last',
  relationshipclarification: 'clarification',
  city: 'city',
  stateorcountry: 'state',
  stateorcountrydescription: 'place',
})

/** The related persons of a Form D who are executive officers; directors and promoters may not work there. */
export function parseOfficers(xml: string): Officer[] {
  const people: Related[] = []
  let name = ''
  const parser = new Parser(
    {
      onopentag(tag) {
        name = tag.toLowerCase()
        if (name === 'relatedpersoninfo') {
          people.push({ first: '', middle: '', last: '', clarification: '', city: '', state: '', place: '', roles: [] })
        }
        if (name === 'relationship') people.at(-1)?.roles.push('')
      },
      onclosetag: () => {
        name = ''
      },
      ontext(text) {
        const person = people.at(-1)
        const field = FIELDS[name]
        if (person && field) person[field] += text
        if (person && name === 'relationship') person.roles.push((person.roles.pop() ?? '') + text)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  // The issuer's fields precede the first person, and those of the offering follow the last.
  const [, list = ''] = xml.slice(0, MAX_XML_CHARS).split(/<relatedPersonsList>/i)
  parser.end(list.split(/<\/relatedPersonsList>/i)[0])
  return people.flatMap((person) => {
    // Companies have a dash as first name.
    const parts = [person.first, person.middle, person.last].map((part) => readable(part.trim(), 2))
    if (!person.roles.some((role) => role.trim() === 'Executive Officer') || /^\W*$/.test(parts[0] ?? '')) return []
    const clarification = person.clarification.trim()
    return [
      {
        full_name: parts.filter((part) => /\p{L}/u.test(part)).join(' '),
        title: clarification && clarification.length <= 100 ? readable(clarification, 5) : GENERIC_OFFICER_TITLE,
        ...placeOf(person),
      },
    ]
  })
}

/** The location on the form: "Austin, TX", or "Leeds, United Kingdom". Countries have codes of the SEC. */
function placeOf({ city, state, place }: Related): Pick<Officer, 'location' | 'country_code'> {
  const isState = US_STATES.has(state.trim())
  const abroad = readable(place.trim(), 4)
  const country = isState ? 'US' : findCountryCode(abroad.split(',').at(-1)?.trim() ?? '')
  const location = [readable(city.trim(), 2), isState ? state.trim() : abroad].filter(Boolean).join(', ')
  return {
    ...(location && city.trim() ? { location: location.slice(0, 300) } : {}),
    ...(country ? { country_code: country } : {}),
  }
}

/** The relationship on the form, which is less specific than any other source. */
export const GENERIC_OFFICER_TITLE = 'Executive Officer'

/** Many filers write in capitals; words shorter than `least` may be initials. */
function readable(text: string, least: number): string {
  if (/\p{Ll}/u.test(text)) return text
  return text.replaceAll(/\p{L}[\p{L}'’]*/gu, (word) =>
    word.length < least ? word : word.charAt(0) + word.slice(1).toLowerCase(),
  )
}
