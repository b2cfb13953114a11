import { cutText } from '../../engine/text/storable.ts'
import type { ChatMessage, ChatSection } from './types.ts'

type Text = { type: 'plain_text' | 'mrkdwn'; text: string }
type Block =
  | { type: 'header'; text: Text }
  | { type: 'section'; text: Text }
  | { type: 'context'; elements: Text[] }
  | { type: 'divider' }

/** Limits of the chat, which refuses longer messages as a whole. */
const MAX_HEADER = 150
const MAX_TEXT = 3_000
const MAX_BLOCKS = 50
const MAX_FALLBACK = 3_000

/** The plain text that notifications and screen readers show. */
export function toText({ summary }: ChatMessage): string {
  return cut(escaped(summary), MAX_FALLBACK)
}

export function toBlocks({ title, sections, link }: ChatMessage): Block[] {
  const blocks: Block[] = [{ type: 'header', text: { type: 'plain_text', text: cut(title, MAX_HEADER) } }]
  for (const section of sections) blocks.push(...sectionBlocks(section))
  const end: Block[] = link
    ? [{ type: 'section', text: { type: 'mrkdwn', text: cutLine(linkTo(link.text, link.url)) } }]
    : []
  return [...blocks.slice(0, MAX_BLOCKS - end.length), ...end]
}

function sectionBlocks({ heading, text_md, note, links }: ChatSection): Block[] {
  const lines = [
    ...(heading ? [`*${escaped(heading).replaceAll('*', '∗')}*`] : []),
    ...(text_md ? [toMrkdwn(text_md)] : []),
    ...links.map(({ text, url }) => `• ${linkTo(text, url)}`),
  ]
  const text = fit(lines)
  return [
    ...(text ? [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text } }] : []),
    ...(note
      ? [{ type: 'context' as const, elements: [{ type: 'mrkdwn' as const, text: cut(escaped(note), 300) }] }]
      : []),
  ]
}

/** As many whole lines as the chat accepts: a truncated link would be shown as text. */
function fit(lines: string[]): string {
  let text = ''
  for (const line of lines.map(cutLine)) {
    if (text.length + line.length + 1 > MAX_TEXT) break
    text += text ? `\n${line}` : line
  }
  return text
}

function cutLine(line: string): string {
  return line.length > MAX_TEXT ? cut(line.replaceAll(/<([^|>]*)\|?([^>]*)>/g, '$2'), MAX_TEXT) : line
}

/** Converts Markdown to the dialect of the chat: links, bold, headings and bullets; other marks are the same or stay. */
function toMrkdwn(markdown: string): string {
  return markdown
    .split(/(\[[^\]\n]+\]\(https?:\/\/[^\s)]+\))/)
    .map((part) => {
      const link = /^\[([^\]]+)\]\((https?:[^\s)]+)\)$/.exec(part)
      if (link) return linkTo(link[1] as string, link[2] as string)
      return escaped(part)
        .replaceAll(/\*\*([^*\n]+)\*\*/g, '*$1*')
        .replaceAll(/^#{1,6}\s+(.+)$/gm, '*$1*')
        .replaceAll(/^(\s*)[-*]\s+/gm, '$1• ')
    })
    .join('')
}

function linkTo(text: string, url: string): string {
  const target = escaped(url.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E'))
  return `<${target}|${escaped(text).replaceAll('|', '¦')}>`
}

/** Otherwise the name of a company could mention everyone in the channel. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function cut(text: string, max: number): string {
  return text.length > max ? `${cutText(text, max - 1)}…` : text
}
