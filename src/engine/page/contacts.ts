import { hasGivenName } from '../people/given-names.ts'
import { MAX_NAMESAKES, nameKey, readPersonName } from '../people/person-name.ts'
import { foldText } from '../text/fold.ts'
import { absoluteUrl, canonicalNetworkUrl, isNetworkUrl, readEmail } from './addresses.ts'
import { memoizeByElement } from './boilerplate.ts'
import { addCardText, readCardLines } from './card-text.ts'
import { collapseWhitespace, type Element, elementText, walkElements } from './element.ts'
import { tableCells } from './html-table.ts'
import { classHints, visibleLines } from './lines.ts'
import { isSamePerson } from './merge-mentions.ts'
import type { NameTitlePair, PagePerson } from './person.ts'
import { byKind, findPhones, phoneKey, readPhone, readPhoneLink, type ShownPhone, writePhone } from './phones.ts'
import { linkText, pathPart } from './vocabulary.ts'

/** Ancestors of a name that can be its card; further out are the links of the page. */
const MAX_CLIMB = 6
/** Ancestors whose text is about the person: the block of the name and the two around it. */
const MAX_CLOSE = 3

/** A person with all numbers of their card, before those of the company are removed. */
type CardPerson = {
  person: PagePerson
  phones: readonly ShownPhone[]
  /** The blocks that are about the person. */
  blocks: readonly Element[]
}

/**
 * Adds profile link, email and picture from each person's own card, and returns a function that adds the phone numbers of
 * the people it is given.
 */
export function attachContacts(root: Element, pairs: readonly NameTitlePair[], baseUrl: string) {
  const cards = new Cards(pairs, ownersOf(pairs, baseUrl), baseUrl)
  const isImprint = imprintSections(root, baseUrl)
  const all = pairs.map((pair) => {
    const read = cards.personOf(pair)
    // The number after the legal representatives is the company's.
    return isImprint(pair.element) ? { ...read, phones: read.phones.filter(isPersonal) } : read
  })
  return {
    people: all.map(({ person }) => person),
    addPhones: (isKept: (at: number) => boolean, structured: readonly PagePerson[]): PagePerson[] => {
      const kept = all.filter((_, at) => isKept(at))
      const given = structured.map((person) => ({
        person,
        phones: [readPhone(person.phone ?? '')].filter((one) => one !== null),
        blocks: [],
      }))
      return addPhones(root, [...given, ...kept], cards.divided)
    },
  }
}

const isPersonal = ({ kind }: ShownPhone) => kind === 'direct' || kind === 'mobile'

const IMPRINT_PATH = new RegExp(`/(?:imprint|legal-notice|${pathPart('imprint')})(?:\\.\\w{2,5})?/?$`)
const IMPRINT_HEADING = new RegExp(`^(?:imprint|legal notice|${linkText('imprint')})\\b`)

/** Whether an element is on an imprint or under its heading. */
function imprintSections(root: Element, pageUrl: string): (element: Element) => boolean {
  if (IMPRINT_PATH.test(URL.parse(pageUrl)?.pathname.toLowerCase() ?? '')) return () => true
  const sections: { from: number; to: number; tag: string }[] = []
  walkElements(root, (element) => {
    if (!/^h[1-6]$/.test(element.tag)) return undefined
    const open = sections.at(-1)
    if (open && open.to === Infinity && element.tag <= open.tag) open.to = element.number
    if (IMPRINT_HEADING.test(foldText(elementText(element, 60))) && (!open || open.to !== Infinity))
      sections.push({ from: element.number, to: Infinity, tag: element.tag })
    return undefined
  })
  const first = sections.slice(0, MAX_IMPRINTS)
  return ({ number }) => first.some(({ from, to }) => number > from && number < to)
}

/** A page with more of these headings is a dump. */
const MAX_IMPRINTS = 10

const COMPANY_BLOCK = new Set(['header', 'footer', 'nav'])
const COMPANY_HINT =
  /(?:^|[\s_-])(?:contacts?|kontakt|impressum|imprint|contacto?|address|header|footer|topbar)(?:$|[\s_-])/

const isCompanyBlock = (element: Element) =>
  COMPANY_BLOCK.has(element.tag) || element.tag === 'address' || COMPANY_HINT.test(classHints(element, 1))

/** Adds to each person the most personal number of their card that is neither another person's nor the company's. */
function addPhones(root: Element, all: readonly CardPerson[], divided: ReadonlySet<Element>): PagePerson[] {
  if (all.every(({ phones }) => phones.length === 0)) return all.map(({ person }) => person)
  const company = companyPhones(root, new Set(all.flatMap(({ blocks }) => blocks)), divided)
  const trunk = onlyNumber(company.filter(({ isInBlock }) => isInBlock)) ?? onlyNumber(company)
  const dialled = all.map(({ person, phones }) => ({ person, phones: withExtensions(phones, trunk) }))
  const owners = new Map<string, string | null>(company.map((phone) => [phoneKey(phone), null]))
  for (const { person, phones } of dialled) {
    const name = nameKey(person.full_name)
    for (const phone of phones) {
      const key = phoneKey(phone)
      owners.set(key, (owners.has(key) ? owners.get(key) : name) === name ? name : null)
    }
  }
  return dialled.map(({ person: { phone: _, ...person }, phones }) => {
    const own = phones.filter((phone) => owners.get(phoneKey(phone)) !== null && isAbout(phone, person)).sort(byKind)
    const [best] = own
    return best?.number ? { ...person, phone: writePhone(best.number, best.extension) } : person
  })
}

/** An extension without a number is one of the only number in the card, otherwise of the switchboard. */
function withExtensions(phones: readonly ShownPhone[], trunk: string | null): ShownPhone[] {
  const numbers = phones.filter(({ number }) => number !== null)
  return phones.flatMap((phone) => {
    if (phone.number !== null) return phone
    const [only] = numbers
    if (numbers.length > 1 || only?.extension) return []
    const number = only?.number ?? trunk
    return number ? { ...phone, number } : []
  })
}

const PRONOUN = /\b(?:me|mich|moi|mij|her|him|them|ihn|sie|ihm|ihr|lui|elle|haar|hem)\b/i

/** A number in a sentence may be that of an event or of the company; a line of contact details has no other subject. */
function isAbout({ sentence }: ShownPhone, { full_name }: PagePerson): boolean {
  const [first = full_name] = full_name.split(' ')
  return sentence === null || sentence.includes(first) || PRONOUN.test(sentence)
}

type CompanyPhone = ShownPhone & { isInBlock: boolean }

/** The numbers outside the cards of all people. */
function companyPhones(root: Element, claimed: ReadonlySet<Element>, divided: ReadonlySet<Element>): CompanyPhone[] {
  const phones: CompanyPhone[] = []
  const isOutside = (element: Element) => !claimed.has(element)
  let before = ''
  for (const { text, element } of visibleLines(root, (one) => !isOutside(one))) {
    if (text.length <= MAX_TEXT_CHARS && !divided.has(element)) {
      const isInBlock = isWithinBlock(element)
      for (const phone of findPhones(text, before)) if (phone.number) phones.push({ ...phone, isInBlock })
    }
    before = text
  }
  walkElements(root, (element) => {
    const phone = element.tag === 'a' ? readPhoneLink(element.attrs.href ?? '', elementText(element, 100)) : null
    if (phone && isOutside(element)) phones.push({ ...phone, isInBlock: isWithinBlock(element) })
    return isOutside(element)
  })
  return phones
}

function isWithinBlock(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parent) if (isCompanyBlock(at)) return true
  return false
}

function onlyNumber(phones: readonly ShownPhone[]): string | null {
  const numbers = new Map(phones.map((phone) => [phoneKey({ ...phone, extension: null }), phone.number]))
  return numbers.size === 1 ? ([...numbers.values()][0] as string) : null
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
  const cards = new Cards(pairs, owners, baseUrl)
  for (const namesakes of repeated) {
    const heads: { at: number; person: PagePerson }[] = []
    for (const at of namesakes) {
      const { person } = cards.personOf(pairs[at] as NameTitlePair)
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

/** Reads the cards of a page. What is read is cached, because a page may name one person a thousand times in the same card. */
class Cards {
  /** Blocks whose own text shows several people in turn. */
  readonly divided = new Set<Element>()
  readonly #held: ReadonlyMap<Element, number | null>
  readonly #siblings: FollowingSiblings
  readonly #lines: DividedLines
  readonly #contacts: (card: Element, name: string) => Contacts
  readonly #cardLines = memoizeByElement(readCardLines)

  constructor(pairs: readonly NameTitlePair[], owners: readonly number[], baseUrl: string) {
    this.#held = holdersOf(pairs, owners)
    this.#siblings = new FollowingSiblings(this.#held)
    this.#lines = new DividedLines(pairs)
    const known = new Map<Element, Contacts>()
    this.#contacts = (card, name) => {
      const contacts = known.get(card) ?? readContacts(card, name, this.#isListed(card), baseUrl)
      known.set(card, contacts)
      return contacts
    }
  }

  personOf({ full_name, title, element, location }: NameTitlePair): CardPerson {
    const person: PagePerson = { full_name, title, ...(location ? { location } : {}) }
    const card = this.#cardOf(element, MAX_CLIMB)
    // Text further out is about the team or the company.
    const close = this.#cardOf(element, MAX_CLOSE)
    const parts: Contacts[] = []
    const blocks: Element[] = []
    if (card) {
      blocks.push(card)
      parts.push(this.#contacts(card, full_name))
    } else {
      this.divided.add(element)
      parts.push(contactsInLines(this.#lines.of(element, full_name), full_name))
    }
    if (close) addCardText(this.#cardLines(close), person)
    for (const part of card ? this.#siblings.of(card, title) : []) {
      if (typeof part === 'string') {
        parts.push(contactsInLines([collapseWhitespace(part)], full_name))
        if (card?.parent) this.divided.add(card.parent)
        continue
      }
      blocks.push(part)
      if (card?.parent) this.divided.add(card.parent)
      parts.push(this.#contacts(part, full_name))
      if (close === card) addCardText(this.#cardLines(part), person)
    }
    for (const { email, network_url, image } of parts) {
      if (email) person.email ??= email
      if (network_url) person.network_url ??= network_url
      if (image) person.image ??= image
    }
    return { person, phones: parts.flatMap(({ phones }) => phones), blocks }
  }

  /** The largest block around the name that contains no other person, below the page's root elements. */
  #cardOf(element: Element, climb: number): Element | null {
    let card: Element | null = null
    let at: Element | null = element
    for (let level = 0; at && level < climb; level++, at = at.parent) {
      if (this.#held.get(at) === null || WHOLE_PAGE.has(at.tag) || this.#framesPage(at)) break
      card = at
    }
    return card
  }

  /** Whether a card is one of several, which end it. Any other is only as large as the search for it. */
  #isListed({ parent }: Element): boolean {
    return parent !== null && this.#held.get(parent) === null
  }

  /** Whether a block contains the page's header or footer next to the person. Cached, because a block may have many people. */
  readonly #framesPage = memoizeByElement((block: Element): boolean => {
    if (block.tag === 'article' || block.tag === 'li' || this.#isListed(block)) return false
    return block.children.some(
      (child) => typeof child !== 'string' && COMPANY_BLOCK.has(child.tag) && !this.#held.has(child),
    )
  })
}

const WHOLE_PAGE = new Set(['body', 'main', 'html', '#root'])

/** The lines between a name and the next one in a block that shows several people: "Ada Pike<br>CFO<br>Tel …<br>Ben Moss". */
class DividedLines {
  readonly #names: ReadonlyMap<Element, string[]>
  readonly #byBlock: (block: Element) => ReadonlyMap<string, string[]>

  constructor(pairs: readonly NameTitlePair[]) {
    const names = Map.groupBy(pairs, ({ element }) => element)
    this.#names = new Map([...names].map(([block, own]) => [block, own.map(({ full_name }) => full_name)]))
    this.#byBlock = memoizeByElement((block) => this.#divide(block))
  }

  of(block: Element, name: string): readonly string[] {
    return this.#byBlock(block).get(name) ?? []
  }

  #divide(block: Element): ReadonlyMap<string, string[]> {
    const names = [...new Set(this.#names.get(block))]
    const found = new Map<string, string[]>()
    let lines: string[] | null = null
    let last = ''
    for (const { text } of names.length <= MAX_DIVIDED ? visibleLines(block, () => false) : []) {
      const shown = names.filter((name) => text.includes(name))
      if (shown.length > 0) {
        last = shown[0] as string
        // A line of two people is neither's, and so is what follows it.
        lines = shown.length === 1 && !found.has(last) ? [] : null
        if (lines) found.set(last, lines)
      }
      if (lines && lines.length < MAX_SIBLINGS) lines.push(text)
    }
    const longest = Math.max(0, ...[...found].filter(([name]) => name !== last).map(([, { length }]) => length))
    found.set(last, (found.get(last) ?? []).slice(0, longest))
    return found
  }
}

/** A block with more people is a dump, and each name would be searched in each line. */
const MAX_DIVIDED = 100

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

type Contacts = Pick<PagePerson, 'email' | 'network_url' | 'image'> & { phones: ShownPhone[] }

/** A longer text is prose and not searched for contacts. */
const MAX_TEXT_CHARS = 300
/** Limits on the lines of a card that are searched for numbers. */
const MAX_CARD_LINES = 100

function contactsInLines(lines: readonly string[], name: string): Contacts {
  const contacts: Contacts = { phones: [] }
  let before = ''
  for (const text of lines) {
    if (text.length <= MAX_TEXT_CHARS) {
      readEmailIn(text, contacts)
      contacts.phones.push(...findPhones(text, before, name))
    }
    before = text
  }
  return contacts
}

function readContacts(card: Element, name: string, isListed: boolean, baseUrl: string): Contacts {
  const contacts: Contacts = { phones: [] }
  const links: { phone: ShownPhone; element: Element }[] = []
  let before = ''
  let line: { text: string; parent: Element } | null = null
  // In reading order, because a label precedes its number.
  const visit = (element: Element) => {
    const { href } = element.attrs
    if (element.tag === 'a' && href) {
      const own = line?.parent === element.parent ? line?.text : ''
      const phone = readLink(href, contacts, `${before} ${linkWords(element)}`, own, name)
      if (phone) links.push({ phone, element })
    }
    if (element.tag === 'img') {
      const source = element.attrs.src ?? element.attrs['data-src']
      const image = source && !source.startsWith('data:') ? absoluteUrl(source, baseUrl) : null
      if (image) contacts.image ??= image
    }
    for (const child of element.children) {
      if (typeof child !== 'string') visit(child)
      else {
        if (child.length <= MAX_TEXT_CHARS) readEmailIn(child, contacts)
        if (child.trim() !== '') {
          before = child.slice(-24)
          line = { text: child.slice(-MAX_TEXT_CHARS), parent: element }
        }
      }
    }
  }
  visit(card)
  const { shown, others } = phonesInLines(card, name, isListed)
  contacts.phones = shown
  for (const { phone, element } of links) {
    const isIn = (blocks: readonly Element[]) =>
      blocks.some(({ number, last }) => element.number >= number && element.number <= last)
    // The visible number counts, because the address of the link may be left over from a template.
    if (findPhones(elementText(element, 80), 'tel').some(({ number }) => number !== null) || isIn(others)) continue
    contacts.phones.push(phone)
  }
  return contacts
}

/** Headings of contact details that are the company's, wherever they are. */
const COMPANY_HEADING =
  /\b(?:contact us|get in touch|call us|visit us|questions|fragen|kontaktieren sie|rufen sie|so erreichen|contactez|nous contacter|contactanos|contactenos|contattaci|neem contact|offices?|locations?|standorte?|niederlassung|headquarters|head office|customer|press|media|support|sales team)\b/

/** Lines between a name and a number that still belongs to it, where no other card ends the person's. */
const MAX_DISTANCE = 12

/**
 * The numbers in the lines of a card, and the blocks of which the numbers are not the person's. What stands above the name
 * is about the company, unless the card is one of several.
 */
function phonesInLines(card: Element, name: string, isListed: boolean): { shown: ShownPhone[]; others: Element[] } {
  const shown: ShownPhone[] = []
  const others: Element[] = []
  const lines = visibleLines(card, () => false)
  let before = ''
  let isNamed = !lines.some(({ text }) => text.includes(name))
  let isOther = !isListed && !isNamed
  let distance = 0
  for (const { text, element } of lines.slice(0, MAX_CARD_LINES)) {
    if (text.includes(name)) {
      isNamed = true
      isOther = false
      distance = 0
    } else if (!isListed && distance++ > MAX_DISTANCE) {
      isOther = true
    } else if (/^h[1-6]$/.test(element.tag)) {
      // What stands under another heading before the name is about an office or a department.
      isOther = !isNamed || COMPANY_HEADING.test(foldText(text))
    }
    if (isOther) others.push(element)
    else if (text.length <= MAX_TEXT_CHARS && !isFaxLink(element) && !namesAnother(text, name))
      shown.push(...findPhones(text, columnOf(element) ?? before, name))
    before = text
  }
  return { shown, others }
}

const isFaxLink = ({ tag, attrs }: Element) =>
  tag === 'a' && (/^fax:/i.test(attrs.href ?? '') || /(?:^|[\s_-])(?:tele)?fax(?:$|[\s_-])/i.test(attrs.class ?? ''))

/** Whether a line with a number names another person, with a common given name: a colleague or an assistant. */
function namesAnother(text: string, name: string): boolean {
  if (!/\d{3}/.test(text)) return false
  return text.split(/[,;|:()–—]|\s(?:and|or|und|oder|et|ou|y|o|e|en|of|&)\s/).some((part) => {
    const another = readPersonName(part)
    return (
      another !== null &&
      another !== name &&
      !name.includes(another) &&
      hasGivenName(foldText(another).split(' ').slice(0, 1))
    )
  })
}

/** The header of a cell's column, which labels its content. */
function columnOf(cell: Element): string | null {
  const row = cell.tag === 'td' ? cell.parent : null
  const at = row?.children.filter((child) => typeof child !== 'string' && /^t[dh]$/.test(child.tag)).indexOf(cell) ?? -1
  let table: Element | null = row
  while (table && table.tag !== 'table') table = table.parent
  const header = table && at >= 0 ? headerOf(table)[at] : undefined
  return header ?? null
}

const headerOf = memoizeByElement((table) => (tableCells(table)[0] ?? []).map((cell) => elementText(cell, 40)))

function readEmailIn(text: string, contacts: Contacts): void {
  if (!text.includes('@') || contacts.email !== undefined) return
  for (const word of text.split(/[\s,;:]+/)) {
    const email = readEmail(word.replace(/\.$/, ''))
    if (email) contacts.email ??= email
  }
}

/** The words that may label a link: its class and its text come before the text above it. */
function linkWords(element: Element): string {
  const { title, 'aria-label': label } = element.attrs
  return [title ?? '', label ?? '', elementText(element, 60)].join(' ')
}

/** Adds the address or the profile of a link; returns the number that it calls. */
function readLink(href: string, contacts: Contacts, words: string, line = '', name = ''): ShownPhone | null {
  if (/^mailto:/i.test(href)) {
    const email = readEmail(href)
    if (email) contacts.email ??= email
  } else if (isNetworkUrl(href)) {
    contacts.network_url ??= canonicalNetworkUrl(href)
  } else return readPhoneLink(href, words, line, name)
  return null
}
