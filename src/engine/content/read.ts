// Parses the bytes of a response into a page or a feed, with its parts and its fingerprint.

import { readFeed } from '../feed/index.ts'
import { serializeList } from '../json/serialized-list.ts'
import { readWebPage } from '../page/index.ts'
import { decodeText } from '../text/decode.ts'
import { type Content, type ContentPart, contentParts, type Fingerprint, fingerprintContent } from './index.ts'

/** The body of a response, its content type and its final URL. */
export type RawDocument = { url: string; body: Uint8Array; contentType: string }

export type ReadContent =
  | ({ outcome: 'read'; parts: ContentPart[] } & Fingerprint & Content)
  | { outcome: 'unchanged'; every_seconds?: number }
  | { outcome: 'unreadable'; reason: string }

const XML = /^\s*(?:\uFEFF)?<(?:\?xml|rss|feed|rdf)/i
const HTML = /<(?:!doctype html|html|head|body|title|div|p|h[1-6]|main|article|section|a)[\s>]/i
/** Characters tested for NUL and replacement characters, which text does not contain. */
const BINARY_SAMPLE = 4_000

/** `known` is the content hash of the last visit. */
export function parseContent({
  today,
  known,
  ...came
}: RawDocument & { today: string; known: string | null }): ReadContent {
  const content = contentOf(came, today)
  if (typeof content === 'string') return { outcome: 'unreadable', reason: content }
  const parts = contentParts(content)
  const fingerprint = fingerprintContent(parts)
  if (known === fingerprint.content_hash) {
    const every_seconds = content.type === 'feed' ? content.feed.every_seconds : undefined
    return { outcome: 'unchanged', ...(every_seconds !== undefined && { every_seconds }) }
  }
  return { outcome: 'read', parts, ...fingerprint, ...content }
}

/** Detects the type of content by content type and first characters; a string is the reason why it cannot be read. */
function contentOf({ url, body, contentType }: RawDocument, today: string): Content | string {
  const type = contentType.toLowerCase()
  const text = decodeText(body, contentType)
  if (text.trim() === '') return 'The page was empty.'
  if (isBinary(text)) return 'The response is not a page.'
  const start = text.slice(0, 2_000)
  const isJson = /[/+]json/.test(type)
  if (isJson || XML.test(start) || (/xml/.test(type) && !/xhtml/.test(type))) {
    try {
      return { type: 'feed', feed: readFeed({ url, body: text }, today) }
    } catch {
      // XHTML starts like any other XML.
      if (isJson || !/<html[\s>]/i.test(start)) return 'The feed cannot be read.'
    }
  }
  if (!/html/.test(type) && !HTML.test(start)) return 'The response is not a page.'
  const page = readWebPage({ url, html: text, today })
  return { type: 'page', page: { ...page, people: serializeList(page.people) } }
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
