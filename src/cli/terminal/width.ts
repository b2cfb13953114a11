/** East Asian Wide and Fullwidth characters; emoji are matched separately. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
/** Combining marks and invisible characters. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The width of a text in terminal columns: one per grapheme, two for a wide one. */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment)
  return width
}

function widthOfGrapheme(segment: string): number {
  if (ZERO_WIDTH.test(segment)) return 0
  return WIDE.test(segment) || EMOJI.test(segment) ? 2 : 1
}

/** The text, truncated with an ellipsis if it is too wide. */
export function truncateToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  let kept = ''
  let width = 1
  for (const { segment } of graphemes.segment(text)) {
    width += widthOfGrapheme(segment)
    if (width > columns) break
    kept += segment
  }
  return columns > 0 ? `${kept.trimEnd()}…` : ''
}

/** Wraps a text into lines of at most `columns`; the first line keeps its indent. A wider word, such as a URL, is not split. */
export function wrapText(text: string, columns: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line: string | null = null
    for (const word of paragraph.split(' ')) {
      if (line?.trim() && textWidth(line) + 1 + textWidth(word) > columns) {
        lines.push(line)
        line = word
      } else line = line === null ? word : `${line} ${word}`
    }
    return [...lines, line ?? '']
  })
}
