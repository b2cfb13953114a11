// Parses the files that the GDELT Project publishes every 15 minutes: the Global Knowledge Graph 2.1 (an article per row)
// and the mentions of events (a mention of an event by an article per row). Both are tables without a header.
import { Parser } from 'htmlparser2'
import { findHeadlineSubjects, type HeadlineSubject } from '../companies/headline.ts'
import { type ListedArchive, unzipOnlyFile, ZipError } from '../content/zip.ts'
import { cutText, toStorable } from '../text/storable.ts'

export type GdeltTask = { articles: ListedArchive; mentions: ListedArchive | null }

export type GdeltArticle = {
  url: string
  title: string
  /** Names of organisations in the article, the most frequent first. */
  organisations: string[]
  /** The companies that the title reports signals of. */
  subjects: HeadlineSubject[]
  /** How many sites report an event of the article, as far as the mentions state. */
  outlets: number
}

type Unreadable = { outcome: 'damaged'; reason: string } | { outcome: 'misshapen' }

/** Articles without a page on the web or without a title are left out. `mentions`: whether these could be read. */
export type GdeltResult = { outcome: 'read'; articles: GdeltArticle[]; mentions: 'read' | Unreadable } | Unreadable

/** Many times a usual file, which has 50 MB in 2,500 rows. */
const MAX_FILE_BYTES = 400 * 1024 * 1024
const MAX_ROWS = 50_000
/** A row with all measures of a long article has some 100 kB. */
const MAX_ROW_BYTES = 4 * 1024 * 1024

/** A row that differs may be one of a thousand; more of them are another format. */
const MAX_BROKEN_SHARE = 0.02
/** Nearly every article on the web has a title. */
const MIN_TITLED_SHARE = 0.5

export async function parseGdeltFiles({ articles, mentions }: GdeltTask): Promise<GdeltResult> {
  const reach = new Map<string, number>()
  let read: 'read' | Unreadable = 'read'
  if (mentions) read = await orUnreadable(() => readMentions(mentions, reach))
  const found: GdeltArticle[] = []
  const outcome = await orUnreadable(() => readArticles(articles, found, reach))
  return outcome === 'read' ? { outcome: 'read', articles: found, mentions: read } : outcome
}

async function orUnreadable(read: () => Promise<'read' | Unreadable>): Promise<'read' | Unreadable> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    return { outcome: 'damaged', reason: error.message }
  }
}

/** Column numbers of the Global Knowledge Graph 2.1, which has 27. */
const ARTICLE = {
  ...{ id: 0, date: 1, collection: 2, url: 4, v1Organisations: 13, organisations: 14, tone: 15, extras: 26 },
  count: 27,
}
/** The collection of articles that are identified by their address on the web. */
const WEB = '1'
const MAX_TITLE_CHARS = 300
const MAX_NAMES = 60
const MAX_NAME_CHARS = 150

async function readArticles(
  file: ListedArchive,
  found: GdeltArticle[],
  reach: ReadonlyMap<string, number>,
): Promise<'read' | Unreadable> {
  const counts = { rows: 0, broken: 0, web: 0, titled: 0 }
  for await (const row of rowsOf(file, ARTICLE.count)) {
    counts.rows += 1
    const article = row && articleOf(row)
    if (!article) counts.broken += 1
    if (!article?.url) continue
    counts.web += 1
    if (!article.title) continue
    counts.titled += 1
    const { url, title, organisations } = article
    found.push({ url, title, organisations, subjects: findHeadlineSubjects(title), outlets: reach.get(url) ?? 1 })
  }
  const isOther = isMisshapen(counts) || counts.titled < counts.web * MIN_TITLED_SHARE
  return isOther ? { outcome: 'misshapen' } : 'read'
}

/** A period without any row does not occur, so a file without one is in another format. */
const isMisshapen = ({ rows, broken }: { rows: number; broken: number }) =>
  rows === 0 || broken > rows * MAX_BROKEN_SHARE

type Row = (column: number) => string

/** The columns that are used, and the types of those next to them; null when the row has other ones. */
function articleOf(row: Row): { url: string | null; title: string; organisations: string[] } | null {
  const [id, date, collection] = [row(ARTICLE.id), row(ARTICLE.date), row(ARTICLE.collection)]
  if (!/^\d{14}-T?\d+$/.test(id) || !/^\d{14}$/.test(date) || !/^\d$/.test(collection)) return null
  if (!/^-?\d+(?:\.\d+)?(?:e-?\d+)?(?:,|$)/i.test(row(ARTICLE.tone))) return null
  const organisations = organisationsOf(row)
  if (!organisations) return null
  if (collection !== WEB) return { url: null, title: '', organisations: [] }
  const url = row(ARTICLE.url)
  if (!/^https?:\/\/[^\s/]+/i.test(url) || !URL.canParse(url)) return null
  return { url, title: titleIn(row(ARTICLE.extras)), organisations }
}

/** "Acme Robotics,120;Tern Ltd,300;Acme Robotics,512": names with the position of each mention. */
function organisationsOf(row: Row): string[] | null {
  const found = new Map<string, number>()
  for (const mention of row(ARTICLE.organisations).split(';')) {
    if (mention === '') continue
    const name = /^(.+),\d+$/.exec(mention)?.[1]
    if (name === undefined) return null
    found.set(name, (found.get(name) ?? 0) + 1)
  }
  const names = [...found].sort(([, a], [, b]) => b - a).map(([name]) => name)
  // An article may have the older column only: names in lower case.
  const known = names.length > 0 ? names : row(ARTICLE.v1Organisations).split(';').filter(Boolean)
  return known.slice(0, MAX_NAMES).map((name) => toStorable(cutText(name, MAX_NAME_CHARS)))
}

function titleIn(extras: string): string {
  const title = /<PAGE_TITLE>(.*?)<\/PAGE_TITLE>/s.exec(extras)?.[1] ?? ''
  const text = title.includes('&') ? decodedText(title) : title
  return cutText(toStorable(text).replaceAll(/\s+/g, ' ').trim(), MAX_TITLE_CHARS)
}

function decodedText(html: string): string {
  let text = ''
  const parser = new Parser({ ontext: (part) => (text += part) }, { decodeEntities: true })
  parser.end(html)
  return text
}

/** Column numbers of the mentions, which have 16. */
const MENTION = { event: 0, time: 2, type: 3, source: 4, url: 5, confidence: 11, count: 16 }
const MAX_SOURCES = 1_000

/** How many sites report the most reported event of each article. */
async function readMentions(file: ListedArchive, reach: Map<string, number>): Promise<'read' | Unreadable> {
  const counts = { rows: 0, broken: 0 }
  const sources = new Map<string, Set<string>>()
  const events = new Map<string, string[]>()
  for await (const row of rowsOf(file, MENTION.count)) {
    counts.rows += 1
    const mention = row && mentionOf(row)
    if (!mention) counts.broken += 1
    if (!mention?.url) continue
    const known = sources.get(mention.event)
    if (!known) sources.set(mention.event, new Set([mention.source]))
    else if (known.size < MAX_SOURCES) known.add(mention.source)
    events.set(mention.url, [...(events.get(mention.url) ?? []), mention.event])
  }
  if (isMisshapen(counts)) return { outcome: 'misshapen' }
  for (const [url, of] of events) reach.set(url, Math.max(...of.map((event) => sources.get(event)?.size ?? 1)))
  return 'read'
}

function mentionOf(row: Row): { event: string; source: string; url: string | null } | null {
  const [event, type, confidence] = [row(MENTION.event), row(MENTION.type), row(MENTION.confidence)]
  if (!/^\d+$/.test(event) || !/^\d{14}$/.test(row(MENTION.time)) || !/^\d$/.test(type)) return null
  if (!/^\d{1,3}$/.test(confidence)) return null
  return { event, source: row(MENTION.source), url: type === WEB ? row(MENTION.url) : null }
}

const [TAB, LINE_FEED] = [9, 10]

/** The rows of a file, each null when it has another number of columns. Only columns that are used become strings. */
async function* rowsOf(file: ListedArchive, columns: number): AsyncGenerator<Row | null> {
  let rows = 0
  for await (const line of linesOf(file)) {
    rows += 1
    if (rows > MAX_ROWS) throw new ZipError('The file has too many rows.')
    yield toRow(line, columns)
  }
}

async function* linesOf(file: ListedArchive): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let length = 0
  for await (const chunk of unzipOnlyFile(file, MAX_FILE_BYTES)) {
    let from = 0
    for (let to = chunk.indexOf(LINE_FEED); to >= 0; to = chunk.indexOf(LINE_FEED, from)) {
      const rest = chunk.subarray(from, to)
      yield begun.length > 0 ? Buffer.concat([...begun, rest]) : rest
      begun = []
      length = 0
      from = to + 1
    }
    const rest = chunk.subarray(from)
    length += rest.length
    if (length > MAX_ROW_BYTES) throw new ZipError('The file has a row that is too long.')
    if (rest.length > 0) begun.push(rest)
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}

function toRow(line: Buffer, columns: number): Row | null {
  const ends: number[] = []
  for (let at = line.indexOf(TAB); at >= 0; at = line.indexOf(TAB, at + 1)) {
    if (ends.push(at) >= columns) return null
  }
  if (ends.length !== columns - 1) return null
  const last = line.at(-1) === 13 ? line.length - 1 : line.length
  return (column) => line.toString('utf8', column === 0 ? 0 : (ends[column - 1] as number) + 1, ends[column] ?? last)
}
