import { getDomain, getDomainWithoutSuffix } from 'tldts'
import { coreWords, hasLegalForm, mentionsDomain } from '../engine/companies/company-names.ts'
import { splitWords } from '../engine/text/tokens.ts'
import type { CompanyRef } from './types.ts'

/**
 * Whether the name alone tells that somebody on record is the company. Nearly no record gives a web site, and many companies
 * share a name: it has to be the same to the legal form, or the company's domain has to be made of it. A single word is
 * under some ending everybody's domain, and with some legal form everybody's name; only under .com it is taken for the one
 * that is known by it.
 */
export function isNamedLike({ name, domain }: CompanyRef, recorded: string): boolean {
  const core = coreWords(name)
  const label = domain && getDomainWithoutSuffix(domain)?.replaceAll('-', '')
  if (core.length === 1) return label === core[0] && domain?.endsWith('.com') === true
  const [given, registered] = [name, recorded].map((text) => splitWords(text).join(' '))
  if (given === registered && hasLegalForm(name)) return true
  return core.some((_, i) => label === core.slice(0, i + 1).join(''))
}

/** What a source says of somebody it calls by a company's name. */
type Recorded = {
  /** As the source writes it. */
  name: string
  /** Domains that the source gives as theirs. */
  named: readonly string[]
  text: string
}

/**
 * Whether somebody of the company's name is the company: the source names its domain, or names none and the name alone tells
 * it. Who is given another domain is a namesake.
 */
export function isTheCompany(company: CompanyRef, { name, named, text }: Recorded): boolean {
  if (namesDomain(company, named, text)) return true
  return named.length === 0 && isNamedLike(company, name)
}

/** Whether the company's domain stands in what a source gives. */
export function namesDomain({ domain }: CompanyRef, named: readonly string[], text: string): boolean {
  if (!domain) return false
  const site = getDomain(domain) ?? domain
  return named.some((one) => (getDomain(one) ?? one) === site) || mentionsDomain(text.toLowerCase(), domain)
}
