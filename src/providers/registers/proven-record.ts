import { hasLegalForm } from '../../engine/companies/company-names.ts'
import { cutText } from '../../engine/text/storable.ts'
import { isProvenByName } from '../company-proof.ts'
import type { CompanyRef } from '../types.ts'
import { foldLegalNames, legalNameKey } from './legal-name.ts'
import type { RegisterRecord } from './types.ts'

const MAX_TEXT_CHARS = 200_000
/** An imprint or a footer states the name, the number and the address within this distance. */
const NEAR_CHARS = 600
/** Occurrences of a number or a name that are checked in one text. */
const MAX_OCCURRENCES = 20
/** Shorter numbers occur on pages by chance. */
const MIN_NUMBER_CHARS = 6

/** A record, and what proves that it is the company's, as a sentence for users. */
export type ProvenRecord = { record: RegisterRecord; proof: string }

const PROOFS = {
  number: 'The website states its registration number.',
  address: 'The website states its full legal name and its address.',
  name: 'It is the only record with exactly this name, which the domain or the legal form confirms.',
}

/** The text of a page, and the same for comparing legal names. */
export type FoldedPage = { text: string; folded: string }

export function foldPage(pageText: string): FoldedPage {
  const text = cutText(pageText, MAX_TEXT_CHARS)
  return { text, folded: foldLegalNames(text) }
}

/**
 * Which record of one register is the company; null when none is proven, or more than one. A name match alone proves
 * nothing. Proof is, in this order: the company's own `pages` state the number of the record next to its
 * name; or they state its full legal name with the postal code or the street; or it is the only one with exactly the
 * name of the account, which identifies the company. A record of a company that no longer exists needs its number.
 * `areAll`: whether these are all records of the name; otherwise none is known to be the only one.
 */
export function proveRecord(
  company: CompanyRef,
  records: readonly RegisterRecord[],
  pages: readonly FoldedPage[],
  areAll: boolean,
): ProvenRecord | null {
  const active = records.filter(({ is_active }) => is_active)
  const numbered = records.filter((record) => pages.some(({ text }) => statesNumber(text, record)))
  const candidates = [
    { proof: PROOFS.number, found: numbered.filter(({ is_active }) => is_active) },
    {
      proof: PROOFS.address,
      found: active.filter((record) => pages.some(({ folded }) => statesAddress(folded, record))),
    },
    {
      proof: PROOFS.name,
      found: active.filter(
        (record) => areAll && isExactName(company, record) && isProvenByName(company, record.legal_name),
      ),
    },
    { proof: PROOFS.number, found: numbered },
  ]
  const proven = candidates.find(({ found }) => found.length > 0)
  const [record] = proven?.found ?? []
  return proven && record && proven.found.length === 1 ? { record, proof: proven.proof } : null
}

function statesNumber(text: string, { id, registration_number, legal_name }: RegisterRecord): boolean {
  const name = ` ${legalNameKey(legal_name)} `
  return [id, registration_number ?? ''].some((number) => {
    const pattern = numberPattern(number)
    return pattern
      ? text
          .matchAll(pattern)
          .take(MAX_OCCURRENCES)
          .some(({ index }) => {
            const around = text.slice(Math.max(0, index - NEAR_CHARS), index + NEAR_CHARS)
            return foldLegalNames(around).includes(name)
          })
      : false
  })
}

/** "HRB 6684" also matches "HRB6684", and 01234567 matches 1234567; letters match as printed. */
function numberPattern(number: string): RegExp | null {
  const chars = number.replaceAll(/[^\p{L}\p{N}]/gu, '').replace(/^0+(?=\d+$)/, '')
  if (chars.length < MIN_NUMBER_CHARS || !/\d/.test(chars)) return null
  const zeros = /^\d+$/.test(chars) ? '0{0,8}' : ''
  return new RegExp(`(?<![\\p{L}\\p{N}])${zeros}${[...chars].join('[\\s./-]{0,2}')}(?![\\p{L}\\p{N}])`, 'gu')
}

/** Whether a text states the full legal name, and near it the postal code or the street. */
function statesAddress(text: string, { legal_name, postal_code, street }: RegisterRecord): boolean {
  const name = foldLegalNames(legal_name)
  if (!hasLegalForm(name)) return false
  const places = [postal_code, street].flatMap((place) => (place && /\d/.test(place) ? foldLegalNames(place) : []))
  let at = text.indexOf(name)
  for (let count = 0; at >= 0 && count < MAX_OCCURRENCES; count++) {
    const around = text.slice(Math.max(0, at - NEAR_CHARS), at + name.length + NEAR_CHARS)
    if (places.some((place) => around.includes(place))) return true
    at = text.indexOf(name, at + 1)
  }
  return false
}

function isExactName({ name }: CompanyRef, { legal_name }: RegisterRecord): boolean {
  return hasLegalForm(name) && foldLegalNames(name) === foldLegalNames(legal_name)
}
