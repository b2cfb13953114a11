import { mainText } from '../engine/page/text.ts'
import { parseHtml } from '../engine/page/tree.ts'

/** The reading text of a piece of HTML. */
export function plainText(html: string, maxChars: number): string {
  return mainText(parseHtml(html)).slice(0, maxChars)
}
