import { decodePercentEncoding } from '../text/decode.ts'
import { webLink } from '../text/web-address.ts'

/** An absolute http(s) address, or null; a page's own links may be relative to it. */
export function absoluteUrl(href: string, base: string): string | null {
  if (href.length > 2_000) return null
  const url = URL.parse(href.trim(), URL.canParse(base) ? base : undefined)
  return url && webLink(url.href)
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
    text = decodePercentEncoding((text.slice(7).split('?')[0] ?? '').trim())
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
  const text = plainDashes(source)
    .replace(/^tel:(?:\/\/)?/i, '')
    .replaceAll('%20', ' ')
    .replace(/(\+\d{1,3})\s?\(0\)/, '$1 ')
    .replace(/\s+/g, ' ')
    .trim()
  const digits = text.replace(/\D/g, '').length
  return digits >= 7 && digits <= 15 && /^[+(\d][\d\s()./-]*$/.test(text) ? text : null
}

const plainDashes = (text: string) => text.replaceAll(/(?<=\d)[‐‑‒–—](?=\d)/g, '-')

const PHONE = /(?<![\p{L}\p{N}+])\+?\(?\d(?:[\s()./-]{0,2}\d){6,14}(?![\p{L}\p{N}])/gu
const PHONE_LABEL =
  /(?:^|[^\p{L}])(?:tel|telephone|telefon|tél|téléphone|teléfono|phone|ph|mobile|mobil|cell|handy|direct|direct (?:line|dial)|durchwahl|office|call|t|m|p|d)[\s.:|)-]{0,4}$/iu
const FAX_LABEL = /(?:^|[^\p{L}])(?:(?:tele)?fax|f)[\s.:|)-]{0,4}$/iu

/** Whether what stands before a number says that it is a fax. */
export const endsWithFaxLabel = (before: string) => FAX_LABEL.test(before.slice(-24))

/**
 * The first telephone number in a text, as it is written. A number without its country's code counts only behind a label
 * such as "Tel." or where the text is nothing else: years and references have as many digits. `before` is what precedes the text.
 */
export function findPhone(source: string, before = ''): string | null {
  const text = plainDashes(source)
  for (const { 0: found, index } of text.matchAll(PHONE)) {
    const label = `${before} ${text.slice(0, index)}`.slice(-24)
    if (FAX_LABEL.test(label)) continue
    const isAlone = !/[\p{L}\p{N}]/u.test(text.slice(0, index) + text.slice(index + found.length))
    if (!isAlone && !/^(?:\+|00)/.test(found) && !PHONE_LABEL.test(label)) continue
    const phone = readPhone(found)
    if (phone) return phone
  }
  return null
}

/** A number by its last digits: the same whether it is written with its country's code or not. */
export const phoneKey = (phone: string) => phone.replaceAll(/\D/g, '').slice(-8)
