// Parses the prose of an ideal customer profile (ICP): sizes, industries and places, wanted and excluded.
import { foldText } from '../text/fold.ts'
import { findIndustriesInText } from './industries.ts'
import { findPlacesInText, type NamedPlace } from './places.ts'
import { combineSizes, type FoundSizes, findSizes, type SizeRange } from './sizes.ts'

/** Null and empty where the ICP says nothing. */
export type Icp = {
  size: SizeRange | null
  /** Keys of the industry taxonomy. */
  industries: string[]
  places: NamedPlace[]
  excluded: { industries: string[]; places: NamedPlace[] }
}

const MAX_CHARS = 50_000
/** Real sentences are shorter, and the cost of the patterns is quadratic in the length. */
const MAX_SENTENCE_CHARS = 2_000
const HARMLESS = /\bnot (?:only|just|necessarily|limited to)\b|\bno matter\b|\bregardless of\b/gi
const NEGATION = new RegExp(
  String.raw`\b(?:(?:do not|don['’]?t|does not|cannot|can['’]?t|never|not|won['’]?t)(?: (?:work|deal|sell|go|engage|do business|target|serve|want|take|accept|partner|suited|interested|fit|a|good|for|in|to|with|after|on|any|pursue))*` +
    String.raw`|no(?! (?:fewer|less|more) than)|avoid(?:ing)?|exclud(?:e|es|ed|ing)|except(?:ing)?(?: for)?|other than|outside(?: of)?|apart from|but not|unlike|rather than|non(?=-(?!profit|government)))\b`,
  'gi',
)
/** The end of a negation's scope. */
const SCOPE_END =
  /[);]|\bbut\b|\bwith\b|\bthat\b|\bwho\b|\bwhich\b|\bbased\b|, (?=in\b|from\b|across\b|mainly\b|minimum\b|at least\b|over\b|up to\b|between\b|more than\b|with\b|\d)/i
/** "Sole practitioners are not a fit." */
const RULED_OUT =
  /\b(?:are|is)\s+(?:not (?:an? )?(?:good |great )?(?:fit|match|target|customer)|not (?:for us|suitable|relevant|our)|out\b|excluded|off[- ]limits)/i
/** Clauses about the sender's product, and about what customers lack. */
const OURS =
  /\b(?:we|our (?:product|platform|software|solution|tool|service)s?)\b[^.]{0,40}?\b(?:sell|offer|provide|build|make|deliver|help|supply)s?\b(?!\s(?:to|into)\b)[^.]*?(?=\b(?:to|for)\b|$)/gi
const LACKING = /\bwithout\b[^,.;]*/gi

const LABELLED = /^([\p{L} &/’'-]{2,40}):\s+(.*)$/u

type Label = { negative: boolean; places: boolean; industries: boolean; aside: boolean }
const NO_LABEL: Label = { negative: false, places: false, industries: false, aside: false }

function labelOf(text: string): Label {
  const label = foldText(text)
  return {
    negative:
      /\bnot\b|\bnon\b|\bno\b|bad fit|poor fit|exclu|avoid|\banti\b|disqualif|never|no-go|out of scope|don'?t/.test(
        label,
      ),
    places: /region|geograph|countr|location|where|market|territor|headquarter|\bhq\b|\bplaces?\b/.test(label),
    industries: /industr|sector|vertical|segment|target|compan|business|\bwho\b/.test(label),
    aside:
      /persona|buyer|title|\broles?\b|decision|contact|champion|stakeholder|pain|problem|trigger|\bwhy\b|use case|stack|budget|\bdeals?\b|messag|competit|pricing|\bproducts?\b|our (?:company|offer|platform|solution)|talk to/.test(
        label,
      ),
  }
}

export function parseIcp(markdown: string): Icp {
  const icp: Icp = { size: null, industries: [], places: [], excluded: { industries: [], places: [] } }
  const sizes: FoundSizes = { figures: [], words: [], alone: [] }
  let section = NO_LABEL
  for (const line of markdown.slice(0, MAX_CHARS).split('\n')) {
    const plain = line.replaceAll(/[*_`>]|^\s*(?:[-•+]|\d+[.)])\s/g, '').trim()
    const [, heading] = /^#+\s*(.*)$/.exec(plain) ?? /^([^.,:]{2,40}):$/.exec(plain) ?? []
    if (heading !== undefined) {
      section = labelOf(heading)
      continue
    }
    for (const sentence of plain.split(/(?<=[.;!?])\s+/)) {
      const [, given = '', body = ''] = LABELLED.exec(sentence.slice(0, MAX_SENTENCE_CHARS)) ?? [
        '',
        '',
        sentence.slice(0, MAX_SENTENCE_CHARS),
      ]
      const own = given ? labelOf(given) : section
      if (!own.aside) readSentence(body, given, { ...own, negative: own.negative || section.negative }, icp, sizes)
    }
  }
  icp.size = combineSizes(sizes)
  return icp
}

function readSentence(sentence: string, given: string, label: Label, icp: Icp, sizes: FoundSizes): void {
  const text = sentence.replaceAll(HARMLESS, ' ').replaceAll(LACKING, ' ').replaceAll(OURS, ' ')
  const parts = label.negative || RULED_OUT.test(text) ? [{ text, negative: true }] : split(text)
  for (const { text, negative } of parts) {
    const into = negative ? icp.excluded : icp
    for (const key of findIndustriesInText(text, { listed: label.industries || negative }))
      if (!into.industries.includes(key)) into.industries.push(key)
    for (const place of findPlacesInText(text, { expected: label.places || negative }))
      if (!into.places.some(({ name }) => name === place.name)) into.places.push(place)
  }
  const whole = foldText(`${given}: ${text}`)
  const read = findSizes(whole, (at) => label.negative || isNegated(whole, at))
  sizes.figures.push(...read.figures)
  sizes.words.push(...read.words)
  sizes.alone.push(...read.alone)
}

/** Whether a negation precedes the offset in the same clause. */
function isNegated(text: string, at: number): boolean {
  const clause =
    text
      .slice(0, at)
      .split(/[,;:()]/)
      .at(-1) ?? ''
  return clause.search(NEGATION) >= 0
}

/** Splits a sentence into wanted and excluded parts, in order. */
function split(text: string): { text: string; negative: boolean }[] {
  const parts: { text: string; negative: boolean }[] = []
  let at = 0
  for (const match of text.matchAll(NEGATION)) {
    if (match.index < at) continue
    parts.push({ text: text.slice(at, match.index), negative: false })
    const start = match.index + match[0].length
    const length = text.slice(start).search(SCOPE_END)
    at = length < 0 ? text.length : start + length
    parts.push({ text: text.slice(start, at), negative: true })
  }
  parts.push({ text: text.slice(at), negative: false })
  return parts
}
