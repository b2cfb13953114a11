import { absoluteUrl, canonicalNetworkUrl, isNetworkUrl, readEmail, readPhone } from './addresses.ts'
import { addCardText, type CardLine, readCardLines } from './card-text.ts'
import type { PagePerson, Pair } from './person.ts'
import { isSamePerson, MAX_NAMESAKES, nameKeyOf } from './same-person.ts'
import { type Element, walk } from './tree.ts'

/** A card is a few blocks high; climbing further would reach the page's own links. */
const MAX_CLIMB = 6
/** The block of the name itself and the two around it. */
const MAX_CLOSE = 3

/** Adds the profile link, address, number and picture that stand in a person's own card. */
export function attachContacts(pairs: readonly Pair[], baseUrl: string): PagePerson[] {
  const owners = ownersOf(pairs, baseUrl)
  const held = holdersOf(pairs, owners)
  const cards = new Cards(baseUrl)
  return pairs.map((pair) => personIn(pair, held, cards))
}

/**
 * Whose card each pair stands in, as the number of the first pair of that person. One card may name its person twice
 * (a portrait's description, then the heading), and two cards may be of two people with one name: what stands closest
 * around each mention tells which.
 */
function ownersOf(pairs: readonly Pair[], baseUrl: string): number[] {
  const owners = pairs.map((_, at) => at)
  const byName = new Map<string, number[]>()
  for (const [at, { full_name }] of pairs.entries()) {
    const key = nameKeyOf(full_name)
    const namesakes = byName.get(key)
    if (namesakes) namesakes.push(at)
    else byName.set(key, [at])
  }
  const repeated = [...byName.values()].filter(({ length }) => length > 1)
  if (repeated.length === 0) return owners
  const held = holdersOf(pairs, owners)
  const cards = new Cards(baseUrl)
  for (const namesakes of repeated) {
    const heads: { at: number; person: PagePerson }[] = []
    for (const at of namesakes) {
      const person = personIn(pairs[at] as Pair, held, cards)
      const head = heads.find((known) => isSamePerson(known.person, person))
      if (head) owners[at] = head.at
      else if (heads.length < MAX_NAMESAKES) heads.push({ at, person })
    }
  }
  return owners
}

/** For every block around a name whose it is; null where it holds several people. */
function holdersOf(pairs: readonly Pair[], owners: readonly number[]): Map<Element, number | null> {
  const held = new Map<Element, number | null>()
  for (const [i, { element }] of pairs.entries()) {
    const own = owners[i] as number
    for (let at: Element | null = element; at; at = at.parent) {
      const holder = held.get(at)
      // Then the same is known of everything around it.
      if (holder === null || holder === own) break
      held.set(at, holder === undefined ? own : null)
    }
  }
  return held
}

function personIn(
  { full_name, title, element }: Pair,
  held: ReadonlyMap<Element, number | null>,
  cards: Cards,
): PagePerson {
  const person: PagePerson = { full_name, title }
  const card = cardOf(element, held, MAX_CLIMB)
  if (card) Object.assign(person, cards.contactsIn(card))
  // Further out stands what is said of the team or the company.
  const close = cardOf(element, held, MAX_CLOSE)
  if (close) addCardText(cards.linesIn(close), person)
  return person
}

type Contacts = Omit<PagePerson, 'full_name' | 'title'>

/** What stands in cards, read once: a page may name one person a thousand times in the same. */
class Cards {
  readonly #contacts = new Map<Element, Contacts>()
  readonly #lines = new Map<Element, readonly CardLine[]>()
  readonly #baseUrl: string

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  contactsIn(card: Element): Contacts {
    const known = this.#contacts.get(card)
    if (known) return known
    const contacts = readContacts(card, this.#baseUrl)
    this.#contacts.set(card, contacts)
    return contacts
  }

  linesIn(card: Element): readonly CardLine[] {
    const known = this.#lines.get(card)
    if (known) return known
    const lines = readCardLines(card)
    this.#lines.set(card, lines)
    return lines
  }
}

/** The largest block around the name that holds nobody else. A page with one person only has no such border. */
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

function readContacts(card: Element, baseUrl: string): Contacts {
  const person: Contacts = {}
  const visit = (element: Element) => {
    const { href } = element.attrs
    if (element.tag === 'a' && href) readLink(href, person)
    if (element.tag === 'img') {
      const source = element.attrs.src ?? element.attrs['data-src']
      const image = source && !source.startsWith('data:') ? absoluteUrl(source, baseUrl) : null
      if (image) person.image ??= image
    }
    for (const child of element.children) {
      if (typeof child !== 'string' || child.length > 300) continue
      if (child.includes('@') && person.email === undefined) {
        for (const word of child.split(/[\s,;:]+/)) {
          const email = readEmail(word)
          if (email) person.email ??= email
        }
      } else if (person.phone === undefined) {
        const phone = readPhone(child.replace(/^\s*(?:tel|phone|mobile|direct|t|m|p)\s{0,3}[.:]{1,2}/i, ''))
        if (phone) person.phone = phone
      }
    }
    return undefined
  }
  visit(card)
  walk(card, visit)
  return person
}

function readLink(href: string, person: Contacts): void {
  if (/^mailto:/i.test(href)) {
    const email = readEmail(href)
    if (email) person.email ??= email
  } else if (/^tel:/i.test(href)) {
    const phone = readPhone(href)
    if (phone) person.phone ??= phone
  } else if (isNetworkUrl(href)) {
    person.network_url ??= canonicalNetworkUrl(href)
  }
}
