import { decodePercentEncoding } from '../text/decode.ts'
import { webLink } from '../text/web-address.ts'

/** Resolves a link against the page's URL; null when the result is not http or https. */
export function absoluteUrl(href: string, base: string): string | null {
  if (href.length > 2_000) return null
  const url = URL.parse(href.trim(), URL.canParse(base) ? base : undefined)
  return url && webLink(url.href)
}

/** Whether a URL is a person's profile on a professional network. */
export function isNetworkUrl(href: string): boolean {
  if (href.length > 500) return false
  const url = URL.parse(href)
  if (!url) return false
  const host = url.hostname
  if (host === 'linkedin.com' || host.endsWith('.linkedin.com')) return /^\/(?:in|pub)\/[^/]/.test(url.pathname)
  return (host === 'xing.com' || host.endsWith('.xing.com')) && url.pathname.startsWith('/profile/')
}

/** Normalises a profile URL so that its spellings compare equal: https, no country host, no query, no trailing slash. */
export function canonicalNetworkUrl(href: string): string {
  const url = new URL(href)
  const host = url.hostname.endsWith('linkedin.com') ? 'www.linkedin.com' : 'www.xing.com'
  return `https://${host}${url.pathname.replace(/\/$/, '')}`
}

const EMAIL = /^[a-z0-9._%+'-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}$/

/** The lower-cased email address of a mailto link or of a text that is nothing else. */
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

/** A phone number as it is written, whitespace collapsed; null when it has too few or too many digits. */
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

/** Whether the text before a number labels it as a fax number. */
export const endsWithFaxLabel = (before: string) => FAX_LABEL.test(before.slice(-24))

/**
 * The first phone number in a text, as it is written. A number without a country code counts only after a label such as
 * "Tel." or where the text is nothing else, because years and reference numbers have as many digits. `before` is the text
 * that precedes `source`.
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

/** The last digits of a number, which are the same with and without a country code. */
export const phoneKey = (phone: string) => phone.replaceAll(/\D/g, '').slice(-8)
