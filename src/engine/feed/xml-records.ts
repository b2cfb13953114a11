import { Parser } from 'htmlparser2'
import { toStorable } from '../text/storable.ts'
import { nestsTooDeep } from './nesting.ts'

/** The text of an element, or its children by name. Of several children with one name the first one counts. */
type XmlValue = string | XmlRecord
export type XmlRecord = { [name: string]: XmlValue }

/** The element of a feed that has children and is no entry. */
const FEED_IMAGE = 'image'
/** A thousand positions with their descriptions; the rest of a longer document would be missing. */
const MAX_XML_CHARS = 24_000_000

/**
 * The elements at a path, such as `rss/channel/item`, as records. Null for a document without the parent of the path, with
 * other elements instead, or cut off, and for one beyond the limits of feeds.
 */
export function readXmlRecords(source: string, path: readonly string[]): XmlRecord[] | null {
  const xml = toStorable(source)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (!xml.startsWith('<') || xml.length > MAX_XML_CHARS || nestsTooDeep(xml)) return null
  const records: XmlRecord[] = []
  const parentPath = path.slice(0, -1)
  const names: string[] = []
  /** The open elements of the current record, the record first. */
  const open: { name: string; text: string; children: XmlRecord | null }[] = []
  let hasParent = false
  /** Whether another element at the path has children, as a renamed record does. */
  let hasOthers = false
  const isAt = (wanted: readonly string[], depth = names.length) =>
    depth === wanted.length && wanted.every((name, at) => names[at] === name)
  const parser = new Parser(
    {
      onopentag(name) {
        const sibling =
          names.length === path.length && isAt(parentPath, path.length - 1) ? names[path.length - 1] : undefined
        hasOthers ||= sibling !== undefined && sibling !== path.at(-1) && sibling !== FEED_IMAGE
        names.push(name)
        hasParent ||= isAt(parentPath)
        if (open.length > 0 || isAt(path)) open.push({ name, text: '', children: null })
      },
      ontext(text) {
        const current = open.at(-1)
        if (current) current.text += text
      },
      onclosetag() {
        names.pop()
        const closed = open.pop()
        if (!closed) return
        const value = closed.children ?? closed.text
        const parent = open.at(-1)
        if (!parent) records.push(typeof value === 'string' ? emptyRecord() : value)
        else {
          parent.children ??= emptyRecord()
          parent.children[closed.name] ??= value
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(xml)
  const isWhole = names.length === 0
  parser.end()
  return hasParent && isWhole && (records.length > 0 || !hasOthers) ? records : null
}

/** Without a prototype, because the names come from outside. */
const emptyRecord = (): XmlRecord => Object.create(null) as XmlRecord
