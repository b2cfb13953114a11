import { getDomain } from 'tldts'
import type { PageLink } from './links.ts'

/** The company's accounts elsewhere: its GitHub organisations and its status pages. */
export type ServiceLinks = {
  github: CodeLink[]
  /** As origins. */
  status_pages: string[]
}

/** `isOrganisation`: the link leads to the organisation and not to a repository. */
export type CodeLink = { organisation: string; isOrganisation: boolean }

const MAX_LINKS = 5
const LOGIN = /^[a-z0-9](?:[a-z0-9-]{0,38})$/i
/** First path segments of GitHub's own pages. */
const NOT_LOGINS = new Set(
  (
    'about account apps blog collections contact customer-stories dashboard enterprise explore events features join login ' +
    'marketplace new notifications nonprofit orgs organizations pricing pulls issues readme search security sessions settings ' +
    'signup site skills solutions sponsors stars team topics trending users'
  ).split(' '),
)
const NOT_STATUS_PAGES = new Set(['www', 'manage', 'help', 'support', 'api', 'cdn', 'metastatuspage'])

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
  // An organisation's page has a second URL.
  if (first === 'orgs' && LOGIN.test(second)) return { organisation: second, isOrganisation: true }
  if (!LOGIN.test(first) || NOT_LOGINS.has(first.toLowerCase())) return null
  return { organisation: first, isOrganisation: segments.length === 1 }
}

/** A status page on the company's domain, or at the vendor whose format can be parsed. */
function isStatusPage({ hostname, port }: URL, own: string | null): boolean {
  if (port !== '') return false
  if (own !== null && hostname === `status.${own}`) return true
  const [label = '', ...vendor] = hostname.split('.')
  return vendor.join('.') === 'statuspage.io' && !NOT_STATUS_PAGES.has(label)
}
