import { decodePercentEncoding } from '../text/decode.ts'

/** Networks with hosts by country or device: de.linkedin.com shows whom www.linkedin.com shows. */
const NETWORKS = ['linkedin.com', 'xing.com', 'facebook.com', 'twitter.com', 'instagram.com']
/** Where a network's page is one level below a folder: before it stands an application, behind it a language or a dialog. */
const BELOW_FOLDER = /\/(?:in|profile)\/[^/]+/
const FOLDER = /^\/(?:in|pub|profile|people|person|users?|team)$/
const NOBODY = /\/(?:n\/?a|none|null|undefined|unknown|[-_.]+)$/
const ID_PARAMETER = /^(?:id|uid|(?:profile|user|member|person)_?id)$/i

/** One form for all addresses of a profile page; null for what is no such address ("N/A", a bare "linkedin.com/in/"). */
export function profileUrlKey(url: string): string | null {
  const parsed = parse(url)
  if (!parsed) return null
  const host = parsed.hostname.replace(/^www\./, '').replace(/\.$/, '')
  const network = host === 'x.com' ? 'twitter.com' : NETWORKS.find((name) => isWithin(host, name))
  const whole = pathOf(parsed, network !== undefined)
  const path = (network && BELOW_FOLDER.exec(whole)?.[0]) || whole
  // Sites that know people by number have one path for all of them.
  const ids = [...parsed.searchParams].filter(([name, value]) => ID_PARAMETER.test(name) && value !== '').sort()
  const query = network && path !== whole ? '' : ids.map(([name, value]) => `${name}=${value}`.toLowerCase()).join('&')
  if (!host.includes('.') || path === '' || ((FOLDER.test(path) || NOBODY.test(path)) && query === '')) return null
  return `${network ?? host}${path}${query && `?${query}`}`
}

function parse(url: string): URL | null {
  const text = url.trim()
  return URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
}

/** A path in the one form in which URLs are written: "/in//tom%68ill/" is "/in/tomhill". */
function pathOf({ pathname }: URL, isNetwork: boolean): string {
  const plain = decodePercentEncoding(pathname)
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\/+/g, '/')
  const url = new URL('https://host')
  // Names on networks have neither; elsewhere what follows may tell one person from another.
  url.pathname = isNetwork ? plain.replace(/[;?#\s].*$/s, '') : plain
  return url.pathname.replace(/(?:\/|%20)+$/, '').toLowerCase()
}

const isWithin = (host: string, site: string) => host === site || host.endsWith(`.${site}`)

/** Whether a page is one among others of a site that is no network: what a company shows of its people is nobody's own page. */
export function isPageOfSite(page: string, site: string): boolean {
  const host = /^[^/?]*/.exec(page)?.[0] ?? ''
  return isWithin(host, site) && !NETWORKS.includes(host)
}

/** A page in its one form, and in the form in which hashes were once made: host as given, no query. */
export function profileUrlForms(address: string, given: string): string[] {
  const forms = [address]
  const key = profileUrlKey(address)
  if (key) forms.push(key)
  const parsed = parse(given)
  if (parsed) {
    const path = parsed.pathname.replace(/\/+$/, '').toLowerCase()
    forms.push(`${parsed.hostname.replace(/^www\./, '')}${path}`)
  }
  return [...new Set(forms)]
}
