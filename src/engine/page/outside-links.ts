import { getDomain } from 'tldts'
import { absoluteUrl } from './addresses.ts'
import { type Element, textOf, walk } from './tree.ts'

/** A link to another site, and what it is called. */
export type OutsideLink = { domain: string; text: string }

const MAX_LINKS = 200

/** The sites a page links to beside its own, in reading order, each under each name once. */
export function findOutsideLinks(root: Element, baseUrl: string): OutsideLink[] {
  const own = getDomain(baseUrl)
  const links = new Map<string, OutsideLink>()
  walk(root, (element) => {
    const { href } = element.attrs
    if (element.tag !== 'a' || !href || links.size >= MAX_LINKS) return undefined
    const address = absoluteUrl(href, baseUrl)
    const domain = address && getDomain(address)
    if (!domain || domain === own) return undefined
    const text = textOf(element, 100)
    links.set(`${domain} ${text}`, { domain, text })
    return undefined
  })
  return [...links.values()]
}
