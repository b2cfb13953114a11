import { getDomain } from 'tldts'
import { searchFold } from '../text/fold.ts'
import { isFreeAddress, isRoleAddress, possibleLocalParts } from './index.ts'

/** Addresses that can be verified at a mail server; quoted local parts are not used for work addresses. */
const ADDRESS = /^[a-z0-9](?:[a-z0-9._%+'-]{0,62}[a-z0-9])?@[a-z0-9.-]{4,253}$/

/** Whether an address can be a person's work address: at the company's domain and not shared. */
export function isWorkAddress(email: string, domain: string): boolean {
  if (!ADDRESS.test(email)) return false
  const host = email.split('@')[1] ?? ''
  const site = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  const isOwn = host === domain || (getDomain(host, { allowPrivateDomains: true }) ?? host) === site
  return isOwn && !isRoleAddress(email) && !isFreeAddress(email)
}

/**
 * Whether the local part is made of the person's name: `ada.pike@`, `apike@`, `ada@`, or all initials. An address on a
 * person's card may be a shared one, and a name inside another word (`diana@` for Ian) is another person's.
 */
export function isWrittenFromName(email: string, fullName: string): boolean {
  const plain = (local: string) => local.replaceAll(/[._'-]/g, '')
  const local = plain(searchFold(email.split('@')[0] ?? ''))
  const words = asciiNameWords(fullName)
  if (words.length > 1 && (local === words.join('') || local === words.map((word) => word.charAt(0)).join('')))
    return true
  return [...possibleLocalParts(fullName)].some((form) => plain(form) === local)
}

export function asciiNameWords(fullName: string): string[] {
  return searchFold(fullName)
    .split(/[^a-z]+/)
    .filter(Boolean)
}
