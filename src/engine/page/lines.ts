import { foldText } from '../text/fold.ts'
import { collapseWhitespace, type Element, elementText } from './element.ts'
import { label } from './vocabulary.ts'

/** A run of inline text inside a line, with its element: "<b>Ada Pike</b>, CEO" has two. */
type Segment = { text: string; element: Element }
/** Text up to the next block element or line break, as a reader sees it. */
export type VisibleLine = { text: string; element: Element; segments: Segment[]; href: string | null }

const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const UNSEEN = new Set(
  'script style noscript template svg head iframe object select option textarea button canvas video audio map'.split(
    ' ',
  ),
)
/** Enough for the longest directory page. */
const MAX_LINES = 40_000

/** True for elements that a browser never shows. Modals are shown after a click, so they count as visible. */
function isUnseen(element: Element): boolean {
  return UNSEEN.has(element.tag) || Object.hasOwn(element.attrs, 'hidden')
}

/** The visible lines in `root` in reading order, without elements for which `skip` returns true. */
export function visibleLines(root: Element, skip: (element: Element) => boolean): VisibleLine[] {
  const lines: VisibleLine[] = []
  let segments: Segment[] = []
  let owner = root
  let href: string | null = null

  const flush = () => {
    const text = collapseWhitespace(joinSegments(segments))
    if (text && lines.length < MAX_LINES) {
      const kept = segments
        .map(({ text, element }) => ({ text: collapseWhitespace(text), element }))
        .filter((segment) => segment.text !== '')
      lines.push({ text, element: owner, segments: kept, href })
    }
    segments = []
  }
  const visit = (element: Element, block: Element, link: string | null) => {
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (segments.length === 0) {
          owner = block
          href = link
        }
        segments.push({ text: child, element })
        continue
      }
      if (isUnseen(child) || skip(child)) continue
      const target = child.tag === 'a' ? (child.attrs.href ?? link) : link
      if (child.tag === 'br' || child.tag === 'hr') {
        flush()
      } else if (INLINE.has(child.tag) && !isCardLink(child) && !isContactLink(child)) {
        visit(child, block, target)
      } else {
        flush()
        visit(child, child, target)
        flush()
      }
    }
  }
  visit(root, root, null)
  flush()
  return lines
}

/** A link around several elements is laid out as a block, although links are inline elements. */
function isCardLink(element: Element): boolean {
  return element.tag === 'a' && element.children.filter((child) => typeof child !== 'string').length > 1
}

const CONTACT_LABEL =
  /^(?:(?:view |my )?(?:linkedin|xing|twitter|github|facebook)(?: profile)?|in|x|profile|e-?mail(?: me)?|mail|write|message|contact|call|phone|v-?card|website|[^\s@]{1,64}(?:@| ?\[at\] ?)\S{3,100}|[+(]?[\d][\d\s()./-]{5,25})$/i

const FOREIGN_CONTACT_LABEL = new RegExp(`^(?:${label('contact')})$`)
const plainLabel = (text: string) =>
  text.length > 40
    ? ''
    : foldText(text)
        .replace(/[^\p{L}]+/gu, ' ')
        .trim()

/** Whether a link is a button to email, call or open a profile, which is separate from the text before it. */
function isContactLink(element: Element): boolean {
  if (element.tag !== 'a') return false
  const text = elementText(element, 160)
  return CONTACT_LABEL.test(text) || FOREIGN_CONTACT_LABEL.test(plainLabel(text))
}

/** A capital or a phone number. */
const STARTS_ANEW = /^(?:\p{Lu}|[+(]{0,2}\d[\d\s()./-]{5})/u

/** Adds a space where only the style sheet separates two elements: "…Vogel</span><span>Member…". */
function joinSegments(segments: readonly Segment[]): string {
  let text = ''
  let before: Segment | null = null
  for (const segment of segments) {
    const touching = before && before.element !== segment.element && before.element.parent === segment.element.parent
    const glued =
      touching && /\p{Ll}$/u.test(before?.text.slice(-2) ?? '') && STARTS_ANEW.test(segment.text.slice(0, 20))
    text += glued ? ` ${segment.text}` : segment.text
    before = segment
  }
  return text
}

/** Class and id of an element and its nearest ancestors, whose names hint at the content. */
export function classHints(element: Element, levels: number): string {
  let hints = ''
  for (let at: Element | null = element, i = 0; at && i < levels; at = at.parent, i++) {
    hints += ` ${at.attrs.class ?? ''} ${at.attrs.id ?? ''}`.slice(0, 400)
  }
  return hints.toLowerCase()
}

/** Tag and class of an element: elements with the same layout share both. */
export const tagAndClass = (element: Element | null) => `${element?.tag}.${(element?.attrs.class ?? '').slice(0, 80)}`
