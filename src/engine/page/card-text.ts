import { findCountryCode, US_STATES } from '../countries.ts'
import { type BasedIn, findBasedIn } from '../people/based-in.ts'
import type { Element } from './element.ts'
import { classHints, type VisibleLine, visibleLines } from './lines.ts'
import type { PagePerson } from './person.ts'
import { findPhones } from './phones.ts'

/** A longer text is a biography, a shorter one a label. */
const HEADLINE_CHARS = { least: 25, most: 300 }
export const MAX_PLACE_CHARS = 80
/** A biography is searched for a location up to this length. */
const MAX_BIO_CHARS = 2_000
/** A card is read again for every mention of its person, so only its top is read. */
const MAX_LINES = 100
const MAX_CHARS = 20_000
const PLACE_HINT = /(?:^|[\s_-])(?:location|city|place|office|based|region|standort|ort|lieu|ubicacion)(?:$|[\s_-])/
const PLACE_LABEL = /^(?:📍\s?|(?:based in|location\s?:|office\s?:|standort\s?:|lives in)\s+)/iu
/** Country abbreviations as short as a state's code. */
const SHORT_COUNTRY = /^(?:UK|US)$/

/** A line of a person's card that may contain a location or a headline. */
export type CardLine = {
  text: string
  place: string | null
  headline: string | null
  /** A location stated in a sentence; without a subject it is about the person of the card. */
  based: BasedIn | null
}

/** The lines at the top of a card that contain a location or a headline. */
export function readCardLines(card: Element): CardLine[] {
  const lines: CardLine[] = []
  let chars = 0
  for (const line of visibleLines(card, () => false)) {
    chars += line.text.length
    if (lines.length >= MAX_LINES || chars > MAX_CHARS) break
    if (/[@]|https?:/.test(line.text) || findPhones(line.text).length > 0) continue
    const place = readPlace(line)
    const headline = place ? null : readHeadline(line)
    const [based = null] = place ? [] : findBasedIn(line.text.slice(0, MAX_BIO_CHARS))
    if (place || headline || based) lines.push({ text: line.text, place, headline, based })
  }
  return lines
}

/** Adds location and headline from the lines of the person's card. */
export function addCardText(lines: readonly CardLine[], person: PagePerson): void {
  const [first] = person.full_name.split(' ')
  for (const { text, place, headline, based } of lines) {
    const isTheirs = based && (based.who === null || [first, person.full_name, 'He', 'She', 'They'].includes(based.who))
    if (isTheirs) person.location ??= based.place
    if (text.includes(person.full_name) || text.includes(person.title)) continue
    if (place) person.location ??= place
    else if (headline) person.headline ??= headline
    if (person.location !== undefined && person.headline !== undefined) return
  }
}

/** Letters and the punctuation of place names. */
export const isPlaceText = (text: string) => /^\p{L}[\p{L}\s,.'’()/-]*$/u.test(text)

/** A location by the line's class or label, or because it ends with a country or a state: "Leeds, United Kingdom". */
function readPlace(line: VisibleLine): string | null {
  if (line.text.length > MAX_PLACE_CHARS) return null
  const unlabelled = line.text.replace(PLACE_LABEL, '')
  const text = unlabelled.replace(/[.;]$/, '').trim()
  if (!isPlaceText(text) || text.split(' ').length > 8) return null
  if (unlabelled !== line.text || PLACE_HINT.test(classHints(line.element, 1))) return text
  const parts = text.split(',').map((part) => part.trim())
  const last = parts.at(-1) as string
  return parts.length > 1 &&
    (US_STATES.has(last) || SHORT_COUNTRY.test(last) || (last.length > 2 && findCountryCode(last)))
    ? text
    : null
}

/** The first sentence of a text about a person. */
function readHeadline({ text, href }: VisibleLine): string | null {
  if (href !== null || text.length < HEADLINE_CHARS.least || !/\p{Ll}/u.test(text)) return null
  const [sentence = ''] = text.split(/(?<=\p{Ll}{2}[.!?])\s/u)
  if (sentence.split(' ').length < 4 || sentence.length < HEADLINE_CHARS.least) return null
  return sentence.length <= HEADLINE_CHARS.most ? sentence : null
}
