import { cutText } from '../../engine/text/storable.ts'
import type { ChatMessage, ChatSection } from '../../providers/chat/types.ts'

/** A workflow of Teams accepts messages of 28 KB, so long texts are cut. */
const MAX_TEXT = 1_500

type TextRun = { type: 'TextRun'; text: string; weight?: 'Bolder'; size?: 'Medium'; isSubtle?: true }
type CardElement =
  /** Plain text. */
  | { type: 'RichTextBlock'; inlines: TextRun[] }
  /** Markdown. */
  | { type: 'TextBlock'; text: string; wrap: true }

/** The message as the body of a POST to a workflow that posts an Adaptive Card to a channel. */
export function toTeamsMessage({ title, summary, sections, link }: ChatMessage) {
  return {
    type: 'message',
    summary: cut(summary),
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [plain({ text: title, weight: 'Bolder', size: 'Medium' }), ...sections.flatMap(toElements)],
          actions: link ? [{ type: 'Action.OpenUrl', title: cut(link.text), url: link.url }] : [],
        },
      },
    ],
  }
}

function toElements({ heading, text_md, note, links }: ChatSection): CardElement[] {
  return [
    ...(heading ? [plain({ text: heading, weight: 'Bolder' })] : []),
    ...(text_md ? [markdown(text_md)] : []),
    ...(links.length > 0 ? [markdown(links.map(toListItem).join('\n'))] : []),
    ...(note ? [plain({ text: note, isSubtle: true })] : []),
  ]
}

const plain = (run: Omit<TextRun, 'type'>): CardElement => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', ...run, text: cut(run.text) }],
})

const markdown = (text: string): CardElement => ({ type: 'TextBlock', text: cut(text), wrap: true })

/** Brackets would end the text of the link, and parentheses its address. */
function toListItem({ text, url }: { text: string; url: string }): string {
  const address = url.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')
  return `- [${text.replaceAll('[', '(').replaceAll(']', ')')}](${address})`
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${cutText(text, MAX_TEXT - 1)}…` : text
}
