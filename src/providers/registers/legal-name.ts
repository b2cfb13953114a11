import { companyKey, hasLegalForm } from '../../engine/companies/company-names.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { splitWords } from '../../engine/text/tokens.ts'
import type { RegisterRecord } from './types.ts'

/** Registers write these legal forms in full, and companies abbreviate them. */
const FORMS: Readonly<Record<string, string>> = {
  'gesellschaft mit beschrankter haftung': 'gmbh',
  'public limited company': 'plc',
  'limited liability company': 'llc',
  'limited liability partnership': 'llp',
  aktiengesellschaft: 'ag',
  limited: 'ltd',
  incorporated: 'inc',
  corporation: 'corp',
  company: 'co',
}
const FULL_FORM = new RegExp(` (?:${Object.keys(FORMS).join('|')})(?= )`, 'g')

/** The words of a text between spaces, without case and accents, with abbreviated legal forms. */
export function foldLegalNames(text: string): string {
  const words = splitWords(searchFold(text)).filter((word) => word !== 'and' && word !== 'amp')
  return ` ${words.join(' ')} `.replaceAll(FULL_FORM, (form) => ` ${FORMS[form.slice(1)]}`)
}

/** One key for all spellings of a name, with a legal form or without one. */
export function legalNameKey(name: string): string {
  return companyKey(foldLegalNames(name))
}

/** Whether a record has the name, or had it before. */
export function isNamed({ legal_name, other_names }: RegisterRecord, name: string): boolean {
  const key = legalNameKey(name)
  return [legal_name, ...other_names.map((other) => other.name)].some((one) => legalNameKey(one) === key)
}

/**
 * Whether a name with a legal form is that of another company than the legal names: "Acme Robotics LLC" is not "Acme Robotics
 * GmbH". Names of other words say nothing about it.
 */
export function isOtherLegalName(name: string, legalNames: readonly string[]): boolean {
  const stated = foldLegalNames(name)
  if (!hasLegalForm(stated)) return false
  const key = companyKey(stated)
  const same = legalNames.map(foldLegalNames).filter((legal) => hasLegalForm(legal) && companyKey(legal) === key)
  const withoutArticle = (folded: string) => folded.replace(/^ the /, ' ')
  return same.length > 0 && !same.some((legal) => withoutArticle(legal) === withoutArticle(stated))
}
