import { Fragment, type ReactNode, useMemo } from 'react'
import { SafeLink } from './links.tsx'
import classes from './Markdown.module.css'

type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'list'; isOrdered: boolean; items: { text: string; depth: number }[] }
  | Prose
  | { kind: 'code'; text: string }
  | { kind: 'rule' }
type Prose = { kind: 'quote'; text: string } | { kind: 'paragraph'; text: string }

const HEADING = /^(#{1,6})\s+(.*)$/
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/
/** All characters that `.` does not match, so that no regular expression backtracks across lines. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/
const FENCE = /^\s*(?:```|~~~)/

/**
 * Renders Markdown: headings, lists, quotes, code, bold, italics and http links. HTML is shown as text, images are omitted.
 * `top` is the level of its first headings, one below the heading above it.
 */
export function Markdown({ children, top = 3 }: { children: string; top?: 2 | 3 | 4 }) {
  const blocks = useMemo(() => parseBlocks(children), [children])
  return (
    <div className={classes.text}>
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity except their position
        <MarkdownBlock key={at} block={block} top={top} />
      ))}
    </div>
  )
}

function MarkdownBlock({ block, top }: { block: Block; top: number }) {
  if (block.kind === 'rule') return <hr />
  if (block.kind === 'code') return <pre>{block.text}</pre>
  if (block.kind === 'quote') return <blockquote>{parseInline(block.text)}</blockquote>
  if (block.kind === 'paragraph') return <p>{parseInline(block.text)}</p>
  if (block.kind === 'heading') {
    const Heading = `h${Math.min(6, top + block.level - 1)}` as 'h3'
    return <Heading>{parseInline(block.text)}</Heading>
  }
  const List = block.isOrdered ? 'ol' : 'ul'
  return (
    <List>
      {block.items.map(({ text, depth }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={at} style={depth > 0 ? { marginLeft: `${depth * 1.25}em` } : undefined}>
          {parseInline(text)}
        </li>
      ))}
    </List>
  )
}

function parseBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let open = null as Prose | null
  let fenced: string[] | null = null
  for (const line of markdown.split(LINE_END)) {
    if (FENCE.test(line)) {
      if (fenced) blocks.push({ kind: 'code', text: fenced.join('\n') })
      fenced = fenced ? null : []
      open = null
      continue
    }
    if (fenced) {
      fenced.push(line)
      continue
    }
    const last = blocks.at(-1)
    const heading = HEADING.exec(line)
    const item = RULE.test(line) ? null : ITEM.exec(line)
    const quote = /^\s*>\s?(.*)$/.exec(line)
    if (line.trim() === '') open = null
    else if (RULE.test(line)) blocks.push({ kind: 'rule' })
    else if (heading)
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: trimClosingHashes(heading[2] ?? '') })
    else if (item) {
      const isOrdered = item[2] !== undefined
      const entry = { text: item[3] ?? '', depth: Math.min(4, Math.floor((item[1]?.length ?? 0) / 2)) }
      if (last?.kind === 'list' && (last.isOrdered === isOrdered || entry.depth > 0)) last.items.push(entry)
      else blocks.push({ kind: 'list', isOrdered, items: [entry] })
      open = null
    } else if (last?.kind === 'list' && /^\s{2,}\S/.test(line)) {
      const entry = last.items.at(-1)
      if (entry) entry.text += ` ${line.trim()}`
    } else {
      const kind = quote ? 'quote' : 'paragraph'
      const text = quote ? (quote[1] ?? '') : line.trim()
      if (open?.kind === kind) open.text += `\n${text}`
      else {
        const begun: Prose = { kind, text }
        blocks.push(begun)
        open = begun
      }
      continue
    }
    if (heading || RULE.test(line)) open = null
  }
  if (fenced) blocks.push({ kind: 'code', text: fenced.join('\n') })
  return blocks
}

/** A heading may end with the hashes that open it. */
function trimClosingHashes(heading: string): string {
  let end = heading.trimEnd().length
  while (heading[end - 1] === '#') end--
  return heading.slice(0, end).trimEnd()
}

/** Each opening mark is tried once and its end searched within MAX_SPAN characters, so that parsing time stays linear. */
const MAX_SPAN = 2_000
const INLINE =
  /\\([\\`*_[\]<>#|~(){}.!:+-])|(`{1,8})([^`]{1,2000}?)\2|!?\[([^[\]\n]{0,500})\]\(([^()\s]{1,2000})\)|(\*\*|__)(?=\S)|(\*|_)(?=\S)|(\bhttps?:\/\/[^\s<>()"']{1,2000}[^\s<>()"'.,;:!?])|(\n)/g

function parseInline(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  const marks = new RegExp(INLINE)
  let from = 0
  const add = (part: ReactNode) => parts.push(<Fragment key={parts.length}>{part}</Fragment>)
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const [whole, escaped, , code, label, target, strong, emphasis, address, newline] = found
    const mark = strong ?? emphasis
    const end = mark ? findClosingMark(text, found.index + mark.length, mark) : -1
    // An asterisk or underscore without a closing mark is plain text.
    if (mark && end < 0) continue
    add(text.slice(from, found.index))
    from = found.index + whole.length
    if (escaped !== undefined) add(escaped)
    else if (code !== undefined) add(<code>{code}</code>)
    else if (target !== undefined) add(<SafeLink to={target}>{label || target}</SafeLink>)
    else if (address !== undefined) add(<SafeLink to={address}>{address}</SafeLink>)
    else if (newline !== undefined) add(' ')
    else if (mark) {
      const inner = parseInline(text.slice(from, end))
      add(strong ? <strong>{inner}</strong> : <em>{inner}</em>)
      from = end + mark.length
    }
    marks.lastIndex = from
  }
  add(text.slice(from))
  return parts
}

/** The index of the closing mark, or -1. It must not follow a space, and an underscore must not be inside a word. */
function findClosingMark(text: string, from: number, mark: string): number {
  if (mark.startsWith('_') && /\w/.test(text[from - mark.length - 1] ?? '')) return -1
  const within = text.slice(from, from + MAX_SPAN)
  for (let at = within.indexOf(mark, 1); at > 0; at = within.indexOf(mark, at + 1)) {
    const isClosing = /\S/.test(within[at - 1] ?? ' ') && within[at - 1] !== '\\'
    const isLonger = mark.length === 1 && within[at + 1] === mark
    const isInWord = mark.startsWith('_') && /\w/.test(within[at + mark.length] ?? '')
    if (isClosing && !isLonger && !isInWord) return from + at
    if (isLonger) at++
  }
  return -1
}
