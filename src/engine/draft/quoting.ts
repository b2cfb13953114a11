import { cutText } from '../text/storable.ts'
import { ERASED } from './evidence.ts'

const MAX_CLAIM_CHARS = 400

/** A claim on one line, cut at a word when it is too long to quote. */
export function trimClaim(claim: string): string {
  return cutAtWord(claim.replace(/\s+/g, ' ').trim(), MAX_CLAIM_CHARS)
}

/** "OSLO, 3 November 2026 – ", "BERLIN, March 3, 2025 (Wire) -- ". */
const DATELINE = /^\p{Lu}[^–—]{2,80}?\d{4}[^–—]{0,40}?\s*(?:–|—|--)\s*/u

/** Removes the dateline of a press release from a sentence. */
export function stripDateline(sentence: string): string {
  return sentence.replace(DATELINE, '') || sentence
}

/** The source's sentence in a claim, without the words that detection adds before it and without the dateline. */
export function sourceStatement(claim: string, account: string): string {
  const rest = claim.startsWith(account) ? claim.slice(account.length) : claim
  const opening = /^[^:.]{0,40}: /.exec(rest)
  const sentence = claim.startsWith(account) && opening ? rest.slice(opening[0].length) : claim
  return trimClaim(stripDateline(sentence))
}

export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text
  const space = text.lastIndexOf(' ', limit - 1)
  return `${cutText(text, space > limit / 2 ? space : limit - 1)}…`
}

export function stripFullStop(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text
}

export function hostName(url: string | null | undefined): string | null {
  const parsed = url ? URL.parse(url) : null
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.hostname.replace(/^www\./, '') : null
}

/**
 * Text from outside must not become links, images or markup in the console or a chat. The marker of an erased person is not
 * escaped, so that it looks the same everywhere; the character after it that would make it a link is.
 */
export function escapeMarkdown(text: string): string {
  return text
    .split(ERASED)
    .map((part) => part.replace(/[\\`*_[\]<>#|~]/g, '\\$&'))
    .map((part, at) => (at === 0 ? part : part.replace(/^[(:]/, '\\$&')))
    .join(ERASED)
}

/** The sentences of a Markdown text without markup; a list item is a sentence. */
export function splitMarkdownSentences(markdown: string): string[] {
  const sentences: string[] = []
  for (const line of cutText(markdown, 50_000).split('\n')) {
    if (/^\s*(?:#|\||```|!\[)/.test(line)) continue
    const plain = line
      .replace(/^\s*(?:[-*+>]|\d{1,3}[.)])\s+/, '')
      .replace(/\*\*|__|`/g, '')
      .replace(/\s+/g, ' ')
      .trim()
    for (const sentence of plain.split(/(?<=[.!?]["”)]?) (?=[\p{Lu}“"(])/u)) if (sentence) sentences.push(sentence)
  }
  return sentences
}
