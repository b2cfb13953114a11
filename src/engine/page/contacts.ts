import { absoluteUrl, canonicalNetworkUrl, isNetworkUrl, readEmail, readPhone } from './addresses.ts'
import type { Pair, Person } from './people.ts'
import { type Element, walk } from './tree.ts'

/** A card is a few blocks high; climbing further would reach the page's own links. */
const MAX_CLIMB = 6

/** Adds the profile link, address, number and picture that stand in a person's own card. */
export function attachContacts(pairs: readonly Pair[], baseUrl: string): Person[] {
  const owners = new Map<Element, string | null>()
  for (const { element, full_name } of pairs) {
    for (let at: Element | null = element; at; at = at.parent) {
      const owner = owners.get(at)
      owners.set(at, owner === undefined || owner === full_name ? full_name : null)
    }
  }
  return pairs.map(({ full_name, title, element }) => {
    const person: Person = { full_name, title }
    const card = cardOf(element, owners)
    if (card) readCard(card, person, baseUrl)
    return person
  })
}

/** The largest block around the name that holds nobody else. A page with one person only has no such border. */
function cardOf(element: Element, owners: ReadonlyMap<Element, string | null>): Element | null {
  let card: Element | null = null
  let at: Element | null = element
  for (let level = 0; at && level < MAX_CLIMB; level++, at = at.parent) {
    if (owners.get(at) === null || at.tag === 'body' || at.tag === 'main' || at.tag === 'html' || at.tag === '#root')
      break
    card = at
  }
  return card
}

function readCard(card: Element, person: Person, baseUrl: string): void {
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
}

function readLink(href: string, person: Person): void {
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
