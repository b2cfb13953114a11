import { countryName, findCountryCode } from '../../engine/countries.ts'

/** An address as a source states it; `state` by name or code. */
export type StatedAddress = {
  street?: string | null
  city?: string | null
  state?: string | null
  postal_code?: string | null
  country?: string | null
}

const US_STATES = new Map(
  (
    'AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware;' +
    'DC District of Columbia;FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;' +
    'LA Louisiana;ME Maine;MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;' +
    'NE Nebraska;NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;' +
    'OH Ohio;OK Oklahoma;OR Oregon;PA Pennsylvania;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;' +
    'UT Utah;VT Vermont;VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming'
  )
    .split(';')
    .map((entry): [string, string] => [entry.slice(0, 2), entry.slice(3)]),
)

/** The postal codes of a street: those of the United Kingdom, Canada and the Netherlands. */
const STREET_CODE = /^(?:[a-z]{1,2}\d[a-z\d]? \d[a-z]{2}|[a-z]\d[a-z] \d[a-z]\d|\d{4} ?[a-z]{2})$/i

/**
 * The spellings of an address that a company's website may show. A city or a postal code of a whole district is no
 * witness, nor is a street without a number or a post-office box: companies of the same name share these.
 */
export function addressWitnesses({ street, city, state, postal_code, country }: StatedAddress): string[] {
  const witnesses: string[] = []
  if (street && /\d/.test(street) && /\p{L}{3}/u.test(street) && !/\bp\.? ?o\.? ?box\b/i.test(street))
    witnesses.push(street)
  if (postal_code && STREET_CODE.test(postal_code)) witnesses.push(postal_code)
  if (!city) return witnesses
  const states = state ? spellingsOfState(state) : []
  witnesses.push(...states.map((one) => `${city}, ${one}`))
  if (postal_code) {
    // The extended form of the United States: 21201-1234.
    const code = /^(\d{5})-?\d{4}$/.exec(postal_code)?.[1] ?? postal_code
    witnesses.push(`${code} ${city}`, `${city} ${code}`, `${city}, ${code}`)
  }
  const named = country && countryName(findCountryCode(country) ?? '')
  if (named && states.length === 0) witnesses.push(`${city}, ${named}`)
  return witnesses
}

function spellingsOfState(state: string): string[] {
  const found = [...US_STATES].find((spellings) => spellings.some((one) => one.toLowerCase() === state.toLowerCase()))
  return found ? [...found] : [state]
}
