import { getDomain } from 'tldts'
import type { PageLink } from './links.ts'

/** Where else the company itself writes: its organisation with a host of source code, and the page that tells of outages. */
export type ServiceLinks = {
  github: CodeLink[]
  /** Origins. */
  status_pages: string[]
}

/** `isOrganisation`: the link is to the organisation, not to one of its repositories. */
export type CodeLink = { organisation: string; isOrganisation: boolean }

const MAX_LINKS = 5
const LOGIN = /^[a-z0-9](?:[a-z0-9-]{0,38})$/i
/** Pages of the host itself. */
const NOT_LOGINS = new Set(
  (
    'about account apps blog collections contact customer-stories dashboard enterprise explore events features join login ' +
    'marketplace new notifications nonprofit orgs organizations pricing pulls issues readme search security sessions settings ' +
    'signup site skills solutions sponsors stars team topics trending users'
  ).split(' '),
)
const NOT_STATUS_PAGES = new Set(['www', 'manage', 'help', 'support', 'api', 'cdn', 'metastatuspage'])

/** The organisations and status pages that a page links to, in reading order. */
export function findServiceLinks(found: readonly PageLink[], pageUrl: string): ServiceLinks {
  const own = getDomain(pageUrl)
  const github = new Map<string, CodeLink>()
  const statusPages = new Set<string>()
  for (const { element, url } of found) {
    if (element.tag !== 'a') continue
    const code = codeLinkOf(url)
    if (code && github.size < MAX_LINKS) {
      const key = code.organisation.toLowerCase()
      if (!github.get(key)?.isOrganisation) github.set(key, code)
    }
    if (isStatusPage(url, own) && statusPages.size < MAX_LINKS) statusPages.add(`https://${url.host}`)
  }
  return { github: [...github.values()], status_pages: [...statusPages] }
}

function codeLinkOf({ hostname, pathname }: URL): CodeLink | null {
  if (hostname !== 'github.com' && hostname !== 'www.github.com') return null
  const segments = pathname.split('/').filter(Boolean)
  const [first = '', second = ''] = segments
  // The other address of an organisation.
  if (first === 'orgs' && LOGIN.test(second)) return { organisation: second, isOrganisation: true }
  if (!LOGIN.test(first) || NOT_LOGINS.has(first.toLowerCase())) return null
  return { organisation: first, isOrganisation: segments.length === 1 }
}

/** One of its own, or with the vendor whose pages tell it in a form that is known. */
function isStatusPage({ hostname, port }: URL, own: string | null): boolean {
  if (port !== '') return false
  if (own !== null && hostname === `status.${own}`) return true
  const [label = '', ...vendor] = hostname.split('.')
  return vendor.join('.') === 'statuspage.io' && !NOT_STATUS_PAGES.has(label)
}
