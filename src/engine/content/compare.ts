import { parseSerializedList } from '../json/parse-list.ts'
import type { SerializedList } from '../json/serialized-list.ts'
import type { PagePerson } from '../page/index.ts'
import { readJobTitle } from '../page/job-title.ts'
import { cutText } from '../text/storable.ts'
import type { ContentPart } from './index.ts'

/** A change of a page, as shown in the activity feed. */
export type PageChange = {
  meaningful: boolean
  /** 0 to 1. */
  confidence: number
  reason: string
  /** What was added: articles, and meaningful lines. */
  articles: ContentPart[]
  lines: string[]
  /** Most of the page is new because the site was rebuilt or moved, so its content may be old. */
  rebuilt: boolean
  /** People may have been added or removed, or may have another title. */
  staff: boolean
}

/** The parts of a page or feed that are compared. */
export type ComparedContent = {
  type: 'page' | 'feed'
  parts: readonly ContentPart[]
  people: SerializedList<PagePerson>
}

const MIN_SENTENCE_WORDS = 6
const MAX_TITLE_WORDS = 9
const MAX_QUOTED = 3
const MAX_QUOTE_CHARS = 120
/** A page with at least this many new parts, which are more than this share of the page, was rebuilt. */
const REBUILT_PARTS = 8
const REBUILT_SHARE = 0.6

/** Phrases of every site, which change with every redesign. */
const BOILERPLATE =
  /cookie|privacy|all rights reserved|terms (?:of|and)|newsletter|subscribe|sign (?:up|in)|log in|javascript|your (?:email|browser)|©|copyright|unsubscribe/i

/** Describes what is new on a page compared with the line hashes of its last visit. */
export function comparePage(kind: string, read: ComparedContent, known: ReadonlySet<string>): PageChange {
  const added = read.parts.filter(({ hash }) => !known.has(hash))
  const rebuilt = added.length >= REBUILT_PARTS && added.length / read.parts.length > REBUILT_SHARE
  const remark = rebuilt ? ' Most of the page is new, so only what is dated counts.' : ''
  const articles = unique(added.filter((part) => part.kind === 'article'))
  if (articles.length > 0) {
    const [one, many] =
      read.type === 'feed'
        ? ['entry in the feed', 'entries in the feed']
        : ['article on the page', 'articles on the page']
    const reason = `${counted(articles.length, 'new', one, many)}: ${quoted(articles.map(({ text, url }) => text || (url ?? '')))}.${remark}`
    // A feed entry is certainly an article; a link on a page is probably one.
    return {
      meaningful: true,
      confidence: read.type === 'feed' ? 0.95 : 0.85,
      reason,
      articles,
      lines: [],
      rebuilt,
      staff: true,
    }
  }
  const texts = added.filter((part) => part.kind === 'line').map(({ text }) => text)
  const named = kind === 'careers' ? texts.filter(isPosition) : kind === 'team' ? newPeople(read, texts) : []
  if (named.length > 0) {
    const [one, many] =
      kind === 'careers' ? ['position', 'positions'] : ['person on the team page', 'people on the team page']
    return found(0.75, `${counted(named.length, 'new', one, many)}: ${quoted(named)}.${remark}`, texts, rebuilt)
  }
  const sentences = texts.filter(isSentence)
  if (sentences.length > 0) {
    const confidence = Math.min(0.8, 0.55 + 0.05 * sentences.length)
    return found(
      confidence,
      `${counted(sentences.length, 'new', 'line of text', 'lines of text')}: ${quoted(sentences)}.${remark}`,
      sentences,
      rebuilt,
    )
  }
  if (texts.length > 0) return nothing(0.8, `Only labels changed: ${quoted(texts)}.`, texts.some(isPosition))
  const left = new Set(read.parts.map(({ hash }) => hash))
  const isShorter = [...known].some((hash) => !left.has(hash))
  const reason = isShorter ? 'Something was removed, and nothing was added.' : 'Only dates and numbers changed.'
  return nothing(0.9, reason, isShorter)
}

function found(confidence: number, reason: string, lines: string[], rebuilt: boolean): PageChange {
  return { meaningful: true, confidence, reason, articles: [], lines, rebuilt, staff: true }
}

function nothing(confidence: number, reason: string, staff: boolean): PageChange {
  return { meaningful: false, confidence, reason, articles: [], lines: [], rebuilt: false, staff }
}

function isSentence(line: string): boolean {
  return line.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length >= MIN_SENTENCE_WORDS && !BOILERPLATE.test(line)
}

function isPosition(line: string): boolean {
  return line.split(/\s+/).length <= MAX_TITLE_WORDS && readJobTitle(line) !== null
}

function newPeople({ people }: ComparedContent, lines: readonly string[]): string[] {
  return parseSerializedList(people)
    .filter(({ full_name }) => lines.some((line) => line.includes(full_name)))
    .map(({ full_name, title }) => `${full_name}, ${title}`)
}

function unique(parts: readonly ContentPart[]): ContentPart[] {
  return [...new Map(parts.map((part) => [part.hash, part])).values()]
}

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

function counted(count: number, what: string, one: string, many: string): string {
  return `${NUMBERS[count] ?? count} ${what} ${count === 1 ? one : many}`
}

function quoted(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_QUOTED).map((text) => `"${shorten(text)}"`)
  const left = texts.length - shown.length
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ')
}

function shorten(text: string): string {
  return text.length <= MAX_QUOTE_CHARS ? text : `${cutText(text, MAX_QUOTE_CHARS - 1).trimEnd()}…`
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

export function describeUnchanged(changedAt: string, now: Date): string {
  const since = new Date(changedAt)
  const year = since.getUTCFullYear() === now.getUTCFullYear() ? '' : ` ${since.getUTCFullYear()}`
  return `Nothing changed since ${DAY.format(since)}${year}.`
}
