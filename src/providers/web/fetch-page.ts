import { isoDate } from '../../days.ts'
import { readFeed } from '../../engine/feed/index.ts'
import { readWebPage } from '../../engine/page/index.ts'
import type { Answer, RequestOptions } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { ProviderDeps } from '../types.ts'
import { type Content, type Fingerprint, fingerprintOf, type Part, partsOf } from './content.ts'
import { reasonOf, refusalOf } from './reasons.ts'
import { paceOf, robotsOf } from './robots.ts'

/** What is kept of an answer so that the next request can ask whether it still holds. */
export type Validators = { etag: string | null; last_modified: string | null }
/** What was seen at the last fetch. */
export type Seen = Validators & { content_hash: string | null }

export type Read = Validators & Fingerprint & { outcome: 'read'; url: string; parts: Part[] } & Content

/** What fetching one address gave. Not there, not to be had, and not changed are three things. */
export type FetchedPage = Read | (Validators & { outcome: 'unchanged' }) | { outcome: 'gone'; reason: string } | Failed

/** `unreachable` when it is the site that cannot be had, not only this page. */
export type Failed = { outcome: 'failed'; reason: string; unreachable: boolean }

export type PageFetchOptions = { timeouts?: RequestOptions['timeouts']; maxBytes?: number; keepAlive?: boolean }

const MAX_BYTES = 5 * 1024 * 1024
/** A site that takes longer keeps the others waiting. */
const TIMEOUTS = { headers: 10_000, body: 10_000, total: 20_000 }
const ACCEPT =
  'text/html, application/xhtml+xml, application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5'
const XML = /^\s*(?:\uFEFF)?<(?:\?xml|rss|feed|rdf)/i
const HTML = /<(?:!doctype html|html|head|body|title|div|p|h[1-6]|main|article|section|a)[\s>]/i
/** Text holds no NUL; what was decoded wrongly is full of replacement characters. */
const BINARY_SAMPLE = 4_000

/**
 * Fetches one address, as robots.txt allows and no faster than it asks. An answer that says nothing new is
 * `unchanged`. Throws only when the caller's signal ends it.
 */
export async function fetchPage(
  deps: ProviderDeps,
  url: string,
  seen: Seen | null = null,
  { timeouts = TIMEOUTS, maxBytes = MAX_BYTES, keepAlive = true }: PageFetchOptions = {},
): Promise<FetchedPage> {
  const rules = await rulesFor(deps, url, timeouts)
  if ('outcome' in rules) return rules
  try {
    const answer = await deps.outbound.request(url, {
      headers: {
        accept: ACCEPT,
        ...(seen?.etag ? { 'if-none-match': seen.etag } : {}),
        ...(seen?.last_modified ? { 'if-modified-since': seen.last_modified } : {}),
      },
      redirects: 'follow',
      maxBytes,
      overflow: 'refuse',
      pace: paceOf(deps, rules.delayMs),
      signal: deps.signal,
      trust: 'public',
      timeouts,
      keepAlive,
    })
    if (new URL(answer.url).origin !== new URL(url).origin) {
      // A redirect has led to another site, which has rules of its own.
      const there = await rulesFor(deps, answer.url, timeouts)
      if ('outcome' in there) return there
    }
    return readAnswer(answer, seen, isoDate(deps.now()))
  } catch (error) {
    if (deps.signal.aborted) throw error
    if (error instanceof OutboundError && error.kind === 'too_large') {
      return failed(`The page is larger than ${Math.round(maxBytes / 1024 / 1024)} MB.`)
    }
    return failed(reasonOf(error), true)
  }
}

function failed(reason: string, unreachable = false): Failed {
  return { outcome: 'failed', reason, unreachable }
}

/** How slowly the page may be read, or why it may not. */
async function rulesFor(
  deps: ProviderDeps,
  url: string,
  timeouts: RequestOptions['timeouts'],
): Promise<Failed | { delayMs: number }> {
  const address = URL.parse(url)
  if (!address) return failed('The address is not a URL.')
  const robots = await robotsOf(deps, address.origin, timeouts)
  if (!robots.known) return failed(robots.reason, true)
  if (!robots.allows(url)) return failed('The robots.txt of the site asks not to read this page.')
  return { delayMs: robots.delayMs }
}

function readAnswer(answer: Answer, seen: Seen | null, today: string): FetchedPage {
  const { status } = answer
  if (status === 304) {
    return {
      outcome: 'unchanged',
      etag: header(answer, 'etag') ?? seen?.etag ?? null,
      last_modified: header(answer, 'last-modified') ?? seen?.last_modified ?? null,
    }
  }
  if (status === 404 || status === 410)
    return { outcome: 'gone', reason: `There is no page (the site answered ${status}).` }
  if (status < 200 || status >= 300) return failed(refusalOf(status))
  const content = contentOf(answer, today)
  if (typeof content === 'string') return failed(content)
  const parts = partsOf(content)
  const fingerprint = fingerprintOf(parts)
  const validators = { etag: header(answer, 'etag'), last_modified: header(answer, 'last-modified') }
  if (seen?.content_hash === fingerprint.content_hash) return { outcome: 'unchanged', ...validators }
  return { outcome: 'read', url: answer.url, parts, ...validators, ...fingerprint, ...content }
}

/** What came, by its type and its looks; a sentence when it is nothing we read. */
function contentOf(answer: Answer, today: string): Content | string {
  const type = (header(answer, 'content-type') ?? '').toLowerCase()
  const text = answer.text()
  const { url } = answer
  if (text.trim() === '') return 'The page was empty.'
  if (isBinary(text)) return 'What came is not a page.'
  const start = text.slice(0, 2_000)
  const isJson = /[/+]json/.test(type)
  if (isJson || XML.test(start) || (/xml/.test(type) && !/xhtml/.test(type))) {
    try {
      return { type: 'feed', feed: readFeed({ url, body: text }, today) }
    } catch {
      // XHTML begins like any other XML.
      if (isJson || !/<html[\s>]/i.test(start)) return 'The feed cannot be read.'
    }
  }
  if (!/html/.test(type) && !HTML.test(start)) return 'What came is not a page.'
  return { type: 'page', page: readWebPage({ url, html: text }) }
}

function isBinary(text: string): boolean {
  const sample = text.slice(0, BINARY_SAMPLE)
  if (sample.includes('\0')) return true
  let odd = 0
  for (const char of sample) {
    const code = char.charCodeAt(0)
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13)) odd++
  }
  return odd > sample.length / 10
}

function header({ headers }: Answer, name: string): string | null {
  const value = headers[name]
  // Longer ones are no validators but an attack on whoever stores them.
  return typeof value === 'string' && value.length <= 500 ? value : null
}
