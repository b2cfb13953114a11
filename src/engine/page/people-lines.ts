import { readPersonName } from '../people/person-name.ts'
import { foldText } from '../text/fold.ts'
import { isAddressedToAll } from '../titles/gender-forms.ts'
import type { Element } from './element.ts'
import { readJobTitle, tidyTitle } from './job-title.ts'
import { classHints, tagAndClass, type VisibleLine } from './lines.ts'
import type { NameTitlePair } from './person.ts'
import { label } from './vocabulary.ts'

/** A longer line is prose: only a name in bold at its beginning is read. */
const MAX_LINE_CHARS = 200
/** Lines between a name and its title: pronouns, credentials or a company. */
const MAX_LINES_BETWEEN = 1
const SEPARATORS = [' – ', ' — ', ' | ', ' - ', ' · ', ' • ', ' / ', ': ', ', ', '—', ' (']

/** A link to the home page has the company's name. */
const HOME = /^(?:https?:\/\/[^/?#]+)?\/$/

type Reading = { line: VisibleLine; name: string | null; title: string | null }

/** Pairs of name and title in one line ("Ada Pike, CEO"), then of a name line and an adjacent title line. */
export function findPairsInLines(lines: readonly VisibleLine[], { adjacent = true } = {}): NameTitlePair[] {
  const pairs: NameTitlePair[] = []
  const readings: Reading[] = []
  for (const line of lines) {
    const pair = pairInLine(line)
    if (pair) {
      pairs.push(pair)
      readings.push({ line, name: null, title: null })
      continue
    }
    const short = line.text.length <= MAX_LINE_CHARS
    const name = short && !HOME.test(line.href ?? '') ? readPersonName(line.text) : null
    readings.push({ line, name, title: short && !name ? readTitleLine(line) : null })
  }
  return adjacent ? [...pairs, ...pairsOfNeighbours(readings)] : pairs
}

/** "Geschäftsführung" as a heading is a section; as a label it is a title. */
const LEADERS = new RegExp(`^(?:${label('leaders')})$`)

/** The title of a line, also when prose follows it: "<b>Creative Director</b> – leads the brand". */
function readTitleLine(line: VisibleLine): string | null {
  // A vacancy, whatever name is next to it.
  if (isAddressedToAll(line.text)) return null
  if (LEADERS.test(foldText(line.text)) && /^h[1-3]$/.test(line.element.tag)) return null
  const whole = readJobTitle(line.text)
  if (whole) return whole
  const [first] = line.segments
  return first && line.segments.length > 1 && isEmphasis(first.element) ? readJobTitle(first.text) : null
}

const EMPHASIS = new Set(['b', 'strong', 'em', 'i', 'span', 'a', 'font', 'cite'])
const isEmphasis = (element: Element) => EMPHASIS.has(element.tag)

function pairInLine(line: VisibleLine): NameTitlePair | null {
  const [first, second] = line.segments
  if (first && second && line.segments.length <= 8) {
    const byTag = pairInSegments(line)
    if (byTag) return byTag
  }
  if (line.text.length > MAX_LINE_CHARS) return null
  const withCredentials = pairAfterCredentials(line)
  if (withCredentials) return withCredentials
  for (const separator of SEPARATORS) {
    const at = line.text.indexOf(separator)
    if (at <= 0) continue
    const left = line.text.slice(0, at)
    const right = line.text.slice(at + separator.length)
    const name = readPersonName(left)
    const title = name ? readJobTitle(separator === ' (' ? right.replace(/\).*$/s, '') : right) : null
    if (name && title) return { full_name: name, title, element: line.element }
    if (name || separator === ', ' || separator === ' (') continue
    const reversed = readPersonName(right.split(',')[0] ?? '')
    const titleLeft = reversed ? readJobTitle(left) : null
    if (reversed && titleLeft) return { full_name: reversed, title: titleLeft, element: line.element }
  }
  return null
}

/** "Ada Pike, MBA, Head of Data": credentials between the name and the title. */
function pairAfterCredentials(line: VisibleLine): NameTitlePair | null {
  const parts = line.text.split(', ')
  for (let i = 2; i < Math.min(parts.length, 5); i++) {
    const name = readPersonName(parts.slice(0, i).join(', '))
    const title = name ? readJobTitle(parts.slice(i).join(', ')) : null
    if (name && title) return { full_name: name, title, element: line.element }
  }
  return null
}

/** Name and title separated by markup inside a line: "<b>Ada</b> <b>Pike</b> <i>CEO</i>". */
function pairInSegments(line: VisibleLine): NameTitlePair | null {
  const { segments } = line
  for (let length = 1; length <= Math.min(3, segments.length - 1); length++) {
    const joined = segments
      .slice(0, length)
      .map((segment) => segment.text)
      .join(' ')
      .replaceAll(' ,', ',')
    const name = readPersonName(joined)
    if (!name) continue
    const rest = segments.slice(length)
    const follower = rest.map((segment) => segment.text).join(' ')
    const next = rest.find((segment) => /\p{L}/u.test(segment.text))
    const title =
      (next ? readJobTitle(next.text) : null) ??
      readJobTitle(follower) ??
      (length === 1
        ? (titleInSentence(follower, segments[0]?.element) ?? titleBeforeStop(follower, segments[0]?.element))
        : null)
    if (title) return { full_name: name, title, element: segments[0]?.element ?? line.element }
  }
  const last = segments[segments.length - 1]
  const before = segments[segments.length - 2]
  if (segments.length === 2 && last && before) {
    const name = readPersonName(last.text)
    const title = name ? readJobTitle(before.text) : null
    if (name && title) return { full_name: name, title, element: last.element }
  }
  // "<b>Ada Pike, Head of Data</b>, looks after …"
  const [first] = segments
  if (first && first.text.length <= MAX_LINE_CHARS && isEmphasis(first.element) && first.text.includes(', ')) {
    return pairInLine({ text: first.text, element: first.element, segments: [], href: null })
  }
  return null
}

const IS_OUR = /^(?:is|ist|est) (?:our |the |unser |unsere |notre |a )?/

/** "<b>Ada Pike</b> is our head baker and owner. She …": the words up to the first full stop. */
function titleInSentence(text: string, nameElement: Element | undefined): string | null {
  if (nameElement?.tag !== 'b' && nameElement?.tag !== 'strong') return null
  const opening = IS_OUR.exec(text.slice(0, 40))
  if (!opening) return null
  const rest = text.slice(opening[0].length, opening[0].length + 120)
  const stop = rest.search(/[.,;(]| who | where | with | based /)
  const words = (stop < 0 ? rest : rest.slice(0, stop)).trim()
  if (words.split(' ').length > 8) return null
  // A title in a sentence is in lower case, but readJobTitle requires a capital.
  return readJobTitle(words.charAt(0).toUpperCase() + words.slice(1)) ? words : null
}

/** "<b>Ada Pike</b>, Head of Data. Call her on …": the words up to the first full stop. */
function titleBeforeStop(text: string, nameElement: Element | undefined): string | null {
  if (nameElement?.tag !== 'b' && nameElement?.tag !== 'strong') return null
  const [, words] = /^[\s,:–—-]{1,3}([^.;!?]{2,80})[.;]\s/.exec(text.slice(0, 90)) ?? []
  return words ? readJobTitle(words) : null
}

function pairsOfNeighbours(readings: readonly Reading[]): NameTitlePair[] {
  const shapes = new Map<string, number>()
  const chosen: { name: number; title: number }[] = []
  const used = new Set<number>()
  const order = usualOrder(readings)
  for (let i = 0; i < readings.length; i++) {
    const at = readings[i] as Reading
    if (!at.name) continue
    const after = neighbour(readings, i, 1)
    const before = neighbour(readings, i, -1)
    const best = chooseTitle(readings, i, after, before, order)
    if (best === null || used.has(best)) continue
    used.add(best)
    chosen.push({ name: i, title: best })
    const shape = shapeOf(at.line, (readings[best] as Reading).line)
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1)
  }
  const paired = new Set(chosen.map(({ name }) => name))
  const pairs = chosen.map(({ name, title }) => toPair(readings, name, (readings[title] as Reading).title))
  // After two pairs with the same markup, a third with that markup is a person too, whatever the title is.
  for (let i = 0; i + 1 < readings.length; i++) {
    const [at, next] = [readings[i] as Reading, readings[i + 1] as Reading]
    if (!at.name || paired.has(i) || next.name || used.has(i + 1)) continue
    const title = tidyTitle(next.line.text)
    const known = shapes.get(shapeOf(at.line, next.line)) ?? 0
    if (title && !/\d/.test(title) && title.split(' ').length <= 6 && (known >= 2 || isMarkedAsTitle(next.line)))
      pairs.push(toPair(readings, i, title))
  }
  return pairs
}

function toPair(readings: readonly Reading[], i: number, title: string | null): NameTitlePair {
  const { line, name } = readings[i] as Reading
  return { full_name: name ?? '', title: title ?? '', element: line.element }
}

const TITLE_HINT =
  /(?:^|[\s_-])(?:job-?title|jobtitle|position|role|poste|cargo|designation|team-job|funktion)(?:$|[\s_-])/

/** Whether the class of the line's element marks a title. */
function isMarkedAsTitle(line: VisibleLine): boolean {
  return TITLE_HINT.test(classHints(line.element, 1))
}

/** The index of a title line next to a name line, or null. */
function neighbour(readings: readonly Reading[], i: number, step: 1 | -1): number | null {
  for (let gap = 0; gap <= MAX_LINES_BETWEEN; gap++) {
    const at = readings[i + step * (gap + 1)]
    if (!at || at.name) return null
    if (at.title) return i + step * (gap + 1)
    if (at.line.text.length > 40) return null // Prose ends the card.
  }
  return null
}

/** The title that shares the smaller block with the name; for equal blocks, the page's usual order decides. */
function chooseTitle(
  readings: readonly Reading[],
  i: number,
  after: number | null,
  before: number | null,
  order: 1 | -1,
): number | null {
  if (before === null) return after
  // A title above a name counts where that is the page's order, or where both are in a block together.
  const name = (readings[i] as Reading).line.element
  const above = (readings[before] as Reading).line.element
  const close = above.parent === name.parent || above === name
  if (after === null) return order < 0 || close ? before : null
  // Of two blocks around the name, the one that begins later is smaller.
  const shared = (j: number) => sharedBlock(name, (readings[j] as Reading).line.element)
  const difference = shared(after) - shared(before)
  if (difference !== 0) return difference > 0 ? after : before
  return order > 0 ? after : before
}

/** 1 when titles follow names on this page, -1 when they precede them; the first adjacent pair decides. */
function usualOrder(readings: readonly Reading[]): 1 | -1 {
  const first = readings.find(
    (reading, i) => (reading.title && readings[i + 1]?.name) || (reading.name && readings[i + 1]?.title),
  )
  return first?.title ? -1 : 1
}

/** The number of the smallest block that contains both. */
function sharedBlock(a: Element, b: Element): number {
  let at = a
  while (at.parent && (b.number < at.number || b.number > at.last)) at = at.parent
  return at.number
}

function shapeOf(name: VisibleLine, title: VisibleLine): string {
  return [name.element, title.element, name.element.parent].map(tagAndClass).join('>')
}
