import { cutText } from '../../engine/text/storable.ts'
import type { ChatActions, ChatInteraction, ChatMessage, ChatSection } from './types.ts'

type Text = { type: 'plain_text' | 'mrkdwn'; text: string }
type Button = { type: 'button'; action_id: string; text: Text; style?: 'primary'; value?: string; url?: string }
type Block =
  | { type: 'header'; text: Text }
  | { type: 'section'; text: Text; accessory?: Button }
  | { type: 'context'; elements: Text[] }
  | { type: 'actions'; block_id: string; elements: Button[] }
  | { type: 'divider' }

/** Limits of the chat, which refuses longer messages as a whole. */
const MAX_HEADER = 150
const MAX_TEXT = 3_000
const MAX_BLOCKS = 50
const MAX_FALLBACK = 3_000
const MAX_BUTTON_URL = 3_000

type ButtonAction = Pick<ChatInteraction, 'action' | 'snooze_until'>

/** The button of a finding. Its value is the work item and the finding; that of the others is the work item. */
const WRONG_BUTTON = 'work_item_wrong'

/** The action of each button, by its id in the chat. */
export const BUTTON_ACTIONS: Readonly<Record<string, ButtonAction & { label: string }>> = {
  work_item_done: { label: 'Done', action: 'done', snooze_until: null },
  work_item_snooze_tomorrow: { label: 'Snooze until tomorrow', action: 'snooze', snooze_until: 'tomorrow' },
  work_item_snooze_monday: { label: 'Snooze until Monday', action: 'snooze', snooze_until: 'next_monday' },
  [WRONG_BUTTON]: { label: 'Wrong', action: 'wrong', snooze_until: null },
}

/** The chat reports clicks on links too. */
export const OPEN_BUTTON = 'work_item_open'

/** The plain text that notifications and screen readers show. */
export function toText({ summary }: ChatMessage): string {
  return cut(escaped(summary), MAX_FALLBACK)
}

export function toBlocks({ title, sections, link, actions }: ChatMessage): Block[] {
  const blocks: Block[] = [{ type: 'header', text: { type: 'plain_text', text: cut(title, MAX_HEADER) } }]
  for (const section of sections) blocks.push(...sectionBlocks(section, actions))
  const end: Block[] = [
    ...(link
      ? [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text: cutLine(linkTo(link.text, link.url)) } }]
      : []),
    ...(actions ? [actionsBlock(actions)] : []),
  ]
  return [...blocks.slice(0, MAX_BLOCKS - end.length), ...end]
}

function actionsBlock({ work_item_id, open_url }: ChatActions): Block {
  const buttons = Object.keys(BUTTON_ACTIONS)
    .filter((action_id) => action_id !== WRONG_BUTTON)
    .map((action_id, at): Button => ({ ...buttonOf(action_id, work_item_id), ...(at === 0 && { style: 'primary' }) }))
  const open = open_url && URL.parse(open_url)
  // The chat refuses the whole message because of a URL that it does not accept.
  const isLink = open && /^https?:$/.test(open.protocol) && open.href.length <= MAX_BUTTON_URL
  const link: Button[] = isLink
    ? [{ type: 'button', action_id: OPEN_BUTTON, text: { type: 'plain_text', text: 'Open' }, url: open.href }]
    : []
  return { type: 'actions', block_id: 'work_item', elements: [...buttons, ...link] }
}

function buttonOf(action_id: string, value: string): Button {
  const label = BUTTON_ACTIONS[action_id]?.label ?? action_id
  return { type: 'button', action_id, text: { type: 'plain_text', text: label }, value }
}

function sectionBlocks(
  { heading, text_md, note, links, detection_id }: ChatSection,
  actions: ChatMessage['actions'],
): Block[] {
  const lines = [
    ...(heading ? [`*${escaped(heading).replaceAll('*', '∗')}*`] : []),
    ...(text_md ? [toMrkdwn(text_md)] : []),
    ...links.map(({ text, url }) => `• ${linkTo(text, url)}`),
  ]
  const text = fit(lines)
  const wrong = actions && detection_id && buttonOf(WRONG_BUTTON, `${actions.work_item_id} ${detection_id}`)
  const accessory = wrong ? { accessory: wrong } : {}
  return [
    ...(text ? [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text }, ...accessory }] : []),
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
