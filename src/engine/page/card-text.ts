import { findCountryCode, US_STATES } from '../countries.ts'
import { type BasedIn, findBasedIn } from '../people/based-in.ts'
import { findPhone } from './addresses.ts'
import type { Element } from './element.ts'
import { classHints, type VisibleLine, visibleLines } from './lines.ts'
import type { PagePerson } from './person.ts'

/** Longer is a life story, shorter a label. */
const HEADLINE_CHARS = { least: 25, most: 300 }
export const MAX_PLACE_CHARS = 80
/** Where somebody lives a text about them says early or at its end. */
const MAX_BIO_CHARS = 2_000
/** A card is read again for every mention of its person, and says who they are near its top. */
const MAX_LINES = 100
const MAX_CHARS = 20_000
const PLACE_HINT = /(?:^|[\s_-])(?:location|city|place|office|based|region|standort|ort|lieu|ubicacion)(?:$|[\s_-])/
const PLACE_LABEL = /^(?:📍\s?|(?:based in|location\s?:|office\s?:|standort\s?:|lives in)\s+)/iu
/** Short forms of countries that are as short as codes of states. */
const SHORT_COUNTRY = /^(?:UK|US)$/

/** A line that may say where somebody is, or who. */
export type CardLine = {
  text: string
  place: string | null
  headline: string | null
  /** Where a sentence says that somebody is; without a subject, the person of the card. */
  based: BasedIn | null
}

/** The lines at the top of a card that say something of whoever it is about. */
export function readCardLines(card: Element): CardLine[] {
  const told: CardLine[] = []
  let chars = 0
  for (const line of visibleLines(card, () => false)) {
    chars += line.text.length
    if (told.length >= MAX_LINES || chars > MAX_CHARS) break
    if (/[@]|https?:/.test(line.text) || findPhone(line.text)) continue
    const place = readPlace(line)
    const headline = place ? null : readHeadline(line)
    const [based = null] = place ? [] : findBasedIn(line.text.slice(0, MAX_BIO_CHARS))
    if (place || headline || based) told.push({ text: line.text, place, headline, based })
  }
  return told
}

/** Adds what a person's own card says beside name and title: where they are, and a sentence about them. */
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

/** A line that says so by its class or its words, or that ends in a country or a state: "Leeds, United Kingdom". */
/** Letters and the marks that stand in names of places. */
export const isPlaceText = (text: string) => /^\p{L}[\p{L}\s,.'’()/-]*$/u.test(text)

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

/** The first sentence of what is written about somebody. */
function readHeadline({ text, href }: VisibleLine): string | null {
  if (href !== null || text.length < HEADLINE_CHARS.least || !/\p{Ll}/u.test(text)) return null
  const [sentence = ''] = text.split(/(?<=\p{Ll}{2}[.!?])\s/u)
  if (sentence.split(' ').length < 4 || sentence.length < HEADLINE_CHARS.least) return null
  return sentence.length <= HEADLINE_CHARS.most ? sentence : null
}
