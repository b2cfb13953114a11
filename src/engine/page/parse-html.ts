import { Tokenizer } from 'htmlparser2'
import { cutText, toStorable } from '../text/storable.ts'
import { type Element, PageTexts } from './element.ts'
import { OpenElements } from './open-elements.ts'

/** Far above any page meant for people; the rest of a longer one is not read. */
const MAX_HTML_CHARS = 4_000_000
/** Deeper elements become children of the element at this depth, because walks recurse; a real page stays under 100. */
const MAX_DEPTH = 200
const MAX_ELEMENTS = 200_000
const MAX_ATTRIBUTES = 60

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/**
 * Builds the DOM in one pass over the tokens of htmlparser2. Its parser is not used, because its cost is quadratic in the
 * depth of nesting (200,000 open tags took half a minute).
 */
export function parseHtml(source: string): Element {
  const html = toStorable(cutText(source, MAX_HTML_CHARS))
  const texts = new PageTexts()
  let elements = 0
  const newElement = (tag: string, attrs: Record<string, string>, parent: Element | null): Element => ({
    tag,
    attrs,
    children: [],
    parent,
    number: elements,
    last: elements,
    texts,
    from: 0,
    to: 0,
  })
  const root = newElement('#root', {}, null)
  const open = new OpenElements(root)
  let tag = ''
  let attrs: Record<string, string> = {}
  let attrCount = 0
  let attrName = ''
  let attrValue = ''

  const addText = (text: string) => {
    const { children } = open.current
    const last = children.length - 1
    if (typeof children[last] === 'string') children[last] += text
    else children.push(text)
  }
  const addElement = (isVoid: boolean) => {
    if (++elements > MAX_ELEMENTS) return
    const element = newElement(tag, attrs, open.current)
    open.current.children.push(element)
    if (!isVoid && open.depth < MAX_DEPTH) open.enter(element)
  }
  const openTag = () => {
    open.endBefore(tag)
    addElement(VOID.has(tag))
  }

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = html.slice(start, Math.min(end, start + 40)).toLowerCase()
        attrs = {}
        attrCount = 0
      },
      onattribname(start, end) {
        attrName = html.slice(start, Math.min(end, start + 60)).toLowerCase()
        attrValue = ''
      },
      onattribdata(start, end) {
        attrValue += html.slice(start, end)
      },
      onattribentity(codepoint) {
        attrValue += String.fromCodePoint(codepoint)
      },
      onattribend() {
        if (attrCount++ < MAX_ATTRIBUTES && !Object.hasOwn(attrs, attrName)) attrs[attrName] = attrValue
      },
      onopentagend: openTag,
      onselfclosingtag: openTag,
      onclosetag(start, end) {
        const name = html.slice(start, Math.min(end, start + 40)).toLowerCase()
        if (name !== 'br') return open.close(name)
        tag = name
        attrs = {}
        addElement(true)
      },
      ontext: (start, end) => addText(html.slice(start, end)),
      ontextentity: (codepoint) => addText(String.fromCodePoint(codepoint)),
      oncdata: (start, end, offset) => addText(html.slice(start, end - offset)),
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  texts.read(root)
  return root
}
