import { decodePercentEncoding } from '../text/decode.ts'

/** Networks with hosts per country or device: de.linkedin.com and www.linkedin.com show the same profiles. */
const NETWORKS = ['linkedin.com', 'xing.com', 'facebook.com', 'twitter.com', 'instagram.com']
/** The part of a path that identifies a profile; an application path may precede it, a language or a dialog may follow. */
const BELOW_FOLDER = /\/(?:in|profile)\/[^/]+/
const FOLDER = /^\/(?:in|pub|profile|people|person|users?|team)$/
const NO_PROFILE = /\/(?:n\/?a|none|null|undefined|unknown|[-_.]+)$/
const ID_PARAMETER = /^(?:id|uid|(?:profile|user|member|person)_?id)$/i

/** One key for all spellings of a profile URL; null for a text that is no such URL ("N/A", a bare "linkedin.com/in/"). */
export function profileUrlKey(url: string): string | null {
  const parsed = parse(url)
  if (!parsed) return null
  const host = parsed.hostname.replace(/^www\./, '').replace(/\.$/, '')
  const network = host === 'x.com' ? 'twitter.com' : NETWORKS.find((name) => isWithin(host, name))
  const whole = pathOf(parsed, network !== undefined)
  const path = (network && BELOW_FOLDER.exec(whole)?.[0]) || whole
  // Sites that identify people by a number in the query use one path for all of them.
  const ids = [...parsed.searchParams].filter(([name, value]) => ID_PARAMETER.test(name) && value !== '').sort()
  const query = network && path !== whole ? '' : ids.map(([name, value]) => `${name}=${value}`.toLowerCase()).join('&')
  if (!host.includes('.') || path === '' || ((FOLDER.test(path) || NO_PROFILE.test(path)) && query === '')) return null
  return `${network ?? host}${path}${query && `?${query}`}`
}

function parse(url: string): URL | null {
  const text = url.trim()
  return URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
}

/** A path in normalised form: "/in//tom%68ill/" is "/in/tomhill". */
function pathOf({ pathname }: URL, isNetwork: boolean): string {
  const plain = decodePercentEncoding(pathname)
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\/+/g, '/')
  const url = new URL('https://host')
  // Profile names on networks contain neither of these characters; on other sites the rest can identify the person.
  url.pathname = isNetwork ? plain.replace(/[;?#\s].*$/s, '') : plain
  return url.pathname.replace(/(?:\/|%20)+$/, '').toLowerCase()
}

const isWithin = (host: string, site: string) => host === site || host.endsWith(`.${site}`)

/**
 * Whether a profile page belongs to the given site and not to a network: a company's page about a person does not identify the
 * person.
 */
export function isPageOfSite(page: string, site: string): boolean {
  const host = /^[^/?]*/.exec(page)?.[0] ?? ''
  return isWithin(host, site) && !NETWORKS.includes(host)
}

/** The forms of a profile URL that are hashed: the current key, and the older form with the host as given and no query. */
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
