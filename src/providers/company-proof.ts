import { getDomain, getDomainWithoutSuffix } from 'tldts'
import { coreWords, hasLegalForm, mentionsDomain } from '../engine/companies/company-names.ts'
import { splitWords } from '../engine/text/tokens.ts'
import type { CompanyRef } from './types.ts'

/**
 * Whether a name alone identifies the company. Records rarely contain a website, and many companies share a name, so
 * the name has to match including the legal form, or the company's domain has to consist of it. A single-word name is
 * too ambiguous (any company may own it under another top-level domain or legal form) and is accepted only with a
 * matching .com domain.
 */
export function isProvenByName({ name, domain }: CompanyRef, recorded: string): boolean {
  const core = coreWords(name)
  const label = domain && getDomainWithoutSuffix(domain)?.replaceAll('-', '')
  if (core.length === 1) return label === core[0] && domain?.endsWith('.com') === true
  const [given, registered] = [name, recorded].map((text) => splitWords(text).join(' '))
  if (given === registered && hasLegalForm(name)) return true
  return core.some((_, i) => label === core.slice(0, i + 1).join(''))
}

/** A record that a source lists under a company's name. */
type Recorded = {
  /** As spelled by the source. */
  name: string
  /** Domains that the source attributes to the record. */
  named: readonly string[]
  text: string
}

/**
 * Whether a record with the company's name is about this company: the source mentions its domain, or mentions no domain
 * and the name alone is proof. A record with another domain is about a namesake.
 */
export function isSameCompany(company: CompanyRef, { name, named, text }: Recorded): boolean {
  if (mentionsCompanyDomain(company, named, text)) return true
  return named.length === 0 && isProvenByName(company, name)
}

/** Whether a source mentions the company's domain, as an attribute or in its text. */
export function mentionsCompanyDomain({ domain }: CompanyRef, named: readonly string[], text: string): boolean {
  if (!domain) return false
  const site = getDomain(domain) ?? domain
  return named.some((one) => (getDomain(one) ?? one) === site) || mentionsDomain(text.toLowerCase(), domain)
}
