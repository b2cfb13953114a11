import { createHash } from 'node:crypto'
import type { RegisteredCompany, SandboxCompany } from '../types.ts'

const FORMS: Readonly<Record<string, string>> = {
  GB: 'LIMITED',
  DE: 'GmbH',
  AT: 'GmbH',
  FR: 'SAS',
  NL: 'B.V.',
  NO: 'AS',
  US: 'Inc.',
}
const STREETS = ['Harbour Street', 'Mill Lane', 'Station Road', 'Market Square']
/** Every tenth company has a namesake in another place, and belongs to a holding company. */
const SHARE = 10

/** The record of a company in the register of its country, its namesake and its parent. */
export function registrationsOf(company: SandboxCompany, index: number): RegisteredCompany[] {
  const { name, country_code, city } = company
  const record = (name: string, place: string): RegisteredCompany => {
    const seed = createHash('sha256').update(`${name} ${place} ${company.domain}`).digest('hex')
    const digits = String(Number.parseInt(seed.slice(0, 10), 16)).padStart(8, '0')
    return {
      legal_name: `${country_code === 'GB' ? name.toUpperCase() : name} ${FORMS[country_code] ?? 'Ltd'}`,
      lei: `5493${seed.slice(0, 14).toUpperCase()}${digits.slice(-2)}`,
      number: digits.slice(-8),
      ...{ country_code, city: place, postal_code: digits.slice(0, 5) },
      street: `${STREETS[Number(digits.slice(-1)) % STREETS.length]} ${1 + Number(digits.slice(-2))}`,
    }
  }
  const own = record(name, city)
  if (index % SHARE !== 0) return [own]
  const parent = record(`${name} Holding`, city)
  return [{ ...own, parent: parent.number }, parent, record(name, 'Newport')]
}
