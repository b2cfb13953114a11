import { MAX_NAMESAKES, nameKey } from '../people/person-name.ts'
import {
  absoluteUrl,
  canonicalNetworkUrl,
  endsWithFaxLabel,
  findPhone,
  isNetworkUrl,
  phoneKey,
  readEmail,
  readPhone,
} from './addresses.ts'
import { memoizeByElement } from './boilerplate.ts'
import { addCardText, type CardLine, readCardLines } from './card-text.ts'
import { type Element, elementText, walkElements } from './element.ts'
import { classHints } from './lines.ts'
import { isSamePerson } from './merge-mentions.ts'
import type { NameTitlePair, PagePerson } from './person.ts'

/** Ancestors of a name that can be its card; further out are the links of the page. */
const MAX_CLIMB = 6
/** Ancestors whose text is about the person: the block of the name and the two around it. */
const MAX_CLOSE = 3

/** Adds profile link, email, phone and picture from each person's own card. */
export function attachContacts(pairs: readonly NameTitlePair[], baseUrl: string): PagePerson[] {
  const owners = ownersOf(pairs, baseUrl)
  const held = holdersOf(pairs, owners)
  const cards = cardsOf(baseUrl)
  const siblingsByCard = new FollowingSiblings(held)
  return pairs.map((pair) => personIn(pair, held, cards, siblingsByCard))
}

const COMPANY_BLOCK = new Set(['header', 'footer', 'nav', 'address'])
const COMPANY_HINT = /(?:^|[\s_-])(?:contacts?|kontakt|impressum|imprint|contacto?|address)(?:$|[\s_-])/

/** Removes phone numbers that several people share or that the page shows as the company's. */
export function removeSharedPhones(
  root: Element,
  pairs: readonly NameTitlePair[],
  people: readonly PagePerson[],
): PagePerson[] {
  const owner = new Map<string, string | null>()
  for (const { full_name, phone } of people) {
    if (!phone) continue
    const [key, name] = [phoneKey(phone), nameKey(full_name)]
    owner.set(key, (owner.get(key) ?? name) === name && owner.get(key) !== null ? name : null)
  }
  if (owner.size === 0) return [...people]
  const around = new Set<Element>()
  for (const { element } of pairs) {
    for (let at: Element | null = element; at && !around.has(at); at = at.parent) around.add(at)
  }
  walkElements(root, (element) => {
    if (around.has(element)) return undefined
    if (!COMPANY_BLOCK.has(element.tag) && !COMPANY_HINT.test(classHints(element, 1))) return undefined
    for (const key of phonesIn(element)) owner.set(key, null)
    return false
  })
  return people.map((person) => {
    if (!person.phone || owner.get(phoneKey(person.phone)) !== null) return person
    const { phone: _, ...rest } = person
    return rest
  })
}

/** The keys of all phone numbers in a block. */
function phonesIn(block: Element): string[] {
  const keys: string[] = []
  const visit = ({ attrs, children }: Element) => {
    const linked = /^tel:/i.test(attrs.href ?? '') ? readPhone(attrs.href ?? '') : null
    if (linked) keys.push(phoneKey(linked))
    for (const child of children) {
      const phone = typeof child === 'string' && child.length <= MAX_TEXT_CHARS ? findPhone(child) : null
      if (phone) keys.push(phoneKey(phone))
    }
    return undefined
  }
  visit(block)
  walkElements(block, visit)
  return keys
}

/**
 * The person of each pair, as the index of that person's first pair. One card may name its person twice (in the picture's
 * description and in the heading), and two cards may be of two people with the same name: the contacts closest to each
 * mention decide.
 */
function ownersOf(pairs: readonly NameTitlePair[], baseUrl: string): number[] {
  const owners = pairs.map((_, at) => at)
  const byName = new Map<string, number[]>()
  for (const [at, { full_name }] of pairs.entries()) {
    const key = nameKey(full_name)
    const namesakes = byName.get(key)
    if (namesakes) namesakes.push(at)
    else byName.set(key, [at])
  }
  const repeated = [...byName.values()].filter(({ length }) => length > 1)
  if (repeated.length === 0) return owners
  const held = holdersOf(pairs, owners)
  const cards = cardsOf(baseUrl)
  const siblingsByCard = new FollowingSiblings(held)
  for (const namesakes of repeated) {
    const heads: { at: number; person: PagePerson }[] = []
    for (const at of namesakes) {
      const person = personIn(pairs[at] as NameTitlePair, held, cards, siblingsByCard)
      const head = heads.find((known) => isSamePerson(known.person, person))
      if (head) owners[at] = head.at
      else if (heads.length < MAX_NAMESAKES) heads.push({ at, person })
    }
  }
  return owners
}

/** The owner of every block around a name; null where the block contains several people. */
function holdersOf(pairs: readonly NameTitlePair[], owners: readonly number[]): Map<Element, number | null> {
  const held = new Map<Element, number | null>()
  for (const [i, { element }] of pairs.entries()) {
    const own = owners[i] as number
    for (let at: Element | null = element; at; at = at.parent) {
      const holder = held.get(at)
      // The ancestors are then set already.
      if (holder === null || holder === own) break
      held.set(at, holder === undefined ? own : null)
    }
  }
  return held
}

function personIn(
  { full_name, title, element, location }: NameTitlePair,
  held: ReadonlyMap<Element, number | null>,
  cards: Cards,
  siblingsByCard: FollowingSiblings,
): PagePerson {
  const person: PagePerson = { full_name, title, ...(location ? { location } : {}) }
  const card = cardOf(element, held, MAX_CLIMB)
  if (card) Object.assign(person, cards.contactsIn(card))
  // Text further out is about the team or the company.
  const close = cardOf(element, held, MAX_CLOSE)
  if (close) addCardText(cards.linesIn(close), person)
  for (const part of card ? siblingsByCard.of(card, title) : []) {
    const contacts = typeof part === 'string' ? contactsOf(part) : cards.contactsIn(part)
    for (const [field, value] of Object.entries(contacts) as [keyof Contacts, string][]) person[field] ??= value
    if (close === card && typeof part !== 'string') addCardText(cards.linesIn(part), person)
  }
  return person
}

function contactsOf(text: string): Contacts {
  const contacts: Contacts = {}
  if (text.length <= MAX_TEXT_CHARS) readText(text, contacts, '')
  return contacts
}

type Part = Element | string

/** Blocks after a name that can belong to it. */
const MAX_SIBLINGS = 8

/**
 * The siblings between a name and the next one, for pages that list people without a block around each:
 * `<h3>Ada Pike</h3><p>CFO</p><p>Tel …</p><h3>…`, or `<dt>` and its `<dd>`s.
 */
class FollowingSiblings {
  readonly #held: ReadonlyMap<Element, number | null>
  readonly #byParent = new Map<Element, Map<Element, Part[]>>()

  constructor(held: ReadonlyMap<Element, number | null>) {
    this.#held = held
  }

  of(card: Element, title: string): readonly Part[] {
    const { parent } = card
    // A parent with a single person needs no split.
    if (!parent || this.#held.get(parent) !== null) return []
    let siblingsByCard = this.#byParent.get(parent)
    if (!siblingsByCard) {
      siblingsByCard = this.#read(parent)
      this.#byParent.set(parent, siblingsByCard)
    }
    const siblings = siblingsByCard.get(card) ?? []
    // Siblings of a complete card do not belong to it.
    const isName = /^(?:h[1-6]|dt)$/.test(card.tag)
    const shown = (part: Part) => (typeof part === 'string' ? part : elementText(part, 200))
    return isName || siblings.some((part) => shown(part).includes(title)) ? siblings : []
  }

  #read(parent: Element): Map<Element, Part[]> {
    const siblingsByCard = new Map<Element, Part[]>()
    let siblings: Part[] | null = null
    let last: Element | null = null
    for (const child of parent.children) {
      if (typeof child !== 'string' && this.#held.has(child)) {
        siblings = []
        last = child
        siblingsByCard.set(child, siblings)
      } else if (typeof child !== 'string' && /^(?:h[1-6]|hr|section|footer|form|nav)$/.test(child.tag)) siblings = null
      else if (typeof child !== 'string' || child.trim() !== '') {
        if (siblings && siblings.length < MAX_SIBLINGS) siblings.push(child)
      }
    }
    // No name ends the siblings of the last person, so they get at most as many as the others have.
    if (last) {
      let longest = 0
      for (const [card, { length }] of siblingsByCard) if (card !== last) longest = Math.max(longest, length)
      siblingsByCard.set(last, (siblingsByCard.get(last) ?? []).slice(0, longest))
    }
    return siblingsByCard
  }
}

type Contacts = Omit<PagePerson, 'full_name' | 'title'>

/** Cached readers of cards, because a page may name one person a thousand times in the same card. */
type Cards = { contactsIn: (card: Element) => Contacts; linesIn: (card: Element) => readonly CardLine[] }

const cardsOf = (baseUrl: string): Cards => ({
  contactsIn: memoizeByElement((card) => readContacts(card, baseUrl)),
  linesIn: memoizeByElement(readCardLines),
})

/** The largest block around the name that contains no other person, below the page's root elements. */
function cardOf(element: Element, owners: ReadonlyMap<Element, number | null>, climb: number): Element | null {
  let card: Element | null = null
  let at: Element | null = element
  for (let level = 0; at && level < climb; level++, at = at.parent) {
    if (owners.get(at) === null || at.tag === 'body' || at.tag === 'main' || at.tag === 'html' || at.tag === '#root')
      break
    card = at
  }
  return card
}

/** A longer text is prose and not searched for contacts. */
const MAX_TEXT_CHARS = 300

function readContacts(card: Element, baseUrl: string): Contacts {
  const person: Contacts = {}
  let before = ''
  // In reading order, because a label precedes its number.
  const visit = (element: Element) => {
    const { href } = element.attrs
    if (element.tag === 'a' && href) readLink(href, person, before)
    if (element.tag === 'img') {
      const source = element.attrs.src ?? element.attrs['data-src']
      const image = source && !source.startsWith('data:') ? absoluteUrl(source, baseUrl) : null
      if (image) person.image ??= image
    }
    for (const child of element.children) {
      if (typeof child !== 'string') visit(child)
      else {
        if (child.length <= MAX_TEXT_CHARS) readText(child, person, before)
        if (child.trim() !== '') before = child.slice(-24)
      }
    }
  }
  visit(card)
  return person
}

function readText(text: string, person: Contacts, before: string): void {
  if (text.includes('@') && person.email === undefined) {
    for (const word of text.split(/[\s,;:]+/)) {
      const email = readEmail(word.replace(/\.$/, ''))
      if (email) person.email ??= email
    }
  }
  if (person.phone === undefined) {
    const phone = findPhone(text, before)
    if (phone) person.phone = phone
  }
}

function readLink(href: string, person: Contacts, before: string): void {
  if (/^mailto:/i.test(href)) {
    const email = readEmail(href)
    if (email) person.email ??= email
  } else if (/^tel:/i.test(href)) {
    const phone = endsWithFaxLabel(before) ? null : readPhone(href)
    if (phone) person.phone ??= phone
  } else if (isNetworkUrl(href)) {
    person.network_url ??= canonicalNetworkUrl(href)
  }
}
