import { tryParseJson } from '../text/storable.ts'
import { type Element, walkElements } from './element.ts'

export type JsonObject = { [key: string]: unknown }
export type JsonLdObject = { types: string[]; object: JsonObject }

const MAX_SCRIPTS = 50
const MAX_SCRIPT_CHARS = 1_000_000
const MAX_OBJECTS = 20_000
/** Properties with people and companies that are not the site's own. */
const FOREIGN = new Set('review reviews comment comments alumni customer sponsor mentions about citation'.split(' '))

/** All objects of the page's JSON-LD with a type, outermost first; scripts that cannot be parsed are skipped. */
export function findJsonLdObjects(root: Element): JsonLdObject[] {
  const found: JsonLdObject[] = []
  let scripts = 0
  let seen = 0
  walkElements(root, (element) => {
    if (element.tag !== 'script' || !/ld\+json/i.test(element.attrs.type ?? '')) return undefined
    if (++scripts > MAX_SCRIPTS) return false
    const source = element.children.filter((child) => typeof child === 'string').join('')
    const queue: unknown[] = [parseLoosely(source)]
    for (let i = 0; i < queue.length && seen < MAX_OBJECTS; i++, seen++) {
      const value = queue[i]
      if (Array.isArray(value)) {
        for (const item of value.slice(0, MAX_OBJECTS)) queue.push(item)
      } else if (isJsonObject(value)) {
        const types = stringValues(value['@type']).map((type) => type.replace(/^.*[/:#]/, ''))
        if (types.length > 0) found.push({ types, object: value })
        for (const [key, child] of Object.entries(value)) {
          if (typeof child === 'object' && child !== null && !FOREIGN.has(key)) queue.push(child)
        }
      }
    }
    return false
  })
  return found
}

/** Parses JSON as sites write it: inside comments, with trailing commas and line breaks in strings. */
function parseLoosely(source: string): unknown {
  if (source.length > MAX_SCRIPT_CHARS) return null
  const text = source.replace('<!--', '').replace('-->', '').replace('//<![CDATA[', '').replace('//]]>', '').trim()
  return tryParseJson(text) ?? tryParseJson(text.replace(/\p{Cc}/gu, ' ').replace(/,(?=\s{0,200}[\]}])/g, ''))
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The strings of a value that is a string, an object with a name, url or @id, or a list of these. */
export function stringValues(value: unknown): string[] {
  const list = Array.isArray(value) ? value.slice(0, 200) : [value]
  const found: string[] = []
  for (const item of list) {
    const text = isJsonObject(item) ? (item.name ?? item['@value'] ?? item.url ?? item['@id']) : item
    if (typeof text === 'string' && text.trim()) found.push(text.trim())
    else if (typeof text === 'number') found.push(String(text))
  }
  return found
}

export const firstString = (value: unknown): string | null => stringValues(value)[0] ?? null
