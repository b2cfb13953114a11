/** An absolute http(s) address, or null; a page's own links may be relative to it. */
export function absoluteUrl(href: string, base: string): string | null {
  if (href.length > 2_000) return null
  const url = URL.parse(href.trim(), URL.canParse(base) ? base : undefined)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null
}

/** A person's page on a professional network, not a company's. */
export function isNetworkUrl(href: string): boolean {
  if (href.length > 500) return false
  const url = URL.parse(href)
  if (!url) return false
  const host = url.hostname
  if (host === 'linkedin.com' || host.endsWith('.linkedin.com')) return /^\/(?:in|pub)\/[^/]/.test(url.pathname)
  return (host === 'xing.com' || host.endsWith('.xing.com')) && url.pathname.startsWith('/profile/')
}

/** One address in several spellings compares equal: https, no country host, no query, no trailing slash. */
export function canonicalNetworkUrl(href: string): string {
  const url = new URL(href)
  const host = url.hostname.endsWith('linkedin.com') ? 'www.linkedin.com' : 'www.xing.com'
  return `https://${host}${url.pathname.replace(/\/$/, '')}`
}

const EMAIL = /^[a-z0-9._%+'-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}$/

/** The address in a mailto link or a plain text that is nothing else; lower case. */
export function readEmail(source: string): string | null {
  if (source.length > 400) return null
  let text = source.trim()
  if (/^mailto:/i.test(text)) {
    text = (text.slice(7).split('?')[0] ?? '').trim()
    try {
      text = decodeURIComponent(text)
    } catch {
      // a stray percent sign: the text stands as it is
    }
  }
  text = text
    .toLowerCase()
    .replace(/\s*[[(]at[\])]\s*/, '@')
    .replace(/\s*[[(]dot[\])]\s*/g, '.')
  return EMAIL.test(text) ? text : null
}

/** A telephone number as it is written, blanks folded; null when there are too few or too many digits. */
export function readPhone(source: string): string | null {
  if (source.length > 60) return null
  const text = source.replace(/^tel:/i, '').replaceAll('%20', ' ').replace(/\s+/g, ' ').trim()
  const digits = text.replace(/\D/g, '').length
  return digits >= 7 && digits <= 15 && /^[+(\d][\d\s()./-]*$/.test(text) ? text : null
}
