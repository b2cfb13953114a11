import type { ResponseHeaders } from '../../../outbound/exchange.ts'
import { CrmError, type PulledPage } from './types.ts'

/** People fill the fields of a CRM freely, so every value is read leniently: another type or too long a text is no error. */

const MAX_INTEGER = 2_147_483_647
/** Amounts are stored with 18 digits, two of them after the point. */
const MAX_AMOUNT = 1e15
const DAY_MS = 86_400_000

/** Maximum lengths of texts. */
export const LENGTHS = { id: 100, currency: 3, short: 200, name: 300, email: 320, url: 2_000, long: 5_000 }

/** Reads values of vendors; null for a value that is empty or cannot be used. */
export const pulled = {
  /** A text without surrounding spaces, cut to a length. */
  text(value: unknown, length: keyof typeof LENGTHS): string | null {
    if (typeof value !== 'string' && typeof value !== 'number') return null
    return String(value).trim().slice(0, LENGTHS[length]).toWellFormed() || null
  },

  integer(value: unknown): number | null {
    const number = numberOf(value)
    return number !== null && number >= 0 && number <= MAX_INTEGER ? Math.round(number) : null
  },

  amount(value: unknown): number | null {
    const number = numberOf(value)
    return number !== null && Math.abs(number) < MAX_AMOUNT ? number : null
  },

  /** A moment in ISO 8601, of a date or of milliseconds since 1970. */
  instant(value: unknown): string | null {
    const time = typeof value === 'string' && !/^\d{11,}$/.test(value) ? Date.parse(value) : numberOf(value)
    const date = new Date(time ?? Number.NaN)
    // PostgreSQL and the API have years of four digits.
    return date.getTime() > -62_000_000_000_000 && date.getTime() < 253_000_000_000_000 ? date.toISOString() : null
  },

  /** The day of a date or a moment, `YYYY-MM-DD` in UTC. */
  day(value: unknown): string | null {
    return pulled.instant(value)?.slice(0, 10) ?? null
  },
}

function numberOf(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

export function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

const FORMER = /\b(former|ex|past|previous|lost|churned|inactive|cancell?ed|terminated)\b/i
const CHURNED = /^churn$|\bchurned\b/i
const CUSTOMER = /\b(customer|client)s?\b/i
/** Words of companies that are not, or not yet, customers of ours. */
const OTHER = /\b(non|not|no|never|competitors?|partners?|prospects?|prospective|potential|targets?|leads?)\b/i

/** Whether the words of a stage or a type mean a present or a former customer. */
export function customerState(words: string): { is_customer: boolean; is_former_customer: boolean } {
  const label = words.trim().replace(/\bno longer\b/i, 'former')
  const isNamed = CUSTOMER.test(label) && !OTHER.test(label)
  const isFormer = !/\brisk\b/i.test(label) && (CHURNED.test(label) || (FORMER.test(label) && isNamed))
  const isCustomer = isNamed && !isFormer
  return { is_customer: isCustomer, is_former_customer: isFormer }
}

/**
 * The time of the vendor's clock, in milliseconds: modification dates are of this clock, which may differ from ours.
 * Without the header, a day earlier by our clock, which reads more records again and loses none.
 */
export function vendorTime(headers: ResponseHeaders): number {
  const { date } = headers
  const time = Date.parse(String(date ?? ''))
  return Number.isNaN(time) ? Date.now() - DAY_MS : time
}

/** More pages than a list that is read at once has, such as that of owners. */
const MAX_PAGES = 200

/** Reads the pages of a list, each with the address of the next. Throws CrmError for a list without an end. */
export async function* eachPage<P extends { next: string | null }>(
  label: string,
  read: (next: string | null) => Promise<P>,
): AsyncGenerator<P> {
  let next: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: P = await read(next)
    yield page
    next = page.next
    if (next === null) return
  }
  throw new CrmError('refused', `${label} gave more than ${MAX_PAGES} pages of a list.`)
}

/** Throws CrmError when the next page is the one that was just read, which would be read forever. */
export function requireAnotherPage(label: string, before: string | null, next: string | null): void {
  if (next !== null && next === before)
    throw new CrmError('busy', `${label} gave the same page twice. Try again in a few minutes.`)
}

/** The page of an object that may not be read: it is read from the same position when the right is given. */
export function unreadablePage<T>(position: string | null): PulledPage<T> {
  return { records: [], gone: [], position: position ?? '', is_last: true, is_unreadable: true }
}

/** A stored position; null for none, and for one of another format, so that everything is read again. */
export function parsePullPosition<T extends { phase: string }>(
  position: string | null,
  phases: readonly string[],
): T | null {
  if (!position) return null
  try {
    const parsed = JSON.parse(position) as T | null
    return parsed && phases.includes(parsed.phase) ? parsed : null
  } catch {
    return null
  }
}

/** A value that is read at its first use; a failure is not kept. */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return reading
  }
}
