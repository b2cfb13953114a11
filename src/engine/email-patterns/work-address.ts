import { getDomain } from 'tldts'
import { searchFold } from '../text/fold.ts'
import { isFreeAddress, isRoleAddress, possibleLocalParts } from './index.ts'

/** What is asked about at a mail server; quoted and exotic forms are nobody's work email. */
const ADDRESS = /^[a-z0-9](?:[a-z0-9._%+'-]{0,62}[a-z0-9])?@[a-z0-9.-]{4,253}$/

/** Whether an address can be somebody's own at a company: at its domain, and neither a role's nor a free provider's. */
export function isWorkAddress(email: string, domain: string): boolean {
  if (!ADDRESS.test(email)) return false
  const host = email.split('@')[1] ?? ''
  const site = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  const isOwn = host === domain || (getDomain(host, { allowPrivateDomains: true }) ?? host) === site
  return isOwn && !isRoleAddress(email) && !isFreeAddress(email)
}

/**
 * Whether an address is written as a person's name is: `ada.pike@`, `apike@`, `ada@`, or with all their initials. The
 * one in their card may be their office's, and a name within another word (`diana@` for Ian) is somebody else's.
 */
export function isWrittenFromName(email: string, fullName: string): boolean {
  const plain = (local: string) => local.replaceAll(/[._'-]/g, '')
  const local = plain(searchFold(email.split('@')[0] ?? ''))
  const words = asciiNameWords(fullName)
  if (words.length > 1 && (local === words.join('') || local === words.map((word) => word.charAt(0)).join('')))
    return true
  return [...possibleLocalParts(fullName)].some((form) => plain(form) === local)
}

/** The words of a name in the letters that addresses are made of. */
export function asciiNameWords(fullName: string): string[] {
  return searchFold(fullName)
    .split(/[^a-z]+/)
    .filter(Boolean)
}
